import type { BufferGeometry } from "three";
import type { BodySurface, Cloth } from "weft-cloth";

/** The geometry of a cloth. `update` copies the present positions into the same buffers. If the mesh has changed, by a
 * cut, a tear or adaptation, it makes new ones. */
export class ClothGeometry extends BufferGeometry {
    constructor(cloth: Cloth);
    /** Call it after the simulation has advanced. */
    update(): void;
}

/** The geometry of a body at the time of `Sim.bodies`. */
export class BodyGeometry extends BufferGeometry {
    constructor(surface: BodySurface);
}
