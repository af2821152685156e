// The palettes of false colours. Viridis grows steadily in brightness and suits colour-blind viewers; the table is a
// polynomial fit to the palette of matplotlib (Smith and van der Walt 2015). Signed values have a diverging palette: blue
// below zero, grey at zero, red above (Moreland 2009).
import * as THREE from "three";

const viridis = [
    [0.2777, 0.0054, 0.3341],
    [0.1051, 1.4046, 1.3846],
    [-0.3309, 0.2148, 0.0951],
    [-4.6342, -5.7991, -19.3324],
    [6.2283, 14.1799, 56.6906],
    [4.7764, -13.7451, -65.353],
    [-5.4355, 4.6459, 26.3124],
];

export function viridisAt(t: number): [number, number, number] {
    const x = Math.min(1, Math.max(0, t));
    const channel = (k: number): number => {
        let sum = 0;
        for (let i = viridis.length - 1; i >= 0; i--) sum = sum * x + viridis[i][k];
        return Math.min(1, Math.max(0, sum));
    };
    return [channel(0), channel(1), channel(2)];
}

type Colour = [number, number, number];

const below: Colour = [0.23, 0.299, 0.754];
const zero: Colour = [0.865, 0.865, 0.865];
const above: Colour = [0.706, 0.016, 0.15];

export function divergingAt(t: number): Colour {
    const x = 2 * Math.min(1, Math.max(0, t)) - 1;
    const end = x < 0 ? below : above;
    return zero.map((middle, k) => middle + Math.abs(x) * (end[k] - middle)) as Colour;
}

export function paletteAt(isSigned: boolean): (t: number) => Colour {
    return isSigned ? divergingAt : viridisAt;
}

export function cssColour([r, g, b]: Colour): string {
    return `rgb(${(r * 255).toFixed(0)} ${(g * 255).toFixed(0)} ${(b * 255).toFixed(0)})`;
}

export function paletteTexture(isSigned: boolean): THREE.DataTexture {
    const n = 256;
    const data = new Uint8Array(n * 4);
    for (let i = 0; i < n; i++) {
        const [r, g, b] = paletteAt(isSigned)(i / (n - 1));
        data.set([r * 255, g * 255, b * 255, 255], 4 * i);
    }
    const texture = new THREE.DataTexture(data, n, 1);
    texture.colorSpace = THREE.SRGBColorSpace;
    texture.magFilter = texture.minFilter = THREE.LinearFilter;
    texture.needsUpdate = true;
    return texture;
}

export function paletteGradient(isSigned: boolean): string {
    const stops = Array.from({ length: 9 }, (_, i) => {
        return cssColour(paletteAt(isSigned)(i / 8));
    });
    return `linear-gradient(90deg, ${stops.join(", ")})`;
}
