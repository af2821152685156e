// Makes the website from the sources: usage: node site/build.mjs OUTPUT. tools/site calls it after the module and the
// page of the studio are built.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { deflateRawSync } from "node:zlib";
import { chart, newest, readTable, table } from "./charts.mjs";
import { escape, makeRenderer, page } from "./pages.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const output = process.argv[2];
const require = createRequire(join(root, "studio/web/package.json"));
const marked = await import(pathToFileURL(require.resolve("marked")).href);

const read = path => readFileSync(join(root, path), "utf8");
function write(path, text) {
    mkdirSync(dirname(join(output, path)), { recursive: true });
    writeFileSync(join(output, path), text);
}
const copy = (from, to) => cpSync(join(root, from), join(output, to), { recursive: true });

// -- scenes --

const summary = text => /^#\s*(.*)/.exec(text)?.[1] ?? "";

/** The files that a scene names, relative to the folder of scenes. */
const filesOf = text => [...new Set([...text.matchAll(/assets\/[\w.-]+/g)].map(found => found[0]))];

const scenes = readdirSync(join(root, "scenes"))
    .filter(name => name.endsWith(".yaml"))
    .sort()
    .map(file => ({ name: basename(file, ".yaml"), text: read(`scenes/${file}`) }));

function writeScenes() {
    copy("scenes/assets", "studio/scenes/assets");
    copy("scenes/thumbnails", "studio/thumbnails");
    const index = {
        start: "hanging-sheet",
        scenes: scenes.map(({ name, text }) => ({ name, text, files: filesOf(text) })),
        fabrics: readdirSync(join(root, "fabrics")).map(name => ({ name, text: read(`fabrics/${name}`) })),
    };
    write("studio/scenes/index.json", JSON.stringify(index));
}

/** The share link of a scene of the gallery (studio/web/src/share/link.ts). */
function sceneLink(name) {
    const shared = { v: 1, scene: name, panes: [], forces: [], values: {} };
    return `studio/index.html#s=${deflateRawSync(JSON.stringify(shared)).toString("base64url")}`;
}

function card({ name, text }) {
    return `<li><a href="${sceneLink(name)}"><img src="studio/thumbnails/${name}.png" alt="" width="320" height="200" loading="lazy"><b>${name.replaceAll("-", " ")}</b><span>${escape(summary(text))}</span></a></li>`;
}

function writeGallery() {
    const body = `<main id="main"><h1>Gallery</h1>
<p>Each scene opens in the studio, which runs in your browser. Pull the cloth, cut it, change its fabric.</p>
<ul class="cards">${scenes.map(card).join("\n")}</ul></main>`;
    write("gallery.html", page({ path: "gallery.html", title: "Weft: gallery", body }));
}

function writeLanding() {
    const best = ["flag", "sheet-on-sphere", "twisted-tube", "rip", "adaptive-sheet", "curtain"];
    const chosen = best.map(name => scenes.find(scene => scene.name === name)).filter(Boolean);
    const body = `<main id="main"><div class="hero"><div>
<h1>Cloth simulation to touch</h1>
<p>Weft simulates cloth with published methods: springs, finite elements, contact without intersections, tearing and measured fabrics. This cloth is simulated in your browser. Pull it.</p>
<p><a class="button main" href="studio/index.html">Open the studio</a><a class="button" href="docs/quick-start.html">Quick start</a></p>
</div><div class="live">
<canvas id="cloth" tabindex="0" role="img" aria-label="A hanging cloth. Pull it with the mouse or a finger, or with the arrow keys."></canvas>
<p id="cloth-status" role="status">Loading the engine…</p>
<label>Wind <input id="wind" type="range" min="0" max="8" step="0.1" value="1.5" aria-label="Wind speed, m/s"></label>
</div></div>
<h2>Scenes</h2><ul class="cards">${chosen.map(card).join("\n")}</ul>
<p><a href="gallery.html">All ${scenes.length} scenes</a></p>
<h2>On your machine</h2>
<p>The command <code>weft</code> runs the same scenes on all cores, bit for bit the same. It writes OBJ, PLY, PC2, MDD, GLB and USDA, and renders pictures and videos. There are clients for <a href="docs/python.html">Python</a> and <a href="docs/blender.html">Blender</a>, and an npm package for <a href="docs/browser.html">web pages</a>.</p>
</main>`;
    const head =
        '<link rel="preload" href="engine/weft.wasm" as="fetch" type="application/wasm" crossorigin>\n<script type="module" src="landing.js"></script>\n';
    write("index.html", page({ path: "index.html", title: "Weft: cloth simulation", body, head }));
}

// -- documentation --

const title = text => /^#\s+(.*)/m.exec(text)?.[1] ?? "";

function writeDocs() {
    const names = readdirSync(join(root, "docs")).filter(name => name.endsWith(".md"));
    const order = [...read("docs/README.md").matchAll(/\]\(([\w-]+\.md)/g)].map(found => found[1]);
    const sorted = [...new Set(["README.md", ...order, ...names])].filter(name => names.includes(name));
    const place = name => (name === "README.md" ? "index.html" : name.replace(/\.md$/, ".html"));
    const known = new Map(sorted.map(name => [`docs/${name}`, place(name)]));
    known.set("docs/experiments.html", "../experiments.html");
    known.set("CONTRIBUTING.md", "contributing.html");
    known.set("CHANGELOG.md", "changelog.html");
    const render = makeRenderer(marked, known);
    const pages = [
        ...sorted.map(name => [place(name), read(`docs/${name}`)]),
        ["contributing.html", read("CONTRIBUTING.md")],
        ["changelog.html", read("CHANGELOG.md")],
    ];
    for (const [name, text] of pages) {
        const links = pages.map(([to, other]) => {
            const here = to === name ? ' aria-current="page"' : "";
            return `<li><a href="${to}"${here}>${escape(title(other))}</a></li>`;
        });
        const body = `<main class="docs"><nav aria-label="Documentation"><ul>${links.join("")}</ul></nav>
<article id="main">${render(text)}</article></main>`;
        write(`docs/${name}`, page({ path: `docs/${name}`, title: `Weft: ${title(text)}`, body }));
    }
    copy("docs/pictures", "docs/pictures");
    copy("scenes/thumbnails", "docs/pictures");
}

function writeExperiments() {
    // Made by `weft experiment`, with its own style. It gets a way back.
    const text = read("docs/experiments.html");
    const back = '<p><a href="index.html">Weft</a> · <a href="docs/numerics.html">Numerics and validation</a></p>';
    const icon = '<link rel="icon" href="weft.svg" type="image/svg+xml">';
    write("experiments.html", text.replace("</head>", `${icon}</head>`).replace("<body>", `<body>${back}`));
}

// -- benchmarks --

const numbers = (rows, x, y) =>
    rows
        .map(row => [Number(row[x]), Number(row[y])])
        .filter(([a, b]) => a > 0 && b > 0)
        .sort((a, b) => a[0] - b[0]);

function linesBy(rows, key, x, y) {
    const names = [...new Set(rows.map(row => row[key]))];
    return names
        .map(name => ({
            name,
            points: numbers(
                rows.filter(row => row[key] === name),
                x,
                y,
            ),
        }))
        .filter(line => line.points.length > 1);
}

function writeBenchmarks() {
    const result = name => readTable(read(`bench/results/${name}.csv`));
    // with its defaults Bullet's sheet is torn apart, so its time says nothing
    const hang = newest(result("hang"), ["n", "method"]).filter(row => row.method !== "Bullet defaults");
    const sphere = newest(result("sphere"), ["n", "self", "method"]);
    const scale = newest(result("scale"), ["what", "vertices", "threads"]).filter(row => row.what === "step");
    for (const row of scale) row.line = `${row.threads} thread${row.threads === "1" ? "" : "s"}`;
    const machine = rows => {
        const all = column => [...new Set(rows.map(row => row[column]))].join(", ");
        return `<p>${escape(all("machine"))}, ${escape(all("compiler"))}; commits ${escape(all("commit"))}.</p>`;
    };
    const body = `<main id="main"><h1>Benchmarks</h1>
<p>The results of <code>weft bench</code>, as stored in the repository. <a href="docs/performance.html">Performance</a> explains them and says which method is fast when.</p>
<h2>Hanging sheet</h2>${machine(hang)}
${chart({ title: "hang: least time of a frame of 1/60 s", x: "vertices of a side", y: "ms", lines: linesBy(hang, "method", "n", "ms_least") })}
${table(hang, { n: "side", method: "method", substeps: "substeps", ms_least: "least ms", ms_mean: "mean ms", stretch_max: "largest stretch" })}
<h2>Sheet on a sphere</h2>${machine(sphere)}
${table(sphere, { n: "side", self: "self-collision", method: "method", ms_mean: "mean ms", intersections: "intersections", times_faster: "times faster than Bullet" })}
<h2>Growth with the number of vertices</h2>${machine(scale)}
${chart({ title: "scale: least time of a step", x: "vertices", y: "ms", lines: linesBy(scale, "line", "vertices", "ms_least") })}
</main>`;
    write("benchmarks.html", page({ path: "benchmarks.html", title: "Weft: benchmarks", body }));
}

mkdirSync(output, { recursive: true });
copy("site/style.css", "style.css");
copy("studio/web/public/assets/weft.svg", "weft.svg");
writeScenes();
writeGallery();
writeLanding();
writeDocs();
writeExperiments();
writeBenchmarks();
if (!existsSync(join(output, "api/index.html"))) {
    const body = `<main id="main"><h1>API reference</h1><p>This copy of the site was made without Doxygen. Run <code>make docs</code>.</p></main>`;
    write("api/index.html", page({ path: "api/index.html", title: "Weft: API", body }));
}
