// The flat pattern of a cloth: pieces, their outlines, and the seams between them. Found from the corners of the
// triangles: where the two triangles of an edge disagree about its place in the pattern, there is a seam.
import { NO_PANEL, type ClothShape } from "../protocol";

export interface Piece {
    panel: number; // index of the panel's name, or NO_PANEL
    triangles: number[];
    outline: number[][]; // loops of coordinates, x and y in turn, m
}

export interface Seam {
    sides: [number, number][]; // triangle and corner at which each side of each edge starts
    ends: number[]; // vertices of its edges, two each
}

export interface Pattern {
    pieces: Piece[];
    seams: Seam[];
    pieceOf: Uint32Array; // per triangle
    low: [number, number];
    high: [number, number];
}

type Side = [triangle: number, corner: number];

class Sets {
    private readonly parent: Uint32Array;
    constructor(count: number) {
        this.parent = Uint32Array.from({ length: count }, (_, i) => i);
    }
    find(i: number): number {
        while (this.parent[i] !== i) i = this.parent[i] = this.parent[this.parent[i]];
        return i;
    }
    join(a: number, b: number): void {
        this.parent[this.find(a)] = this.find(b);
    }
}

/** Where a corner is in the pattern. */
export function cornerAt(uv: Float32Array, [triangle, corner]: Side): [number, number] {
    const i = 6 * triangle + 2 * (corner % 3);
    return [uv[i], uv[i + 1]];
}

// Beside elastics and gathered seams each triangle is shorter by itself, so that neighbours disagree a little.
const GATHERED = 0.35; // of the longest side

function meets(uv: Float32Array, a: Side, b: Side, tolerance: number): boolean {
    const [p, q] = [cornerAt(uv, a), cornerAt(uv, b)];
    return Math.hypot(p[0] - q[0], p[1] - q[1]) < tolerance;
}

function longestSide(uv: Float32Array, t: number): number {
    const [p, q, r] = [cornerAt(uv, [t, 0]), cornerAt(uv, [t, 1]), cornerAt(uv, [t, 2])];
    const length = (a: number[], b: number[]): number => Math.hypot(a[0] - b[0], a[1] - b[1]);
    return Math.max(length(p, q), length(q, r), length(r, p));
}

/** The sides of every edge: one at the border of the cloth, two elsewhere. */
function findEdges(triangles: Uint32Array, vertices: number): Map<number, Side[]> {
    const edges = new Map<number, Side[]>();
    for (let i = 0; i < triangles.length; i++) {
        const [a, b] = [triangles[i], triangles[i % 3 === 2 ? i - 2 : i + 1]];
        const key = Math.min(a, b) * vertices + Math.max(a, b);
        const sides = edges.get(key) ?? [];
        sides.push([Math.floor(i / 3), i % 3]);
        edges.set(key, sides);
    }
    return edges;
}

/** Whether both sides of an edge are at the same place in the pattern. The second side runs the other way. */
function isInner(uv: Float32Array, panels: Uint16Array | null, sides: Side[]): boolean {
    if (sides.length !== 2) return false;
    const [[s, i], [t, j]] = sides;
    const isOnePanel = panels !== null && panels[s] !== NO_PANEL && panels[s] === panels[t];
    const tolerance = isOnePanel ? GATHERED * Math.max(longestSide(uv, s), longestSide(uv, t)) : 1e-6;
    return meets(uv, [s, i], [t, j + 1], tolerance) && meets(uv, [s, i + 1], [t, j], tolerance);
}

/** Joins the sides that border a piece to closed loops. */
function traceOutlines(uv: Float32Array, border: Side[], next: (side: Side) => string): number[][] {
    const starting = new Map<string, Side[]>();
    const key = (triangle: number, corner: number): string => next([triangle, corner]);
    for (const side of border) {
        const at = key(...side);
        starting.set(at, [...(starting.get(at) ?? []), side]);
    }
    const loops: number[][] = [];
    for (const list of starting.values())
        while (list.length > 0) {
            const loop: number[] = [];
            for (let side = list.pop(); side; side = starting.get(key(side[0], side[1] + 1))?.pop())
                loop.push(...cornerAt(uv, side));
            loops.push(loop);
        }
    return loops;
}

function findSeams(shape: ClothShape, pieceOf: Uint32Array, edges: Side[][]): Seam[] {
    const sets = new Sets(edges.length);
    const last = new Map<string, number>(); // an edge of a seam between two pieces at a vertex
    const vertex = ([t, k]: Side, step: number): number => shape.triangles[3 * t + ((k + step) % 3)];
    edges.forEach(([a, b], i) => {
        const pair = [pieceOf[a[0]], pieceOf[b[0]]].sort((x, y) => x - y).join();
        for (const step of [0, 1]) {
            const key = `${pair}:${vertex(a, step)}`;
            const other = last.get(key);
            if (other !== undefined) sets.join(i, other);
            last.set(key, i);
        }
    });
    const seams = new Map<number, Seam>();
    edges.forEach((sides, i) => {
        const seam = seams.get(sets.find(i)) ?? { sides: [], ends: [] };
        seam.sides.push(...sides);
        seam.ends.push(vertex(sides[0], 0), vertex(sides[0], 1));
        seams.set(sets.find(i), seam);
    });
    return [...seams.values()];
}

/** Names the places of a vertex in the pattern. It has several on both sides of a seam and at the legs of a dart. */
function namePlaces(uv: Float32Array, triangles: Uint32Array): (side: Side) => string {
    const known = new Map<number, [number, number][]>();
    return ([t, k]) => {
        const vertex = triangles[3 * t + (k % 3)];
        const [x, y] = cornerAt(uv, [t, k]);
        const places = known.get(vertex) ?? [];
        known.set(vertex, places);
        const tolerance = 0.55 * longestSide(uv, t); // two gathered neighbours of a corner disagree by more
        let index = places.findIndex(place => Math.hypot(place[0] - x, place[1] - y) < tolerance);
        if (index < 0) index = places.push([x, y]) - 1;
        return `${String(vertex)}:${String(index)}`;
    };
}

/** Returns the pattern of a cloth, or null if it has no flat coordinates. */
export function findPattern(shape: ClothShape): Pattern | null {
    const { cornerUv: uv, panels, triangles } = shape;
    const count = triangles.length / 3;
    if (!uv || !panels || count === 0) return null;
    const edges = [...findEdges(triangles, shape.vertices).values()];
    const sets = new Sets(count);
    for (const sides of edges) if (isInner(uv, shape.panels, sides)) sets.join(sides[0][0], sides[1][0]);
    const pieces: Piece[] = [];
    const pieceOf = new Uint32Array(count);
    const known = new Map<number, number>();
    for (let t = 0; t < count; t++) {
        const root = sets.find(t);
        const piece = known.get(root) ?? pieces.push({ panel: panels[t], triangles: [], outline: [] }) - 1;
        known.set(root, piece);
        pieceOf[t] = piece;
        pieces[piece].triangles.push(t);
    }
    const borders: Side[][] = pieces.map(() => []);
    for (const sides of edges)
        if (!isInner(uv, shape.panels, sides)) for (const side of sides) borders[pieceOf[side[0]]].push(side);
    const name = namePlaces(uv, triangles);
    pieces.forEach((piece, i) => (piece.outline = traceOutlines(uv, borders[i], name)));
    const sewn = edges.filter(sides => sides.length === 2 && !isInner(uv, shape.panels, sides));
    const low: [number, number] = [Infinity, Infinity];
    const high: [number, number] = [-Infinity, -Infinity];
    for (let i = 0; i < uv.length; i++) {
        low[i % 2] = Math.min(low[i % 2], uv[i]);
        high[i % 2] = Math.max(high[i % 2], uv[i]);
    }
    return { pieces, seams: findSeams(shape, pieceOf, sewn), pieceOf, low, high };
}
