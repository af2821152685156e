// The selection tool: a box selects vertices, which are then dragged, pinned and freed together.
import * as THREE from "three";
import type { Hold } from "./pinch";
import type { Context, Point, Tool } from "./tool";

export class Selection {
    constructor(private readonly context: Context) {}

    /** The selected vertices of a cloth. */
    vertices(cloth: number): number[] {
        return [...(this.context.stage.panes[0]?.cloths[cloth]?.selected ?? [])];
    }

    count(): number {
        return this.context.stage.panes[0]?.cloths.reduce((sum, cloth) => sum + cloth.selected.size, 0) ?? 0;
    }

    set(byCloth: Set<number>[]): void {
        const { stage } = this.context;
        for (const pane of stage.panes)
            pane.cloths.forEach((cloth, i) => {
                cloth.selected = new Set(byCloth[i] ?? []);
                cloth.refresh(stage.show);
            });
        stage.wake();
    }

    clear(): void {
        if (this.count() > 0) this.set([]);
    }

    /** Pins or frees all selected vertices. */
    act(name: "pin" | "free"): void {
        const { stage, studio } = this.context;
        stage.panes[0]?.cloths.forEach((_, cloth) => {
            const vertices = this.vertices(cloth);
            if (vertices.length > 0) void studio.act(name, { cloth, vertices });
        });
    }
}

export class SelectTool implements Tool {
    private start: Point | null = null;
    private dragging = false;

    constructor(
        private readonly context: Context,
        private readonly hold: Hold,
        private readonly selection: Selection,
    ) {}

    down(point: Point): boolean {
        const { stage } = this.context;
        const pane = stage.panes[point.pane];
        const hit = pane.cast(stage.ray(point.x, point.y, point.pane));
        this.dragging = hit !== null && pane.cloths[hit.cloth].selected.has(hit.vertex);
        if (this.dragging && hit) {
            const at = new THREE.Vector3().fromArray(pane.cloths[hit.cloth].positions, 3 * hit.vertex);
            this.hold.take(point, hit.cloth, this.selection.vertices(hit.cloth), at);
        } else this.start = point;
        return true;
    }

    move(point: Point): void {
        if (this.dragging) this.hold.move(point);
        else if (this.start) this.context.overlay.box(this.start.x, this.start.y, point.x, point.y);
    }

    up(point: Point): void {
        if (this.dragging) this.hold.release();
        else if (this.start) this.choose(this.start, point);
        this.cancel();
    }

    cancel(): void {
        if (this.dragging) this.hold.release();
        this.dragging = false;
        this.start = null;
        this.context.overlay.clear();
    }

    private choose(a: Point, b: Point): void {
        const { stage, studio } = this.context;
        const [left, right] = [Math.min(a.x, b.x), Math.max(a.x, b.x)];
        const [top, bottom] = [Math.min(a.y, b.y), Math.max(a.y, b.y)];
        const chosen = stage.panes[a.pane].cloths.map(cloth => {
            const set = new Set(b.shift ? cloth.selected : []);
            const x = cloth.positions;
            for (let i = 0; i < x.length / 3; i++) {
                const at = stage.project(x[3 * i], x[3 * i + 1], x[3 * i + 2], a.pane);
                if (at && at.x >= left && at.x <= right && at.y >= top && at.y <= bottom) set.add(i);
            }
            return set;
        });
        this.selection.set(chosen);
        const count = this.selection.count();
        if (count > 0)
            studio.tell(
                `${count} ${count === 1 ? "point" : "points"} selected. Drag to move, P to pin, U to free, Esc to deselect.`,
            );
    }
}
