// Live plots on small canvases: the server's measurements of the last 30 seconds.
import { h, perFrame, short } from "./dom";
import type { PaneStats, StatsEvent } from "./protocol";
import type { Studio } from "./studio";

const KEPT = 300; // samples: 30 s at 10 per second

interface Line {
    name: string;
    colour: string; // a custom property of the style sheet
    value: (stats: PaneStats, event: StatsEvent) => number;
}

interface PlotKind {
    title: string;
    unit: string;
    lines: Line[] | "phases";
    /** The value to plot, one line per pane, when panes are compared. */
    compare: (stats: PaneStats, event: StatsEvent) => number;
}

const total = (stats: PaneStats): number => Object.values(stats.ms).reduce((sum, ms) => sum + ms, 0);

const kinds: PlotKind[] = [
    {
        title: "Energy",
        unit: "J",
        lines: [
            { name: "kinetic", colour: "--line-1", value: s => s.kinetic },
            { name: "elastic", colour: "--line-2", value: s => s.elastic },
            { name: "potential", colour: "--line-3", value: s => s.potential },
        ],
        compare: s => s.kinetic + s.elastic + s.potential,
    },
    {
        title: "Stretch",
        unit: "%",
        lines: [
            { name: "max", colour: "--line-2", value: s => 100 * s.stretch_max },
            { name: "mean", colour: "--line-1", value: s => 100 * s.stretch_mean },
        ],
        compare: s => 100 * s.stretch_max,
    },
    {
        title: "Iterations",
        unit: "per frame",
        lines: [{ name: "iterations", colour: "--line-1", value: s => s.iterations }],
        compare: s => s.iterations,
    },
    {
        title: "Contacts",
        unit: "per frame",
        lines: [{ name: "contacts", colour: "--line-3", value: s => s.contacts }],
        compare: s => s.contacts,
    },
    { title: "Time per frame", unit: "ms", lines: "phases", compare: total },
    {
        title: "Frame rate",
        unit: "1/s",
        lines: [
            { name: "actual", colour: "--line-1", value: (_, e) => e.fps },
            { name: "target", colour: "--line-4", value: (_, e) => e.rate },
        ],
        compare: (_, e) => e.fps,
    },
];

interface Series {
    colour: string;
    values: number[];
    label: HTMLElement;
    reading: HTMLElement;
}

class Plot {
    readonly element: HTMLElement;
    readonly canvas = h("canvas");
    private readonly legend = h("div", { class: "plot-legend" });
    private readonly series = new Map<string, Series>();

    constructor(private readonly kind: PlotKind) {
        this.element = h(
            "figure",
            { class: "plot", "data-plot": kind.title },
            h("figcaption", {}, h("span", {}, kind.title), h("span", { class: "unit" }, kind.unit)),
            this.canvas,
            this.legend,
        );
    }

    clear(): void {
        this.series.clear();
        this.legend.replaceChildren();
    }

    add(event: StatsEvent): void {
        const first = event.panes.at(0);
        if (!first) return;
        if (event.panes.length > 1)
            event.panes.forEach((pane, i) =>
                this.push(`pane ${i + 1}`, `--line-${i + 1}`, this.kind.compare(pane, event)),
            );
        else if (this.kind.lines === "phases")
            Object.entries(first.ms).forEach(([phase, ms], i) => {
                if (ms > 0 || this.series.has(phase)) this.push(phase, `--line-${(i % 6) + 1}`, ms);
            });
        else for (const line of this.kind.lines) this.push(line.name, line.colour, line.value(first, event));
    }

    draw(style: CSSStyleDeclaration, width: number, height: number): void {
        const ratio = Math.min(2, window.devicePixelRatio);
        const context = this.canvas.getContext("2d");
        if (!context) return;
        if (this.canvas.width !== Math.round(width * ratio)) this.canvas.width = Math.round(width * ratio);
        if (this.canvas.height !== Math.round(height * ratio)) this.canvas.height = Math.round(height * ratio);
        context.setTransform(ratio, 0, 0, ratio, 0, 0);
        context.clearRect(0, 0, width, height);
        const [low, high] = this.range();
        drawAxis(context, style, width, height, low, high);
        for (const { colour, values, reading } of this.series.values()) {
            reading.textContent = short(values[values.length - 1] ?? 0, 3);
            context.strokeStyle = style.getPropertyValue(colour);
            context.lineWidth = 1.5;
            context.lineJoin = "round";
            context.beginPath();
            values.forEach((value, i) => {
                const x = width - ((values.length - 1 - i) / (KEPT - 1)) * width;
                const y = height - 3 - ((value - low) / (high - low)) * (height - 8);
                if (i === 0) context.moveTo(x, y);
                else context.lineTo(x, y);
            });
            context.stroke();
        }
    }

    private push(name: string, colour: string, value: number): void {
        let line = this.series.get(name);
        if (!line) {
            const reading = h("b");
            const label = h("span", { style: `--colour: var(${colour})` }, h("i"), name, reading);
            line = { colour, values: [], label, reading };
            this.series.set(name, line);
            this.legend.append(label);
        }
        line.values.push(Number.isFinite(value) ? value : 0);
        if (line.values.length > KEPT) line.values.shift();
    }

    private range(): [number, number] {
        let low = 0;
        let high = 0;
        for (const { values } of this.series.values())
            for (const value of values) {
                low = Math.min(low, value);
                high = Math.max(high, value);
            }
        return [low, high > low ? high + 0.05 * (high - low) : low + 1];
    }
}

function drawAxis(
    context: CanvasRenderingContext2D,
    style: CSSStyleDeclaration,
    width: number,
    height: number,
    low: number,
    high: number,
): void {
    context.strokeStyle = style.getPropertyValue("--line");
    context.lineWidth = 1;
    for (const share of [0, 0.5, 1]) {
        const y = Math.round(height - 3 - share * (height - 8)) + 0.5;
        context.beginPath();
        context.moveTo(0, y);
        context.lineTo(width, y);
        context.stroke();
    }
    context.fillStyle = style.getPropertyValue("--muted");
    context.font = "10px system-ui, sans-serif";
    context.textBaseline = "top";
    context.fillText(short(high, 3), 2, 7);
    if (low < 0) {
        context.textBaseline = "bottom";
        context.fillText(short(low, 3), 2, height - 4);
    }
}

export class Plots {
    readonly element = h("div", { id: "plots" });
    private readonly plots = kinds.map(kind => new Plot(kind));
    private panes = 1;
    // Cached: reading it for each of the six plots would force six layouts of the page.
    private size = { width: 0, height: 0 };

    constructor(studio: Studio) {
        this.element.append(...this.plots.map(plot => plot.element));
        studio.on("stats", event => {
            for (const plot of this.plots) plot.add(event);
            this.draw();
        });
        studio.on("scene", ({ scene, isNew }) => {
            if (!isNew && scene.panes.length === this.panes) return;
            this.panes = scene.panes.length;
            for (const plot of this.plots) plot.clear();
            this.draw();
        });
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
        for (const plot of this.plots) plot.draw(style, width, height);
    });
}
