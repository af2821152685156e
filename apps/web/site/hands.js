// Hands on the cloth of the landing page: pointers and arrow keys.
import { Plane, Raycaster, Vector2, Vector3 } from "three";

const PINCH = 0.05; // radius of what a hand takes, m at rest
const SLACK = 1.04; // how far a hand stretches the cloth between itself and a pin

/** The vertices of a square grid around one of them. */
function pinch({ cells, cell }, vertex) {
    const side = cells + 1;
    const column = vertex % side;
    const row = (vertex - column) / side;
    const reach = Math.floor(PINCH / cell);
    const found = [];
    for (let r = Math.max(0, row - reach); r <= Math.min(cells, row + reach); r++)
        for (let c = Math.max(0, column - reach); c <= Math.min(cells, column + reach); c++)
            if (Math.hypot(r - row, c - column) * cell <= PINCH) found.push(r * side + c);
    return found;
}

const placeOf = (cloth, vertex) => new Vector3().fromArray(cloth.positions, 3 * vertex);

/** One hand: it holds a patch of the cloth, which keeps its shape, within the reach of the pins. */
class Grip {
    constructor(cloth, grid, vertex) {
        this.cloth = cloth;
        this.at = placeOf(cloth, vertex);
        this.patch = pinch(grid, vertex)
            .filter(v => !grid.pins.includes(v))
            .map(v => ({ vertex: v, offset: placeOf(cloth, v).sub(this.at) }));
        const side = grid.cells + 1;
        const rest = v => new Vector2(v % side, Math.floor(v / side)).multiplyScalar(grid.cell);
        this.limits = grid.pins.map(pin => ({
            centre: placeOf(cloth, pin),
            radius: Math.max(PINCH, SLACK * rest(pin).distanceTo(rest(vertex))),
        }));
        this.move(this.at);
    }
    move(to) {
        for (let i = 0; i < 8; i++)
            for (const { centre, radius } of this.limits) to.sub(centre).clampLength(0, radius).add(centre);
        this.at.copy(to);
        for (const { vertex, offset } of this.patch) this.cloth.drag(vertex, to.clone().add(offset).toArray());
    }
}

/** All hands that hold the cloth: pointers and keys. */
export class Grips {
    #held = new Set();
    constructor(cloth, grid) {
        this.cloth = cloth;
        this.grid = grid;
    }
    take(vertex) {
        const grip = new Grip(this.cloth, this.grid, vertex);
        this.#held.add(grip);
        return grip;
    }
    /** The engine releases a whole cloth, so the other hands take theirs again before the next step. */
    letGo(grip) {
        this.#held.delete(grip);
        this.cloth.release();
        for (const other of this.#held) other.move(other.at);
    }
}

/** The vertex nearest to a ray; -1 if the ray misses the cloth. */
function nearest(cloth, ray) {
    const x = cloth.positions;
    const point = new Vector3();
    let best = { vertex: -1, far: Infinity };
    for (let i = 0; i < cloth.vertexCount; i++) {
        point.fromArray(x, 3 * i);
        const beside = ray.distanceToPoint(point);
        if (beside > 0.06) continue;
        const far = beside + 0.2 * ray.origin.distanceTo(point); // the front layer of a fold wins
        if (far < best.far) best = { vertex: i, far };
    }
    return best.vertex;
}

/** Each pointer pulls the cloth in a plane that faces the camera. */
export function addHands({ canvas, camera, grips, onGrab }) {
    const { cloth } = grips;
    const held = new Map(); // pointer -> { grip, plane }
    const caster = new Raycaster();
    const aim = event => {
        const box = canvas.getBoundingClientRect();
        const x = ((event.clientX - box.left) / box.width) * 2 - 1;
        const y = 1 - ((event.clientY - box.top) / box.height) * 2;
        caster.setFromCamera(new Vector2(x, y), camera);
        return caster.ray;
    };
    canvas.addEventListener("pointerdown", event => {
        const vertex = nearest(cloth, aim(event));
        if (vertex < 0) return;
        canvas.setPointerCapture(event.pointerId);
        const grip = grips.take(vertex);
        const plane = new Plane().setFromNormalAndCoplanarPoint(camera.getWorldDirection(new Vector3()), grip.at);
        held.set(event.pointerId, { grip, plane });
        canvas.classList.add("holding");
        onGrab();
    });
    canvas.addEventListener("pointermove", event => {
        const hand = held.get(event.pointerId);
        if (hand) {
            const at = aim(event).intersectPlane(hand.plane, new Vector3());
            if (at) hand.grip.move(at);
        } else if (event.pointerType === "mouse") canvas.classList.toggle("over", nearest(cloth, aim(event)) >= 0);
    });
    for (const name of ["pointerup", "pointercancel"])
        canvas.addEventListener(name, event => {
            const hand = held.get(event.pointerId);
            if (!hand) return;
            held.delete(event.pointerId);
            grips.letGo(hand.grip);
            canvas.classList.toggle("holding", held.size > 0);
        });
    // A finger on the cloth pulls it; beside the cloth it scrolls the page.
    canvas.addEventListener("touchstart", event => held.size > 0 && event.preventDefault(), { passive: false });
}

const DIRECTIONS = { ArrowLeft: [-1, 0, 0], ArrowRight: [1, 0, 0], ArrowUp: [0, 0.6, 1], ArrowDown: [0, 0, -1] };

/** The arrow keys pull the middle of the hem; it is let go with the last key. */
export function addKeys({ canvas, grips, onGrab }) {
    const { grid } = grips;
    const hem = (grid.cells + 1) * grid.cells + Math.floor(grid.cells / 2);
    const down = new Set();
    let grip = null;
    canvas.addEventListener("keydown", event => {
        const along = DIRECTIONS[event.key];
        if (!along) return;
        event.preventDefault();
        down.add(event.key);
        grip ??= grips.take(hem);
        grip.move(new Vector3(...along).multiplyScalar(0.06).add(grip.at));
        onGrab();
    });
    const letGo = () => {
        if (grip) grips.letGo(grip);
        grip = null;
        down.clear();
    };
    canvas.addEventListener("keyup", event => {
        if (down.delete(event.key) && down.size === 0) letGo();
    });
    canvas.addEventListener("blur", letGo);
}
