// The website as a person uses it, in Chromium, against static files only: landing page, studio without a server, share
// links, exports, bad input, a touch screen, accessibility.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { distance, launchBrowser, until, Visit } from "./fixture.mjs";
import { serve } from "./serve.mjs";

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

async function openPage(path, options = {}) {
    const context = await fixture.browser.newContext({ viewport: { width: 1100, height: 700 }, ...options });
    const page = await context.newPage();
    const errors = [];
    page.on("console", message => message.type() === "error" && errors.push(message.text()));
    page.on("pageerror", error => errors.push(error.message));
    page.setDefaultTimeout(180000);
    await page.goto(fixture.server.url + path);
    return { context, page, errors };
}

test("the cloth of the landing page can be pulled", async () => {
    const { context, page, errors } = await openPage("index.html");
    await page.waitForFunction(() => document.querySelector("#cloth").dataset.ready);
    const box = await page.locator("#cloth").boundingBox();
    const lowest = () => page.evaluate(() => Math.max(...window.weftLanding.cloth.positions));
    const before = await lowest();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.95, box.y + box.height * 0.4, { steps: 12 });
    await until("the cloth follows", async () => (await lowest()) > before + 0.1);
    await page.mouse.up();
    await page.focus("#cloth");
    const frame = await page.evaluate(() => window.weftLanding.sim.frame);
    await page.keyboard.down("ArrowUp");
    await until("the keys pull", () => page.evaluate(f => window.weftLanding.sim.frame > f + 5, frame));
    await page.keyboard.up("ArrowUp");
    assert.deepEqual(errors, []);
    await context.close();
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
        [packed({ ...WHOLE, v: 7 }), /damaged/],
        [packed({ ...WHOLE, values: [1] }), /damaged/],
        [packed({ ...WHOLE, camera: { eye: [0, "x"], target: [0, 0, 0], fov: 40 } }), /damaged/],
        [`#s=${"A".repeat(30000)}`, /30003 characters; at most 24000/],
        [packed({ ...WHOLE, scene: undefined, name: "x", text: " ".repeat(4e6) }), /more than 200000 characters/],
        [packed({ ...WHOLE, scene: "no-such-scene" }), /no-such-scene/],
        [packed({ ...WHOLE, scene: "hanging-sheet", values: { "no.such.path": "1" } }), /no\.such/],
        [packed({ ...WHOLE, scene: undefined, name: "evil", text: "cloth: {mesh: /etc/passwd}\n" }), /passwd/],
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
    await phone.page.tap("#play");
    await until("paused", () => phone.page.evaluate(() => !window.weft.studio.time.playing));
    assert.deepEqual(phone.errors, []);
    await phone.close();
});

test("no page has serious findings of axe, a missing file or an overflow", async () => {
    const paths = [
        "index.html",
        "gallery.html",
        "benchmarks.html",
        "docs/index.html",
        "docs/browser.html",
        "docs/methods.html",
    ];
    for (const colorScheme of ["light", "dark"])
        for (const path of [...paths, "studio/index.html"]) {
            const { context, page, errors } = await openPage(path, {
                colorScheme,
                viewport: { width: 390, height: 844 },
            });
            if (path.startsWith("studio"))
                await until("a frame", () => page.evaluate(() => window.weft?.stage.frame !== null));
            await page.screenshot({ path: `${path.replaceAll("/", "-")}-${colorScheme}.png` });
            assert.deepEqual(await seriousFindings(page), [], `${path} ${colorScheme}`);
            assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390, `${path} overflows`);
            assert.deepEqual(errors, [], path);
            await context.close();
        }
});

test("every link of the pages leads to a file", async () => {
    const site = process.env.WEFT_SITE;
    const { context, page } = await openPage("index.html");
    const seen = new Set(["index.html"]);
    for (const path of seen) {
        if (!path.endsWith(".html") || path.startsWith("api/") || path.startsWith("studio/")) continue;
        await page.goto(fixture.server.url + path);
        const links = await page.evaluate(() =>
            [...document.querySelectorAll("a[href], img[src], script[src], link[href]")].map(e => e.href || e.src),
        );
        for (const link of links) {
            if (!link.startsWith(fixture.server.url)) continue;
            const place = decodeURIComponent(new URL(link).pathname.slice(1));
            assert.ok(existsSync(join(site, place)), `${path} links to ${place}`);
            seen.add(place);
        }
    }
    assert.ok(seen.size > 40, `${seen.size} pages and files`);
    await context.close();
});

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
