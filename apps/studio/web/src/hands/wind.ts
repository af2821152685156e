// The wind tool: the drag gives the wind's direction in the plane of the screen, its length the speed.
import * as THREE from "three";
import { short } from "../dom";
import type { Context, Point, Tool } from "./tool";

const SPEED = 0.06; // m/s per pixel

export class WindTool implements Tool {
    private start: Point | null = null;
    private blowing = false;

    constructor(private readonly context: Context) {}

    down(point: Point): boolean {
        this.start = point;
        return true;
    }

    move(point: Point): void {
        if (!this.start) return;
        const { stage, studio, overlay } = this.context;
        const dx = point.x - this.start.x;
        const dy = point.y - this.start.y;
        const length = Math.hypot(dx, dy);
        if (length < 4) return;
        const direction = new THREE.Vector3(dx / length, -dy / length, 0).transformDirection(stage.camera.matrixWorld);
        const speed = Number((length * SPEED).toFixed(2));
        overlay.arrow(this.start.x, this.start.y, point.x, point.y, `${short(speed, 3)} m/s`);
        this.blowing = true;
        void studio.act("wind", { direction: direction.toArray(), speed });
    }

    up(): void {
        this.cancel();
    }

    cancel(): void {
        if (this.blowing) void this.context.studio.act("wind", { direction: [1, 0, 0], speed: 0 });
        this.blowing = false;
        this.start = null;
        this.context.overlay.clear();
    }
}
