// The studio as a person uses it: mouse, keys, touch and files at the page, and the engine asked through another viewer.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { distance, Engine, launchBrowser, startStudio, until, Visit } from "./fixture.mjs";
import { changesTests } from "./changes.mjs";
import { colourTests } from "./colours.mjs";
import { failureTests } from "./failures.mjs";
import { filesTests } from "./files.mjs";
import { garmentTests } from "./garment.mjs";
import { handsTests } from "./hands.mjs";
import { keysTests } from "./keys.mjs";
import { noticeTests } from "./notices.mjs";
import { panelTests } from "./panels.mjs";
import { patternTests } from "./pattern.mjs";
import { timeTests } from "./time.mjs";
import { viewTests } from "./view.mjs";
import { worldTests } from "./world.mjs";

// 17 x 17 vertices hang from two corners, a ball beside them; vertex (i, j) has index 17 j + i.
const SHEET = `# A small sheet hangs from two corners, with a ball beside it.
time: {step: 1 ms, frames: 240, rate: 60}
integrator: symplectic-euler
cloth:
  - name: sheet
    grid: {cells: [16, 16], size: [1, 1], axes: [x, -y], origin: [-0.5, 2, 0]}
    fabric: {density: 200 g/m2, drag: 1}
    model: {name: springs, structural_stiffness: 60, shear_stiffness: 30, flexion_stiffness: 3, damping: 0.02}
    pins: [{corner: top-left}, {corner: top-right}]
forces:
  - gravity
  - air-damping: {coefficient: 0.3, per: area}
bodies:
  - sphere: {radius: 0.15, at: [0.9, 1.2, 0]}
view: {position: [0.3, 1.5, 3.4], target: [0.15, 1.45, 0]}
`;

const fixture = {};

before(async () => {
    writeFileSync("sheet.yaml", SHEET);
    fixture.studio = startStudio(".", "sheet.yaml", "--threads", "1");
    [fixture.url, fixture.browser] = await Promise.all([fixture.studio.url, launchBrowser()]);
    fixture.engine = await Engine.open(fixture.url);
});

after(async () => {
    await fixture.browser?.close();
    fixture.engine?.close();
    fixture.studio?.child.kill("SIGINT");
});

test("the page loads without complaints and is not blank", async () => {
    const visit = await Visit.open(fixture.browser, fixture.url);
    fixture.visit = visit;
    assert.equal(await visit.page.title(), "sheet · Weft studio");
    assert.deepEqual(visit.errors, []);
    const box = await visit.page.locator("#canvas").boundingBox();
    const { colours, most } = await visit.colours(box);
    assert.ok(colours > 200, `${colours} colours`);
    assert.ok(most < 0.9, `${most} of the view has one colour`);
});

test("frames advance here and there", async () => {
    const { visit, engine } = fixture;
    const time = engine.last("time");
    if (!time.playing) await visit.page.click("#play");
    const start = await visit.frame();
    await until("ten frames more in the page", async () => (await visit.frame()) >= start + 10);
    await until("and there", () => engine.frame.frame + 1 >= start + 10);
    await until("the sheet sags", () => engine.vertex(280)[1] < 0.995);
    const here = await until("a frame that both have", async () => {
        const page = await visit.vertex(280);
        return distance(page, engine.vertex(280)) < 0.05 ? page : null;
    });
    assert.equal(here.length, 3);
});

timeTests(fixture);
handsTests(fixture);
worldTests(fixture);
filesTests(fixture);
viewTests(fixture);
changesTests(fixture);
keysTests(fixture);
panelTests(fixture);
patternTests(fixture);
garmentTests(fixture);
noticeTests(fixture);
failureTests(fixture);
colourTests(fixture);

test("no complaints in the whole visit", () => {
    assert.deepEqual(fixture.visit.errors, []);
});
