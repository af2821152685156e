// Cuts what lies under a stroke: the fan of rays from the eye through it.
import type { Context, Point, Tool } from "./tool";

const SPACING = 4; // pixels between two points of a stroke
const MOST = 400;

export class CutTool implements Tool {
    private points: Point[] = [];

    constructor(private readonly context: Context) {}

    down(point: Point): boolean {
        this.points = [point];
        return true;
    }

    move(point: Point): void {
        const last = this.points[this.points.length - 1];
        if (this.points.length < MOST && Math.hypot(point.x - last.x, point.y - last.y) >= SPACING)
            this.points.push(point);
        this.context.overlay.stroke([...this.points, point]);
    }

    up(point: Point): void {
        const { stage, studio } = this.context;
        const points = [...this.points, point];
        this.cancel();
        if (points.length < 3) return;
        const rays = points.map(p => stage.ray(p.x, p.y, p.pane).direction);
        void studio.act("cut", { eye: stage.camera.position.toArray(), rays }).then(answer => {
            if (answer) studio.tell(Number(answer.cut) > 0 ? `cut ${String(answer.cut)}` : "the stroke met no cloth");
        });
    }

    cancel(): void {
        this.points = [];
        this.context.overlay.clear();
    }
}
