// Plots of the benchmark results as SVG, with logarithmic axes. style.css has their colours, for light and dark.
import { escape } from "./highlight.mjs";

const WIDTH = 760;
const HEIGHT = 400;
const BOX = { left: 64, right: 180, top: 20, bottom: 52 };

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

/** 1, 2 and 5 times each power of ten within the range, or the powers alone if those are many. */
function ticks(low, high) {
    const all = [];
    for (let power = Math.floor(Math.log10(low)); 10 ** power <= high; power++)
        for (const factor of [1, 2, 5]) all.push(Number((factor * 10 ** power).toPrecision(1)));
    const inside = all.filter(value => value >= low * 0.999 && value <= high * 1.001);
    return inside.length > 8 ? inside.filter(value => Number.isInteger(Math.log10(value))) : inside;
}

const label = value => (value >= 1000 ? value.toLocaleString("en") : String(value));

/** A logarithmic axis: where values are, from `begin` to `end` pixels. */
function makeAxis(values, begin, end, marks = null) {
    const [low, high] = [Math.min(...values) / 1.15, Math.max(...values) * 1.15];
    const at = value => begin + ((end - begin) * Math.log(value / low)) / Math.log(high / low);
    return { at, ticks: marks ?? ticks(low, high) };
}

/** The heights of labels at the ends of lines. Those of lines that end together are moved apart. */
function spread(ends) {
    const order = ends.map(([x, y], i) => ({ x, y, i })).sort((a, b) => a.x - b.x || a.y - b.y);
    for (let k = 1; k < order.length; k++)
        if (order[k].x === order[k - 1].x) order[k].y = Math.max(order[k].y, order[k - 1].y + 17);
    const result = [];
    for (const { y, i } of order) result[i] = y;
    return result;
}

/** `lines`: [{ name, points: [[x, y], ...] }], all positive. `marks`: the labels of the x axis, if not round ones. */
export function chart({ title, x, y, lines, marks }) {
    const all = lines.flatMap(line => line.points);
    const xs = makeAxis(
        all.map(p => p[0]),
        BOX.left,
        WIDTH - BOX.right,
        marks,
    );
    const ys = makeAxis(
        all.map(p => p[1]),
        HEIGHT - BOX.bottom,
        BOX.top,
    );
    const px = value => value.toFixed(1);
    const grid = [
        ...xs.ticks.map(
            value =>
                `<path class="grid" d="M${px(xs.at(value))} ${BOX.top}V${HEIGHT - BOX.bottom}"/><text x="${px(xs.at(value))}" y="${HEIGHT - BOX.bottom + 18}" text-anchor="middle">${label(value)}</text>`,
        ),
        ...ys.ticks.map(
            value =>
                `<path class="grid" d="M${BOX.left} ${px(ys.at(value))}H${WIDTH - BOX.right}"/><text x="${BOX.left - 8}" y="${px(ys.at(value) + 4)}" text-anchor="end">${label(value)}</text>`,
        ),
    ];
    const ends = lines.map(({ points }) => [xs.at(points.at(-1)[0]), ys.at(points.at(-1)[1])]);
    const places = spread(ends);
    const drawn = lines.map(({ name, points }, i) => {
        const path = points.map(([a, b]) => `${px(xs.at(a))} ${px(ys.at(b))}`).join("L");
        const dots = points.map(
            ([a, b]) =>
                `<circle cx="${px(xs.at(a))}" cy="${px(ys.at(b))}" r="3.5"><title>${escape(name)}, ${label(a)}: ${b} ${escape(y)}</title></circle>`,
        );
        const text = `<text class="name" x="${px(ends[i][0] + 12)}" y="${px(places[i] + 4)}">${escape(name)}</text>`;
        return `<g class="line l${i % 8}"><path d="M${path}"/>${dots.join("")}${text}</g>`;
    });
    return `<figure><div class="scroll" tabindex="0"><svg class="plot" role="img" aria-label="${escape(title)}" viewBox="0 0 ${WIDTH} ${HEIGHT}">
${grid.join("\n")}
<text x="${(BOX.left + WIDTH - BOX.right) / 2}" y="${HEIGHT - 10}" text-anchor="middle">${escape(x)}</text>
<text x="14" y="${(BOX.top + HEIGHT - BOX.bottom) / 2}" text-anchor="middle" transform="rotate(-90 14 ${(BOX.top + HEIGHT - BOX.bottom) / 2})">${escape(y)}</text>
${drawn.join("\n")}
</svg></div><figcaption>${escape(title)}</figcaption></figure>`;
}

/** A table of the columns that are given as { column: [title, how to write a value] }. */
export function table(rows, columns) {
    const asIs = value => value ?? "";
    const head = Object.values(columns).map(([name]) => `<th>${escape(name)}</th>`);
    const body = rows.map(
        row =>
            `<tr>${Object.entries(columns)
                .map(([key, [, show = asIs]]) => `<td>${escape(show(row[key]))}</td>`)
                .join("")}</tr>`,
    );
    return `<div class="table numbers" tabindex="0"><table><thead><tr>${head.join("")}</tr></thead><tbody>\n${body.join("\n")}</tbody></table></div>`;
}
