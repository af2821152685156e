// The same bits as `weft run`: prints "SCENE FRAMES HASH" for scenes given as SCENE:FRAMES.
import { join } from "node:path";
import { advance, copyFolder, hashOf, loadEngine, openScene, source } from "./module.mjs";

const engine = await loadEngine(process.env.WEFT_WASM_FOLDER);
copyFolder(engine, join(source, "scenes"), "/weft/scenes");
copyFolder(engine, join(source, "fabrics"), "/weft/fabrics");
for (const word of process.argv.slice(2)) {
    const [name, frames] = word.split(":");
    const sim = openScene(engine, name);
    const begin = performance.now();
    for (let i = 0; i < Number(frames); i++) advance(engine, sim);
    if (process.env.TIMES) console.error(`${name}: ${((performance.now() - begin) / frames).toFixed(3)} ms per frame`);
    console.log(`${name} ${frames} ${hashOf(engine, sim)}`);
    engine._weft_browser_sim_destroy(sim);
}
