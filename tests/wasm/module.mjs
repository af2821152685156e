// Loads the WebAssembly module in Node, and files into its file system.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export const source = process.env.WEFT_SOURCE_DIR ?? fileURLToPath(new URL("../..", import.meta.url));

/** The module of `tools/wasm`; emscripten's code for Node is that of CommonJS. */
export async function loadEngine(folder = join(source, "build/wasm"), settings = {}, name = "weft") {
    globalThis.require ??= createRequire(import.meta.url);
    globalThis.__dirname ??= folder;
    const { default: create } = await import(pathToFileURL(join(folder, `${name}.mjs`)).href);
    return create({ wasmBinary: readFileSync(join(folder, `${name}.wasm`)), ...settings });
}

/** Copies a folder of this machine. */
export function copyFolder(engine, from, to) {
    engine.FS.mkdirTree(to);
    for (const name of readdirSync(from)) {
        if (statSync(join(from, name)).isDirectory()) copyFolder(engine, join(from, name), `${to}/${name}`);
        else engine.FS.writeFile(`${to}/${name}`, readFileSync(join(from, name)));
    }
}

export function withTexts(engine, texts, call) {
    const places = texts.map(text => {
        const size = engine.lengthBytesUTF8(text) + 1;
        const at = engine._malloc(size);
        engine.stringToUTF8(text, at, size);
        return at;
    });
    try {
        return call(...places);
    } finally {
        for (const at of places) engine._free(at);
    }
}

/** Builds the simulation of a scene file. Throws the engine's message. */
export function openScene(engine, name, text = null, threads = 1) {
    const path = `/weft/scenes/${name}.yaml`;
    const scene = text ?? new TextDecoder().decode(engine.FS.readFile(path));
    const sim = withTexts(engine, [scene, path], (a, b) => engine._weft_browser_sim_create(a, b, threads));
    if (sim === 0) throw new Error(engine.UTF8ToString(engine._weft_browser_message()));
    return sim;
}

export function advance(engine, sim) {
    if (engine._weft_browser_sim_advance(sim, 1) !== 0)
        throw new Error(engine.UTF8ToString(engine._weft_browser_message()));
}

export const hashOf = (engine, sim) => engine.UTF8ToString(engine._weft_browser_sim_hash(sim));
