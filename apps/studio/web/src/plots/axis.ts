// Axes of a plot: a range that single spikes do not spoil, and a time axis with round numbers.
import { short } from "../dom";

export interface Range {
    low: number;
    high: number;
    isClipped: boolean; // some values are above
}

const SPIKE = 3; // a maximum of more than this times the 98th percentile is clipped

/** Returns the range of the values. A few very large ones do not count. */
function rangeOf(values: number[]): Range {
    const sorted = values.filter(Number.isFinite).sort((a, b) => a - b);
    if (sorted.length === 0) return { low: 0, high: 1, isClipped: false };
    const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
    const low = Math.min(0, sorted[0]);
    const usual = at(0.98);
    const most = sorted[sorted.length - 1];
    const isClipped = sorted.length > 20 && usual > 0 && most > SPIKE * usual;
    const high = isClipped ? 1.5 * usual : most;
    return { low, high: high > low ? high + 0.05 * (high - low) : low + 1, isClipped };
}

const LEAST = 2; // s that the time axis spans

/** Returns the ends of the time axis. */
export function spanOf(times: number[]): { from: number; to: number } {
    const from = times.at(0) ?? 0;
    return { from, to: Math.max(times.at(-1) ?? 0, from + LEAST) };
}

/** Returns round times between two times: at least one, and less than twice `count`, which is at least 2. */
function ticks(from: number, to: number, count: number): number[] {
    const most = (1.3 * (to - from)) / count; // the longest step; 1.3 keeps the steps 2 and 5 for longer
    const power = 10 ** Math.floor(Math.log10(most));
    const step = power * (most >= 5 * power ? 5 : most >= 2 * power ? 2 : 1);
    const list: number[] = [];
    for (let i = Math.ceil(from / step); i * step <= to; i++) list.push(i * step);
    return list;
}

export interface Frame {
    width: number;
    height: number;
    bottom: number; // room for the time axis
    from: number; // s
    to: number;
    ticks: number[]; // s
    range: Range;
}

/** Lays out a plot of some size. */
export function frameOf(size: { width: number; height: number }, times: number[], values: number[]): Frame {
    const span = spanOf(times);
    return {
        ...size,
        ...span,
        bottom: size.height >= 36 ? 14 : 3,
        ticks: ticks(span.from, span.to, Math.max(2, Math.floor(size.width / 60))),
        range: rangeOf(values),
    };
}

export function xOf(frame: Frame, time: number): number {
    return ((time - frame.from) / (frame.to - frame.from)) * frame.width;
}

export function yOf(frame: Frame, value: number): number {
    const { low, high } = frame.range;
    const share = Math.min(1.02, Math.max(0, (value - low) / (high - low)));
    return frame.height - frame.bottom - share * (frame.height - frame.bottom - 5);
}

/** Draws the lines of the axes and the times. */
export function drawAxes(context: CanvasRenderingContext2D, style: CSSStyleDeclaration, frame: Frame): void {
    const { width, height, bottom } = frame;
    context.strokeStyle = style.getPropertyValue("--line");
    context.fillStyle = style.getPropertyValue("--muted");
    context.lineWidth = 1;
    context.font = "10px system-ui, sans-serif";
    for (const share of [0, 0.5, 1]) {
        const y = Math.round(height - bottom - share * (height - bottom - 5)) + 0.5;
        context.beginPath();
        context.moveTo(0, y);
        context.lineTo(width, y);
        context.stroke();
    }
    context.textBaseline = "bottom";
    if (bottom > 8) drawTimes(context, frame);
}

/** Draws the ends of the range, over the curves and with an outline, so that they can be read. */
export function drawRange(context: CanvasRenderingContext2D, style: CSSStyleDeclaration, frame: Frame): void {
    const { height, bottom, range } = frame;
    const write = (text: string, y: number): void => {
        context.strokeText(text, 2, y);
        context.fillText(text, 2, y);
    };
    context.strokeStyle = style.getPropertyValue("--panel");
    context.fillStyle = style.getPropertyValue("--muted");
    context.lineWidth = 4;
    context.textAlign = "left";
    context.textBaseline = "top";
    write(`${short(range.high, 3)}${range.isClipped ? " ▲" : ""}`, 7);
    context.textBaseline = "bottom";
    if (range.low < 0) write(short(range.low, 3), height - bottom - 1);
}

function drawTimes(context: CanvasRenderingContext2D, frame: Frame): void {
    const { width, height, bottom } = frame;
    frame.ticks.forEach(time => {
        const x = xOf(frame, time);
        const text = `${short(time, 3)} s`;
        const half = context.measureText(text).width / 2;
        context.textAlign = "center";
        context.fillText(text, Math.min(width - half, Math.max(half, x)), height);
        context.fillRect(Math.round(x), height - bottom, 1, 3);
    });
}
