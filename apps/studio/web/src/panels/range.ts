// The range of false colours that follows the data.

const SAMPLES = 2000; // values that are looked at, at most
const SHRINK = 0.4; // the range shrinks when it becomes smaller than this times the present one

export interface ColourRange {
    low: number;
    high: number;
}

/** Rounds up to 1, 2 or 5 times a power of ten, so that the range changes rarely. */
export function roundUp(value: number): number {
    const power = 10 ** Math.floor(Math.log10(value));
    return ([1, 2, 5, 10].find(f => f * power >= value * (1 - 1e-9)) ?? 10) * power;
}

/** Returns the size that all but the largest 1 % of the values stay below. */
function usualSize(lists: Float32Array[]): number {
    const count = lists.reduce((sum, list) => sum + list.length, 0);
    const every = Math.max(1, Math.ceil(count / SAMPLES));
    const sizes: number[] = [];
    for (const list of lists) for (let i = 0; i < list.length; i += every) sizes.push(Math.abs(list[i]));
    sizes.sort((a, b) => a - b);
    return sizes.length > 0 ? sizes[Math.floor(0.99 * (sizes.length - 1))] : 0;
}

/** Returns the range for the values. `now` is the present one. If `keep` is true, it stays as long as it fits. */
export function followRange(lists: Float32Array[], isSigned: boolean, now: ColourRange, keep: boolean): ColourRange {
    const size = usualSize(lists);
    if (!(size > 0) || !Number.isFinite(size)) return now;
    const high = roundUp(size);
    const fits = keep && size <= now.high && high >= SHRINK * now.high;
    if (fits && (isSigned ? now.low === -now.high : now.low === 0)) return now;
    return { low: isSigned ? -high : 0, high };
}
