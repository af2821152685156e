// Drafts a FreeSewing design. Reads a request from standard input and prints the result, both as JSON:
//   {"design": "teagan", "measurements": {"chest": 960, ...}, "options": {...}}     measurements in mm and degrees
//   {"parts": {"teagan.front": {"points": {"neck": [x, y], ...}, "paths": {"seam": [["move", x, y], ...]}}}}
// or {"problem": "measurement" | "option" | "design", "name": ..., "why": ...}.
import './es2023.mjs'
import { text } from 'node:stream/consumers'
import { measurements as known } from '@freesewing/config'

const DESIGNS = {
  aaron: () => import('@freesewing/aaron').then((module) => module.Aaron),
  penelope: () => import('@freesewing/penelope').then((module) => module.Penelope),
  sandy: () => import('@freesewing/sandy').then((module) => module.Sandy),
  teagan: () => import('@freesewing/teagan').then((module) => module.Teagan),
  titan: () => import('@freesewing/titan').then((module) => module.Titan),
}

function reply(result) {
  process.stdout.write(JSON.stringify(result))
}

// What is wrong with the request, or undefined.
function problemOf(request, config) {
  for (const name of Object.keys(request.measurements))
    if (!known.includes(name)) return { problem: 'measurement', name, why: 'FreeSewing has no such measurement' }
  for (const name of config.measurements)
    if (!(name in request.measurements)) return { problem: 'measurement', name, why: 'it is missing' }
  for (const [name, value] of Object.entries(request.options)) {
    const option = config.options[name]
    if (option === undefined || typeof option !== 'object')
      return { problem: 'option', name, why: `${request.design} has no such option` }
    const scale = 'pct' in option ? 100 : 1
    if ('min' in option && !(value * scale >= option.min && value * scale <= option.max))
      return { problem: 'option', name, why: `${value} is not between ${option.min / scale} and ${option.max / scale}` }
    if ('list' in option && !option.list.includes(value))
      return { problem: 'option', name, why: `'${value}' is not one of ${option.list.join(', ')}` }
    if ('bool' in option && typeof value !== 'boolean')
      return { problem: 'option', name, why: `'${value}' is neither true nor false` }
  }
}

function operation(op) {
  const points = op.type === 'curve' ? [op.cp1, op.cp2, op.to] : op.to ? [op.to] : []
  return [op.type, ...points.flatMap((point) => [point.x, point.y])]
}

function partOf(part) {
  const points = Object.entries(part.points).map(([name, point]) => [name, [point.x, point.y]])
  const paths = Object.entries(part.paths).map(([name, path]) => [name, path.ops.map(operation)])
  return { points: Object.fromEntries(points), paths: Object.fromEntries(paths) }
}

const request = JSON.parse(await text(process.stdin))
if (!(request.design in DESIGNS)) {
  reply({ problem: 'design', name: request.design, why: `not one of ${Object.keys(DESIGNS).join(', ')}` })
} else {
  const Design = await DESIGNS[request.design]()
  const problem = problemOf(request, new Design({}).getConfig())
  if (problem) reply(problem)
  else {
    const { measurements, options } = request
    const pattern = new Design({ measurements, options, sa: 0, complete: false, paperless: false }).draft()
    const errors = [...pattern.store.logs.error, ...pattern.setStores[0].logs.error]
    if (errors.length) reply({ problem: 'design', name: request.design, why: String(errors[0]).split('\n')[0] })
    else {
      const visible = Object.entries(pattern.parts[0]).filter(([, part]) => !part.hidden)
      reply({ parts: Object.fromEntries(visible.map(([name, part]) => [name, partOf(part)])) })
    }
  }
}
