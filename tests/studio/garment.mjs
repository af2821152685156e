// Garments: size and fabric of panels change live, the body's size and pose restart, and "sew again" does too.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import { slow, until } from "./fixture.mjs";
import { loadPaused } from "./view.mjs";

// A tube of two panels, 124 cm around, on the trunk of a mannequin.
const GARMENT = `garment: tube
edge: 6
fabric: cotton
panels:
  front:
    start: [0, 0]
    edges: [hem: [62, 0], right: [62, 30], top: [0, 30], left: [0, 0]]
    place: {around: torso, drop: 25, wrap: {left: -90 deg, right: 90 deg}, radius: 20}
  back:
    start: [0, 0]
    edges: [hem: [62, 0], right: [62, 30], top: [0, 30], left: [0, 0]]
    place: {around: torso, drop: 25, wrap: {left: 90 deg, right: 270 deg}, radius: 20}
seams:
  - [front.right, back.left]
  - [back.right, front.left]
elastics:
  - {along: [front.top, back.top], ratio: 0.6, stiffness: 60 N}
`;
const SCENE = `time: {frames: 50, rate: 25, step: 20 ms}
integrator: implicit-euler
cloth: {name: tube, garment: tube-garment.yaml, on: mannequin, settle: 0.4 s}
bodies: [mannequin: {edge: 3 cm}]
contact: {self: true}
`;

const row = (visit, path) => visit.page.locator(`[data-path="${path}"]`);

async function type(visit, path, value) {
    await row(visit, path).locator(".number").fill(value);
    await row(visit, path).locator(".number").press("Enter");
}

export function garmentTests(fixture) {
    test("panels of a garment change live", async () => {
        const { visit, engine } = fixture;
        writeFileSync("tube-garment.yaml", GARMENT);
        writeFileSync("dressed.yaml", SCENE);
        await loadPaused(fixture, "dressed.yaml", 3);
        const { run } = engine.last("scene");
        const rectangle = { grid: { cells: [4, 4], size: [1, 1] } };
        await assert.rejects(engine.act("target", rectangle), /the cloth is a garment/);
        await visit.page.click("#toggle-pattern");
        await until("two pieces", async () =>
            (await visit.page.textContent("#pattern-info")).startsWith("2 pieces, 2 seams"),
        );
        // A panel that is chosen in the pattern has its parameters opened.
        await visit.page.selectOption("#pattern-panels", { label: "back" });
        const section = visit.page.locator('[data-section="cloth.panels.back"]');
        await until("its section", async () => (await section.getAttribute("open")) !== null);
        assert.ok(await row(visit, "cloth.tube.panels.back.stretch").isVisible());
        assert.ok(!(await row(visit, "cloth.tube.panels.front.stretch").isVisible()));
        await type(visit, "cloth.tube.panels.back.width", "1.1");
        await until("a wider panel", () => engine.param("cloth.tube.panels.back.width") === "1.1");
        await visit.page.selectOption('[data-panel-fabric="back"]', "wool-suiting");
        const values = name => engine.hello.fabrics.find(fabric => fabric.name === name).values;
        const ratio = Number(values("wool-suiting").density) / Number(values("cotton").density);
        await until("its fabric", () => Math.abs(engine.param("cloth.tube.panels.back.density") / ratio - 1) < 1e-5);
        assert.equal(engine.param("cloth.tube.panels.front.density"), "1");
        await type(visit, "cloth.tube.ease.length", "1.05");
        await until("longer panels", () => engine.param("cloth.tube.ease.length") === "1.05");
        assert.equal(engine.last("scene").run, run, "all this without a restart");
        const { frame } = (await engine.act("state")).panes[0];
        await engine.act("step", { count: 2 });
        await until("it goes on", async () => (await engine.act("state")).panes[0].frame === frame + 2);
        assert.deepEqual(visit.errors, []);
    });

    test(
        "another size or pose of the body, and sew again, start from the pattern with the present values",
        slow,
        async () => {
            const { visit, engine } = fixture;
            await visit.tab("world");
            const before = engine.last("scene").run;
            const hips = () => Math.max(...engine.frame.panes[0].bodies[0].positions);
            await type(visit, "bodies.mannequin.height", "1.8");
            await until("a taller body", () => engine.param("bodies.mannequin.height") === "1.8");
            await until("a restart", () => engine.last("scene").run > before);
            await row(visit, "bodies.mannequin.motion").locator("select").selectOption("sitting");
            await until("it will sit down", () => engine.param("bodies.mannequin.motion") === "sitting");
            assert.equal((await engine.act("state")).panes[0].frame, 0);
            assert.equal(engine.param("cloth.tube.panels.back.width"), "1.1");
            const { run } = engine.last("scene");
            await visit.page.click("#pattern .sew-again");
            await until("sewn again", () => engine.last("scene").run > run);
            await until("it runs", async () => (await engine.act("state")).panes[0].frame > 0);
            await engine.act("pause");
            assert.equal(engine.param("bodies.mannequin.height"), "1.8");
            assert.ok(hips() > 1.7, "the frame has the taller body");
            await visit.page.click("#toggle-pattern");
            // a body that the garment does not go around is refused, and everything stays
            await type(visit, "bodies.mannequin.hip", "0.3");
            const message = row(visit, "bodies.mannequin.hip").locator(".complaint");
            await until("one line", async () => /is not possible|below/.test((await message.textContent()) ?? ""));
            assert.deepEqual(visit.errors, []);
            await loadPaused(fixture, "sheet.yaml");
        },
    );
}
