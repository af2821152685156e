// Share links: a scene, its changed parameters and the camera in the fragment of an address, as JSON, deflated, in the
// URL-safe alphabet of base64. A link comes from anybody: everything in it is checked, and its size is limited.
import type { Vec3 } from "../protocol";

export interface SharedPane {
    model: string;
    integrator: string;
    values?: Record<string, string>; // changed parameters of the methods, where several are compared
}

export interface Shared {
    weft?: string; // the version that made the link; older links do not name it
    scene?: string; // a name of the gallery
    text?: string; // or a scene file
    name?: string; // of that file
    panes: SharedPane[]; // empty: the scene's own
    forces: string[]; // forces added to those of the scene
    values: Record<string, string>; // changed parameters by path
    camera?: { eye: Vec3; target: Vec3; fov: number };
    note?: string; // for the user: what of a link is not used
}

const KEY = "#s=";
const FORMAT = 1; // of the JSON; raise it when older pages would misread a link
const MOST_LINK = 24000; // characters of the fragment
const MOST_TEXT = 200000; // characters of the JSON
const MOST_ENTRIES = 1000;
const NEAREST = 1e-3; // of eye and target, m

async function pipe(
    bytes: Uint8Array<ArrayBuffer>,
    through: GenericTransformStream,
    most: number,
): Promise<Uint8Array> {
    const reader = new Blob([bytes]).stream().pipeThrough<Uint8Array>(through).getReader();
    const parts: Uint8Array[] = [];
    let size = 0;
    for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        size += value.length;
        if (size > most) {
            await reader.cancel();
            throw new RangeError("too long");
        }
        parts.push(value);
    }
    const whole = new Uint8Array(size);
    let at = 0;
    for (const part of parts) {
        whole.set(part, at);
        at += part.length;
    }
    return whole;
}

function toBase64(bytes: Uint8Array): string {
    let raw = "";
    for (const byte of bytes) raw += String.fromCharCode(byte);
    return btoa(raw).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
    if (!/^[\w-]*$/.test(text)) throw new Error("not base64");
    const raw = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(raw, letter => letter.charCodeAt(0));
}

/** Returns the fragment of an address, with its "#". Throws if the scene is too long for a link. */
export async function writeFragment(shared: Shared): Promise<string> {
    const bytes = new TextEncoder().encode(JSON.stringify({ v: FORMAT, ...shared }));
    const packed = await pipe(bytes, new CompressionStream("deflate-raw"), Infinity);
    const fragment = KEY + toBase64(packed);
    if (bytes.length > MOST_TEXT || fragment.length > MOST_LINK)
        throw new Error("This scene is too long for a link. Save a recording and send its two files instead.");
    return fragment;
}

// -- reading: the checks throw, and the message then says that the link is damaged --

/** A link that is whole, but of a format that this page does not know. Its message is for the user. */
class OtherVersion extends Error {}

type Json = Record<string, unknown>;

function object(value: unknown): Json {
    if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error("not an object");
    return value as Json;
}

function text(value: unknown, most: number): string {
    if (typeof value !== "string" || value.length > most) throw new Error("not a text");
    return value;
}

function list(value: unknown, most: number): unknown[] {
    if (!Array.isArray(value) || value.length > most) throw new Error("not a list");
    return value;
}

function number(value: unknown, low: number, high: number): number {
    if (typeof value !== "number" || !(value >= low && value <= high)) throw new Error("not a number");
    return value;
}

function point(value: unknown): Vec3 {
    const [x, y, z] = list(value, 3).map(part => number(part, -1e4, 1e4));
    return [x, y, number(z, -1e4, 1e4)];
}

/** The camera, if it looks somewhere: at the target itself there is no direction, and no picture. */
function view(camera: Json): Pick<Shared, "camera" | "note"> {
    const [eye, target] = [point(camera.eye), point(camera.target)];
    const fov = number(camera.fov, 1, 170);
    if (Math.hypot(...eye.map((value, i) => value - target[i])) >= NEAREST) return { camera: { eye, target, fov } };
    return {
        note: `The link's camera is at its own target (${eye.join(", ")}). The scene's own view is shown instead.`,
    };
}

function parameters(value: unknown): Record<string, string> {
    const entries = Object.entries(object(value));
    if (entries.length > MOST_ENTRIES) throw new Error("too many values");
    return Object.fromEntries(entries.map(([path, entry]) => [text(path, 256), text(entry, 512)]));
}

function paneOf(json: Json): SharedPane {
    const pane = { model: text(json.model, 64), integrator: text(json.integrator, 64) };
    return json.values === undefined ? pane : { ...pane, values: parameters(json.values) };
}

/** Such as 0.2.0 or 0.3.0-rc1. It must be short and plain, because messages show it. */
function release(value: unknown): string {
    const version = text(value, 32);
    if (!/^\d[\w.+-]*$/.test(version)) throw new Error("not a version");
    return version;
}

function checkFormat(json: Json): void {
    const format = number(json.v, 1, 9999);
    if (!Number.isInteger(format)) throw new Error("not a format");
    if (format === FORMAT) return;
    const name = json.weft === undefined ? "" : `, ${release(json.weft)}`;
    throw new OtherVersion(
        `This link was made by another version of Weft${name}. ` +
            `It has format ${format}, and this version reads format ${FORMAT}.`,
    );
}

function check(json: Json): Shared {
    checkFormat(json);
    const shared: Shared = {
        ...(json.weft !== undefined && { weft: release(json.weft) }),
        panes: list(json.panes, 4).map(entry => paneOf(object(entry))),
        forces: list(json.forces, 32).map(name => text(name, 64)),
        values: parameters(json.values),
    };
    if (json.scene !== undefined) shared.scene = text(json.scene, 128);
    else {
        shared.text = text(json.text, MOST_TEXT);
        shared.name = text(json.name, 100).replace(/[^A-Za-z0-9_-]/g, "-");
    }
    return json.camera === undefined ? shared : { ...shared, ...view(object(json.camera)) };
}

/** Reads the fragment of an address. Resolves to null if it is no share link; throws a message for the user if it is
 * one that cannot be read. */
export async function readFragment(fragment: string): Promise<Shared | null> {
    if (!fragment.startsWith(KEY)) return null;
    if (fragment.length > MOST_LINK)
        throw new Error(`This link has ${fragment.length} characters; at most ${MOST_LINK} are allowed.`);
    try {
        const bytes = await pipe(
            fromBase64(fragment.slice(KEY.length)),
            new DecompressionStream("deflate-raw"),
            MOST_TEXT,
        );
        return check(object(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes))));
    } catch (error) {
        if (error instanceof OtherVersion) throw error;
        if (error instanceof RangeError)
            throw new Error(`This link holds more than ${MOST_TEXT} characters, which is not allowed.`);
        throw new Error("This link is damaged: a part of it is missing or was changed. Ask for it again.");
    }
}
