// Live plots of the server's measurements. They share a time axis and a pointer; a table of all values can be saved.
import { download, h, perFrame } from "../dom";
import type { StatsEvent } from "../protocol";
import type { Studio } from "../studio";
import { spanOf } from "./axis";
import { plotKinds } from "./kinds";
import { Plot } from "./plot";

const KEPT = 300; // measurements: 30 s at 10 per second

export class Plots {
    readonly element = h("div", { id: "plots" });
    readonly plots = plotKinds.map(kind => new Plot(kind));
    private times: number[] = []; // s, of the measurements in order
    private cursor: number | null = null; // s, time at the pointer
    private run = -1;
    // Cached: reading it for each of the six plots would force six layouts of the page.
    private size = { width: 0, height: 0 };

    constructor(private readonly studio: Studio) {
        const save = h("button", { class: "csv", "data-tip": "Save the values of all plots as CSV" }, "CSV");
        save.addEventListener("click", () => this.save());
        this.element.append(...this.plots.map(plot => plot.element), save);
        studio.on("stats", event => this.add(event));
        studio.on("scene", ({ scene }) => {
            if (scene.run !== this.run) this.clear();
            this.run = scene.run;
        });
        for (const { canvas } of this.plots) {
            canvas.addEventListener("pointermove", event => this.point(event.offsetX / canvas.clientWidth));
            canvas.addEventListener("pointerleave", () => this.point(null));
        }
        const observer = new ResizeObserver(entries => {
            const { width, height } = entries[0].contentRect;
            this.size = { width, height };
            this.draw();
        });
        observer.observe(this.plots[0].canvas);
    }

    readonly draw = perFrame(() => {
        const { width, height } = this.size;
        if (!width || !height) return;
        const style = getComputedStyle(this.element);
        for (const plot of this.plots) plot.draw(style, this.size, this.times, this.cursor);
    });

    /** The values of all plots as a table, one line per measurement. */
    table(): string {
        const head = ["time (s)", ...this.plots.flatMap(plot => plot.columns())];
        const rows = this.times.map(time => [time, ...this.plots.flatMap(plot => plot.row(time))]);
        const line = (cells: (string | number | undefined)[]): string =>
            cells.map(cell => (typeof cell === "string" ? `"${cell}"` : (cell ?? ""))).join(",");
        return [head, ...rows].map(line).join("\n") + "\n";
    }

    private save(): void {
        download(`${this.studio.scene?.name ?? "scene"}.csv`, new Blob([this.table()], { type: "text/csv" }));
    }

    private clear(): void {
        this.times = [];
        this.cursor = null;
        for (const plot of this.plots) plot.clear();
        this.draw();
    }

    // Going back in time drops the measurements after it.
    private add(event: StatsEvent): void {
        const kept = this.times.filter(time => time < event.time).slice(1 - KEPT);
        const first = kept.at(0) ?? event.time;
        for (const plot of this.plots) {
            plot.forget(time => time < first || time >= event.time);
            plot.add(event);
        }
        this.times = [...kept, event.time];
        this.draw();
    }

    private point(share: number | null): void {
        const { from, to } = spanOf(this.times);
        const wanted = from + (share ?? 0) * (to - from);
        const nearest = (a: number, b: number): number => (Math.abs(b - wanted) < Math.abs(a - wanted) ? b : a);
        this.cursor = share === null || this.times.length === 0 ? null : this.times.reduce(nearest);
        this.draw();
    }
}
