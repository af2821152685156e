// The cut tool: cuts the cloth under a stroke, that is, along the fan of rays from the eye through the stroke.
import type { Context, Point, Tool } from "./tool";

const SPACING = 4; // pixels between two points of a stroke
const MOST = 400; // points of a stroke

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
            if (!answer) return;
            const count = Number(answer.cut);
            studio.tell(
                count > 0 ? `Cut ${count} ${count === 1 ? "link" : "links"}.` : "The stroke did not cross the cloth.",
            );
        });
    }

    cancel(): void {
        this.points = [];
        this.context.overlay.clear();
    }
}
