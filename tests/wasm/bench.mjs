// Speed of the module in Chromium beside the native command, and the time to the first frame of the landing page.
// Both are CPU times of one thread, measured in turns, least of several: other programs may use the machine.
// usage: node bench.mjs [RUNS [speed|landing]]      environment: WEFT (portable build), WEFT_SITE, WEFT_SOURCE_DIR, CHROMIUM
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import { launchBrowser } from "./fixture.mjs";
import { serve } from "./serve.mjs";

const source = process.env.WEFT_SOURCE_DIR;
const runs = Number(process.argv[2] ?? 5);
const part = process.argv[3] ?? "all";
/** Frames of the warm-up, in which the browser's compiler optimises the module, and of the measurement. */
const SCENES = [
    { name: "hang", file: join(source, "tests/wasm/hang.yaml"), warm: 120, frames: 600 },
    { name: "flag", file: join(source, "data/scenes/flag.yaml"), warm: 10, frames: 20 },
];

// -- native: the run of all frames minus a run of the warm-up --

/** User time of a command, s. `TIMEFORMAT` belongs to bash. */
function userTime(args) {
    const command = 'TIMEFORMAT=%U; time "$@" >/dev/null';
    const { status, stderr } = spawnSync("bash", ["-c", command, "bash", ...args], { encoding: "utf8" });
    if (status !== 0) throw new Error(`${args.join(" ")}: ${stderr}`);
    return Number(stderr.trim().split("\n").at(-1));
}

function native({ file, warm, frames }) {
    const run = count =>
        userTime(
            [process.env.WEFT, "run", file, "--frames", String(count), "--threads", "1", "--write", "none"].concat([
                "--out",
                `native-${count}`,
                "--quiet",
            ]),
        );
    const before = run(warm);
    const report = () => JSON.parse(readFileSync(`native-${warm + frames}/report.json`, "utf8"));
    const seconds = run(warm + frames) - before;
    return { ms: (1000 * seconds) / frames, hash: report().state_hash };
}

// -- Chromium: the CPU time of the page's process --

async function cpuTime(session, types = ["renderer"]) {
    const { processInfo } = await session.send("SystemInfo.getProcessInfo");
    return processInfo.filter(({ type }) => types.includes(type)).reduce((sum, { cpuTime }) => sum + cpuTime, 0);
}

/** Runs in the page. */
async function openScene(text) {
    const { default: create } = await import(new URL("engine/weft.mjs", location.href).href);
    const engine = await create();
    const place = value => {
        const size = engine.lengthBytesUTF8(value) + 1;
        const at = engine._malloc(size);
        engine.stringToUTF8(value, at, size);
        return at;
    };
    const sim = engine._weft_browser_sim_create(place(text), place("/scene.yaml"), 1);
    if (sim === 0) throw new Error(engine.UTF8ToString(engine._weft_browser_message()));
    window.advance = count => {
        for (let i = 0; i < count; i++) if (engine._weft_browser_sim_advance(sim, 1) !== 0) throw new Error("diverged");
        return engine.UTF8ToString(engine._weft_browser_sim_hash(sim));
    };
}

async function inChromium(browser, url, { file, warm, frames }) {
    const session = await browser.newBrowserCDPSession();
    const page = await browser.newPage();
    page.setDefaultTimeout(0);
    await page.goto(`${url}gallery.html`); // a page that does nothing itself
    await page.evaluate(openScene, readFileSync(file, "utf8"));
    await page.evaluate(count => window.advance(count), warm);
    const before = await cpuTime(session);
    const hash = await page.evaluate(count => window.advance(count), frames);
    const seconds = (await cpuTime(session)) - before;
    await page.close();
    return { ms: (1000 * seconds) / frames, hash };
}

async function compareSpeed(browser, url) {
    console.log("| scene | native, portable | Chromium | native / Chromium |\n| --- | --- | --- | --- |");
    let slow = 0;
    for (const scene of SCENES) {
        const results = { native: [], chromium: [] };
        for (let i = 0; i < runs; i++) {
            results.native.push(native(scene));
            results.chromium.push(await inChromium(browser, url, scene));
        }
        const hashes = new Set([...results.native, ...results.chromium].map(({ hash }) => hash));
        if (hashes.size !== 1) throw new Error(`${scene.name}: the state hashes differ: ${[...hashes].join(" ")}`);
        const [a, b] = [results.native, results.chromium].map(list => Math.min(...list.map(({ ms }) => ms)));
        console.log(`| ${scene.name} | ${a.toFixed(2)} ms | ${b.toFixed(2)} ms | ${(a / b).toFixed(2)} |`);
        if (a / b < 0.5) slow++;
    }
    return slow;
}

// -- the landing page, each time with an empty cache --

/** Times to the first frame, ms, and the CPU times of all processes of the page until then, s; the least first. */
async function firstFrames(url) {
    const times = [];
    const cpu = [];
    for (let i = 0; i < 2 * runs; i++) {
        const browser = await launchBrowser(); // a new one: nothing compiled is kept
        const session = await browser.newBrowserCDPSession();
        const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
        const all = ["renderer", "GPU", "network.mojom.NetworkService"];
        const before = await cpuTime(session, all);
        await page.goto(`${url}index.html`);
        await page.waitForFunction(() => document.querySelector("#cloth").dataset.ready);
        times.push(Number(await page.getAttribute("#cloth", "data-ready")));
        cpu.push((await cpuTime(session, all)) - before);
        await browser.close();
    }
    const ascending = (a, b) => a - b;
    return { times: times.sort(ascending), cpu: cpu.sort(ascending) };
}

const median = sorted => sorted[Math.floor(sorted.length / 2)];

/** The last line is the figure: the median over browsers that were started anew. Returns it in ms. */
async function measureLanding(server) {
    const { times, cpu } = await firstFrames(server.url);
    const own = ({ path }) => /^\/(index\.html|landing\.js|style\.css|engine\/.*)$/.test(path);
    const bytes = new Map(server.requests.filter(own).map(({ path, bytes }) => [path, bytes]));
    const sum = [...bytes.values()].reduce((a, b) => a + b, 0);
    console.log(
        `\nlanding page, ${times.length} new browsers without a cache, ${sum} bytes compressed, load ` +
            `${loadavg()[0].toFixed(1)}: least ${times[0]} ms, most ${times.at(-1)} ms; CPU time of all processes of ` +
            `the browser until then: least ${cpu[0].toFixed(2)} s, median ${median(cpu).toFixed(2)} s`,
    );
    console.log(`first frame of the landing page: ${(median(times) / 1000).toFixed(2)} s (median)`);
    return median(times);
}

const server = await serve(process.env.WEFT_SITE);
try {
    console.log(`${availableParallelism()} processors, load ${loadavg()[0].toFixed(1)}`);
    if (part !== "landing") {
        console.log(`least of ${runs} runs, CPU time per frame\n`);
        const browser = await launchBrowser();
        const slow = await compareSpeed(browser, server.url);
        await browser.close();
        if (slow > 0) throw new Error("less than half as fast as the native build");
    }
    if (part !== "speed") {
        const first = await measureLanding(server);
        if (loadavg()[0] > 1.5 * availableParallelism()) console.log("the machine is busy; only CPU times count");
        else if (first > 2000) throw new Error("the first frame takes more than 2 s");
    }
} finally {
    server.close();
}
