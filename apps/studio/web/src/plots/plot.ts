// One plot: its curves over simulated time, and the readings at the pointer or of the newest measurement.
import { h, short } from "../dom";
import type { StatsEvent } from "../protocol";
import { drawAxes, drawRange, frameOf, xOf, yOf, type Frame } from "./axis";
import { linesOf, type PlotKind } from "./kinds";

interface Series {
    colour: string;
    values: Map<number, number>; // by time
    reading: HTMLElement;
}

export class Plot {
    readonly element: HTMLElement;
    readonly canvas = h("canvas");
    /** Axes of the last drawing. */
    frame: Frame | null = null;
    private readonly legend = h("div", { class: "plot-legend" });
    private readonly series = new Map<string, Series>();

    constructor(readonly kind: PlotKind) {
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
        for (const { name, colour, value } of linesOf(this.kind, event))
            if (this.kind.lines !== "phases" || value > 0 || this.series.has(name))
                this.seriesOf(name, colour).values.set(event.time, Number.isFinite(value) ? value : 0);
    }

    /** Forgets the values at times that are no longer shown. */
    forget(isGone: (time: number) => boolean): void {
        for (const { values } of this.series.values())
            for (const time of values.keys()) if (isGone(time)) values.delete(time);
    }

    /** The names of the curves, and their values at a time. */
    columns(): string[] {
        return [...this.series.keys()].map(name => `${this.kind.title}: ${name} (${this.kind.unit})`);
    }

    row(time: number): (number | undefined)[] {
        return [...this.series.values()].map(({ values }) => values.get(time));
    }

    /** Draws the curves. `cursor` is the time at the pointer, or null. */
    draw(
        style: CSSStyleDeclaration,
        size: { width: number; height: number },
        times: number[],
        cursor: number | null,
    ): void {
        const context = this.prepare(size);
        if (!context) return;
        const all = [...this.series.values()].flatMap(({ values }) => [...values.values()]);
        const frame = frameOf(size, times, all);
        this.frame = frame;
        drawAxes(context, style, frame);
        for (const series of this.series.values()) drawCurve(context, style, frame, series, times);
        drawRange(context, style, frame);
        if (cursor !== null) drawCursor(context, style, frame, cursor);
        const shown = cursor ?? times.at(-1);
        for (const { values, reading } of this.series.values())
            reading.textContent = shown === undefined ? "" : short(values.get(shown) ?? 0, 3);
    }

    private prepare({ width, height }: { width: number; height: number }): CanvasRenderingContext2D | null {
        const ratio = Math.min(2, window.devicePixelRatio);
        const context = this.canvas.getContext("2d");
        if (!context) return null;
        if (this.canvas.width !== Math.round(width * ratio)) this.canvas.width = Math.round(width * ratio);
        if (this.canvas.height !== Math.round(height * ratio)) this.canvas.height = Math.round(height * ratio);
        context.setTransform(ratio, 0, 0, ratio, 0, 0);
        context.clearRect(0, 0, width, height);
        return context;
    }

    private seriesOf(name: string, colour: string): Series {
        const known = this.series.get(name);
        if (known) return known;
        const reading = h("b");
        this.legend.append(h("span", { style: `--colour: var(${colour})` }, h("i"), name, reading));
        const series = { colour, values: new Map<number, number>(), reading };
        this.series.set(name, series);
        return series;
    }
}

function drawCurve(
    context: CanvasRenderingContext2D,
    style: CSSStyleDeclaration,
    frame: Frame,
    series: Series,
    times: number[],
): void {
    context.strokeStyle = style.getPropertyValue(series.colour);
    context.lineWidth = 1.5;
    context.lineJoin = "round";
    context.beginPath();
    let isFirst = true;
    for (const time of times) {
        const value = series.values.get(time);
        if (value === undefined) continue;
        if (isFirst) context.moveTo(xOf(frame, time), yOf(frame, value));
        else context.lineTo(xOf(frame, time), yOf(frame, value));
        isFirst = false;
    }
    context.stroke();
}

function drawCursor(context: CanvasRenderingContext2D, style: CSSStyleDeclaration, frame: Frame, cursor: number): void {
    const x = Math.round(xOf(frame, cursor)) + 0.5;
    context.strokeStyle = style.getPropertyValue("--text");
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(x, 0);
    context.lineTo(x, frame.height - frame.bottom);
    context.stroke();
    context.fillStyle = style.getPropertyValue("--text");
    context.textBaseline = "top";
    context.textAlign = x > frame.width - 50 ? "right" : "left";
    context.fillText(`${short(cursor, 4)} s`, x + (x > frame.width - 50 ? -4 : 4), 2);
}
