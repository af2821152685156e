// The website as a person uses it, in Chromium, against static files only: landing page, studio without a server, share
// links, exports, bad input, a touch screen, accessibility.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { distance, launchBrowser, until, Visit, withoutServiceWorker } from "./fixture.mjs";
import { serve } from "./serve.mjs";
import { failureTests } from "./site_failures.mjs";

const require = createRequire(import.meta.url);
const AXE = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const fixture = {};

before(async () => {
    fixture.server = await serve(process.env.WEFT_SITE);
    fixture.browser = await launchBrowser();
});

after(async () => {
    await fixture.browser?.close();
    fixture.server?.close();
});

const studioAt = (fragment = "") => `${fixture.server.url}studio/index.html${fragment}`;
const send = (visit, name, fields = {}) =>
    visit.page.evaluate(([n, f]) => window.weft.studio.link.send(n, f), [name, fields]);
const notices = visit => visit.page.locator("#notices .text").allTextContents();

/** Pauses at frame 0, then advances by frames. Resolves to the state hash there. */
async function hashAfter(visit, frames) {
    await send(visit, "pause");
    await send(visit, "restart");
    await send(visit, "step", { count: frames });
    const state = await until(`${frames} frames`, async () => {
        const { panes } = await send(visit, "state");
        return panes[0].frame >= frames ? panes : null;
    });
    return state.map(pane => pane.hash);
}

/** Findings of axe-core that are serious or critical. */
async function seriousFindings(page) {
    await page.evaluate(AXE);
    const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
    return violations
        .filter(found => found.impact === "serious" || found.impact === "critical")
        .map(found => `${found.id}: ${found.nodes.map(node => node.html.slice(0, 120)).join(" | ")}`);
}

/** The links and buttons of the page's head that are not wholly in sight. */
const cutOff = page =>
    page.evaluate(() =>
        [...document.querySelectorAll("header.site a, #topbar button, #timebar button")]
            .map(element => [element.textContent || element.id, element.getBoundingClientRect()])
            .filter(([, box]) => box.width > 0 && (box.left < 0 || box.right > innerWidth + 0.5))
            .map(([name]) => name),
    );

async function openPage(path, options = {}) {
    const context = await fixture.browser.newContext({
        viewport: { width: 1100, height: 700 },
        ...options,
    });
    await context.addInitScript(withoutServiceWorker);
    const page = await context.newPage();
    const errors = [];
    page.on("console", message => message.type() === "error" && errors.push(message.text()));
    page.on("pageerror", error => errors.push(error.message));
    page.setDefaultTimeout(180000);
    const hosts = new Set();
    page.on("request", request => hosts.add(new URL(request.url()).host));
    await page.goto(fixture.server.url + path);
    const others = () => [...hosts].filter(host => host !== "" && host !== new URL(fixture.server.url).host);
    return { context, page, errors, others };
}

const waitForCloth = page => page.waitForFunction(() => document.querySelector("#cloth").dataset.ready);

/** How far the cloth's vertices are from where they were, at most, m. */
const moved = (page, before) =>
    page.evaluate(old => Math.max(...window.weftLanding.cloth.positions.map((x, i) => Math.abs(x - old[i]))), before);
const positionsOf = page => page.evaluate(() => Array.from(window.weftLanding.cloth.positions));

test("the cloth of the landing page can be pulled with a mouse and with keys", async () => {
    const { context, page, errors } = await openPage("index.html");
    await waitForCloth(page);
    await page.fill("#wind", "0");
    const box = await page.locator("#cloth").boundingBox();
    const before = await positionsOf(page);
    await page.mouse.move(box.x + box.width / 2, box.y + box.height * 0.7);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.95, box.y + box.height * 0.4, { steps: 12 });
    await until("the cloth follows", async () => (await moved(page, before)) > 0.2);
    await page.mouse.up();
    await page.focus("#cloth");
    const hem = () => page.evaluate(() => window.weftLanding.cloth.positions[3 * (49 * 48 + 24) + 2]);
    const start = await hem();
    for (let i = 0; i < 8; i++) await page.keyboard.down("ArrowUp");
    await until("the keys pull", async () => (await hem()) > start + 0.15);
    await page.keyboard.up("ArrowUp");
    assert.deepEqual(errors, []);
    await context.close();
});

test("the landing page says of its cloth what is true", async () => {
    const { context, page } = await openPage("index.html");
    await waitForCloth(page);
    const [self, bodies] = await page.evaluate(() => {
        const { sim } = window.weftLanding;
        return [sim.get("contact.self"), sim.bodies().length];
    });
    assert.deepEqual([self, bodies], ["auto", 0], "no self-collision"); // auto: only with bodies
    assert.match(await page.textContent(".live"), /without self-collision/);
    const fact = page.locator(".facts li", { hasText: "0 intersections" });
    assert.match(await fact.textContent(), /in scenes with self-collision/);
    await context.close();
});

test("a finger pulls the cloth of the landing page, and scrolls beside it", async () => {
    const { context, page, errors } = await openPage("index.html", {
        viewport: { width: 390, height: 844 },
        hasTouch: true,
        isMobile: true,
    });
    await waitForCloth(page);
    await page.locator("#cloth").scrollIntoViewIfNeeded();
    const box = await page.locator("#cloth").boundingBox();
    const session = await context.newCDPSession(page);
    const touch = (type, ...touchPoints) => session.send("Input.dispatchTouchEvent", { type, touchPoints });
    const swipe = async (x, y, toX, toY) => {
        await touch("touchStart", { x, y });
        for (let i = 1; i <= 10; i++)
            await touch("touchMove", { x: x + ((toX - x) * i) / 10, y: y + ((toY - y) * i) / 10 });
    };
    const scrolled = () => page.evaluate(() => window.scrollY);
    const [before, top] = [await positionsOf(page), await scrolled()];
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await swipe(x, y, x + 60, y - 120);
    await until("the cloth follows", async () => (await moved(page, before)) > 0.15);
    assert.equal(await scrolled(), top, "the page stays");
    await touch("touchEnd");
    await swipe(box.x + 6, y, box.x + 6, y - 150);
    await touch("touchEnd");
    await until("the page scrolls", async () => (await scrolled()) !== top);
    assert.deepEqual(errors, []);
    await context.close();
});

/** Notes which vertices of the landing page's cloth are dragged from now on. Resolves to a function that lists them and
 * begins anew. */
async function noteDrags(page) {
    await page.evaluate(() => {
        const { cloth } = window.weftLanding;
        const drag = cloth.drag.bind(cloth);
        window.dragged = new Set();
        cloth.drag = (vertex, to) => {
            window.dragged.add(vertex);
            drag(vertex, to);
        };
    });
    return () =>
        page.evaluate(() => {
            const list = [...window.dragged];
            window.dragged.clear();
            return list;
        });
}

const middleOf = list => list[Math.floor(list.length / 2)];

test("a lifted finger or key lets go of its patch of the landing page's cloth, and of no other", async () => {
    const { context, page, errors } = await openPage("index.html", { hasTouch: true });
    await waitForCloth(page);
    await page.fill("#wind", "0");
    const dragged = await noteDrags(page);
    const box = await page.locator("#cloth").boundingBox();
    const session = await context.newCDPSession(page);
    const touch = (type, ...touchPoints) => session.send("Input.dispatchTouchEvent", { type, touchPoints });
    const left = y => ({ id: 1, x: box.x + box.width * 0.4, y: box.y + box.height * y });
    const right = y => ({ id: 2, x: box.x + box.width * 0.6, y: box.y + box.height * y });
    const place = vertex =>
        page.evaluate(v => Array.from(window.weftLanding.cloth.positions.slice(3 * v, 3 * v + 3)), vertex);

    await touch("touchStart", left(0.7));
    const lifted = middleOf(await dragged());
    await touch("touchStart", left(0.7), right(0.7));
    const kept = middleOf(await dragged());
    const start = await place(kept);
    for (let i = 1; i <= 10; i++) await touch("touchMove", left(0.7 - 0.03 * i), right(0.7 - 0.03 * i));
    await until("both are pulled up", async () => (await place(kept))[1] > start[1] + 0.15);
    await page.waitForTimeout(300); // a drag takes some steps to arrive
    const [from, held] = [await place(lifted), await place(kept)];

    await touch("touchEnd", left(0.4));
    await until("its patch falls", async () => (await place(lifted))[1] < from[1] - 0.1, 20000);
    assert.ok(distance(await place(kept), held) < 0.01, "the other finger holds");
    await page.focus("#cloth");
    await page.keyboard.press("ArrowUp");
    await page.waitForTimeout(500);
    assert.ok(distance(await place(kept), held) < 0.01, "the finger holds when a key is released");
    await touch("touchEnd");
    await until("all is free", async () => (await place(kept))[1] < held[1] - 0.1, 20000);
    assert.deepEqual(errors, []);
    await context.close();
});

test("without WebGL or WebAssembly each page says so", async () => {
    const noGl = () => (HTMLCanvasElement.prototype.getContext = () => null);
    const noWasm = () => delete window.WebAssembly;
    for (const [lack, reason] of [
        [noGl, /WebGL 2/],
        [noWasm, /WebAssembly/],
    ])
        for (const [path, place] of [
            ["index.html", "#cloth-status"],
            ["studio/index.html", lack === noGl ? "#unsupported" : "#banner"],
        ]) {
            const context = await fixture.browser.newContext();
            await context.addInitScript(withoutServiceWorker);
            await context.addInitScript(lack);
            const page = await context.newPage();
            await page.goto(fixture.server.url + path);
            await until(`${path} says ${reason}`, async () => reason.test((await page.textContent(place)) ?? ""));
            await context.close();
        }
});

test("the studio opens, plays and asks only this host", async () => {
    const hosts = new Set();
    const visit = await Visit.open(fixture.browser, studioAt());
    fixture.visit = visit;
    visit.page.on("request", request => hosts.add(new URL(request.url()).host));
    await visit.page.reload();
    await until("frames", async () => (await visit.frame()) > 5);
    assert.deepEqual(
        [...hosts].filter(host => host !== new URL(fixture.server.url).host && host !== ""),
        [],
    );
    assert.deepEqual(visit.errors, []);
});

test("a hand pulls the cloth", async () => {
    const { visit } = fixture;
    await send(visit, "pause");
    await send(visit, "restart");
    await until("frame 0", async () => (await visit.frame()) === 1);
    const vertices = await visit.page.evaluate(() => window.weft.stage.panes[0].cloths[0].positions.length / 3);
    const spot = await visit.spot(Math.floor(vertices / 2));
    assert.ok(spot.meets);
    const start = await visit.vertex(spot.vertex);
    await visit.stroke([spot, { x: spot.x + 90, y: spot.y - 40 }], {
        held: () => send(visit, "play"),
        before: () => until("it follows", async () => distance(await visit.vertex(spot.vertex), start) > 0.1),
    });
    await until("it is free again", async () => !(await visit.held()).includes(spot.vertex));
});

test("a cut opens the mesh, and undo closes it", async () => {
    const { visit } = fixture;
    await send(visit, "pause");
    await send(visit, "restart");
    await until("frame 0", async () => (await visit.frame()) === 1);
    const count = () => visit.page.evaluate(() => window.weft.stage.panes[0].cloths[0].positions.length / 3);
    const before = await count();
    await visit.mode("cut");
    // across the sheet, which lies at a height of 5 m
    await visit.stroke([await visit.project([-1.9, 5, 2.6]), await visit.project([1.9, 5, 2.6])], { steps: 12 });
    await until("more vertices", async () => (await count()) > before);
    await visit.page.keyboard.press("Control+z");
    await until("as before", async () => (await count()) === before);
    await visit.mode("hand");
});

test("another fabric changes the motion", async () => {
    const { visit } = fixture;
    await send(visit, "load", { scene: "sheet-on-sphere" });
    const [cotton] = await hashAfter(visit, 3);
    await visit.page.getByRole("button", { name: "denim", exact: true }).click();
    await until("denim", () =>
        visit.page.evaluate(() =>
            window.weft.studio.params().some(p => p.path.endsWith("density") && p.value !== p.default),
        ),
    );
    const [denim] = await hashAfter(visit, 3);
    assert.notEqual(denim, cotton);
    fixture.denim = denim;
});

test("a share link opens to the same state in a fresh profile", async () => {
    const { visit } = fixture;
    await visit.page.evaluate(() => window.weft.stage.setCamera({ eye: [1, 1.5, 2.5], target: [0, 0.4, 0], fov: 40 }));
    await visit.page.click("#share");
    const address = await until("a link", async () => (visit.page.url().includes("#s=") ? visit.page.url() : null));
    assert.ok(address.length < 3000, `${address.length} characters`);
    const other = await Visit.open(fixture.browser, address);
    await until("the scene", () => other.page.evaluate(() => window.weft.studio.scene.name === "sheet-on-sphere"));
    await until("the camera", () =>
        other.page.evaluate(() => Math.abs(window.weft.stage.camera.position.z - 2.5) < 0.01),
    );
    assert.deepEqual(await hashAfter(other, 3), [fixture.denim]);
    assert.deepEqual(other.errors, []);
    await other.close();
});

test("a card of the gallery opens its scene", async () => {
    const { context, page, errors } = await openPage("gallery.html");
    await page.click('a:has(img[src$="/cylinder.png"])');
    await until("the scene plays", () =>
        page.evaluate(() => window.weft?.studio.scene?.name === "cylinder" && window.weft.stage.frame?.frame > 2),
    );
    assert.deepEqual(errors, []);
    await context.close();
});

test("every scene of the gallery opens", async () => {
    const index = JSON.parse(readFileSync(join(process.env.WEFT_SITE, "studio/scenes/index.json"), "utf8"));
    const { visit } = fixture;
    for (const { name } of index.scenes) {
        await send(visit, "load", { scene: name });
        const { panes } = await send(visit, "state");
        assert.match(panes[0].hash, /^[0-9a-f]{16}$/, name);
    }
    assert.ok(index.scenes.length > 15);
    assert.deepEqual(visit.errors, []);
});

test("plots follow the simulation", async () => {
    const { visit } = fixture;
    await send(visit, "load", { scene: "hanging-sheet" });
    await send(visit, "play");
    await until("frames", async () => (await visit.frame()) > 10);
    const box = await visit.page.locator("#plots canvas").first().boundingBox();
    await until(
        "a line",
        async () => (await visit.colours({ x: box.x, y: box.y, width: box.width, height: box.height })).colours > 8,
    );
});

test("two methods are compared", async () => {
    const { visit } = fixture;
    await send(visit, "load", { scene: "hanging-sheet" });
    await visit.page.click("#compare");
    await visit.page.click('[data-panes="2"]');
    await until("two panes", () => visit.page.evaluate(() => window.weft.stage.panes.length === 2));
    const hashes = await hashAfter(visit, 4);
    assert.equal(hashes.length, 2);
    assert.notEqual(hashes[0], hashes[1]);
    await send(visit, "compare", { panes: [{}] });
});

async function exported(visit, name, count = 1) {
    const files = [];
    const take = download => files.push(download);
    visit.page.on("download", take);
    await visit.page.click("#export");
    await visit.page.click(`[data-export="${name}"]`);
    await until(`${count} files`, () => files.length >= count);
    visit.page.off("download", take);
    return Promise.all(files.map(async file => [file.suggestedFilename(), readFileSync(await file.path())]));
}

test("exports are files that others read", async () => {
    const { visit } = fixture;
    const validator = require("gltf-validator");
    for (const what of ["frame-glb", "take-glb"]) {
        const [[, bytes]] = await exported(visit, what);
        const report = await validator.validateBytes(new Uint8Array(bytes));
        assert.equal(report.issues.numErrors, 0, JSON.stringify(report.issues.messages.slice(0, 3)));
    }
    const [[, obj]] = await exported(visit, "frame-obj");
    assert.match(obj.toString(), /^v /m);
    const [[, ply]] = await exported(visit, "frame-ply");
    assert.equal(ply.subarray(0, 3).toString(), "ply");
    const cache = await exported(visit, "take-pc2", 2);
    const pc2 = cache.find(([name]) => name.endsWith(".pc2"));
    assert.equal(pc2[1].subarray(0, 11).toString(), "POINTCACHE2");
    const [[, png]] = await exported(visit, "view-png");
    assert.equal(png.subarray(1, 4).toString(), "PNG");
});

test("recording, scrubbing and replay give the same state", async () => {
    const { visit } = fixture;
    await send(visit, "record", { action: "start" });
    await send(visit, "pause");
    await send(visit, "pin", { cloth: 0, vertices: [40] });
    await send(visit, "step", { count: 4 });
    await until("4 frames", async () => (await send(visit, "state")).panes[0].frame >= 4);
    const saved = await send(visit, "record", { action: "save" });
    await send(visit, "scrub", { frame: 2 });
    assert.equal((await send(visit, "state")).panes[0].frame, 2);
    await send(visit, "load", { scene: saved.path });
    await send(visit, "step", { count: 4 });
    await until("replayed", async () => (await send(visit, "state")).panes[0].frame >= 4);
    assert.equal((await send(visit, "state")).panes[0].hash, saved.state_hash);
});

const QUAD = "v 0 1 0\nv 1 1 0\nv 1 0 0\nv 0 0 0\nf 1 2 3 4\n";

test("an own mesh becomes the cloth; bad files get a reason, and the page lives", async () => {
    const { visit } = fixture;
    await send(visit, "load", { scene: "hanging-sheet" });
    await visit.tab("setup");
    const drop = (name, text) =>
        visit.page.setInputFiles("#mesh-file", { name, mimeType: "text/plain", buffer: Buffer.from(text) });
    await drop("quad.obj", QUAD);
    await until("four vertices", () =>
        visit.page.evaluate(() => window.weft.studio.scene.panes[0].cloths[0].vertices === 4),
    );
    for (const [name, text, reason] of [
        ["bad.obj", "v 0 0\nf 1 2 9\n", /bad\.obj/],
        ["empty.obj", "", /empty/],
        ["shape.fbx", "x", /\.obj, \.ply/],
    ]) {
        await drop(name, text);
        await until(`a reason for ${name}`, async () => (await notices(visit)).some(line => reason.test(line)));
    }
    // dropped on the page, as a hand does
    const dropped = (name, size, text) =>
        visit.page.evaluate(
            ([n, bytes, content]) => {
                const data = new DataTransfer();
                data.items.add(new File([content ?? new Uint8Array(bytes)], n));
                document.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
            },
            [name, size, text],
        );
    await dropped("large.obj", 70 << 20);
    await until("a limit", async () =>
        (await notices(visit)).some(line => /large\.obj has 70 MiB; at most/.test(line)),
    );
    await dropped("one.obj", 0, "v 0 1 0\nv 1 1 0\nv 1 0 0\nf 1 2 3\n");
    await until("it is used", () =>
        visit.page.evaluate(() => window.weft.studio.scene.panes[0].cloths[0].vertices === 3),
    );
    await visit.page.setInputFiles("#recording-files", {
        name: "bad.yaml",
        mimeType: "text/plain",
        buffer: Buffer.from("cloth: [\n"),
    });
    await until("a reason for bad.yaml", async () => (await notices(visit)).some(line => /bad\.yaml/.test(line)));
    await send(visit, "load", { scene: "hanging-sheet" });
    assert.equal((await hashAfter(visit, 2)).length, 1);
    assert.deepEqual(visit.errors, []);
});

const packed = value => `#s=${deflateRawSync(JSON.stringify(value)).toString("base64url")}`;
const WHOLE = { v: 1, scene: "flag", panes: [], forces: [], values: {} };

test("damaged and oversized links get a reason, and the studio plays", async () => {
    const cases = [
        ["#s=", /damaged/],
        ["#s=%%%", /damaged/],
        [packed(WHOLE).slice(0, -6), /damaged/],
        [packed({ ...WHOLE, v: 7 }), /another version of Weft\. It has format 7, and this version reads format 1/],
        [packed({ v: 2, weft: "0.9.1", shape: "unknown" }), /another version of Weft, 0\.9\.1\. It has format 2/],
        [packed({ ...WHOLE, v: "7" }), /damaged/],
        [packed({ ...WHOLE, v: 7.5 }), /damaged/],
        [packed({ ...WHOLE, v: 1e9 }), /damaged/],
        [packed({ ...WHOLE, v: 7, weft: "<b>0.9</b>" }), /damaged/],
        [packed({ ...WHOLE, v: 7, weft: "1".repeat(33) }), /damaged/],
        [packed({ ...WHOLE, weft: ["0.2.0"] }), /damaged/],
        [
            packed({ ...WHOLE, weft: "0.0.1", scene: "old-scene" }),
            /old-scene.*\(The link was made by Weft 0\.0\.1; this is/,
        ],
        [packed({ ...WHOLE, values: [1] }), /damaged/],
        [packed({ ...WHOLE, camera: { eye: [0, "x"], target: [0, 0, 0], fov: 40 } }), /damaged/],
        [`#s=${"A".repeat(30000)}`, /30003 characters; at most 24000/],
        [packed({ ...WHOLE, scene: undefined, name: "x", text: " ".repeat(4e6) }), /more than 200000 characters/],
        [packed({ ...WHOLE, scene: "no-such-scene" }), /no-such-scene/],
        [packed({ ...WHOLE, scene: "hanging-sheet", values: { "no.such.path": "1" } }), /no\.such/],
        [packed({ ...WHOLE, scene: undefined, name: "evil", text: "cloth: {mesh: /etc/passwd}\n" }), /passwd/],
        [packed({ ...WHOLE, scene: undefined, name: "odd", text: "cloth: {grid: {cells: [4, -1]}}\n" }), /cells/],
        [
            packed({ ...WHOLE, scene: undefined, name: "huge", text: "cloth: {grid: {cells: [30000, 30000]}}\n" }),
            /huge|memory/,
        ],
    ];
    const visit = await Visit.open(fixture.browser, studioAt());
    for (const [fragment, reason] of cases) {
        await visit.page.evaluate(() => document.querySelectorAll(".notice").forEach(notice => notice.remove()));
        await visit.page.evaluate(hash => (location.hash = hash), fragment);
        await until(`a reason for ${fragment.slice(0, 40)}`, async () =>
            (await notices(visit)).some(line => reason.test(line)),
        );
    }
    assert.equal((await hashAfter(visit, 2)).length, 1);
    assert.deepEqual(visit.errors, []);
    await visit.close();
});

test("an isolated page uses threads and gets the same bits", async () => {
    const hosts = [fixture.server, await serve(process.env.WEFT_SITE, { isolated: true })];
    const hashes = [];
    for (const host of hosts) {
        const visit = await Visit.open(fixture.browser, `${host.url}studio/index.html`);
        const isolated = host !== fixture.server;
        assert.equal(await visit.page.evaluate(() => window.crossOriginIsolated), isolated);
        const threads = host.requests.some(request => request.path.startsWith("/engine/threads/"));
        assert.equal(threads, isolated);
        await send(visit, "load", { scene: "flag" });
        hashes.push(await hashAfter(visit, 2));
        assert.deepEqual(visit.errors, []);
        await visit.close();
    }
    hosts[1].close();
    assert.deepEqual(hashes[0], hashes[1]);
});

/** Runs in a page: the hash of a scene after some frames for each number of threads, in a worker of the module. */
async function hashesOfThreads({ engine, scene, frames, counts }) {
    const work = async settings => {
        const { default: create } = await import(settings.engine);
        const module = await create({ threads: Math.max(...settings.counts) });
        const place = value => {
            const size = module.lengthBytesUTF8(value) + 1;
            const at = module._malloc(size);
            module.stringToUTF8(value, at, size);
            return at;
        };
        postMessage(
            settings.counts.map(count => {
                const sim = module._weft_browser_sim_create(place(settings.scene), place("/scene.yaml"), count);
                if (sim === 0) return module.UTF8ToString(module._weft_browser_message());
                for (let i = 0; i < settings.frames; i++) module._weft_browser_sim_advance(sim, 1);
                return module.UTF8ToString(module._weft_browser_sim_hash(sim));
            }),
        );
    };
    const code = `onmessage = event => (${work})(event.data).catch(error => postMessage([String(error)]));`;
    const worker = new Worker(URL.createObjectURL(new Blob([code], { type: "text/javascript" })), { type: "module" });
    const answer = new Promise(resolve => (worker.onmessage = event => resolve(event.data)));
    worker.postMessage({ engine, scene, frames, counts });
    return answer;
}

test("one, two and five threads give the same bits", async () => {
    const host = await serve(process.env.WEFT_SITE, { isolated: true });
    const page = await fixture.browser.newPage();
    await page.goto(`${host.url}gallery.html`);
    const scene = JSON.parse(readFileSync(join(process.env.WEFT_SITE, "studio/scenes/index.json"), "utf8")).scenes.find(
        ({ name }) => name === "flag",
    ).text;
    const hashes = await page.evaluate(hashesOfThreads, {
        engine: `${host.url}engine/threads/weft.mjs`,
        scene,
        frames: 2,
        counts: [1, 2, 5],
    });
    assert.match(hashes[0], /^[0-9a-f]{16}$/);
    assert.deepEqual(new Set(hashes).size, 1, hashes.join(" "));
    await page.close();
    host.close();
});

test("a touch screen of 390 x 844", async () => {
    const phone = await Visit.open(fixture.browser, studioAt(), {
        viewport: { width: 390, height: 844 },
        hasTouch: true,
        isMobile: true,
    });
    await until("frames", async () => (await phone.frame()) > 3);
    const wide = await phone.page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 390, `${wide} pixels wide`);
    await phone.page.screenshot({ path: "studio-narrow.png" });
    // a finger pulls the cloth
    await send(phone, "pause");
    await send(phone, "restart");
    await until("frame 0", async () => (await phone.frame()) === 1);
    const vertices = await phone.page.evaluate(() => window.weft.stage.panes[0].cloths[0].positions.length / 3);
    const spot = await phone.spot(Math.floor(vertices / 2));
    const start = await phone.vertex(spot.vertex);
    const session = await phone.context.newCDPSession(phone.page);
    const touch = (type, ...touchPoints) => session.send("Input.dispatchTouchEvent", { type, touchPoints });
    await touch("touchStart", { x: spot.x, y: spot.y });
    await send(phone, "play");
    for (let i = 1; i <= 8; i++) await touch("touchMove", { x: spot.x + 8 * i, y: spot.y - 6 * i });
    await until("it follows", async () => distance(await phone.vertex(spot.vertex), start) > 0.1);
    await touch("touchEnd");
    await phone.page.tap("#play");
    await until("paused", () => phone.page.evaluate(() => !window.weft.studio.time.playing));
    assert.deepEqual(phone.errors, []);
    await phone.close();
});

test("no page has serious findings of axe, a missing file, a foreign request or an overflow", async () => {
    const paths = ["index.html", "gallery.html", "benchmarks.html", "experiments.html", "docs/index.html"].concat(
        ["docs/browser.html", "docs/methods.html", "docs/scene-reference.html", "api/index.html", "api/weft-sim.html"],
        ["studio/index.html"],
    );
    const looks = [
        { colorScheme: "light", viewport: { width: 390, height: 844 } },
        { colorScheme: "dark", viewport: { width: 1280, height: 800 } },
    ];
    for (const path of paths)
        for (const look of looks) {
            const { context, page, errors, others } = await openPage(path, look);
            if (path.startsWith("studio"))
                await until("a frame", () => page.evaluate(() => window.weft?.stage.frame !== null));
            const name = `${path} ${look.colorScheme}`;
            assert.deepEqual(await seriousFindings(page), [], name);
            const wide = await page.evaluate(() => document.documentElement.scrollWidth);
            assert.ok(wide <= look.viewport.width, `${name} is ${wide} pixels wide`);
            assert.deepEqual(await cutOff(page), [], name);
            assert.deepEqual(errors, [], name);
            assert.deepEqual(others(), [], name);
            await context.close();
        }
});

test("every link leads to a file, and to a place in it", async () => {
    const site = process.env.WEFT_SITE;
    const texts = new Map();
    const textOf = place => {
        if (!texts.has(place)) texts.set(place, readFileSync(join(site, place), "utf8"));
        return texts.get(place);
    };
    const seen = new Set(["index.html"]);
    const bad = [];
    for (const path of seen) {
        if (!path.endsWith(".html")) continue;
        const text = textOf(path).replace(/<pre[\s\S]*?<\/pre>/g, ""); // code is no link
        for (const [, name, value] of text.matchAll(/\s(href|src|data-src)=["']([^"']*)["']/g)) {
            if (/^(data:|mailto:)/.test(value)) continue;
            const link = new URL(value.replaceAll("&amp;", "&"), `http://site/${path}`);
            if (link.host !== "site") {
                if (name !== "href" || !/^https?:$/.test(link.protocol)) bad.push(`${path}: ${value}`);
                continue;
            }
            const place = decodeURIComponent(link.pathname.slice(1)).replace(/(^|\/)$/, "$1index.html");
            if (!existsSync(join(site, place))) bad.push(`${path}: ${value}`);
            else if (link.hash && place.endsWith(".html") && !place.startsWith("studio/")) {
                const id = decodeURIComponent(link.hash.slice(1));
                if (!textOf(place).includes(`id="${id}"`) && !textOf(place).includes(`id='${id}'`))
                    bad.push(`${path}: ${value}`);
            }
            seen.add(place);
        }
    }
    assert.deepEqual(bad, []);
    assert.ok(seen.size > 100, `${seen.size} pages and files`);
});

failureTests(fixture);

test("page and engine are below 2.5 MB compressed, and nothing was missing", () => {
    const { requests } = fixture.server;
    const first = new Map(
        requests.filter(r => /^\/(studio\/(index|assets)|engine\/)/.test(r.path)).map(r => [r.path, r.bytes]),
    );
    const sum = [...first.values()].reduce((a, b) => a + b, 0);
    console.log(`page and engine: ${sum} bytes compressed`);
    assert.ok(sum > 100000 && sum < 2.5e6);
    assert.deepEqual(
        requests.filter(r => r.status !== 200).map(r => r.path),
        [],
    );
    assert.deepEqual(fixture.visit.errors, []);
});
