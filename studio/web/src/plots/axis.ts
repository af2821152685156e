// Axes of a plot: a range that single spikes do not spoil, and a time axis with round numbers.
import { short } from "../dom";

export interface Range {
    low: number;
    high: number;
    isClipped: boolean; // some values are above
}

const SPIKE = 3; // a maximum of more than this times the 98th percentile is clipped

/** Returns the range of the values. A few very large ones do not count. */
export function rangeOf(values: number[]): Range {
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

/** Returns round times between two times, about `count` of them. */
export function ticks(from: number, to: number, count: number): number[] {
    const rough = (to - from) / count;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map(f => f * power).find(s => s >= rough) ?? 10 * power;
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
    range: Range;
}

export function xOf(frame: Frame, time: number): number {
    return ((time - frame.from) / (frame.to - frame.from)) * frame.width;
}

export function yOf(frame: Frame, value: number): number {
    const { low, high } = frame.range;
    const share = Math.min(1.02, Math.max(0, (value - low) / (high - low)));
    return frame.height - frame.bottom - share * (frame.height - frame.bottom - 5);
}

/** Draws the lines of the axes and their numbers. */
export function drawAxes(context: CanvasRenderingContext2D, style: CSSStyleDeclaration, frame: Frame): void {
    const { width, height, bottom, range } = frame;
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
    context.textBaseline = "top";
    context.textAlign = "left";
    context.fillText(`${short(range.high, 3)}${range.isClipped ? " ▲" : ""}`, 2, 7);
    context.textBaseline = "bottom";
    if (range.low < 0) context.fillText(short(range.low, 3), 2, height - bottom - 1);
    if (bottom > 8) drawTimes(context, frame);
}

function drawTimes(context: CanvasRenderingContext2D, frame: Frame): void {
    const { width, height, bottom, from, to } = frame;
    ticks(from, to, Math.max(2, Math.floor(width / 60))).forEach(time => {
        const x = xOf(frame, time);
        const text = `${short(time, 3)} s`;
        const half = context.measureText(text).width / 2;
        context.textAlign = "center";
        context.fillText(text, Math.min(width - half, Math.max(half, x)), height);
        context.fillRect(Math.round(x), height - bottom, 1, 3);
    });
}
