// The website when something is slow or fails: a slow scene, a trap of the engine, an engine that hangs, damaged files, a
// camera that looks nowhere, two sites on one host.
import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { until, Visit, withoutServiceWorker } from "./fixture.mjs";
import { serve } from "./serve.mjs";

const packed = value => `#s=${deflateRawSync(JSON.stringify(value)).toString("base64url")}`;
const send = (visit, name, fields = {}) =>
    visit.page.evaluate(([n, f]) => window.weft.studio.link.send(n, f), [name, fields]);
const pause = ms => new Promise(resolve => setTimeout(resolve, ms));

/** The engine, but some messages make it slow, trap or hang. The traps are real: the module reads behind its memory. */
const troubled = text =>
    String(text).replace(/export default (\w+)/, (_, create) => {
        const wrap = async settings => {
            const engine = await create(settings);
            const other = Object.create(engine); // the module replaces its own functions at their first call
            const { _weft_browser_execute: execute, _weft_browser_go_on: goOn } = engine;
            let trap = false;
            other._weft_browser_execute = at => {
                const message = engine.UTF8ToString(at);
                if (message.includes("slow-here")) for (const end = Date.now() + 3000; Date.now() < end;);
                if (message.includes("hang-here")) for (;;);
                trap ||= message.includes("step-trap");
                execute(message.includes("message-trap") ? -16 : at);
            };
            other._weft_browser_go_on = now => {
                if (trap) execute(-16);
                return goOn(now);
            };
            return other;
        };
        return `export default ${String(wrap).replace("create(", `${create}(`)}`;
    });

const late = async content => {
    await pause(2000);
    return content;
};

async function openTroubled(fixture, t) {
    const host = await serve(process.env.WEFT_SITE, {
        edits: { "/engine/weft.mjs": troubled, "/engine/weft.wasm": late },
    });
    const context = await fixture.browser.newContext({ viewport: { width: 900, height: 560 } });
    await context.addInitScript(withoutServiceWorker);
    const page = await context.newPage();
    page.setDefaultTimeout(180000);
    t.after(() => context.close().then(() => host.close()));
    return { host, page };
}

const plays = page =>
    page.evaluate(() => {
        const { studio, stage } = window.weft;
        const isReady = studio.link.isOpen && document.querySelector("#busy").classList.contains("hidden");
        return isReady && studio.time?.playing && stage.frame?.frame > 3;
    });

/** Sends a command without waiting for its answer. */
const begin = (page, name, fields) => page.evaluate(([n, f]) => void window.weft.studio.act(n, f), [name, fields]);

function slownessTests(fixture) {
    test("the pages say that they load, and the studio what it prepares", async t => {
        const { host, page } = await openTroubled(fixture, t);
        await page.goto(`${host.url}index.html`, { waitUntil: "commit" });
        await until("the landing page loads", async () =>
            /Loading/.test((await page.textContent("#cloth-status")) ?? ""),
        );
        await page.waitForFunction(() => document.querySelector("#cloth").dataset.ready);
        assert.equal(await page.textContent("#cloth-status"), "");

        const scene = { v: 1, scene: "sheet-on-sphere", panes: [], forces: [], values: {} };
        await page.goto(`${host.url}studio/index.html${packed(scene)}`, { waitUntil: "commit" });
        const card = page.locator("#busy .card");
        await until("the engine loads", async () => /Loading the engine/.test((await card.textContent()) ?? ""));
        const seen = await page.evaluate(async () => {
            const names = new Set(); // of the scenes that could be seen
            while (!window.weft.studio.time?.playing) {
                const covered = document.querySelector("#busy").matches(".covers:not(.hidden)");
                if (!covered && window.weft.studio.scene) names.add(window.weft.studio.scene.name);
                await new Promise(resolve => setTimeout(resolve, 10));
            }
            return [...names];
        });
        assert.deepEqual(
            seen.filter(name => name !== "sheet-on-sphere"),
            [],
            "no other scene flashes up",
        );
        await until("it is there", async () => !(await card.isVisible()));

        await begin(page, "load", { scene: "hanging-sheet", note: "slow-here" });
        await until("it says so", async () => /Preparing hanging sheet/.test((await card.textContent()) ?? ""));
        assert.ok(await card.isVisible());
        await until("it is done", async () => !(await card.isVisible()));
    });

    test("an engine that hangs can be restarted", async t => {
        const { host, page } = await openTroubled(fixture, t);
        await page.goto(`${host.url}studio/index.html`);
        await until("frames", () => plays(page));
        await begin(page, "set", { path: "time.step", value: "hang-here" });
        const restart = page.locator("#busy button");
        await until("a restart is offered", () => restart.isVisible());
        await restart.click();
        await until("it plays again", async () => !(await restart.isVisible()) && plays(page));
    });
}

function trapTests(fixture) {
    test("a trap of the engine is told, and the engine starts again", async t => {
        const { host, page } = await openTroubled(fixture, t);
        await page.goto(`${host.url}studio/index.html`);
        for (const kind of ["message-trap", "step-trap"]) {
            await until("frames", () => plays(page));
            await begin(page, "state", { kind });
            const banner = page.locator("#banner");
            await until("it stopped", async () => (await banner.getAttribute("data-state")) === "stopped");
            assert.match(
                await banner.textContent(),
                /The engine stopped: memory access out of bounds\. What was not saved/,
            );
            await pause(1500);
            assert.equal(await banner.getAttribute("data-state"), "stopped", "it waits for the user");
            assert.equal(await page.locator("#busy").isVisible(), false);
            await banner.locator("button", { hasText: "Restart" }).click();
            await until("it is gone", async () => !(await banner.isVisible()));
        }
        await until("it plays again", () => plays(page));
    });

    test("the landing page tells why its cloth stopped", async t => {
        const { host, page } = await openTroubled(fixture, t);
        await page.goto(`${host.url}index.html`);
        await page.waitForFunction(() => document.querySelector("#cloth").dataset.ready);
        await page.evaluate(() => window.weftLanding.sim.destroy());
        await until("a reason", async () =>
            /The simulation stopped: .*destroyed.* Reload/.test((await page.textContent("#cloth-status")) ?? ""),
        );
    });
}

function damageTests(fixture) {
    test("damaged files of the site are named", async t => {
        const damage = () => Buffer.from("hello(");
        for (const [path, landing, studio] of [
            [
                "/engine/weft.wasm",
                /could not be started.*weft\.wasm: this is not the W/,
                /^The engine \(.*\) could not be/,
            ],
            ["/engine/weft.mjs", /could not be loaded/, /^The engine \(.*\/engine\/\) could not be loaded: /],
            ["/studio/scenes/index.json", /^$/, /^The list of scenes \(scenes\/index\.json\) could not be loaded: /],
        ]) {
            const host = await serve(process.env.WEFT_SITE, { edits: { [path]: damage } });
            t.after(() => host.close());
            const page = await fixture.browser.newPage();
            await page.addInitScript(withoutServiceWorker);
            for (const [place, text, reason] of [
                ["index.html", "#cloth-status", landing],
                ["studio/index.html", "#banner", studio],
            ]) {
                await page.goto(host.url + place);
                await until(`${place} says ${reason}`, async () => reason.test((await page.textContent(text)) ?? ""));
            }
            await page.close();
        }
    });
}

function linkTests(fixture) {
    test("a link whose camera looks nowhere shows the scene's own view, and says so", async () => {
        const at = [1, 2, 3];
        const shared = { v: 1, scene: "sheet-on-sphere", panes: [], forces: [], values: {} };
        const fragment = packed({ ...shared, camera: { eye: at, target: at, fov: 40 } });
        const visit = await Visit.open(fixture.browser, `${fixture.server.url}studio/index.html${fragment}`);
        await until("the message", async () =>
            (await visit.page.locator("#notices .text").allTextContents()).some(text =>
                /camera is at its own target \(1, 2, 3\)/.test(text),
            ),
        );
        const far = await visit.page.evaluate(() =>
            window.weft.stage.camera.position.distanceTo(window.weft.stage.controls.target),
        );
        assert.ok(far > 0.5, `the camera is ${far} m away`);
        assert.equal((await send(visit, "state")).panes.length, 1);
        assert.deepEqual(visit.errors, []);
        await visit.close();
    });
}

/** Runs in a page: waits until the service worker has stored a file of its site. */
async function untilStored(path) {
    await navigator.serviceWorker.ready;
    const isIn = async () => (await caches.match(new URL(path, location.href).href)) !== undefined;
    while (!(await isIn())) await new Promise(resolve => setTimeout(resolve, 100));
}

function offlineTests(fixture) {
    test("the site works offline after a first visit, and so does another one on the same host", async () => {
        // another version, which removes the stores of older ones
        const newer = text => String(text).replace(/const VERSION = "/, "$&newer-");
        const host = await serve(process.env.WEFT_SITE, { edits: { "/two/sw.js": newer } });
        const context = await fixture.browser.newContext();
        const page = await context.newPage();
        page.setDefaultTimeout(180000);
        for (const site of ["one", "two"]) {
            await page.goto(`${host.url}${site}/index.html`);
            await page.evaluate(untilStored, "studio/index.html");
        }
        await until("both stores", () => page.evaluate(async () => (await caches.keys()).length === 2));
        host.close();
        host.closeConnections();
        await page.goto(`${host.url}one/index.html`);
        await page.waitForFunction(() => document.querySelector("#cloth").dataset.ready);
        for (const site of ["one", "two"]) {
            await page.goto(`${host.url}${site}/docs/methods.html`);
            assert.match(await page.textContent("h1"), /Methods/, site);
        }
        await page.goto(`${host.url}two/studio/`);
        await until("the studio plays", () => page.evaluate(() => window.weft?.stage.frame?.frame > 2));
        await context.close();
    });
}

export function failureTests(fixture) {
    slownessTests(fixture);
    trapTests(fixture);
    damageTests(fixture);
    linkTests(fixture);
    offlineTests(fixture);
}
