// The protocol of docs/studio-protocol.md: types of the messages, and a reader of the binary ones.

export type Vec3 = [number, number, number];

export interface Param {
    path: string;
    type: "real" | "int" | "bool" | "pair" | "vector" | "choice" | "string";
    value: string;
    default: string;
    low: number | null;
    high: number | null;
    open_low: boolean;
    unit: string;
    help: string;
    choices: string[] | null;
    fixed: boolean;
}

export interface Component {
    kind: string;
    name: string;
    help: string;
    paper: string;
    params: Param[];
}

export interface SceneEntry {
    name: string;
    summary: string;
    thumbnail: string | null;
}

export interface Hello {
    version: string;
    protocol: number;
    scenes: SceneEntry[];
    components: Component[];
    fabrics: { name: string; help: string; values: Record<string, string> }[];
    pairs: Record<string, string[]>;
    scalars: string[];
    link_types: string[];
    upload_limit: number;
    folder: string;
}

export interface ClothInfo {
    name: string;
    model: string;
    vertices: number;
    triangles: number;
    links: number;
    grid: [number, number] | null;
    size: [number, number];
    panels: string[]; // names of the groups of faces
}

export interface PaneInfo {
    model: string;
    integrator: string;
    step: number; // s
    wanted_step: number | null; // s, the scene's time step if the method could not take it
    cloths: ClothInfo[];
    bodies: { name: string; component: string; path: string; moves: boolean }[];
    forces: { name: string; path: string }[];
    params: Param[];
    idle: Record<string, string>; // why parameters have no effect at present, by path
}

export interface ViewInfo {
    eye: Vec3;
    target: Vec3;
    fov: number;
    front: Vec3;
    back: Vec3;
    sun: Vec3;
}

/** Values that have changed, and all reasons why parameters of the pane have no effect. */
export interface ParamsEvent {
    event: "params";
    pane: number;
    values: Record<string, string>;
    idle: Record<string, string>;
}

export interface SceneEvent {
    event: "scene";
    name: string;
    path: string; // a name of the gallery, or a file
    notices: SceneNotice[];
    title: string;
    run: number; // counts restarts
    rate: number;
    step: number;
    frames: number;
    panes: PaneInfo[];
    view: ViewInfo;
}

export interface TimeEvent {
    event: "time";
    playing: boolean;
    recording: boolean;
    speed: number;
    frame: number;
    step: number;
    time: number;
    first: number;
    last: number;
    live: boolean;
}

export interface PaneStats {
    kinetic: number;
    elastic: number;
    potential: number;
    stretch_mean: number;
    stretch_max: number;
    iterations: number;
    residual: number;
    contacts: number;
    torn: number;
    dt: number;
    ms: Record<string, number>;
}

export interface StatsEvent {
    event: "stats";
    panes: PaneStats[];
    frame: number;
    time: number;
    last: number;
    fps: number;
    rate: number;
    viewers: number;
}

/** A change that may help after a failure. */
export interface Remedy {
    text: string;
    command: Record<string, unknown> & { do: string };
}

/** What the user should know about the scene, and changes that may help. */
export interface SceneNotice {
    text: string;
    remedies: Remedy[];
}

export interface ExportEvent {
    event: "export";
    job: number;
    progress: number;
    url?: string;
    urls?: string[];
    size?: number;
    error?: string;
    cancelled?: boolean;
}

export type ServerEvent =
    | SceneEvent
    | TimeEvent
    | StatsEvent
    | ParamsEvent
    | { event: "history"; undo: string | null; redo: string | null }
    | { event: "show"; scalar: string | null; unit: string; low: number; high: number }
    | ExportEvent
    | { event: "notice"; pane: number; text: string }
    | { event: "failed"; pane: number; message: string; remedies: Remedy[] };

export interface ClothShape {
    pane: number;
    index: number;
    version: number;
    vertices: number;
    triangles: Uint32Array; // 3 per triangle
    wires: Uint32Array; // 2 per wire
    links: Uint32Array; // 2 per link
    rest: Float32Array; // m
    stiffness: Float32Array; // N/m
    types: Uint8Array; // 0 structural, 1 shear, 2 flexion
    uv: Float32Array | null; // m, 2 per vertex
    levels: Uint8Array; // refinement level, per triangle
    cornerUv: Float32Array | null; // m, 6 per triangle; differs between the sides of a seam
    panels: Uint16Array | null; // index of the panel, per triangle; NO_PANEL: none
}

export const NO_PANEL = 0xffff;

export interface BodyShape {
    pane: number;
    index: number;
    version: number;
    positions: Float32Array;
    triangles: Uint32Array;
}

/** A cloth or body in a frame. */
export interface Section {
    kind: "cloth" | "body";
    pane: number;
    index: number;
    version: number;
    positions: Float32Array | null; // null: a body that has not moved since its shape message
    scalar: Float32Array | null;
    held: Uint32Array;
}

export interface Frame {
    sequence: number;
    scrubbed: boolean;
    paused: boolean;
    frame: number;
    step: number;
    time: number;
    shows: number; // id of the last command whose effect the frame shows
    sections: Section[];
}

const MAGIC = 0x54464557;

/** Reads a message from front to back. Every array begins at a multiple of 4 bytes. */
class Reader {
    private at: number;
    private readonly view: DataView;
    constructor(private readonly buffer: ArrayBuffer) {
        this.view = new DataView(buffer);
        this.at = 0;
    }
    u8(): number {
        return this.view.getUint8(this.at++);
    }
    u16(): number {
        this.at += 2;
        return this.view.getUint16(this.at - 2, true);
    }
    u32(): number {
        this.at += 4;
        return this.view.getUint32(this.at - 4, true);
    }
    f32(): number {
        this.at += 4;
        return this.view.getFloat32(this.at - 4, true);
    }
    f64(): number {
        this.at += 8;
        return this.view.getFloat64(this.at - 8, true);
    }
    u32s(count: number): Uint32Array {
        return new Uint32Array(this.buffer, this.skip(4 * count), count);
    }
    f32s(count: number): Float32Array {
        return new Float32Array(this.buffer, this.skip(4 * count), count);
    }
    u16s(count: number): Uint16Array {
        return new Uint16Array(this.buffer, this.skip(2 * count), count);
    }
    u8s(count: number): Uint8Array {
        return new Uint8Array(this.buffer, this.skip(count), count);
    }
    private skip(bytes: number): number {
        const start = this.at;
        this.at += (bytes + 3) & ~3;
        return start;
    }
}

function readPositions(reader: Reader, count: number, quantised: boolean): Float32Array {
    if (!quantised) return reader.f32s(3 * count);
    const low = reader.f32s(3);
    const high = reader.f32s(3);
    const q = reader.u16s(3 * count);
    const positions = new Float32Array(3 * count);
    const scale = [0, 1, 2].map(k => (high[k] - low[k]) / 65535);
    for (let i = 0; i < q.length; i += 3) {
        positions[i] = low[0] + scale[0] * q[i];
        positions[i + 1] = low[1] + scale[1] * q[i + 1];
        positions[i + 2] = low[2] + scale[2] * q[i + 2];
    }
    return positions;
}

function readScalar(reader: Reader, count: number): Float32Array {
    const low = reader.f32();
    const high = reader.f32();
    const q = reader.u8s(count);
    return Float32Array.from(q, value => low + ((high - low) * value) / 255);
}

function readSection(reader: Reader): Section {
    const pane = reader.u8();
    const kind = reader.u8() === 2 ? "body" : "cloth";
    const index = reader.u16();
    const version = reader.u32();
    const count = reader.u32();
    const bits = reader.u32();
    const held = reader.u32();
    const positions = count > 0 ? readPositions(reader, count, (bits & 1) !== 0) : null;
    const scalar = (bits & 2) !== 0 ? readScalar(reader, count) : null;
    return { kind, pane, index, version, positions, scalar, held: reader.u32s(held) };
}

export type BinaryMessage =
    { kind: "cloth"; shape: ClothShape } | { kind: "body"; shape: BodyShape } | { kind: "frame"; frame: Frame };

/** Reads a binary message. Throws an Error if it is malformed, a RangeError if it is too short. */
export function readBinary(buffer: ArrayBuffer): BinaryMessage {
    const reader = new Reader(buffer);
    if (reader.u32() !== MAGIC) throw new Error("a binary message without the magic number");
    const kind = reader.u8();
    const pane = reader.u8();
    const index = reader.u16();
    const version = reader.u32();
    const count = reader.u32();
    if (kind === 1) {
        const triangles = reader.u32();
        const wires = reader.u32();
        const links = reader.u32();
        const withUv = reader.u32() === 1;
        const shape: ClothShape = {
            pane,
            index,
            version,
            vertices: count,
            triangles: reader.u32s(3 * triangles),
            wires: reader.u32s(2 * wires),
            links: reader.u32s(2 * links),
            rest: reader.f32s(links),
            stiffness: reader.f32s(links),
            types: reader.u8s(links),
            uv: withUv ? reader.f32s(2 * count) : null,
            levels: reader.u8s(triangles),
            cornerUv: withUv ? reader.f32s(6 * triangles) : null,
            panels: withUv ? reader.u16s(triangles) : null,
        };
        return { kind: "cloth", shape };
    }
    if (kind === 2) {
        const triangles = reader.u32();
        const positions = reader.f32s(3 * count);
        return { kind: "body", shape: { pane, index, version, positions, triangles: reader.u32s(3 * triangles) } };
    }
    if (kind !== 3) throw new Error(`a binary message of unknown kind ${kind}`);
    const frame: Frame = {
        sequence: version,
        scrubbed: (index & 1) !== 0,
        paused: (index & 2) !== 0,
        frame: reader.u32(),
        step: reader.u32(),
        time: reader.f64(),
        shows: reader.u32(),
        sections: [],
    };
    reader.u32();
    for (let i = 0; i < count; i++) frame.sections.push(readSection(reader));
    return { kind: "frame", frame };
}
