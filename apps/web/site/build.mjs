// Makes the website from the sources: usage: node apps/web/site/build.mjs OUTPUT. tools/site calls it after the module and the
// page of the studio are built.
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { deflateRawSync, gzipSync } from "node:zlib";
import { writeApi } from "./api.mjs";
import { chart, newest, readTable, table } from "./charts.mjs";
import { code, escape, makeRenderer, page } from "./pages.mjs";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const output = process.argv[2];
const require = createRequire(join(root, "apps/studio/web/package.json"));
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

const scenes = readdirSync(join(root, "data/scenes"))
    .filter(name => name.endsWith(".yaml"))
    .sort()
    .map(file => ({ name: basename(file, ".yaml"), text: read(`data/scenes/${file}`) }));

function writeScenes() {
    copy("data/scenes/assets", "studio/scenes/assets");
    copy("data/scenes/thumbnails", "studio/thumbnails");
    const index = {
        start: "hanging-sheet",
        scenes: scenes.map(({ name, text }) => ({ name, text, files: filesOf(text) })),
        fabrics: readdirSync(join(root, "data/fabrics")).map(name => ({ name, text: read(`data/fabrics/${name}`) })),
    };
    write("studio/scenes/index.json", JSON.stringify(index));
}

/** The share link of a scene of the gallery (apps/studio/web/src/share/link.ts). */
function sceneLink(name) {
    const shared = { v: 1, scene: name, panes: [], forces: [], values: {} };
    return `studio/index.html#s=${deflateRawSync(JSON.stringify(shared)).toString("base64url")}`;
}

function card({ name, text }) {
    return `<li><a href="${sceneLink(name)}"><img src="studio/thumbnails/${name}.png" alt="" width="320" height="200" loading="lazy"><b>${name.replace("tshirt", "T-shirt").replaceAll("-", " ")}</b><span>${escape(summary(text))}</span></a></li>`;
}

function writeGallery() {
    const body = `<main id="main"><h1>Gallery</h1>
<p class="lead">Each scene opens in the studio, which runs in your browser. Pull the cloth, cut it, change its fabric.</p>
<ul class="cards">${scenes.map(card).join("\n")}</ul></main>`;
    write("gallery.html", page({ path: "gallery.html", title: "Weft: gallery", body }));
}

const kilobytes = path => Math.round(gzipSync(readFileSync(join(output, path))).length / 1000);

/** What Weft does, with a picture of the repository each. */
const FEATURES = [
    [
        "docs/contact.html",
        "studio/thumbnails/twisted-tube.png",
        "Contact",
        "With self-collision, cloth touches bodies and itself without intersections.",
    ],
    [
        "docs/garments.html",
        "studio/thumbnails/tshirt-walk.png",
        "Garments",
        "Patterns are sewn onto a mannequin that walks. Measure their fit.",
    ],
    [
        "docs/adaptive.html",
        "docs/pictures/refinement.png",
        "Adaptive meshes",
        "Triangles become small where cloth folds, and large where it is flat.",
    ],
    [
        "docs/fabrics.html",
        "docs/pictures/napkin.png",
        "Measured fabrics",
        "Presets with sources, published fabrics, and fits to your own measurements.",
    ],
    ["docs/adaptive.html", "studio/thumbnails/rip.png", "Tearing", "Cloth tears and is cut along its yarns."],
    [
        "docs/studio.html",
        "docs/pictures/studio.png",
        "A studio",
        "Pull, pin, cut, blow, compare methods, plot energies, record and replay.",
    ],
];

const feature = ([to, picture, name, text]) =>
    `<li><a href="${to}"><img src="${picture}" alt="" width="320" height="200" loading="lazy"><b>${name}</b><span>${text}</span></a></li>`;

function writeLanding() {
    const best = ["flag", "sheet-on-sphere", "mannequin-walk", "curtain", "ten-sheets", "moving-character"];
    const chosen = best.map(name => scenes.find(scene => scene.name === name)).filter(Boolean);
    const facts = [
        ["0 intersections", "in scenes with self-collision: a step that begins without any ends without any"],
        ["The same bits", "in the browser and on your machine, for any number of threads"],
        [`${kilobytes("engine/weft.wasm")} kB`, "is the whole engine, compressed"],
        [`${scenes.length} scenes`, "to open, pull and cut in your browser"],
    ];
    const body = `<main id="main" class="landing"><div class="hero"><div class="words">
<h1>Cloth simulation you can touch</h1>
<p>Weft simulates cloth with published methods: springs, finite elements, contact without intersections, tearing and measured fabrics. This cloth is simulated in your browser. Pull it.</p>
<p class="buttons"><a class="button main" href="studio/index.html">Open the studio</a><a class="button" href="docs/quick-start.html">Quick start</a></p>
</div><div class="live">
<canvas id="cloth" tabindex="0" role="img" aria-label="A hanging cloth. Pull it with the mouse or a finger, or with the arrow keys."></canvas>
<img id="still" data-src="docs/pictures/flag.png" alt="A red flag in the wind" hidden>
<p id="cloth-status" role="status"><span class="spinner"></span>Loading the engine…</p>
<p id="hint" hidden>Pull the cloth</p>
<label>Wind <input id="wind" type="range" min="0" max="3" step="0.1" value="2" aria-label="Wind speed, m/s"></label>
<p class="limits">To answer at once, this cloth runs without self-collision: folded by hand, it passes through itself. <a href="${sceneLink("twisted-tube")}">The twisted tube</a> has it.</p>
<noscript><p>The live cloth needs JavaScript. The documentation does not.</p></noscript>
</div></div>
<ul class="facts">${facts.map(([what, text]) => `<li><b>${what}</b><span>${text}</span></li>`).join("")}</ul>
<h2>What it does</h2><ul class="cards three">${FEATURES.map(feature).join("\n")}</ul>
<h2>Open a scene</h2><ul class="cards three">${chosen.map(card).join("\n")}</ul>
<p><a href="gallery.html">All ${scenes.length} scenes</a></p>
<div class="pair"><section><h2>On your machine</h2>
<p>The command <code>weft</code> runs the same scenes on all cores. It writes OBJ, PLY, PC2, MDD, GLB and USDA, and renders pictures and videos.</p>
${code("weft run flag --write glb\nweft render out/flag --video flag.mp4\nweft studio flag", "sh")}
<p>There are clients for <a href="docs/python.html">Python</a> and <a href="docs/blender.html">Blender</a>.</p></section>
<section><h2>In your page</h2>
<p>The npm package <a href="docs/browser.html#the-npm-package-weft-cloth"><code>weft-cloth</code></a> has the engine, types and a geometry for three.js.</p>
${code(`const weft = await loadWeft();\nconst sim = weft.createSim(sceneText);\nconst geometry = new ClothGeometry(sim.cloths[0]);\nrenderer.setAnimationLoop(() => {\n    sim.advance();\n    geometry.update();\n    renderer.render(scene, camera);\n});`, "js")}</section></div>
</main>`;
    // A module that cannot be read never runs, so this script must say so.
    const watch = `<script>
addEventListener("error", event => {
    const status = document.querySelector("#cloth-status");
    const isScript = event.target === window || event.target.tagName === "SCRIPT"; // and no picture
    if (isScript && status && !document.querySelector("#cloth").dataset.ready)
        status.textContent = "The live cloth could not be loaded. " + (event.message || event.target.src || "");
}, true);
</script>\n`;
    const head =
        watch +
        '<link rel="preload" href="engine/weft.wasm" as="fetch" type="application/wasm" crossorigin>\n<link rel="modulepreload" href="engine/weft.mjs">\n<script type="module" src="landing.js"></script>\n';
    const description = "Weft simulates cloth in your browser: pull it, cut it, change its fabric.";
    write("index.html", page({ path: "index.html", title: "Weft: cloth simulation", body, head, description }));
}

// -- documentation --

const title = text => /^#\s+(.*)/m.exec(text)?.[1] ?? "";

/** The pages of docs/README.md: its numbered list, then the rows of its table of topics. */
function docGroups() {
    const text = read("docs/README.md");
    const pagesOf = part => [...part.matchAll(/\]\(((?:\.\.\/)?[\w-]+\.md)/g)].map(found => found[1]);
    const rows = [...text.matchAll(/^\| (\w+) \| (\[.*) \|$/gm)];
    return [
        ["guide", ["README.md", ...pagesOf([...text.matchAll(/^\d+\. .*$/gm)].join("\n"))]],
        ...rows.map(([, topic, links]) => [topic, pagesOf(links)]),
    ];
}

const placeOf = name =>
    name === "README.md" ? "index.html" : name.replace("../", "").toLowerCase().replace(/\.md$/, ".html");

function docNav(groups, texts, here) {
    const item = name => {
        const mark = name === here ? ' aria-current="page"' : "";
        return `<li><a href="${placeOf(name)}"${mark}>${escape(title(texts.get(name)))}</a></li>`;
    };
    const lists = groups.map(([topic, names]) => `<li class="topic">${topic}</li>${names.map(item).join("")}`);
    return `<ul>${lists.join("")}</ul>`;
}

function writeDocs() {
    const groups = docGroups();
    const order = groups.flatMap(([, names]) => names);
    const missing = readdirSync(join(root, "docs")).filter(name => name.endsWith(".md") && !order.includes(name));
    if (missing.length > 0) throw new Error(`docs/README.md does not link to ${missing.join(", ")}`);
    const texts = new Map(order.map(name => [name, read(join("docs", name))]));
    const known = new Map(order.map(name => [join("docs", name), placeOf(name)]));
    known.set("docs/experiments.html", "../experiments.html");
    for (const { name } of scenes) known.set(`data/scenes/${name}.yaml`, `../${sceneLink(name)}`);
    const render = makeRenderer(marked, known);
    const step = (name, rel, sign) =>
        name ? `<a rel="${rel}" href="${placeOf(name)}">${sign(escape(title(texts.get(name))))}</a>` : "<span></span>";
    order.forEach((name, i) => {
        const list = docNav(groups, texts, name);
        const body = `<main class="docs"><nav class="side" aria-label="Documentation">${list}</nav>
<details class="side"><summary>All pages</summary><nav aria-label="Documentation">${list}</nav></details>
<article id="main">${render(texts.get(name), dirname(join("docs", name)))}
<p class="steps">${step(order[i - 1], "prev", text => `← ${text}`)}${step(order[i + 1], "next", text => `${text} →`)}</p></article></main>`;
        const path = `docs/${placeOf(name)}`;
        write(path, page({ path, title: `Weft: ${title(texts.get(name))}`, body }));
    });
    copy("docs/pictures", "docs/pictures");
}

/** The page of `weft experiment`, in the frame and the colours of this site. */
function writeExperiments() {
    const text = read("docs/experiments.html");
    const inner = /<body>([\s\S]*)<\/body>/.exec(text)?.[1] ?? text.slice(text.indexOf("<body>") + 6);
    const wrapped = inner
        .replace("<h1>Weft: experiments</h1>", "<h1>Experiments</h1>")
        .replaceAll("<table>", '<div class="table" tabindex="0"><table>')
        .replaceAll("</table>", "</table></div>");
    const body = `<main id="main" class="experiments">${wrapped}</main>`;
    write("experiments.html", page({ path: "experiments.html", title: "Weft: experiments", body }));
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
    const result = name => readTable(read(`lab/bench/results/${name}.csv`));
    // with its defaults Bullet's sheet is torn apart, so its time says nothing
    const hang = newest(result("hang"), ["n", "method"]).filter(row => row.method !== "Bullet defaults");
    const sphere = newest(result("sphere"), ["n", "self", "method"]);
    const scale = newest(result("scale"), ["what", "vertices", "threads"]).filter(row => row.what === "step");
    for (const row of scale) row.line = `${row.threads} thread${row.threads === "1" ? "" : "s"}`;
    const machine = rows => {
        const all = column => [...new Set(rows.map(row => row[column]))].join(", ");
        return `<p class="source">${escape(all("machine"))}, ${escape(all("compiler"))}; commits ${escape(all("commit"))}.</p>`;
    };
    const ms = value => (Number(value) >= 100 ? Number(value).toFixed(0) : Number(value).toPrecision(3));
    const percent = value => `${(100 * Number(value)).toPrecision(2)} %`;
    const times = value => (Number(value) > 0 ? `${Number(value).toPrecision(3)}x` : "");
    const yes = value => (value === "1" ? "on" : "off");
    const bySize = (a, b) => Number(a.n) - Number(b.n) || Number(a.self ?? 0) - Number(b.self ?? 0);
    const hangPlot = chart({
        title: "Least time of a frame of 1/60 s on one thread, over the vertices along a side. Bullet uses the fewest substeps that keep its stretch below 5 %.",
        x: "vertices along a side",
        y: "ms",
        marks: [32, 64, 128, 256],
        lines: linesBy(hang, "method", "n", "ms_least"),
    });
    const scalePlot = chart({
        title: "Least time of a step over the number of vertices.",
        x: "vertices",
        y: "ms",
        lines: linesBy(scale, "line", "vertices", "ms_least"),
    });
    const body = `<main id="main"><h1>Benchmarks</h1>
<p class="lead">The results of <code>weft bench</code>, as stored in the repository. <a href="docs/performance.html">Performance</a> explains them and says which method is fast when.</p>
<h2>Hanging sheet</h2><p>A sheet hangs from two corners for three seconds.</p>${hangPlot}${machine(hang)}
${table(hang.sort(bySize), { n: ["side"], method: ["method"], substeps: ["substeps"], ms_least: ["least ms", ms], ms_mean: ["mean ms", ms], stretch_max: ["largest stretch", percent], times_faster: ["speed-up over Bullet", times] })}
<h2>Sheet on a sphere</h2><p>A sheet falls onto a ball.</p>${machine(sphere)}
${table(sphere.sort(bySize), { n: ["side"], self: ["self-collision", yes], method: ["method"], ms_mean: ["mean ms", ms], intersections: ["intersections"], times_faster: ["speed-up over Bullet", times] })}
<h2>Growth with the number of vertices</h2>${scalePlot}${machine(scale)}
</main>`;
    write("benchmarks.html", page({ path: "benchmarks.html", title: "Weft: benchmarks", body }));
}

// -- offline --

const listFiles = (folder = "") =>
    readdirSync(join(output, folder), { withFileTypes: true }).flatMap(entry =>
        entry.isDirectory() ? listFiles(`${folder}${entry.name}/`) : [`${folder}${entry.name}`],
    );

/** The service worker stores the pages, the studio and the engine at the first visit, and the rest as it is seen. */
function writeOffline() {
    const files = listFiles().filter(
        path =>
            !/^engine\/threads\/|\.(png|map)$|^docs\/pictures\/|^experiments\.html$|^studio\/scenes\/assets\//.test(
                path,
            ),
    );
    const hash = createHash("sha256");
    for (const path of files) hash.update(readFileSync(join(output, path)));
    const text = read("apps/web/site/sw.js")
        .replace("const FILES = [];", `const FILES = ${JSON.stringify(files)};`)
        .replace('const VERSION = "";', `const VERSION = "${hash.digest("hex").slice(0, 12)}";`);
    write("sw.js", text);
    const tag = '<script defer src="../offline.js"></script></head>';
    write("studio/index.html", readFileSync(join(output, "studio/index.html"), "utf8").replace("</head>", tag));
}

mkdirSync(output, { recursive: true });
copy("apps/web/site/style.css", "style.css");
copy("apps/web/site/offline.js", "offline.js");
copy("apps/studio/web/public/assets/weft.svg", "weft.svg");
writeScenes();
writeGallery();
writeLanding();
writeDocs();
writeExperiments();
writeBenchmarks();
writeApi(join(root, "build/site-api/xml"), write);
writeOffline();
