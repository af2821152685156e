// A body as a mesh with smooth shading on round parts and sharp edges, also while it moves or deforms.
import * as THREE from "three";
import type { BodyShape } from "../protocol";
import { bounds } from "./surface";

const CREASE = Math.cos(0.7); // neighbours at an angle below 0.7 rad are shaded smoothly

function faceNormals(x: Float32Array, triangles: Uint32Array): Float32Array {
    const normals = new Float32Array(triangles.length);
    const a = new THREE.Vector3();
    const u = new THREE.Vector3();
    const v = new THREE.Vector3();
    for (let t = 0; t < triangles.length; t += 3) {
        a.fromArray(x, 3 * triangles[t]);
        u.fromArray(x, 3 * triangles[t + 1]).sub(a);
        v.fromArray(x, 3 * triangles[t + 2]).sub(a);
        u.cross(v).toArray(normals, t);
    }
    return normals;
}

/** Finds for each corner the triangles whose normals it averages, based on the body's first shape. */
function smoothGroups(x: Float32Array, triangles: Uint32Array): number[][] {
    const around: number[][] = Array.from({ length: x.length / 3 }, () => []);
    triangles.forEach((vertex, corner) => around[vertex].push(Math.floor(corner / 3)));
    const normals = faceNormals(x, triangles);
    const own = new THREE.Vector3();
    const other = new THREE.Vector3();
    return Array.from(triangles, (vertex, corner) => {
        own.fromArray(normals, 3 * Math.floor(corner / 3)).normalize();
        return around[vertex].filter(
            t =>
                other
                    .fromArray(normals, 3 * t)
                    .normalize()
                    .dot(own) > CREASE,
        );
    });
}

export class BodyObject extends THREE.Mesh<THREE.BufferGeometry, THREE.MeshStandardMaterial> {
    readonly version: number;
    readonly triangles: Uint32Array;
    readonly level: boolean; // flat and horizontal: drawn as the ground
    positions: Float32Array;
    private readonly first: Float32Array;
    private readonly groups: number[][];

    constructor(shape: BodyShape, material: THREE.MeshStandardMaterial) {
        super(new THREE.BufferGeometry(), material);
        this.version = shape.version;
        this.triangles = shape.triangles;
        this.positions = this.first = shape.positions;
        const { low, high } = bounds(shape.positions);
        this.level = high[1] - low[1] < 1e-4 * (high[0] - low[0]);
        this.groups = smoothGroups(shape.positions, shape.triangles);
        for (const name of ["position", "normal"])
            this.geometry.setAttribute(
                name,
                new THREE.BufferAttribute(new Float32Array(3 * shape.triangles.length), 3),
            );
        this.castShadow = this.receiveShadow = true;
        this.frustumCulled = false;
        this.fill();
    }

    move(positions: Float32Array | null): void {
        const next = positions ?? this.first;
        if (next === this.positions || next.length !== this.first.length) return;
        this.positions = next;
        this.fill();
    }

    override dispose(): void {
        this.removeFromParent();
        this.geometry.dispose();
    }

    private fill(): void {
        const position = this.geometry.getAttribute("position") as THREE.BufferAttribute;
        const normal = this.geometry.getAttribute("normal") as THREE.BufferAttribute;
        const faces = faceNormals(this.positions, this.triangles);
        const sum = new THREE.Vector3();
        const face = new THREE.Vector3();
        this.triangles.forEach((vertex, corner) => {
            position.setXYZ(
                corner,
                this.positions[3 * vertex],
                this.positions[3 * vertex + 1],
                this.positions[3 * vertex + 2],
            );
            sum.set(0, 0, 0);
            for (const t of this.groups[corner]) sum.add(face.fromArray(faces, 3 * t));
            sum.normalize().toArray(normal.array, 3 * corner);
        });
        position.needsUpdate = normal.needsUpdate = true;
    }
}
