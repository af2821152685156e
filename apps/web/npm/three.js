// A cloth as a geometry of three.js. three.d.ts documents the class.
import { BufferAttribute, BufferGeometry, DynamicDrawUsage } from "three";

export class ClothGeometry extends BufferGeometry {
    #cloth;
    #version = -1;
    constructor(cloth) {
        super();
        this.#cloth = cloth;
        this.update();
    }
    #rebuild() {
        const cloth = this.#cloth;
        const positions = new BufferAttribute(new Float32Array(3 * cloth.vertexCount), 3);
        this.setAttribute("position", positions.setUsage(DynamicDrawUsage));
        this.deleteAttribute("normal");
        this.setIndex(new BufferAttribute(cloth.triangles.slice(), 1));
        if (cloth.uv) this.setAttribute("uv", new BufferAttribute(Float32Array.from(cloth.uv), 2));
        this.#version = cloth.version;
    }
    /** Copies the present positions and computes the normals. */
    update() {
        if (this.#cloth.version !== this.#version) this.#rebuild();
        const positions = this.getAttribute("position");
        positions.array.set(this.#cloth.positions);
        positions.needsUpdate = true;
        this.computeVertexNormals();
        this.computeBoundingSphere();
    }
}

export class BodyGeometry extends BufferGeometry {
    constructor(surface) {
        super();
        this.setAttribute("position", new BufferAttribute(Float32Array.from(surface.positions), 3));
        this.setIndex(new BufferAttribute(surface.triangles, 1));
        this.computeVertexNormals();
    }
}
