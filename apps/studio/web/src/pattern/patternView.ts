// The pattern beside the 3D view. A panel or seam that is chosen here is marked in both; the point under the pointer in
// 3D is marked here. Wheel zooms, drag shifts, a double click shows everything.
import { h, memory, perFrame, short } from "../dom";
import { hasGarment, sewAgain } from "../panels/garment";
import { NO_PANEL } from "../protocol";
import type { Studio } from "../studio";
import type { ClothObject } from "../view/cloth";
import type { Stage } from "../view/stage";
import { drawPattern, placeWhole, type Choice, type Placing } from "./drawing";
import { cornerAt, findPattern, type Pattern, type Seam } from "./pieces";

const NEAR = 7; // pixels from a seam at which a click means it
const PAUSE = 150; // ms between two drawings while the cloth moves

export class PatternView {
    readonly element: HTMLElement;
    private readonly canvas = h("canvas", { "aria-label": "The flat pattern of the cloth" });
    private readonly list = h("select", { id: "pattern-panels", "aria-label": "Panel" });
    private readonly info = h("p", { id: "pattern-info", role: "status" });
    private index = 0; // of the cloth
    private pattern: Pattern | null = null;
    private version = -1;
    private placing: Placing = { scale: 1, left: 0, top: 0 };
    private isWhole = true; // the placing follows the size of the canvas
    private choice: Choice = {};
    private marks: [number, number][] = [];
    private drawnAt = 0; // ms
    private readonly redraw = perFrame(() => this.draw());

    constructor(
        private readonly studio: Studio,
        private readonly stage: Stage,
        private readonly reveal: (group: string) => void, // shows the parameters of a panel
    ) {
        this.element = h("aside", { id: "pattern", "aria-label": "Pattern" });
        const sew = sewAgain(studio);
        studio.on("scene", () => sew.classList.toggle("hidden", !hasGarment(studio.scene?.panes[studio.pane])));
        this.element.append(h("header", {}, this.list, sew), this.canvas);
        this.element.append(this.info);
        this.list.addEventListener("change", () => this.choose(this.readList()));
        new ResizeObserver(() => this.resize()).observe(this.canvas);
        this.listen();
        studio.on("scene", () => {
            this.version = -1;
            this.choice = {};
            this.isWhole = true;
        });
        if (memory.get("pattern") === "1") document.body.classList.add("with-pattern");
    }

    get isOpen(): boolean {
        return document.body.classList.contains("with-pattern");
    }

    toggle(): void {
        const on = document.body.classList.toggle("with-pattern");
        memory.set("pattern", on ? "1" : "0");
        if (on) this.follow();
        else this.choose({});
    }

    /** Shows a frame that the stage has drawn. */
    follow(): void {
        const cloth = this.cloth();
        if (!this.isOpen || !cloth?.shape) return;
        const isNew = cloth.shape.version !== this.version;
        if (isNew) this.take(cloth);
        const now = performance.now();
        if (!isNew && (this.stage.show.colour === "none" || now < this.drawnAt + PAUSE)) return;
        this.redraw();
    }

    private cloth(): ClothObject | undefined {
        return this.stage.panes.at(this.studio.pane)?.cloths.at(this.index);
    }

    private take(cloth: ClothObject): void {
        this.version = cloth.shape!.version;
        this.pattern = findPattern(cloth.shape!);
        this.fillList();
        if (this.isWhole) this.showWhole();
        this.choose({});
    }

    private nameOf(piece: number): string {
        const cloth = this.studio.scene?.panes[this.studio.pane]?.cloths[this.index];
        const panel = this.pattern?.pieces[piece].panel ?? NO_PANEL;
        return panel === NO_PANEL
            ? `piece ${String(piece + 1)}`
            : (cloth?.panels[panel] ?? `panel ${String(panel + 1)}`);
    }

    private fillList(): void {
        const cloths = this.studio.scene?.panes[this.studio.pane]?.cloths ?? [];
        this.list.replaceChildren(
            h("option", { value: "" }, "choose a panel or seam"),
            ...(this.pattern?.pieces.map((_, i) => h("option", { value: `piece ${String(i)}` }, this.nameOf(i))) ?? []),
            ...(this.pattern?.seams.map((seam, i) =>
                h("option", { value: `seam ${String(i)}` }, `seam ${this.seamName(seam)}`),
            ) ?? []),
            ...(cloths.length > 1
                ? cloths.map((cloth, i) => h("option", { value: `cloth ${String(i)}` }, `show ${cloth.name}`))
                : []),
        );
    }

    private readList(): Choice {
        const [kind, index] = this.list.value.split(" ");
        if (kind === "piece") return { piece: Number(index) };
        if (kind === "seam") return { seam: Number(index) };
        if (kind === "cloth") {
            this.index = Number(index);
            this.version = -1;
            this.isWhole = true;
            this.follow();
        }
        return {};
    }

    private seamName(seam: Seam): string {
        const of = this.pattern!.pieceOf;
        return [...new Set([of[seam.sides[0][0]], of[seam.sides[1][0]]])].map(i => this.nameOf(i)).join(" – ");
    }

    /** The lengths of a seam on its pieces, m: two, or one for a dart, whose legs are on the same piece. */
    private seamLengths(seam: Seam, uv: Float32Array): number[] {
        const sums = new Map<number, number>();
        for (const side of seam.sides) {
            const [a, b] = [cornerAt(uv, side), cornerAt(uv, [side[0], side[1] + 1])];
            const piece = this.pattern!.pieceOf[side[0]];
            sums.set(piece, (sums.get(piece) ?? 0) + Math.hypot(b[0] - a[0], b[1] - a[1]));
        }
        const lengths = [...sums.values()];
        return lengths.length === 1 ? [lengths[0] / 2] : lengths;
    }

    private areaOf(piece: number): number {
        const uv = this.cloth()?.shape?.cornerUv;
        if (!uv || !this.pattern) return 0;
        let sum = 0;
        for (const t of this.pattern.pieces[piece].triangles) {
            const [ax, ay, bx, by, cx, cy] = uv.subarray(6 * t, 6 * t + 6);
            sum += Math.abs((bx - ax) * (cy - ay) - (by - ay) * (cx - ax)) / 2;
        }
        return sum;
    }

    private choose(choice: Choice): void {
        this.choice = choice;
        const cloth = this.cloth();
        const { pattern } = this;
        const triangles = cloth?.shape?.triangles;
        if (choice.piece !== undefined && pattern && triangles) {
            const chosen = pattern.pieces[choice.piece].triangles;
            cloth.choose(
                chosen.flatMap(t => [...triangles.subarray(3 * t, 3 * t + 3)]),
                [],
            );
            const { length } = chosen;
            this.info.textContent = `${this.nameOf(choice.piece)}: ${short(this.areaOf(choice.piece) * 1e4)} cm², ${String(length)} triangles`;
            this.list.value = `piece ${String(choice.piece)}`;
            const name = this.studio.scene?.panes[this.studio.pane]?.cloths[this.index].name ?? "";
            this.reveal(`cloth.${name}.panels.${this.nameOf(choice.piece)}`);
        } else if (choice.seam !== undefined && pattern && triangles) {
            const seam = pattern.seams[choice.seam];
            cloth.choose([], seam.ends);
            const lengths = this.seamLengths(seam, cloth.shape?.cornerUv ?? new Float32Array());
            const text = lengths.map(length => `${short(100 * length, 3)} cm`).join(" and ");
            this.info.textContent = `${this.seamName(seam)}: ${text}`;
            this.list.value = `seam ${String(choice.seam)}`;
        } else {
            cloth?.choose([], []);
            const count = pattern?.pieces.length ?? 0;
            this.info.textContent = pattern
                ? `${String(count)} ${count === 1 ? "piece" : "pieces"}, ${String(pattern.seams.length)} seams`
                : "This cloth has no flat pattern.";
            this.list.value = "";
        }
        this.stage.wake();
        this.redraw();
    }

    private resize(): void {
        const ratio = Math.min(2, window.devicePixelRatio);
        this.canvas.width = Math.round(this.canvas.clientWidth * ratio);
        this.canvas.height = Math.round(this.canvas.clientHeight * ratio);
        if (this.isWhole) this.showWhole();
        this.redraw();
    }

    private showWhole(): void {
        this.isWhole = true;
        if (this.pattern) this.placing = placeWhole(this.pattern, this.canvas.clientWidth, this.canvas.clientHeight);
    }

    private draw(): void {
        const shape = this.cloth()?.shape;
        if (!this.isOpen || !this.pattern || !shape?.cornerUv || shape.version !== this.version) {
            this.canvas.getContext("2d")?.clearRect(0, 0, this.canvas.width, this.canvas.height);
            return;
        }
        this.drawnAt = performance.now();
        const style = getComputedStyle(this.element);
        const colour = (name: string): string => style.getPropertyValue(name);
        drawPattern(this.canvas, {
            pattern: this.pattern,
            uv: shape.cornerUv,
            triangles: shape.triangles,
            placing: this.placing,
            palette: {
                piece: colour("--raised"),
                outline: colour("--muted"),
                seam: colour("--warn"),
                chosen: colour("--accent"),
                mark: colour("--error"),
            },
            choice: this.choice,
            marks: this.marks,
            values: this.values(),
        });
    }

    private values(): { at: (vertex: number) => number; colour: (share: number) => string } | null {
        const cloth = this.cloth();
        if (cloth?.valueAt(0, this.stage.show) === undefined) return null;
        return {
            at: vertex => this.stage.shareOf(cloth.valueAt(vertex, this.stage.show) ?? 0),
            colour: share => this.stage.colourOf(share),
        };
    }

    /** The pattern's coordinates of a point of the canvas. */
    private at(event: MouseEvent): [number, number] {
        const box = this.canvas.getBoundingClientRect();
        const { scale, left, top } = this.placing;
        return [(event.clientX - box.left - left) / scale, (top - (event.clientY - box.top)) / scale];
    }

    private pick(event: MouseEvent): Choice {
        const shape = this.cloth()?.shape;
        if (!this.pattern || !shape?.cornerUv) return {};
        const [x, y] = this.at(event);
        const uv = shape.cornerUv;
        const seam = nearestSeam(this.pattern, uv, x, y);
        if (seam.distance * this.placing.scale < NEAR) return { seam: seam.index };
        for (let t = 0; t < uv.length / 6; t++)
            if (isInside(uv.subarray(6 * t, 6 * t + 6), x, y)) return { piece: this.pattern.pieceOf[t] };
        return {};
    }

    private listen(): void {
        let from: PointerEvent | null = null;
        let hasMoved = false;
        this.canvas.addEventListener("pointerdown", event => {
            from = event;
            hasMoved = false;
            this.canvas.setPointerCapture(event.pointerId);
        });
        this.canvas.addEventListener("pointermove", event => {
            if (!from) return;
            const [dx, dy] = [event.clientX - from.clientX, event.clientY - from.clientY];
            if (!hasMoved && Math.hypot(dx, dy) < 4) return;
            hasMoved = true;
            this.isWhole = false;
            this.placing = { ...this.placing, left: this.placing.left + dx, top: this.placing.top + dy };
            from = event;
            this.redraw();
        });
        this.canvas.addEventListener("pointerup", event => {
            if (from && !hasMoved) this.choose(this.pick(event));
            from = null;
        });
        this.canvas.addEventListener("pointercancel", () => (from = null));
        this.canvas.addEventListener("dblclick", () => {
            this.showWhole();
            this.redraw();
        });
        this.canvas.addEventListener("wheel", event => this.zoom(event), { passive: false });
        const mark = perFrame((event: PointerEvent) => this.markPoint(event));
        this.stage.canvas.addEventListener("pointermove", event => {
            if (this.isOpen && event.buttons === 0) mark(event);
        });
    }

    private zoom(event: WheelEvent): void {
        event.preventDefault();
        const [x, y] = this.at(event);
        const scale = Math.min(1e5, Math.max(1, this.placing.scale * Math.exp(-0.0015 * event.deltaY)));
        const change = scale - this.placing.scale;
        this.placing = { scale, left: this.placing.left - change * x, top: this.placing.top + change * y };
        this.isWhole = false;
        this.redraw();
    }

    /** Marks where the point under the pointer in 3D is in the pattern: once on each side of a seam. */
    private markPoint(event: PointerEvent): void {
        const box = this.stage.canvas.getBoundingClientRect();
        const [x, y] = [event.clientX - box.left, event.clientY - box.top];
        const pane = this.stage.paneAt(x, y);
        const hit = pane === this.studio.pane ? this.stage.panes.at(pane)?.cast(this.stage.ray(x, y, pane)) : null;
        const shape = this.cloth()?.shape;
        const before = this.marks;
        this.marks = [];
        if (hit && hit.cloth === this.index && shape?.cornerUv) {
            const places = new Map<string, [number, number]>();
            for (let i = 0; i < shape.triangles.length; i++)
                if (shape.triangles[i] === hit.vertex) {
                    const at = cornerAt(shape.cornerUv, [Math.floor(i / 3), i % 3]);
                    places.set(`${at[0].toFixed(5)},${at[1].toFixed(5)}`, at);
                }
            this.marks = [...places.values()];
        }
        if (this.marks.length > 0 || before.length > 0) this.redraw();
    }
}

function isInside([ax, ay, bx, by, cx, cy]: Float32Array, x: number, y: number): boolean {
    const side = (px: number, py: number, qx: number, qy: number): number =>
        Math.sign((qx - px) * (y - py) - (qy - py) * (x - px));
    const sides = [side(ax, ay, bx, by), side(bx, by, cx, cy), side(cx, cy, ax, ay)];
    return !(sides.includes(1) && sides.includes(-1));
}

function nearestSeam(pattern: Pattern, uv: Float32Array, x: number, y: number): { index: number; distance: number } {
    const nearest = { index: -1, distance: Infinity };
    pattern.seams.forEach((seam, index) => {
        for (const [t, k] of seam.sides) {
            const [a, b] = [cornerAt(uv, [t, k]), cornerAt(uv, [t, k + 1])];
            const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
            const share = Math.min(1, Math.max(0, ((x - a[0]) * dx + (y - a[1]) * dy) / (dx * dx + dy * dy || 1)));
            const distance = Math.hypot(a[0] + share * dx - x, a[1] + share * dy - y);
            if (distance < nearest.distance) Object.assign(nearest, { index, distance });
        }
    });
    return nearest;
}
