// Geometry of triangles: normals, ray casts and bounds. Arrays are flat, with three numbers per vertex.

export type Ray = { origin: [number, number, number]; direction: [number, number, number] };

/** Computes area-weighted vertex normals. */
export function vertexNormals(x: Float32Array, triangles: Uint32Array, normals: Float32Array): void {
    normals.fill(0);
    for (let t = 0; t < triangles.length; t += 3) {
        const a = 3 * triangles[t];
        const b = 3 * triangles[t + 1];
        const c = 3 * triangles[t + 2];
        const ux = x[b] - x[a];
        const uy = x[b + 1] - x[a + 1];
        const uz = x[b + 2] - x[a + 2];
        const vx = x[c] - x[a];
        const vy = x[c + 1] - x[a + 1];
        const vz = x[c + 2] - x[a + 2];
        const nx = uy * vz - uz * vy;
        const ny = uz * vx - ux * vz;
        const nz = ux * vy - uy * vx;
        for (const i of [a, b, c]) {
            normals[i] += nx;
            normals[i + 1] += ny;
            normals[i + 2] += nz;
        }
    }
    for (let i = 0; i < normals.length; i += 3) {
        const length = Math.hypot(normals[i], normals[i + 1], normals[i + 2]);
        if (length > 0) {
            normals[i] /= length;
            normals[i + 1] /= length;
            normals[i + 2] /= length;
        } else normals[i + 1] = 1;
    }
}

export interface Hit {
    distance: number; // along the ray, in units of the direction's length
    triangle: number;
    vertex: number; // the triangle's corner nearest to the hit
}

/** Returns the nearest hit from either side (Möller and Trumbore 1997), or null. */
export function castRay(ray: Ray, x: Float32Array, triangles: Uint32Array): Hit | null {
    const [ox, oy, oz] = ray.origin;
    const [dx, dy, dz] = ray.direction;
    let best: Hit | null = null;
    for (let t = 0; t < triangles.length; t += 3) {
        const a = 3 * triangles[t];
        const b = 3 * triangles[t + 1];
        const c = 3 * triangles[t + 2];
        const ux = x[b] - x[a];
        const uy = x[b + 1] - x[a + 1];
        const uz = x[b + 2] - x[a + 2];
        const vx = x[c] - x[a];
        const vy = x[c + 1] - x[a + 1];
        const vz = x[c + 2] - x[a + 2];
        const px = dy * vz - dz * vy;
        const py = dz * vx - dx * vz;
        const pz = dx * vy - dy * vx;
        const det = ux * px + uy * py + uz * pz;
        if (Math.abs(det) < 1e-20) continue;
        const sx = ox - x[a];
        const sy = oy - x[a + 1];
        const sz = oz - x[a + 2];
        const u = (sx * px + sy * py + sz * pz) / det;
        if (u < 0 || u > 1) continue;
        const qx = sy * uz - sz * uy;
        const qy = sz * ux - sx * uz;
        const qz = sx * uy - sy * ux;
        const v = (dx * qx + dy * qy + dz * qz) / det;
        if (v < 0 || u + v > 1) continue;
        const distance = (vx * qx + vy * qy + vz * qz) / det;
        if (distance <= 0 || (best && distance >= best.distance)) continue;
        const corner = 1 - u - v >= Math.max(u, v) ? 0 : u >= v ? 1 : 2;
        best = { distance, triangle: t / 3, vertex: triangles[t + corner] };
    }
    return best;
}

/** Returns the corners of the bounding box; infinities if there are no points. */
export function bounds(x: Float32Array): { low: number[]; high: number[] } {
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    for (let i = 0; i < x.length; i++) {
        const k = i % 3;
        if (x[i] < low[k]) low[k] = x[i];
        if (x[i] > high[k]) high[k] = x[i];
    }
    return { low, high };
}
