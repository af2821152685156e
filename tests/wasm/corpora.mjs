// Runs the fuzz corpora, and damaged copies of them, through the parsers of the WebAssembly module (build/wasm/weft_fuzz.mjs).
// A parser must neither trap nor abort.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { copyFolder, loadEngine, source } from "./module.mjs";

const COPIES = 8; // damaged copies per seed
const engine = await loadEngine(join(source, "build/wasm"), {}, "weft_fuzz");
let count = 0;

function run(target, bytes) {
    const at = engine._malloc(bytes.length + 1);
    engine.HEAPU8.set(bytes, at);
    try {
        engine[`_run_${target}`](at, bytes.length);
    } catch (error) {
        throw new Error(`${target}: ${error.message}; input ${Buffer.from(bytes).toString("base64").slice(0, 4000)}`);
    }
    engine._free(at);
    count++;
}

/** The same damage in every run: a linear congruential generator. */
let state = 1;
const random = below => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state % below;
};

function damage(bytes) {
    const copy = Uint8Array.from(bytes);
    for (let i = 0; i < 1 + random(4) && copy.length > 0; i++) copy[random(copy.length)] = random(256);
    return random(3) === 0 ? copy.subarray(0, random(copy.length + 1)) : copy;
}

copyFolder(engine, join(source, "data/scenes"), "/weft/scenes");
const targets = readdirSync(join(source, "tests/fuzz/seeds")).filter(name => `_run_${name}` in engine);
for (const target of targets)
    for (const name of readdirSync(join(source, "tests/fuzz/seeds", target))) {
        const bytes = readFileSync(join(source, "tests/fuzz/seeds", target, name));
        run(target, bytes);
        for (let i = 0; i < COPIES; i++) run(target, damage(bytes));
    }
if (targets.length < 8) throw new Error(`only ${targets.length} targets`);
console.log(`${count} inputs through ${targets.length} parsers`);
