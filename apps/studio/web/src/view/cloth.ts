// A cloth as three.js objects: surface, wires, springs, particles, and marks on held and selected vertices.
import * as THREE from "three";
import type { ClothShape, Section } from "../protocol";
import { clothMaterial, type ClothUniforms } from "./material";
import { findParts, partBoxes, type Parts } from "./parts";
import type { Show } from "./show";
import { castRay, vertexNormals, type Hit, type Ray } from "./surface";

export const linkColours = [0x3d8bfd, 0xf2a33a, 0x37b679]; // structural, shear, flexion; safe for colour blindness
const slack = new THREE.Color(0x3d8bfd);
const rest = new THREE.Color(0x9aa3ad);
const taut = new THREE.Color(0xe5484d);

function dot(): THREE.Texture {
    const n = 32;
    const data = new Uint8Array(n * n * 4).fill(255);
    for (let j = 0; j < n; j++)
        for (let i = 0; i < n; i++) {
            const r = Math.hypot(i + 0.5 - n / 2, j + 0.5 - n / 2) / (n / 2);
            data[4 * (j * n + i) + 3] = 255 * THREE.MathUtils.clamp((1 - r) * 8, 0, 1);
        }
    const texture = new THREE.DataTexture(data, n, n);
    texture.magFilter = texture.minFilter = THREE.LinearFilter;
    texture.needsUpdate = true;
    return texture;
}

let dotTexture: THREE.Texture | null = null;

function points(
    colour: number,
    size: number,
    front: boolean,
): THREE.Points<THREE.BufferGeometry, THREE.PointsMaterial> {
    dotTexture ??= dot();
    const material = new THREE.PointsMaterial({
        color: colour,
        size,
        sizeAttenuation: false,
        map: dotTexture,
        alphaTest: 0.4,
        depthTest: !front,
        transparent: front,
        toneMapped: false,
    });
    const object = new THREE.Points(new THREE.BufferGeometry(), material);
    object.frustumCulled = false;
    if (front) object.renderOrder = 5;
    return object;
}

function lines(material: THREE.LineBasicMaterial): THREE.LineSegments<THREE.BufferGeometry, THREE.LineBasicMaterial> {
    const object = new THREE.LineSegments(new THREE.BufferGeometry(), material);
    object.frustumCulled = false;
    return object;
}

/** A tint over the surface, in front of it by a little so that it does not flicker. */
function overlayMaterial(): THREE.MeshBasicMaterial {
    return new THREE.MeshBasicMaterial({
        color: 0x4cc2ff,
        transparent: true,
        opacity: 0.45,
        side: THREE.DoubleSide,
        depthWrite: false,
        toneMapped: false,
    });
}

export class ClothObject extends THREE.Group {
    shape: ClothShape | null = null;
    positions: Float32Array = new Float32Array(0);
    held: Uint32Array = new Uint32Array(0);
    selected = new Set<number>();
    private parts: Parts | null = null; // found when they are needed
    private values: Float32Array | null = null;
    private spacing = 0.05; // m, mean length of edges
    private measured = false;
    private readonly surface: THREE.Mesh<THREE.BufferGeometry, THREE.MeshPhysicalMaterial>;
    private readonly wires = lines(new THREE.LineBasicMaterial({ color: 0x10131a, transparent: true, opacity: 0.55 }));
    private readonly links = lines(new THREE.LineBasicMaterial({ vertexColors: true, toneMapped: false }));
    private readonly particles = points(0x20242c, 5, false);
    private readonly pins = points(0xffb224, 8, true);
    private readonly marks = points(0x4cc2ff, 8, true);
    private readonly chosen = new THREE.Mesh(new THREE.BufferGeometry(), overlayMaterial());
    private readonly chosenLines = lines(
        new THREE.LineBasicMaterial({ color: 0x4cc2ff, depthTest: false, transparent: true, toneMapped: false }),
    );

    constructor(uniforms: ClothUniforms) {
        super();
        this.surface = new THREE.Mesh(new THREE.BufferGeometry(), clothMaterial(uniforms));
        this.surface.material.polygonOffset = true;
        this.surface.material.polygonOffsetFactor = 1;
        this.surface.material.polygonOffsetUnits = 1;
        this.surface.castShadow = this.surface.receiveShadow = true;
        this.surface.frustumCulled = false;
        this.chosen.frustumCulled = false;
        this.chosenLines.renderOrder = 4;
        this.add(this.surface, this.wires, this.links, this.particles, this.pins, this.marks);
        this.add(this.chosen, this.chosenLines);
        this.choose([], []);
    }

    setShape(shape: ClothShape): void {
        this.shape = shape;
        this.parts = null;
        this.measured = false;
        this.clearGeometry();
        const n = shape.vertices;
        const geometry = this.surface.geometry;
        const position = new THREE.BufferAttribute(new Float32Array(3 * n), 3).setUsage(THREE.DynamicDrawUsage);
        geometry.setAttribute("position", position);
        geometry.setAttribute("normal", new THREE.BufferAttribute(new Float32Array(3 * n), 3));
        geometry.setAttribute("value", new THREE.BufferAttribute(new Float32Array(n), 1));
        geometry.setAttribute("uv", new THREE.BufferAttribute(shape.uv?.slice() ?? new Float32Array(2 * n), 2));
        geometry.setIndex(new THREE.BufferAttribute(shape.triangles, 1));
        this.wires.geometry.setAttribute("position", position);
        this.wires.geometry.setIndex(new THREE.BufferAttribute(shape.wires, 1));
        this.particles.geometry.setAttribute("position", position);
        const ends = 2 * shape.types.length;
        for (const name of ["position", "color"])
            this.links.geometry.setAttribute(name, new THREE.BufferAttribute(new Float32Array(3 * ends), 3));
        for (const object of [this.pins, this.marks]) {
            object.geometry.setAttribute("position", position);
            object.geometry.setIndex(new THREE.BufferAttribute(new Uint32Array(n), 1));
        }
        this.selected = new Set([...this.selected].filter(vertex => vertex < n));
        for (const object of [this.chosen, this.chosenLines]) object.geometry.setAttribute("position", position);
        this.choose([], []);
    }

    /** Marks triangles and lines, given by their vertices: a panel or a seam chosen in the pattern. */
    choose(triangles: number[], ends: number[]): void {
        this.chosen.geometry.setIndex(triangles);
        this.chosen.visible = triangles.length > 0;
        this.chosenLines.geometry.setIndex(ends);
        this.chosenLines.visible = ends.length > 0;
    }

    /** The bounding box of each connected part. */
    partBoxes(): THREE.Box3[] {
        if (!this.shape || this.positions.length !== 3 * this.shape.vertices) return [];
        this.parts ??= findParts(this.shape.vertices, this.shape.triangles);
        return partBoxes(this.positions, this.parts);
    }

    setState(state: Section, show: Show): void {
        if (!this.shape || state.positions?.length !== 3 * this.shape.vertices) return;
        this.positions = state.positions;
        this.held = state.held;
        if (this.positions.length > 0 && !this.measured) this.measure(this.shape);
        this.values = state.scalar;
        this.refresh(show);
    }

    /** Updates the objects to the present state with the settings in `show`. */
    refresh(show: Show): void {
        const shape = this.shape;
        if (!shape || this.positions.length === 0) return;
        const geometry = this.surface.geometry;
        const position = geometry.getAttribute("position") as THREE.BufferAttribute;
        (position.array as Float32Array).set(this.positions);
        position.needsUpdate = true;
        const normal = geometry.getAttribute("normal") as THREE.BufferAttribute;
        vertexNormals(this.positions, shape.triangles, normal.array as Float32Array);
        normal.needsUpdate = true;
        if (!shape.uv) this.inventUv(geometry);
        this.fillValues(shape, show, geometry.getAttribute("value") as THREE.BufferAttribute);
        this.surface.visible = show.surface;
        this.wires.visible = show.wires;
        this.particles.visible = show.particles;
        this.particles.material.size = show.particleSize;
        this.links.visible = show.links !== "none";
        if (this.links.visible) this.fillLinks(shape, show.links === "tension");
        this.fillMarks(this.pins, show.pins ? this.held : []);
        this.fillMarks(this.marks, this.selected);
    }

    /** The value that colours a vertex; undefined without colours. */
    valueAt(vertex: number, show: Show): number | undefined {
        if (show.colour === "none" || (show.colour !== "refinement" && !this.values)) return undefined;
        return (this.surface.geometry.getAttribute("value") as THREE.BufferAttribute).getX(vertex);
    }

    /** The server's values of all vertices, or null. */
    get scalar(): Float32Array | null {
        return this.values;
    }

    sizeMarks(scale: number): void {
        const size = Math.min(9, Math.max(3.5, 0.75 * this.spacing * scale));
        this.pins.material.size = size;
        this.marks.material.size = size;
    }

    pick(ray: Ray): Hit | null {
        return this.shape ? castRay(ray, this.positions, this.shape.triangles) : null;
    }

    override dispose(): void {
        this.clearGeometry();
        this.surface.material.dispose();
        for (const object of [this.wires, this.links, this.chosen, this.chosenLines]) object.material.dispose();
        for (const object of [this.particles, this.pins, this.marks]) object.material.dispose();
    }

    private clearGeometry(): void {
        const objects = [this.surface, this.wires, this.links, this.particles, this.pins, this.marks];
        for (const object of [...objects, this.chosen, this.chosenLines]) {
            object.geometry.dispose();
            object.geometry = new THREE.BufferGeometry();
        }
    }

    private measure(shape: ClothShape): void {
        const x = this.positions;
        let sum = 0;
        for (let i = 0; i < shape.wires.length; i += 2) {
            const a = 3 * shape.wires[i];
            const b = 3 * shape.wires[i + 1];
            sum += Math.hypot(x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]);
        }
        this.spacing = shape.wires.length > 0 ? (2 * sum) / shape.wires.length : 0.05;
        this.measured = true;
    }

    // A mesh without rest coordinates gets them from its first frame, projected from the front.
    private inventUv(geometry: THREE.BufferGeometry): void {
        const uv = geometry.getAttribute("uv") as THREE.BufferAttribute;
        if (geometry.userData.uv === true) return;
        geometry.userData.uv = true;
        for (let i = 0; i < uv.count; i++)
            uv.setXY(i, this.positions[3 * i] + this.positions[3 * i + 2], this.positions[3 * i + 1]);
        uv.needsUpdate = true;
    }

    private fillValues(shape: ClothShape, show: Show, value: THREE.BufferAttribute): void {
        const array = value.array as Float32Array;
        if (show.colour === "refinement") {
            array.fill(0);
            for (let t = 0; t < shape.levels.length; t++)
                for (let k = 0; k < 3; k++) {
                    const vertex = shape.triangles[3 * t + k];
                    array[vertex] = Math.max(array[vertex], shape.levels[t]);
                }
        } else if (show.colour !== "none" && this.values) array.set(this.values);
        else return;
        value.needsUpdate = true;
    }

    private fillLinks(shape: ClothShape, byTension: boolean): void {
        const position = this.links.geometry.getAttribute("position") as THREE.BufferAttribute;
        const colour = this.links.geometry.getAttribute("color") as THREE.BufferAttribute;
        const p = position.array as Float32Array;
        const x = this.positions;
        const tension = byTension ? new Float32Array(shape.types.length) : null;
        let most = 1e-12;
        for (let i = 0; i < shape.types.length; i++) {
            const a = 3 * shape.links[2 * i];
            const b = 3 * shape.links[2 * i + 1];
            for (let k = 0; k < 3; k++) {
                p[6 * i + k] = x[a + k];
                p[6 * i + 3 + k] = x[b + k];
            }
            if (tension) {
                const length = Math.hypot(x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]);
                tension[i] = shape.stiffness[i] * (length - shape.rest[i]);
                most = Math.max(most, Math.abs(tension[i]));
            }
        }
        const byType = linkColours.map(hex => new THREE.Color(hex));
        const mixed = new THREE.Color();
        for (let i = 0; i < shape.types.length; i++) {
            if (tension) {
                const share = Math.sqrt(Math.abs(tension[i]) / most); // most tensions are far below the largest
                mixed.lerpColors(rest, tension[i] < 0 ? slack : taut, share);
            } else mixed.copy(byType[shape.types[i]] ?? rest);
            colour.setXYZ(2 * i, mixed.r, mixed.g, mixed.b);
            colour.setXYZ(2 * i + 1, mixed.r, mixed.g, mixed.b);
        }
        position.needsUpdate = colour.needsUpdate = true;
    }

    private fillMarks(object: THREE.Points, vertices: Iterable<number>): void {
        const index = object.geometry.getIndex();
        if (!index) return;
        let count = 0;
        for (const vertex of vertices) if (count < index.count) index.setX(count++, vertex);
        index.needsUpdate = true;
        object.geometry.setDrawRange(0, count);
        object.visible = count > 0;
    }
}
