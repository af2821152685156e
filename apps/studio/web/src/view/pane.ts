// A pane: the 3D scene of one simulation with its cloths, bodies, ground and lights. Up to four panes share a camera.
import * as THREE from "three";
import type { BodyShape, ClothShape, Section } from "../protocol";
import { BodyObject } from "./body";
import { ClothObject } from "./cloth";
import { groundMaterial, type GroundUniforms } from "./ground";
import type { ClothUniforms } from "./material";
import { stayingBox } from "./parts";
import type { Show } from "./show";
import { bounds, castRay, type Ray } from "./surface";

export interface Shared {
    cloth: ClothUniforms;
    ground: GroundUniforms;
    body: THREE.MeshStandardMaterial;
}

export interface ClothHit {
    cloth: number;
    vertex: number;
    distance: number;
}

export class Pane {
    readonly scene = new THREE.Scene();
    readonly cloths: ClothObject[] = [];
    readonly bodies: (BodyObject | undefined)[] = [];
    private readonly sun = new THREE.DirectionalLight(0xfff4e6, 2.6);
    private readonly fill = new THREE.DirectionalLight(0xdfe8ff, 0.35);
    private readonly sky = new THREE.HemisphereLight(0xf4f6ff, 0x9a9288, 1.25);
    private readonly ground: THREE.Mesh<THREE.BufferGeometry, THREE.MeshStandardMaterial>;
    private readonly sphere = new THREE.Sphere(new THREE.Vector3(), 1);

    constructor(private readonly shared: Shared) {
        this.ground = new THREE.Mesh(
            new THREE.CircleGeometry(1, 96).rotateX(-Math.PI / 2),
            groundMaterial(shared.ground),
        );
        this.ground.receiveShadow = true;
        this.ground.renderOrder = -1;
        this.sun.castShadow = true;
        this.sun.shadow.mapSize.set(2048, 2048);
        this.scene.add(this.sun, this.sun.target, this.fill, this.sky, this.ground);
    }

    setShadowSize(size: number): void {
        if (this.sun.shadow.mapSize.x === size) return;
        this.sun.shadow.mapSize.set(size, size);
        this.sun.shadow.map?.dispose();
        this.sun.shadow.map = null;
    }

    setLight(sun: number, sky: number, ground: THREE.Color): void {
        this.sun.intensity = sun;
        this.sky.intensity = sky;
        this.ground.material.color.copy(ground);
    }

    setClothShape(shape: ClothShape): void {
        while (this.cloths.length <= shape.index) {
            const cloth = new ClothObject(this.shared.cloth);
            this.cloths.push(cloth);
            this.scene.add(cloth);
        }
        this.cloths[shape.index].setShape(shape);
    }

    setBodyShape(shape: BodyShape): void {
        this.bodies[shape.index]?.dispose();
        const body = new BodyObject(shape, this.shared.body);
        this.bodies[shape.index] = body;
        this.scene.add(body);
    }

    /** Removes objects that the new scene does not have. */
    trim(cloths: number, bodies: number): void {
        for (const cloth of this.cloths.splice(cloths)) {
            this.scene.remove(cloth);
            cloth.dispose();
        }
        for (const body of this.bodies.splice(bodies)) body?.dispose();
    }

    setState(state: Section, show: Show): void {
        if (state.kind === "body") {
            const body = this.bodies[state.index];
            if (body?.version === state.version) body.move(state.positions);
            return;
        }
        const cloth = this.cloths[state.index] as ClothObject | undefined;
        if (cloth?.shape?.version === state.version) cloth.setState(state, show);
    }

    /** Returns the bounding box of the cloths, without parts that were cut off and have fallen. */
    clothExtent(): THREE.Box3 {
        const parts = this.cloths.flatMap(cloth => cloth.partBoxes());
        if (parts.length > this.cloths.length) return stayingBox(parts, this.bodyBoxes());
        return parts.reduce((box, part) => box.union(part), new THREE.Box3());
    }

    /** Returns the bounding box of cloths and bodies, without the ground. */
    extent(): THREE.Box3 {
        return this.bodyBoxes().reduce((box, body) => box.union(body), this.clothExtent());
    }

    private bodyBoxes(): THREE.Box3[] {
        const solid = this.bodies.filter(body => body !== undefined && !body.level);
        return solid.map(body => {
            const { low, high } = bounds(body!.positions);
            return new THREE.Box3(new THREE.Vector3(...low), new THREE.Vector3(...high));
        });
    }

    /** Places ground and lights around the scene. */
    settle(show: Show): void {
        const box = this.extent();
        if (box.isEmpty()) return;
        const floor = this.bodies.find(body => body?.level);
        this.ground.position.y = floor?.positions[1] ?? 0;
        this.ground.visible = show.ground && floor !== undefined;
        for (const body of this.bodies) if (body) body.visible = show.bodies && !body.level;
        // Update the sphere only when the scene has left it, so that shadows do not flicker.
        const now = box.getBoundingSphere(new THREE.Sphere());
        if (
            now.center.distanceTo(this.sphere.center) + now.radius > this.sphere.radius ||
            now.radius < 0.3 * this.sphere.radius
        ) {
            this.sphere.copy(now);
            this.sphere.radius *= 1.35;
        }
        const reach = this.sphere.radius * 7;
        this.ground.scale.setScalar(reach);
        this.ground.position.x = this.sphere.center.x;
        this.ground.position.z = this.sphere.center.z;
        this.shared.ground.centre.value.set(this.sphere.center.x, this.sphere.center.z);
        this.shared.ground.reach.value = reach;
        this.placeSun();
    }

    cast(ray: Ray): ClothHit | null {
        let best: ClothHit | null = null;
        this.cloths.forEach((cloth, index) => {
            const hit = cloth.pick(ray);
            if (hit && (!best || hit.distance < best.distance))
                best = { cloth: index, vertex: hit.vertex, distance: hit.distance };
        });
        return best;
    }

    castBody(ray: Ray): { body: number; distance: number } | null {
        let best: { body: number; distance: number } | null = null;
        for (const [index, body] of this.bodies.entries()) {
            const hit = body?.visible ? castRay(ray, body.positions, body.triangles) : null;
            if (hit && (!best || hit.distance < best.distance)) best = { body: index, distance: hit.distance };
        }
        return best;
    }

    /** Limits the size of marks on vertices by the mesh size. `scale` is in pixels per metre. */
    sizeMarks(scale: number): void {
        for (const cloth of this.cloths) cloth.sizeMarks(scale);
    }

    refresh(show: Show): void {
        for (const cloth of this.cloths) cloth.refresh(show);
        this.settle(show);
    }

    dispose(): void {
        this.trim(0, 0);
        this.ground.geometry.dispose();
        this.ground.material.dispose();
        this.sun.dispose();
    }

    private placeSun(): void {
        const { center, radius } = this.sphere;
        const sun = this.shared.cloth.sun.value;
        this.sun.target.position.copy(center);
        this.sun.position.copy(center).addScaledVector(sun, radius * 3);
        this.fill.position.set(-sun.x, Math.max(0.3, sun.y), -sun.z);
        const camera = this.sun.shadow.camera;
        camera.left = camera.bottom = -radius;
        camera.right = camera.top = radius;
        camera.near = radius * 0.5;
        camera.far = radius * 8;
        camera.updateProjectionMatrix();
        // The bias grows with the blur radius, so that a slanting surface does not shade itself.
        const texel = (2 * radius) / this.sun.shadow.mapSize.x;
        this.sun.shadow.radius = 1.2 + this.sun.shadow.mapSize.x / 450;
        this.sun.shadow.normalBias = texel * (0.8 + this.sun.shadow.radius);
        this.sun.shadow.bias = -0.0004;
    }
}
