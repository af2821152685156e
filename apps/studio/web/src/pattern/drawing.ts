// Draws a pattern on a canvas: pieces with their colours, seams, the choice, and the point under the pointer in 3D.
import { cornerAt, type Pattern, type Seam } from "./pieces";

/** From metres in the pattern to pixels: x' = left + scale x, y' = top - scale y. */
export interface Placing {
    scale: number;
    left: number;
    top: number;
}

export interface Palette {
    piece: string;
    outline: string;
    seam: string;
    chosen: string;
    mark: string;
}

export interface Choice {
    piece?: number;
    seam?: number;
}

/** Places the whole pattern in a canvas with a margin. */
export function placeWhole(pattern: Pattern, width: number, height: number): Placing {
    const margin = 18;
    const [w, h] = [pattern.high[0] - pattern.low[0], pattern.high[1] - pattern.low[1]];
    const scale = Math.min((width - 2 * margin) / Math.max(w, 1e-9), (height - 2 * margin) / Math.max(h, 1e-9));
    return {
        scale,
        left: (width - scale * w) / 2 - scale * pattern.low[0],
        top: (height + scale * h) / 2 + scale * pattern.low[1],
    };
}

const STEPS = 48; // of the palette; one path each

/** Fills the triangles with the mean value of their corners. `share` is the place of a value in the palette, 0 to 1. */
function fillValues(
    draw: CanvasRenderingContext2D,
    uv: Float32Array,
    triangles: Uint32Array,
    value: (vertex: number) => number,
    colour: (share: number) => string,
): void {
    const paths = Array.from({ length: STEPS }, () => new Path2D());
    for (let t = 0; t < triangles.length / 3; t++) {
        const mean = (value(triangles[3 * t]) + value(triangles[3 * t + 1]) + value(triangles[3 * t + 2])) / 3;
        const path = paths[Math.min(STEPS - 1, Math.max(0, Math.floor(mean * STEPS)))];
        path.moveTo(uv[6 * t], uv[6 * t + 1]);
        path.lineTo(uv[6 * t + 2], uv[6 * t + 3]);
        path.lineTo(uv[6 * t + 4], uv[6 * t + 5]);
        path.closePath();
    }
    paths.forEach((path, i) => {
        draw.fillStyle = draw.strokeStyle = colour((i + 0.5) / STEPS);
        draw.fill(path);
        draw.stroke(path); // hides the gaps between neighbours
    });
}

function outlinePath(loops: number[][]): Path2D {
    const path = new Path2D();
    for (const loop of loops) {
        for (let i = 0; i < loop.length; i += 2)
            if (i === 0) path.moveTo(loop[0], loop[1]);
            else path.lineTo(loop[i], loop[i + 1]);
        path.closePath();
    }
    return path;
}

function seamPath(uv: Float32Array, seam: Seam): Path2D {
    const path = new Path2D();
    for (const [t, k] of seam.sides) {
        path.moveTo(...cornerAt(uv, [t, k]));
        path.lineTo(...cornerAt(uv, [t, k + 1]));
    }
    return path;
}

export interface Drawing {
    pattern: Pattern;
    uv: Float32Array;
    triangles: Uint32Array;
    placing: Placing;
    palette: Palette;
    choice: Choice;
    marks: [number, number][]; // m
    values: { at: (vertex: number) => number; colour: (share: number) => string } | null;
}

export function drawPattern(canvas: HTMLCanvasElement, drawing: Drawing): void {
    const draw = canvas.getContext("2d");
    if (!draw) return;
    const ratio = canvas.width / Math.max(1, canvas.clientWidth);
    const { pattern, uv, placing, palette, choice } = drawing;
    const { scale, left, top } = placing;
    draw.setTransform(1, 0, 0, 1, 0, 0);
    draw.clearRect(0, 0, canvas.width, canvas.height);
    draw.setTransform(ratio * scale, 0, 0, -ratio * scale, ratio * left, ratio * top);
    draw.lineWidth = 1 / scale;
    draw.lineJoin = "round";
    if (drawing.values) fillValues(draw, uv, drawing.triangles, drawing.values.at, drawing.values.colour);
    pattern.pieces.forEach((piece, i) => {
        const path = outlinePath(piece.outline);
        draw.fillStyle = palette.piece;
        if (!drawing.values) draw.fill(path, "evenodd");
        draw.fillStyle = palette.chosen;
        draw.globalAlpha = 0.35;
        if (choice.piece === i) draw.fill(path, "evenodd");
        draw.globalAlpha = 1;
        draw.strokeStyle = choice.piece === i ? palette.chosen : palette.outline;
        draw.lineWidth = (choice.piece === i ? 2.5 : 1.2) / scale;
        draw.stroke(path);
    });
    pattern.seams.forEach((seam, i) => {
        draw.strokeStyle = choice.seam === i ? palette.chosen : palette.seam;
        draw.lineWidth = (choice.seam === i ? 4 : 2) / scale;
        draw.stroke(seamPath(uv, seam));
    });
    for (const [x, y] of drawing.marks) {
        draw.fillStyle = palette.mark;
        draw.beginPath();
        draw.arc(x, y, 5 / scale, 0, 2 * Math.PI);
        draw.fill();
    }
}
