// Panels: fields without effect, fabrics, methods, time steps of compared panes, bodies to add, search, units.
import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "./fixture.mjs";
import { loadPaused } from "./view.mjs";

const shown = async (visit, selector) => visit.page.locator(selector).evaluateAll(all => all.map(e => e.dataset.path));

export function panelTests(fixture) {
    test("fields without effect are greyed with the reason, and the present fabric is marked", async () => {
        const { visit, engine } = fixture;
        await loadPaused(fixture, "hanging-sheet");
        const bending = engine.path("cloth.*.fabric.bend_weft");
        const row = visit.page.locator(`[data-path="${bending}"]`);
        await until("greyed", async () => ((await row.getAttribute("class")) ?? "").includes("idle"));
        assert.match(
            await row.getAttribute("data-idle"),
            /model springs does not use it, because model\.flexion_stiffness is given/,
        );
        // The section says it with the labels of the fields, not with names of parameters.
        const reasons = await visit.page.locator(".reasons li").allTextContents();
        const wanted =
            /model springs does not use “bending stiffness, weft”.*because “flexion stiffness” of model is given/;
        assert.ok(
            reasons.some(text => wanted.test(text)),
            reasons.join("\n"),
        );
        assert.deepEqual(
            reasons.filter(text => /\buse it\b|[a-z][._][a-z]/.test(text)),
            [],
        );
        await visit.tab("setup");
        await visit.unfold("preset");
        await visit.page.click('[data-fabric="cotton"]');
        const chip = visit.page.locator('[data-fabric="cotton"]');
        await until("cotton is marked", async () => (await chip.getAttribute("aria-pressed")) === "true");
        assert.equal(await visit.page.locator('.chip[aria-pressed="true"]').count(), 1);
        await visit.page.click("[data-use-fabric]");
        const source = engine.path("cloth.*.model.stiffness");
        await until("from the fabric", () => engine.param(source) === "fabric");
        await until("no longer greyed", async () => !((await row.getAttribute("class")) ?? "").includes("idle"));
        const structural = engine.path("cloth.*.model.structural_stiffness");
        const idle = visit.page.locator(`[data-path="${structural}"].idle`);
        await until("the springs' own are", async () => (await idle.count()) === 1);
    });

    test("fields that the integrator ignores are greyed with the reason", async () => {
        const { visit, engine } = fixture;
        await loadPaused(fixture, "sheet.yaml");
        const paths = ["model.damping", "model.damping_time"].map(name => engine.path(`cloth.*.${name}`));
        const reason = path => visit.page.locator(`[data-path="${path}"]`).getAttribute("data-idle");
        assert.equal(await reason(paths[0]), null);
        await engine.act("algorithm", { integrator: "xpbd" });
        for (const path of paths)
            await until(`${path} is greyed`, async () =>
                /constraints have no damping/.test((await reason(path)) ?? ""),
            );
        await engine.act("undo");
        await until("undone", async () => (await reason(paths[0])) === null);
    });

    test("a model gets an integrator that works, which is told and undone", async () => {
        const { visit, engine } = fixture;
        await loadPaused(fixture, "sheet.yaml");
        const method = () => {
            const [pane] = engine.last("scene").panes;
            return `${pane.model} ${pane.integrator}`;
        };
        await visit.tab("setup");
        await visit.page.selectOption("#choose-integrator", "xpbd");
        await until("xpbd", () => method() === "springs xpbd");
        await visit.whileNoticesStay(async () => {
            await until("the page knows", async () => (await visit.page.inputValue("#choose-integrator")) === "xpbd");
            await visit.page.selectOption("#choose-model", "corotational");
            await until("a stable one", () => method() === "corotational bdf2");
            const notice = visit.page.locator(".notice", {
                hasText: "xpbd does not work with corotational",
            });
            await until("it is told", async () => (await notice.count()) === 1);
        });
        await visit.page.click("#undo");
        await until("undone", () => method() === "springs xpbd");
    });

    test("compared panes keep the scene's step, and a shorter one is in the caption", async () => {
        const { visit, engine } = fixture;
        await loadPaused(fixture, "tablecloth");
        await visit.page.click("#compare");
        await visit.page.click('[data-panes="2"]');
        await until("two panes", () => engine.last("scene").panes.length === 2);
        assert.deepEqual(
            engine.last("scene").panes.map(pane => pane.step),
            [0.02, 0.02],
        );
        assert.equal(await visit.page.locator(".step-note").count(), 0);
        await engine.act("algorithm", { integrator: "verlet", pane: 1 });
        const note = await until("the note", () =>
            visit.page.locator(".caption:nth-child(2) .step-note").textContent(),
        );
        assert.match(note, /verlet is unstable with the others’ 20 ms/);
        assert.equal(engine.param("time.step", 0), "0.02");
        await visit.page.click("#compare");
        await visit.page.click('[data-panes="1"]');
        await until("one pane", () => engine.last("scene").panes.length === 1);
        const [step] = engine.last("scene").panes[0].params.filter(param => param.path === "time.step");
        assert.deepEqual([step.value, step.default], ["0.02", "0.02"]);
        await engine.act("pause");
    });

    test("a ground is added by one click, cloth lands on it, and undo removes it", async () => {
        const { visit, engine } = fixture;
        await loadPaused(fixture, "sheet.yaml");
        await visit.tab("world");
        await visit.page.click('[data-add-body="plane"]');
        const names = () => engine.last("scene").panes[0].bodies.map(body => body.component);
        await until("a ground", () => names().join() === "sphere,plane");
        assert.equal(engine.param("contact.self"), "auto"); // on, because there are bodies
        await until("it is drawn", () => visit.page.evaluate(() => window.weft.stage.panes[0].ground.visible));
        await engine.act("free", { vertices: [0, 16] });
        const frames = (await engine.act("state")).panes[0].frame + 70;
        await engine.act("step", { count: 70 });
        await until("it lies", async () => (await engine.act("state")).panes[0].frame >= frames);
        await until("the frame", () => engine.frame.frame >= frames);
        const heights = engine.frame.panes[0].cloths[0].positions.filter((_, i) => i % 3 === 1);
        assert.ok(Math.min(...heights) > -0.01, `${Math.min(...heights)}`);
        for (let i = 0; i < 2; i++) await visit.page.keyboard.press("Control+z");
        await until("no ground", () => names().join() === "sphere");
    });

    test("a ball and a box are added by one click each", async () => {
        const { visit, engine } = fixture;
        await loadPaused(fixture, "sheet.yaml");
        await visit.tab("world");
        const names = () => engine.last("scene").panes[0].bodies.map(body => body.component);
        for (const [component, wanted] of [
            ["box", "sphere,box"],
            ["sphere", "sphere,box,sphere"],
        ]) {
            await visit.page.click(`[data-add-body="${component}"]`);
            await until(wanted, () => names().join() === wanted);
            await until("it is drawn", () =>
                visit.page.evaluate(count => window.weft.stage.panes[0].bodies.length === count, names().length),
            );
        }
        await loadPaused(fixture, "sheet.yaml");
    });

    test("the search knows synonyms and says when it finds nothing", async () => {
        const { visit } = fixture;
        await loadPaused(fixture, "sheet.yaml");
        await visit.tab("setup");
        const find = async text => {
            await visit.page.fill(".filter", text);
            return shown(visit, "[data-path]:not(.filtered)");
        };
        const nothing = visit.page.locator(".nothing");
        assert.ok((await find("bending")).some(path => path.endsWith("fabric.bend_weft")));
        assert.ok((await find("bending")).some(path => path.endsWith("model.flexion_stiffness")));
        assert.ok((await find("stiffness")).some(path => path.endsWith("fabric.stretch_weft")));
        assert.ok(!(await nothing.isVisible()));
        assert.deepEqual(await find("wind speed"), []);
        assert.match(await nothing.textContent(), /No parameter of this scene matches “wind speed”/);
        await visit.page.click('[data-add-force="wind"]');
        await until("it is found", async () => (await find("wind speed")).includes("forces.wind.speed"));
        assert.deepEqual(await find("qwertz"), []);
        assert.ok(await nothing.isVisible());
        await visit.page.fill(".filter", "");
        await visit.page.keyboard.press("Escape");
        await visit.page.evaluate(() => document.activeElement.blur());
        await visit.page.keyboard.press("Control+z");
    });

    test("lengths are in millimetres where that reads better", async () => {
        const { visit, engine } = fixture;
        await loadPaused(fixture, "sheet.yaml");
        await visit.tab("cloth");
        const path = engine.path("cloth.*.fabric.thickness");
        const row = visit.page.locator(`[data-path="${path}"]`);
        assert.equal(await row.locator(".number").inputValue(), "0.6");
        assert.equal(await row.locator(".unit").textContent(), "mm");
        await row.locator(".number").fill("0.8");
        await row.locator(".number").press("Enter");
        await until("0.8 mm", () => Math.abs(Number(engine.param(path)) - 8e-4) < 1e-12);
        assert.equal(await row.locator(".name").textContent(), "thickness");
        const bending = visit.page.locator(`[data-path="${engine.path("cloth.*.fabric.bend_weft")}"] .name`);
        assert.equal(await bending.textContent(), "bending stiffness, weft");
    });
}
