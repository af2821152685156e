// The worker: loads the WebAssembly module and the scenes, and lets the studio's session run. It paces frames as the
// server does: at most two are on their way to the page.
import type { FromWorker, SceneIndex, ToWorker } from "./workerMessages";

/** The parts of emscripten's module that are used here. */
interface Engine {
    FS: {
        mkdirTree(path: string): void;
        writeFile(path: string, data: string | Uint8Array): void;
        readFile(path: string): Uint8Array;
        analyzePath(path: string): { exists: boolean };
    };
    UTF8ToString(at: number): string;
    stringToUTF8(text: string, at: number, size: number): void;
    lengthBytesUTF8(text: string): number;
    _malloc(size: number): number;
    _free(at: number): void;
    _weft_browser_message(): number;
    _weft_browser_open(start: number, threads: number): number;
    _weft_browser_execute(text: number): void;
    _weft_browser_go_on(now: number): number;
    _weft_browser_send_frame(): number;
    _weft_browser_store(received: number, name: number): number;
}

type CreateEngine = (settings: Record<string, unknown>) => Promise<Engine>;

const SCENES = "/weft/scenes";
const FABRICS = "/weft/fabrics";
const MOST_BYTES = 64 << 20; // of an upload
const UNACKED = 2; // frames sent but not acknowledged
const SLICE = 12; // ms of steps between looks at the mail

let engine: Engine;
let index: SceneIndex;
let site = "";
let unacked = 0;
let sent = 0;
let timer = 0;

const post = (message: FromWorker, transfer: Transferable[] = []): void => self.postMessage(message, { transfer });

/** Calls a function with texts copied to the module's memory. */
function withTexts<T>(texts: string[], call: (...at: number[]) => T): T {
    const places = texts.map(text => {
        const size = engine.lengthBytesUTF8(text) + 1;
        const at = engine._malloc(size);
        if (at === 0) throw new Error("out of memory");
        engine.stringToUTF8(text, at, size);
        return at;
    });
    try {
        return call(...places);
    } finally {
        for (const at of places) engine._free(at);
    }
}

const lastMessage = (): string => engine.UTF8ToString(engine._weft_browser_message());

/** After a trap the module's memory is in an unknown state, so nothing is called any more. The page says so. */
let stopped = false;

function stop(error: unknown): void {
    if (stopped) return;
    stopped = true;
    clearTimeout(timer);
    const why = error instanceof Error ? error.message : String(error);
    post({ kind: "failed", why: `The engine stopped: ${why}.` });
}

self.addEventListener("unhandledrejection", event => stop(event.reason));

// -- files of the site --

async function get(address: string): Promise<Response> {
    const response = await fetch(address);
    if (!response.ok) throw new Error(`${address}: the web server answered ${response.status}`);
    return response;
}

async function fetchInto(folder: string, from: string, name: string): Promise<void> {
    const path = `${folder}/${name}`;
    if (engine.FS.analyzePath(path).exists) return;
    const bytes = new Uint8Array(await (await get(new URL(from + name, site).href)).arrayBuffer());
    engine.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    engine.FS.writeFile(path, bytes);
}

/** Fetches the meshes and caches that a scene of the gallery names. */
async function fetchScene(name: string): Promise<void> {
    const scene = index.scenes.find(entry => entry.name === name);
    await Promise.all((scene?.files ?? []).map(file => fetchInto(SCENES, "scenes/", file)));
}

// -- the studio's messages --

const mail: string[] = [];
let reading = false;

interface Short {
    id?: number;
    do?: string;
    sequence?: number;
    scene?: string;
}

function parse(text: string): Short {
    try {
        return JSON.parse(text) as Short;
    } catch {
        return {}; // the session complains
    }
}

/** Executes messages in their order. A `load` waits for the files of its scene. */
async function readMail(): Promise<void> {
    if (reading) return;
    reading = true;
    for (let text = mail.shift(); text !== undefined; text = mail.shift()) {
        const message = text.length < 1024 ? parse(text) : {};
        if (message.do === "ack") {
            unacked = message.sequence === sent ? 0 : Math.max(0, unacked - 1);
            continue;
        }
        if (message.do === "load" && message.scene !== undefined) {
            try {
                await fetchScene(message.scene);
            } catch (error) {
                post({ kind: "text", text: JSON.stringify({ re: message.id, error: (error as Error).message }) });
                continue;
            }
        }
        try {
            withTexts([text], at => engine._weft_browser_execute(at));
        } catch (error) {
            stop(error);
            return;
        }
    }
    reading = false;
}

/** A timer of 0 ms waits for 4 ms in browsers; a message channel does not. */
const channel = new MessageChannel();
channel.port1.onmessage = goOn;

function goOn(): void {
    clearTimeout(timer);
    if (stopped) return;
    const begin = performance.now();
    let wait = 0;
    try {
        while (wait === 0 && performance.now() - begin < SLICE) {
            wait = engine._weft_browser_go_on(performance.now() / 1000);
            if (unacked >= UNACKED) continue;
            const sequence = engine._weft_browser_send_frame();
            if (sequence === 0) continue;
            sent = sequence;
            unacked++;
        }
    } catch (error) {
        stop(error);
        return;
    }
    if (wait > 0.001) timer = self.setTimeout(goOn, 1000 * wait);
    else channel.port2.postMessage(null);
}

// -- start --

/** Says what could not be loaded: browsers name neither the file nor its purpose. */
async function loaded<T>(what: string, promise: Promise<T>): Promise<T> {
    try {
        return await promise;
    } catch (error) {
        throw new Error(`${what} could not be loaded: ${(error as Error).message}.`);
    }
}

/** Threads need shared memory, which a browser gives only to pages with certain headers (docs/browser.md). */
async function load(folder: string): Promise<{ made: Engine; threads: number }> {
    const shared = self.crossOriginIsolated;
    const threads = shared ? Math.min(navigator.hardwareConcurrency, 8) : 1;
    const address = `${folder}${shared ? "threads/" : ""}weft.mjs`;
    const { default: create } = (await import(/* @vite-ignore */ address)) as { default: CreateEngine };
    const made = await create({
        threads,
        onText: (text: string) => post({ kind: "text", text }),
        onBytes: (bytes: ArrayBuffer) => post({ kind: "bytes", bytes }, [bytes]),
        print: () => undefined,
    });
    return { made, threads };
}

async function start(folder: string, page: string): Promise<void> {
    site = page;
    const [{ made, threads }, list] = await Promise.all([
        loaded(`The engine (${folder})`, load(folder)),
        loaded(
            "The list of scenes (scenes/index.json)",
            get(new URL("scenes/index.json", site).href).then(answer => answer.json() as Promise<SceneIndex>),
        ),
    ]);
    engine = made;
    index = list;
    engine.FS.mkdirTree(`${SCENES}/thumbnails`);
    engine.FS.mkdirTree(FABRICS);
    for (const { name, text } of index.fabrics) engine.FS.writeFile(`${FABRICS}/${name}`, text);
    for (const { name, text } of index.scenes) {
        engine.FS.writeFile(`${SCENES}/${name}.yaml`, text);
        // The studio only asks whether pictures exist; the page gets them from the site.
        engine.FS.writeFile(`${SCENES}/thumbnails/${name}.png`, "");
    }
    await fetchScene(index.start);
    if (withTexts([index.start], at => engine._weft_browser_open(at, threads)) !== 0) throw new Error(lastMessage());
    post({ kind: "ready" });
    goOn();
}

/** Fetches the files of the gallery that an uploaded scene names, as a scene of a share link does. */
async function fetchNamed(bytes: ArrayBuffer): Promise<void> {
    const text = new TextDecoder().decode(bytes);
    const known = new Set(index.scenes.flatMap(scene => scene.files));
    const named = [...text.matchAll(/\/weft\/scenes\/([\w./-]+)/g)].map(found => found[1]);
    await Promise.all(named.filter(file => known.has(file)).map(file => fetchInto(SCENES, "scenes/", file)));
}

async function upload(name: string, bytes: ArrayBuffer): Promise<string> {
    if (bytes.byteLength === 0) throw new Error(`${name}: the file is empty`);
    if (bytes.byteLength > MOST_BYTES) throw new Error(`${name}: the file is larger than 64 MiB`);
    if (name.endsWith(".yaml")) await fetchNamed(bytes);
    const received = "/studio/received.part";
    engine.FS.writeFile(received, new Uint8Array(bytes));
    const at = withTexts([received, name], (from, to) => engine._weft_browser_store(from, to));
    if (at === 0) throw new Error(lastMessage());
    return engine.UTF8ToString(at);
}

/** Reads a file of the studio by the address that the server would have: an export or a recording. */
function readFile(url: string): ArrayBuffer {
    const path = url.startsWith("/download/") ? `/studio/exports/${url.slice(10)}` : `/studio${url}`;
    return engine.FS.readFile(path).slice().buffer;
}

async function answer(id: number, act: () => string | ArrayBuffer | Promise<string>): Promise<void> {
    try {
        const value = await act();
        post({ kind: "answer", id, value }, typeof value === "string" ? [] : [value]);
    } catch (error) {
        if (error instanceof WebAssembly.RuntimeError) stop(error);
        else post({ kind: "answer", id, error: (error as Error).message });
    }
}

self.onmessage = (event: MessageEvent<ToWorker>) => {
    const message = event.data;
    if (message.kind === "start")
        start(message.engine, message.site).catch((error: unknown) =>
            post({ kind: "failed", why: (error as Error).message }),
        );
    else if (message.kind === "upload") void answer(message.id, () => upload(message.name, message.bytes));
    else if (message.kind === "read") void answer(message.id, () => readFile(message.url));
    else {
        mail.push(message.text);
        void readMail().then(goOn);
    }
};
