// The cloth of the landing page as an OBJ file: a grid whose rows follow a wave, so that it is wider than its pins are
// apart, as a curtain is.

/** A wave that touches the pins, in plan: [x, z] along it. */
function wave(span, folds, depth) {
    const points = [];
    for (let i = 0; i <= 100 * folds; i++) {
        const t = i / (100 * folds);
        points.push([span * (t - 0.5), depth * Math.sin(Math.PI * folds * t) ** 2]);
    }
    return points;
}

const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);

/** Points at equal lengths along a line of points. */
function resample(line, count) {
    const at = [0];
    for (let i = 1; i < line.length; i++) at.push(at[i - 1] + distance(line[i - 1], line[i]));
    let i = 1;
    return Array.from({ length: count }, (_, k) => {
        const here = (at.at(-1) * k) / (count - 1);
        while (i < line.length - 1 && at[i] < here) i++;
        const share = (here - at[i - 1]) / (at[i] - at[i - 1]);
        return line[i].map((value, axis) => line[i - 1][axis] + share * (value - line[i - 1][axis]));
    });
}

/** `width` and `height` are those of the flat cloth, `span` is that of its upper edge, m; `top` is the height of it. */
export function curtain({ cells, width, height, span, top, folds }) {
    let depth = 0;
    const lengthOf = line => line.slice(1).reduce((sum, point, i) => sum + distance(line[i], point), 0);
    while (lengthOf(wave(span, folds, depth)) < width) depth += 0.002;
    const places = resample(wave(span, folds, depth), cells + 1);
    const lines = [];
    for (let row = 0; row <= cells; row++)
        for (const [column, [x, z]] of places.entries()) {
            lines.push(`v ${x} ${top - (height * row) / cells} ${z}`);
            lines.push(`vt ${(width * column) / cells} ${(-height * row) / cells}`);
        }
    for (let row = 0; row < cells; row++)
        for (let column = 0; column < cells; column++) {
            const first = row * (cells + 1) + column + 1;
            const face = [first, first + cells + 1, first + cells + 2, first + 1];
            lines.push(`f ${face.map(v => `${v}/${v}`).join(" ")}`);
        }
    return `${lines.join("\n")}\n`;
}
