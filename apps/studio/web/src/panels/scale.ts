// Maps a slider's position, 0 to 1, to a parameter's range. Tables allow very wide ranges (a stiffness of 0 to 1e9), so
// a wide range becomes a logarithmic scale around the present value.
import type { Param } from "../protocol";

export interface Scale {
    toValue(t: number): number;
    toSlider(value: number): number;
}

const DECADES = 3; // on each side of the centre

function linear(low: number, high: number): Scale {
    return {
        toValue: t => low + t * (high - low),
        toSlider: value => Math.min(1, Math.max(0, (value - low) / (high - low))),
    };
}

// If zero is allowed, it is at the left end of the slider.
function logarithmic(low: number, high: number, withZero: boolean): Scale {
    const first = Math.log(low);
    const span = Math.log(high) - first;
    const start = withZero ? 0.03 : 0;
    return {
        toValue: t => (t < start ? 0 : Math.exp(first + ((t - start) / (1 - start)) * span)),
        toSlider: value => (value < low ? 0 : Math.min(1, start + ((Math.log(value) - first) / span) * (1 - start))),
    };
}

export function scaleFor(param: Param): Scale {
    const low = param.low ?? -Infinity;
    const high = param.high ?? Infinity;
    const value = Math.abs(Number.parseFloat(param.value));
    const usual = Math.abs(Number.parseFloat(param.default));
    const reference = usual || value || 1;
    const wide = high - low > 20 * Math.max(reference, value);
    if (!wide && Number.isFinite(high - low)) return linear(low, high);
    if (low >= 0) {
        const centre = value > 0 && usual > 0 ? Math.sqrt(value * usual) : value || reference;
        const bottom = Math.max(low, centre * 10 ** -DECADES, Number.MIN_VALUE);
        const top = Math.min(high, centre * 10 ** DECADES);
        return logarithmic(bottom, Math.max(top, bottom * 10), low === 0 && !param.open_low);
    }
    const reach = 4 * Math.max(reference, value);
    return linear(Math.max(low, -reach), Math.min(high, reach));
}

/** Rounds to three digits, the precision of a slider. */
export function rounded(value: number, isWhole: boolean): number {
    return isWhole ? Math.round(value) : Number(value.toPrecision(3));
}
