// Another viewer of the same studio, with a reader of its own: what the engine says, without the page.
import WebSocket from "ws";

/** Reads a frame: { frame, time, shows, cloths: [pane][cloth] = { positions, held }, bodies likewise }. */
function readFrame(buffer) {
    const panes = [];
    const frame = {
        sequence: buffer.readUInt32LE(8),
        frame: buffer.readUInt32LE(16),
        step: buffer.readUInt32LE(20),
        time: buffer.readDoubleLE(24),
        scrubbed: (buffer.readUInt16LE(6) & 1) !== 0,
        shows: buffer.readUInt32LE(32),
        panes,
    };
    let at = 40;
    for (let i = 0; i < buffer.readUInt32LE(12); i++) {
        const pane = buffer[at];
        const isCloth = buffer[at + 1] === 1;
        const index = buffer.readUInt16LE(at + 2);
        const n = buffer.readUInt32LE(at + 8);
        const bits = buffer.readUInt32LE(at + 12);
        const held = buffer.readUInt32LE(at + 16);
        at += 20;
        if (bits & 1) throw new Error("quantised, though not asked for");
        const positions = Array.from({ length: 3 * n }, (_, k) => buffer.readFloatLE(at + 4 * k));
        at += 12 * n;
        if (bits & 2) at += 8 + ((n + 3) & ~3);
        const vertices = Array.from({ length: held }, (_, k) => buffer.readUInt32LE(at + 4 * k));
        at += 4 * held;
        panes[pane] ??= { cloths: [], bodies: [] };
        panes[pane][isCloth ? "cloths" : "bodies"][index] = { positions, held: vertices };
    }
    return frame;
}

export class Engine {
    events = [];
    frame = null;
    shapes = new Map(); // "pane cloth" -> { vertices, triangles, links }
    #id = 0;
    #waiting = new Map();

    static async open(url) {
        const engine = new Engine();
        const address = new URL("ws", url);
        address.protocol = "ws:";
        address.search = new URL(url).search;
        engine.socket = new WebSocket(address, { origin: new URL(url).origin });
        engine.socket.on("message", (data, binary) => (binary ? engine.#binary(data) : engine.#text(JSON.parse(data))));
        await new Promise((resolve, reject) => engine.socket.once("open", resolve).once("error", reject));
        engine.hello = await engine.act("hello", { quantise: false });
        return engine;
    }

    act(name, fields = {}) {
        const id = ++this.#id;
        this.socket.send(JSON.stringify({ id, do: name, ...fields }));
        return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    }

    /** The last event of that name, or undefined. */
    last(name) {
        return this.events.findLast(event => event.event === name);
    }

    /** The value of a parameter, as the scene or a later event tells it. */
    param(path, pane = 0) {
        return this.last("scene").panes[pane].params.find(param => param.path === path)?.value;
    }

    /** "cloth.*.model.limit" and the like: the first path that fits. */
    path(pattern) {
        const fits = new RegExp(`^${pattern.replaceAll(".", "\\.").replaceAll("*", "[^.]+")}$`);
        const row = this.last("scene").panes[0].params.find(param => fits.test(param.path));
        if (!row) throw new Error(`no parameter ${pattern}`);
        return row.path;
    }

    vertex(index, pane = 0, cloth = 0) {
        return this.frame.panes[pane].cloths[cloth].positions.slice(3 * index, 3 * index + 3);
    }

    /** Position, velocity and pins as 16 digits, by pane. */
    async hashes() {
        const { panes } = await this.act("state");
        return panes.map(pane => pane.hash);
    }

    close() {
        this.socket.close();
    }

    #text(message) {
        if (message.event) {
            this.events.push(message);
            if (message.event === "params")
                for (const param of this.last("scene").panes[message.pane].params)
                    if (param.path in message.values) param.value = message.values[param.path];
            return;
        }
        const waiting = this.#waiting.get(message.re);
        this.#waiting.delete(message.re);
        if (message.error === undefined) waiting?.resolve(message);
        else waiting?.reject(new Error(message.error));
    }

    #binary(data) {
        const kind = data[4];
        if (kind === 3) {
            this.frame = readFrame(data);
            this.socket.send(JSON.stringify({ id: ++this.#id, do: "ack", sequence: this.frame.sequence }));
        } else if (kind === 1)
            this.shapes.set(`${data[5]} ${data.readUInt16LE(6)}`, {
                version: data.readUInt32LE(8),
                vertices: data.readUInt32LE(12),
                triangles: data.readUInt32LE(16),
                links: data.readUInt32LE(24),
            });
    }
}
