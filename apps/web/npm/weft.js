// The Weft engine: loads the WebAssembly module and wraps its calls. weft.d.ts documents the functions.
import createEngine from "./engine/weft.mjs";

/** Copies texts and arrays to the engine's memory for one call, and frees them afterwards. */
class Call {
    constructor(engine) {
        this.engine = engine;
        this.places = [];
    }
    room(bytes) {
        const at = this.engine._malloc(Math.max(1, bytes));
        if (at === 0) throw new WeftError("out of memory");
        this.places.push(at);
        return at;
    }
    text(value) {
        const text = String(value);
        const size = this.engine.lengthBytesUTF8(text) + 1;
        const at = this.room(size);
        this.engine.stringToUTF8(text, at, size);
        return at;
    }
    ints(values) {
        const at = this.room(4 * values.length);
        this.engine.HEAP32.set(values, at >> 2);
        return at;
    }
    doubles(values) {
        const at = this.room(8 * values.length);
        this.engine.HEAPF64.set(values, at >> 3);
        return at;
    }
    end() {
        for (const at of this.places) this.engine._free(at);
    }
}

function call(engine, act) {
    const one = new Call(engine);
    try {
        return act(one);
    } finally {
        one.end();
    }
}

/** A reason that the engine gives: one line for people. */
export class WeftError extends Error {
    name = "WeftError";
}

const reason = engine => new WeftError(engine.UTF8ToString(engine._weft_browser_message()));

function must(engine, failed) {
    if (failed) throw reason(engine);
}

export class Cloth {
    #sim;
    #index;
    constructor(sim, index) {
        this.#sim = sim;
        this.#index = index;
    }
    #get(name) {
        const { engine, handle } = this.#sim.inside;
        return engine[`_weft_browser_cloth_${name}`](handle, this.#index);
    }
    #act(name, values) {
        const { engine, handle } = this.#sim.inside;
        const failed = call(engine, one =>
            engine[`_weft_browser_cloth_${name}`](handle, this.#index, ...values.map(v => v(one))),
        );
        must(engine, failed);
    }
    get name() {
        return this.#sim.inside.engine.UTF8ToString(this.#get("name"));
    }
    get vertexCount() {
        return this.#get("vertices");
    }
    get positions() {
        const at = this.#get("positions") >> 3;
        return this.#sim.inside.engine.HEAPF64.subarray(at, at + 3 * this.vertexCount);
    }
    get triangles() {
        const at = this.#get("indices") >> 2;
        return this.#sim.inside.engine.HEAPU32.subarray(at, at + 3 * this.#get("triangles"));
    }
    get uv() {
        const at = this.#get("uv");
        if (at === 0) return null;
        return this.#sim.inside.engine.HEAPF64.subarray(at >> 3, (at >> 3) + 2 * this.vertexCount);
    }
    get version() {
        return this.#get("version");
    }
    #check(vertices) {
        const count = this.vertexCount;
        if (typeof vertices?.length !== "number") throw new WeftError(`vertices are a list, not ${vertices}`);
        for (const v of vertices)
            if (!Number.isInteger(v) || v < 0 || v >= count)
                throw new WeftError(`vertex ${v} is not in 0 to ${count - 1}`);
    }
    pin(vertices) {
        this.#check(vertices);
        this.#act("pin", [one => one.ints(vertices), () => vertices.length]);
    }
    unpin(vertices) {
        this.#check(vertices);
        this.#act("free", [one => one.ints(vertices), () => vertices.length]);
    }
    drag(vertex, to) {
        this.#check([vertex]);
        if (to?.length !== 3) throw new WeftError("drag: a place is three numbers");
        this.#act("drag", [one => one.ints([vertex]), one => one.doubles(to), () => 1]);
    }
    release() {
        this.#act("release", []);
    }
}

/** The surface of a body at the present time. */
function readBody(engine, handle, index) {
    must(engine, engine._weft_browser_body_surface(handle, index));
    const at = engine._weft_browser_surface_positions(handle) >> 3;
    const first = engine._weft_browser_surface_indices(handle) >> 2;
    return {
        positions: engine.HEAPF64.slice(at, at + 3 * engine._weft_browser_surface_vertices(handle)),
        triangles: engine.HEAPU32.slice(first, first + 3 * engine._weft_browser_surface_triangles(handle)),
    };
}

export class Sim {
    #engine;
    #handle;
    constructor(engine, handle) {
        this.#engine = engine;
        this.#handle = handle;
        const count = engine._weft_browser_cloth_count(handle);
        this.cloths = Array.from({ length: count }, (_, i) => new Cloth(this, i));
    }
    /** For the classes of this module. */
    get inside() {
        if (this.#handle === 0) throw new WeftError("the simulation was destroyed");
        return { engine: this.#engine, handle: this.#handle };
    }
    get time() {
        return this.#engine._weft_browser_sim_time(this.inside.handle);
    }
    get frame() {
        return this.#engine._weft_browser_sim_frame(this.inside.handle);
    }
    get hash() {
        return this.#engine.UTF8ToString(this.#engine._weft_browser_sim_hash(this.inside.handle));
    }
    advance() {
        must(this.#engine, this.#engine._weft_browser_sim_advance(this.inside.handle, 1));
    }
    step() {
        must(this.#engine, this.#engine._weft_browser_sim_advance(this.inside.handle, 0));
    }
    set(path, value) {
        const { engine, handle } = this.inside;
        const text = Array.isArray(value) ? `[${value.join(", ")}]` : value;
        must(
            engine,
            call(engine, one => engine._weft_browser_sim_set(handle, one.text(path), one.text(text))),
        );
    }
    get(path) {
        const { engine, handle } = this.inside;
        const at = call(engine, one => engine._weft_browser_sim_get(handle, one.text(path)));
        if (at === 0) throw reason(engine);
        return engine.UTF8ToString(at);
    }
    parameters() {
        const { engine, handle } = this.inside;
        const paths = [];
        for (let at; (at = engine._weft_browser_sim_parameter(handle, paths.length)) !== 0;)
            paths.push(engine.UTF8ToString(at));
        return paths;
    }
    bodies() {
        const { engine, handle } = this.inside;
        const count = engine._weft_browser_body_count(handle);
        return Array.from({ length: count }, (_, i) => readBody(engine, handle, i));
    }
    write(format) {
        const { engine, handle } = this.inside;
        if (format !== "glb" && format !== "obj") throw new WeftError(`the format is glb or obj, not '${format}'`);
        const folder = "/written";
        must(
            engine,
            call(engine, one => engine._weft_browser_sim_write(handle, one.text(format), one.text(folder))),
        );
        const path = format === "obj" ? `${folder}/obj/frame_0000.obj` : `${folder}/frame.${format}`;
        const bytes = engine.FS.readFile(path);
        engine.FS.unlink(path);
        return bytes;
    }
    destroy() {
        if (this.#handle !== 0) this.#engine._weft_browser_sim_destroy(this.#handle);
        this.#handle = 0;
    }
}

export class Weft {
    #engine;
    constructor(engine) {
        this.#engine = engine;
    }
    createSim(scene, files = {}) {
        const engine = this.#engine;
        if (typeof scene !== "string") throw new WeftError(`the scene is a text, not ${typeof scene}`);
        const folder = "/scene";
        engine.FS.mkdirTree(folder);
        for (const [name, data] of Object.entries(files ?? {})) {
            if (typeof data !== "string" && !(data instanceof Uint8Array))
                throw new WeftError(`'${name}': a file is a text or a Uint8Array, not ${typeof data}`);
            if (!/^[\w -][\w. -]*(\/[\w -][\w. -]*)*$/.test(name)) throw new WeftError(`'${name}' is not a file name`);
            const path = `${folder}/${name}`;
            engine.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
            engine.FS.writeFile(path, data);
        }
        const handle = call(engine, one =>
            engine._weft_browser_sim_create(one.text(scene), one.text(`${folder}/scene.yaml`), 1),
        );
        if (handle === 0) throw reason(engine);
        return new Sim(engine, handle);
    }
}

/** Reads a file in Node, whose `fetch` has no files. Bundlers must not look for the module, which browsers lack. */
async function readFile(address) {
    const name = "node:fs/promises";
    const files = await import(/* @vite-ignore */ /* webpackIgnore: true */ name);
    return files.readFile(new URL(address));
}

async function fetchModule(address) {
    const response = await fetch(address);
    if (!response.ok) throw new Error(`the web server answered ${response.status}`);
    if (response.headers.get("content-type") === "application/wasm") return WebAssembly.compileStreaming(response);
    return WebAssembly.compile(await response.arrayBuffer()); // a server that does not know the type
}

const MOVED =
    "A bundler may have moved weft.js away from it. For Vite's development server set " +
    'optimizeDeps: { exclude: ["weft-cloth"] }';

/** What messages call the module, and the module. */
async function compile({ wasm, wasmBinary }) {
    const own = wasm === undefined;
    const name = wasmBinary ? "wasmBinary" : String(wasm ?? new URL("./engine/weft.wasm", import.meta.url));
    try {
        if (wasmBinary) return { name, module: await WebAssembly.compile(wasmBinary) };
        const isFile = name.startsWith("file:");
        return { name, module: isFile ? await WebAssembly.compile(await readFile(name)) : await fetchModule(name) };
    } catch (error) {
        const hint = own && !wasmBinary ? `. ${MOVED}` : "";
        throw new WeftError(`${name}: this is not the WebAssembly module: ${error.message}${hint}`);
    }
}

/** Starts the compiled module. The engine's own promise never settles if another module is given. */
function instantiate(module) {
    return new Promise((resolve, reject) => {
        const instantiateWasm = (imports, receive) => {
            WebAssembly.instantiate(module, imports)
                .then(instance => receive(instance, module))
                .catch(reject);
            return {};
        };
        createEngine({ instantiateWasm, onAbort: what => reject(new Error(String(what))) }).then(resolve, reject);
    });
}

export async function loadWeft(settings = {}) {
    if (typeof WebAssembly === "undefined") throw new WeftError("there is no WebAssembly here");
    const { name, module } = await compile(settings);
    let engine;
    try {
        engine = await instantiate(module);
    } catch (error) {
        throw new WeftError(`${name}: this WebAssembly module is not that of this package: ${error.message}`);
    }
    return new Weft(engine);
}
