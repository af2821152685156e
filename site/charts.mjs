// Plots of the benchmark results as SVG, with logarithmic axes.
import { escape } from "./pages.mjs";

const COLOURS = ["#9c2b20", "#1f5f8b", "#3b7a3d", "#8a5a00", "#6a3d8f", "#00716b", "#555555", "#b0307a"];
const WIDTH = 720;
const HEIGHT = 420;
const BOX = { left: 70, right: 190, top: 40, bottom: 50 };

/** Rows of a CSV file as objects. */
export function readTable(text) {
    const [head, ...rows] = text
        .trim()
        .split("\n")
        .map(line => line.split(","));
    return rows.map(row => Object.fromEntries(head.map((name, i) => [name, row[i]])));
}

/** The newest row for each combination of the given columns. */
export function newest(rows, columns) {
    const found = new Map();
    for (const row of rows) {
        const key = columns.map(column => row[column]).join(",");
        if (!found.has(key) || row.time >= found.get(key).time) found.set(key, row);
    }
    return [...found.values()];
}

const label = power => (power < 0 ? (10 ** power).toFixed(-power) : String(10 ** power));

const decades = (low, high) => {
    const marks = [];
    for (let power = Math.floor(low); power <= Math.ceil(high); power++) marks.push(power);
    return marks;
};

/** `lines`: [{ name, points: [[x, y], ...] }], all positive. */
export function chart({ title, x, y, lines }) {
    const all = lines.flatMap(line => line.points);
    const [xs, ys] = [0, 1].map(k => decades(...[Math.min, Math.max].map(f => Math.log10(f(...all.map(p => p[k]))))));
    const across = value => {
        const share = (Math.log10(value) - xs[0]) / (xs.at(-1) - xs[0] || 1);
        return BOX.left + share * (WIDTH - BOX.left - BOX.right);
    };
    const down = value => {
        const share = (Math.log10(value) - ys[0]) / (ys.at(-1) - ys[0] || 1);
        return HEIGHT - BOX.bottom - share * (HEIGHT - BOX.top - BOX.bottom);
    };
    const grid = [
        ...xs.map(p => {
            const at = across(10 ** p).toFixed(1);
            return `<path d="M${at} ${BOX.top}V${HEIGHT - BOX.bottom}" stroke="#ddd"/><text x="${at}" y="${HEIGHT - 32}" text-anchor="middle">${label(p)}</text>`;
        }),
        ...ys.map(p => {
            const at = down(10 ** p).toFixed(1);
            return `<path d="M${BOX.left} ${at}H${WIDTH - BOX.right}" stroke="#ddd"/><text x="${BOX.left - 8}" y="${Number(at) + 4}" text-anchor="end">${label(p)}</text>`;
        }),
    ];
    const drawn = lines.map(({ name, points }, i) => {
        const colour = COLOURS[i % COLOURS.length];
        const path = points.map(([a, b]) => `${across(a).toFixed(1)} ${down(b).toFixed(1)}`).join("L");
        const dots = points.map(
            ([a, b]) => `<circle cx="${across(a).toFixed(1)}" cy="${down(b).toFixed(1)}" r="3.5"/>`,
        );
        const legend = `<text x="${WIDTH - BOX.right + 26}" y="${BOX.top + 12 + 20 * i}" fill="#222">${escape(name)}</text><circle cx="${WIDTH - BOX.right + 14}" cy="${BOX.top + 8 + 20 * i}" r="5"/>`;
        return `<g fill="${colour}"><path d="M${path}" fill="none" stroke="${colour}" stroke-width="2"/>${dots.join("")}${legend}</g>`;
    });
    return `<svg class="plot" role="img" aria-label="${escape(title)}" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="system-ui, sans-serif" font-size="12" fill="#222">
<text x="${BOX.left}" y="24" font-size="15">${escape(title)}</text>
${grid.join("\n")}
<text x="${(BOX.left + WIDTH - BOX.right) / 2}" y="${HEIGHT - 10}" text-anchor="middle">${escape(x)}</text>
<text x="16" y="${HEIGHT / 2}" text-anchor="middle" transform="rotate(-90 16 ${HEIGHT / 2})">${escape(y)}</text>
${drawn.join("\n")}
</svg>`;
}

/** A table of the columns that are given as { column: title }. */
export function table(rows, columns) {
    const head = Object.values(columns).map(name => `<th>${escape(name)}</th>`);
    const body = rows.map(
        row =>
            `<tr>${Object.keys(columns)
                .map(key => `<td>${escape(row[key] ?? "")}</td>`)
                .join("")}</tr>`,
    );
    return `<div class="table" tabindex="0"><table><tr>${head.join("")}</tr>\n${body.join("\n")}</table></div>`;
}
