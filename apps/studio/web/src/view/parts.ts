// Connected parts of a cloth, and which of them the camera keeps in view.
import * as THREE from "three";

export interface Parts {
    of: Int32Array; // the part of each vertex; -1 for a vertex without triangles
    count: number;
}

/** Finds the connected parts by joining the corners of each triangle. */
export function findParts(vertices: number, triangles: Uint32Array): Parts {
    const parent = new Int32Array(vertices).map((_, i) => i);
    const root = (vertex: number): number => {
        let v = vertex;
        while (parent[v] !== v) v = parent[v] = parent[parent[v]];
        return v;
    };
    for (let t = 0; t < triangles.length; t++) parent[root(triangles[t])] = root(triangles[t - (t % 3)]);
    const of = new Int32Array(vertices).fill(-1);
    const numbers = new Map<number, number>();
    for (const vertex of triangles) {
        const top = root(vertex);
        if (!numbers.has(top)) numbers.set(top, numbers.size);
        of[vertex] = numbers.get(top)!;
    }
    return { of, count: numbers.size };
}

/** Returns the bounding box of each part. */
export function partBoxes(x: Float32Array, parts: Parts): THREE.Box3[] {
    const boxes = Array.from({ length: parts.count }, () => new THREE.Box3());
    const point = new THREE.Vector3();
    for (let i = 0; i < parts.of.length; i++)
        if (parts.of[i] >= 0) boxes[parts.of[i]].expandByPoint(point.fromArray(x, 3 * i));
    return boxes;
}

const BELOW = 0.1; // of the size of what stays: a part whose centre is lower than this has fallen off

/** Returns the box of the parts that have not fallen off. Cloth that came apart stays where bodies are or, without
 * bodies, where its highest part is. The box is empty if all parts have fallen off the bodies. */
export function stayingBox(parts: THREE.Box3[], bodies: THREE.Box3[]): THREE.Box3 {
    const sorted = [...parts].sort((a, b) => b.max.y - a.max.y);
    const around = new THREE.Box3();
    for (const box of bodies.length > 0 ? bodies : sorted.slice(0, 1)) around.union(box);
    const kept = new THREE.Box3();
    const size = new THREE.Vector3();
    const centre = new THREE.Vector3();
    for (const part of sorted) {
        around.getSize(size);
        if (part.getCenter(centre).y < around.min.y - BELOW * Math.max(size.x, size.y, size.z)) continue;
        kept.union(part);
        around.union(part);
    }
    return kept;
}
