// CPU time per frame of the module in Node, after a warm-up in which the compiler optimises it:
// usage: node speed.mjs SCENE.yaml WARM-UP FRAMES
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { advance, copyFolder, loadEngine, openScene, source } from "./module.mjs";

const [file, warm, frames] = process.argv.slice(2);
const engine = await loadEngine();
copyFolder(engine, join(source, "data/scenes"), "/weft/scenes");
const sim = openScene(engine, "speed", readFileSync(file, "utf8"));
for (let i = 0; i < Number(warm); i++) advance(engine, sim);
const before = process.cpuUsage();
for (let i = 0; i < Number(frames); i++) advance(engine, sim);
console.log((process.cpuUsage(before).user / 1000 / Number(frames)).toFixed(3));
