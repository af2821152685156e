// Units for reading: 0.6 mm instead of 6e-4 m. The server understands all of them.

interface Scaled {
    unit: string;
    factor: number; // shown value times factor is the value in the table's unit
}

interface Choice {
    units: Scaled[]; // the largest first
    least: number; // a shown value below this gets a smaller unit
}

const choices: Record<string, Choice | undefined> = {
    m: {
        units: [
            { unit: "m", factor: 1 },
            { unit: "mm", factor: 1e-3 },
            { unit: "um", factor: 1e-6 },
        ],
        least: 0.05,
    },
    s: {
        units: [
            { unit: "s", factor: 1 },
            { unit: "ms", factor: 1e-3 },
            { unit: "us", factor: 1e-6 },
        ],
        least: 0.1,
    },
    "kg/m2": {
        units: [
            { unit: "kg/m2", factor: 1 },
            { unit: "g/m2", factor: 1e-3 },
        ],
        least: 10,
    },
    "N m": {
        units: [
            { unit: "N m", factor: 1 },
            { unit: "uN m", factor: 1e-6 },
        ],
        least: 0.01,
    },
    "N m2": {
        units: [
            { unit: "N m2", factor: 1 },
            { unit: "uN m2", factor: 1e-6 },
        ],
        least: 0.01,
    },
};

/** Returns the unit in which a value reads best. */
export function unitFor(value: number, unit: string): Scaled {
    const choice = choices[unit];
    if (!choice || value === 0 || !Number.isFinite(value)) return { unit, factor: 1 };
    const { units, least } = choice;
    return units.find(scaled => Math.abs(value) / scaled.factor >= least) ?? units[units.length - 1];
}

/** "0.0006", "m" -> "0.6 mm". A text that is not a number stays as it is. */
export function readable(text: string, unit: string): string {
    const value = Number(text);
    if (text.trim() === "" || Number.isNaN(value)) return text;
    const scaled = unitFor(value, unit);
    return `${tidy(String(value / scaled.factor))} ${unitText(scaled.unit)}`.trim();
}

/** "um" -> "µm", "kg/m2" -> "kg/m²" */
export function unitText(unit: string): string {
    return unit.replace(/^u(?=[mNs])/, "µ").replace(/([ms])2/g, "$1²");
}

/** Formats a number for reading: 5e-6, not 0.000005. */
export function tidy(text: string): string {
    const value = Number(text);
    if (text.trim() === "" || Number.isNaN(value)) return text;
    const size = Math.abs(value);
    if (size === 0 || (size >= 1e-3 && size < 1e6)) return String(Number(value.toPrecision(5)));
    return value
        .toExponential(5)
        .replace(/\.?0+e/, "e")
        .replace("e+", "e");
}
