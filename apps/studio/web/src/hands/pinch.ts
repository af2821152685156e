// The hand and pin tools. The hand drags points parallel to the screen; releasing while moving throws them.
import * as THREE from "three";
import type { ClothHit } from "../view/pane";
import type { Context, Point, Tool } from "./tool";

/** The point of the cloth under a press. */
type Met = ClothHit & { pane: number };

const STILL = 3; // pixels; a shorter movement is a click

interface Grab {
    cloth: number;
    vertices: number[];
    start: THREE.Vector3[]; // their positions at the start
    plane: THREE.Plane;
    from: THREE.Vector3; // where the ray first hit the plane
    x: number;
    y: number;
    moving: boolean;
}

export class Hold {
    /** Id of the last release command. Frames from before it still show the points as held. */
    private lastRelease = 0;
    private lastVertices: number[] = [];
    private grab: Grab | null = null;

    constructor(private readonly context: Context) {}

    /** Returns whether the vertex is pinned, according to the newest frame. */
    isHeld(pane: number, cloth: number, vertex: number): boolean {
        const { stage } = this.context;
        const old = (stage.frame?.shows ?? 0) < this.lastRelease && this.lastVertices.includes(vertex);
        return !old && stage.panes[pane].cloths[cloth].held.includes(vertex);
    }

    take(point: Point, cloth: number, vertices: number[], at: THREE.Vector3): void {
        const { stage } = this.context;
        const normal = stage.camera.getWorldDirection(new THREE.Vector3());
        const x = stage.panes[point.pane].cloths[cloth].positions;
        const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(normal, at);
        const start = vertices.map(vertex => new THREE.Vector3().fromArray(x, 3 * vertex));
        const from = this.onPlane(point, plane) ?? at.clone();
        this.grab = { cloth, vertices, start, plane, from, x: point.x, y: point.y, moving: false };
    }

    move(point: Point): void {
        const grab = this.grab;
        if (!grab) return;
        if (!grab.moving && Math.hypot(point.x - grab.x, point.y - grab.y) < STILL) return;
        grab.moving = true;
        const now = this.onPlane(point, grab.plane);
        if (!now) return;
        const offset = now.sub(grab.from);
        const to = grab.start.map(start => start.clone().add(offset).toArray());
        void this.context.studio.act("drag", { cloth: grab.cloth, vertices: grab.vertices, to });
    }

    /** Releases the points. Returns whether they were moved. */
    release(): boolean {
        const grab = this.grab;
        this.grab = null;
        if (!grab?.moving) return false;
        void this.context.studio.act("release", { cloth: grab.cloth, vertices: grab.vertices });
        this.lastRelease = this.context.studio.link.lastId;
        this.lastVertices = grab.vertices;
        return true;
    }

    private onPlane(point: Point, plane: THREE.Plane): THREE.Vector3 | null {
        const ray = this.context.stage.ray(point.x, point.y, point.pane);
        const line = new THREE.Ray(new THREE.Vector3(...ray.origin), new THREE.Vector3(...ray.direction));
        return line.intersectPlane(plane, new THREE.Vector3());
    }
}

export class PinchTool implements Tool {
    // The hits of the last two presses.
    private met: [Met | null, Met | null] = [null, null];

    constructor(
        private readonly context: Context,
        private readonly hold: Hold,
    ) {}

    down(point: Point): boolean {
        const { stage } = this.context;
        const hit = stage.panes[point.pane].cast(stage.ray(point.x, point.y, point.pane));
        this.met = [this.met[1], hit && { ...hit, pane: point.pane }];
        if (!hit) return false;
        const x = stage.panes[point.pane].cloths[hit.cloth].positions;
        this.hold.take(point, hit.cloth, [hit.vertex], new THREE.Vector3().fromArray(x, 3 * hit.vertex));
        return true;
    }

    /** The hit of the last press, or else of the one before. */
    get lastMet(): Met | null {
        return this.met[1] ?? this.met[0];
    }

    move(point: Point): void {
        this.hold.move(point);
    }

    up(): void {
        this.hold.release();
    }

    cancel(): void {
        this.hold.release();
    }

    hover(point: Point): boolean {
        const { stage } = this.context;
        return stage.panes[point.pane].cast(stage.ray(point.x, point.y, point.pane)) !== null;
    }
}

/** Pins a free point and frees a pinned one. */
export class PinTool implements Tool {
    private met: Met | null = null;

    constructor(
        private readonly context: Context,
        private readonly hold: Hold,
    ) {}

    down(point: Point): boolean {
        const { stage } = this.context;
        const hit = stage.panes[point.pane].cast(stage.ray(point.x, point.y, point.pane));
        this.met = hit && { ...hit, pane: point.pane };
        return hit !== null;
    }

    toggle({ pane, cloth, vertex }: Met): void {
        const held = this.hold.isHeld(pane, cloth, vertex);
        void this.context.studio.act(held ? "free" : "pin", { cloth, vertices: [vertex] });
    }

    move(): void {
        // The pin is set where the pointer went down.
    }
    up(): void {
        if (this.met) this.toggle(this.met);
        this.met = null;
    }
    cancel(): void {
        this.met = null;
    }

    hover(point: Point): boolean {
        const { stage } = this.context;
        return stage.panes[point.pane].cast(stage.ray(point.x, point.y, point.pane)) !== null;
    }
}
