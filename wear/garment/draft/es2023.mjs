// The methods of arrays that FreeSewing calls and Node.js 18, Debian 12's, lacks. Import this before FreeSewing.
const METHODS = {
  toReversed() {
    return [...this].reverse()
  },
  toSorted(compare) {
    return [...this].sort(compare)
  },
  toSpliced(...replacement) {
    const copy = [...this]
    copy.splice(...replacement)
    return copy
  },
  with(index, value) {
    const place = index < 0 ? this.length + index : index
    if (!(place >= 0 && place < this.length)) throw new RangeError(`Invalid index : ${index}`)
    const copy = [...this]
    copy[place] = value
    return copy
  },
}

for (const [name, value] of Object.entries(METHODS))
  if (!Array.prototype[name]) Object.defineProperty(Array.prototype, name, { value, writable: true, configurable: true })
