// The search for parameters: by path, by label, and by words that users have for them.

// Each list is one meaning. A search for any word of a list finds the parameters that contain another one.
const synonyms: string[][] = [
    ["bending", "bend", "flexion", "stiffness against folding"],
    ["stiffness", "stretch", "shear", "elasticity", "young", "modulus"],
    ["wind speed", "forces.wind", "gust"],
    ["weight", "mass", "density", "gravity"],
    ["tear", "rip", "break"],
    ["collision", "contact"],
    ["friction", "slip", "grip"],
    ["thickness", "distance", "gap"],
    ["time step", "time.step", "dt", "speed of simulation"],
    ["resolution", "refine", "cells", "generation", "mesh size"],
    ["air", "drag", "lift", "wind"],
    ["iterations", "accuracy", "tolerance", "solver"],
    ["turbulence", "randomness", "gust"],
];

function plain(text: string): string {
    return text.toLowerCase().replaceAll("_", " ").replaceAll("-", " ");
}

/** Returns the texts to look for: what was typed, and the synonyms of it. */
function meanings(typed: string): string[] {
    const text = plain(typed.trim());
    const others = synonyms.filter(list => list.some(word => word.startsWith(text) && text.length > 2)).flat();
    return [text, ...others.filter(word => !word.startsWith(text)).map(plain)];
}

/** Returns whether a parameter matches what was typed. All words must occur, or else a synonym of the whole text. */
export function finder(typed: string): (path: string, label: string, help: string) => boolean {
    const [text, ...others] = meanings(typed);
    const words = text.split(/\s+/);
    return (path, label, help) => {
        const where = `${plain(path)} ${plain(label)}`;
        if (words.every(word => where.includes(word) || plain(help).includes(word))) return true;
        return others.some(other => where.includes(other));
    };
}
