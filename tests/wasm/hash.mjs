// The same bits as `weft run`: prints "SCENE FRAMES HASH" for scenes given as SCENE:FRAMES. SCENE is one of scenes/ or
// a file of this folder.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { advance, copyFolder, hashOf, loadEngine, openScene, source } from "./module.mjs";

const engine = await loadEngine(process.env.WEFT_WASM_FOLDER);
copyFolder(engine, join(source, "data/scenes"), "/weft/scenes");
copyFolder(engine, join(source, "data/fabrics"), "/weft/fabrics");
for (const word of process.argv.slice(2)) {
    const [name, frames] = word.split(":");
    const own = join(source, "tests/wasm", `${name}.yaml`);
    const sim = openScene(engine, name, existsSync(own) ? readFileSync(own, "utf8") : null);
    const begin = performance.now();
    for (let i = 0; i < Number(frames); i++) advance(engine, sim);
    if (process.env.TIMES) console.error(`${name}: ${((performance.now() - begin) / frames).toFixed(3)} ms per frame`);
    console.log(`${name} ${frames} ${hashOf(engine, sim)}`);
    engine._weft_browser_sim_destroy(sim);
}
