/** A reason that the engine gives: one line for people. */
export class WeftError extends Error {}

/** One cloth of a simulation. The arrays are views of the engine's memory. Read them anew after each step, because the
 * memory may move. */
export class Cloth {
    private constructor();
    readonly name: string;
    readonly vertexCount: number;
    /** x, y, z of each vertex, m. */
    readonly positions: Float64Array;
    /** Three vertices per triangle, counter-clockwise. */
    readonly triangles: Uint32Array;
    /** Rest coordinates of each vertex, m; null without. */
    readonly uv: Float64Array | null;
    /** Changes when cuts, tears or adaptation change the mesh. */
    readonly version: number;
    /** Holds vertices where they are. */
    pin(vertices: readonly number[]): void;
    /** Removes all pins from vertices. */
    unpin(vertices: readonly number[]): void;
    /** Drags a vertex to a point, m. Call it again as the hand moves. */
    drag(vertex: number, to: readonly [number, number, number]): void;
    /** Releases all dragged vertices, which keep their velocity. */
    release(): void;
}

/** The surface of a body: copies, at the present time. */
export interface BodySurface {
    positions: Float64Array;
    triangles: Uint32Array;
}

export class Sim {
    private constructor();
    readonly cloths: readonly Cloth[];
    /** Simulated time, s. */
    readonly time: number;
    /** Number of complete frames. */
    readonly frame: number;
    /** Hash of all positions and velocities: 16 hexadecimal digits, the same as from `weft run`. */
    readonly hash: string;
    /** Advances by one frame (`time.rate` of the scene). Throws if the simulation diverges. */
    advance(): void;
    /** Advances by one step (`time.step` of the scene). */
    step(): void;
    /** Sets a parameter by its path, as `weft run --set` does: `sim.set("forces.wind.speed", 4)`. */
    set(path: string, value: string | number | boolean | readonly number[]): void;
    get(path: string): string;
    /** The paths of all parameters. */
    parameters(): string[];
    bodies(): BodySurface[];
    /** Writes the present frame as a file. */
    write(format: "glb" | "obj"): Uint8Array;
    /** Frees the memory of the simulation. It cannot be used afterwards. */
    destroy(): void;
}

export class Weft {
    private constructor();
    /** Builds a simulation from the text of a scene file. `files` are the files that the scene names, by name. */
    createSim(scene: string, files?: Record<string, string | Uint8Array>): Sim;
}

export interface WeftSettings {
    /** The address of weft.wasm; by default it is beside this module. */
    wasm?: string | URL;
    /** Or its bytes. */
    wasmBinary?: ArrayBuffer | Uint8Array;
}

/** Loads the engine. One engine can run several simulations. */
export function loadWeft(settings?: WeftSettings): Promise<Weft>;
