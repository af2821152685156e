// Parameters, springs, forces, methods, scenes, compare, the connection.
import assert from "node:assert/strict";
import { test } from "node:test";
import { distance, openTunnel, until, Visit } from "./fixture.mjs";
import { setPlaying, still } from "./time.mjs";

async function hashAfter(engine, frames) {
    const at = async frame => {
        const { panes } = await engine.act("state");
        return panes[0].frame === frame ? panes[0] : null;
    };
    await engine.act("restart");
    await until("frame 0", () => at(0));
    await engine.act("step", { count: frames });
    return (await until(`frame ${frames}`, () => at(frames))).hash;
}

/** Puts the slider at a share of its way with the mouse. */
async function slide(visit, path, share) {
    const slider = visit.page.locator(`[data-path="${path}"] .slider`);
    await slider.scrollIntoViewIfNeeded();
    const box = await slider.boundingBox();
    await visit.page.mouse.click(box.x + share * box.width, box.y + box.height / 2);
}

export function worldTests(fixture) {
    test("a slider changes the engine's value and the motion; reset takes it back", async () => {
        const { visit, engine } = fixture;
        await setPlaying(fixture, false);
        await visit.tab("cloth");
        const path = engine.path("cloth.*.model.structural_stiffness");
        const before = await hashAfter(engine, 12);
        assert.equal(before, await hashAfter(engine, 12), "the same again without a change");
        await slide(visit, path, 0.35);
        await until("another stiffness", () => Number(engine.param(path)) !== 60);
        assert.ok(Number(engine.param(path)) < 60);
        assert.notEqual(await hashAfter(engine, 12), before);
        const row = visit.page.locator(`[data-path="${path}"]`);
        await until("the row is marked", async () => ((await row.getAttribute("class")) ?? "").includes("changed"));
        const other = await Visit.open(fixture.browser, fixture.url);
        const marked = other.page.locator(".row.changed");
        assert.deepEqual(await marked.evaluateAll(rows => rows.map(r => r.dataset.path)), [path], "in a new page too");
        await other.close();
        await row.locator(".reset").click();
        await until("60 again", () => Number(engine.param(path)) === 60);
        assert.equal(await hashAfter(engine, 12), before);
    });

    test("a bad value is refused in one line at its row, and nothing changes", async () => {
        const { visit, engine } = fixture;
        const path = engine.path("cloth.*.fabric.density");
        const row = visit.page.locator(`[data-path="${path}"]`);
        const before = engine.param(path);
        await row.locator(".number").fill("-3");
        await row.locator(".number").press("Enter");
        const complaint = await until("the complaint", () => row.locator(".complaint").textContent());
        assert.match(complaint, /density: -3 g\/m2 is (below|not above) 0/);
        assert.ok(!complaint.includes("\n"));
        assert.equal(engine.param(path), before);
        await row.locator(".number").fill("300 g/m2");
        await row.locator(".number").press("Enter");
        await until("a value with a unit", () => Math.abs(Number(engine.param(path)) - 0.3) < 1e-9);
        await until("no complaint any more", async () => (await row.locator(".complaint").textContent()) === "");
        await visit.page.click("#undo");
        await until("undone", () => engine.param(path) === before);
    });

    test("springs by type: a switch, and the set-all tool as one step of undo", async () => {
        const { visit, engine } = fixture;
        const flexion = engine.path("cloth.*.model.flexion");
        await visit.page.click(`[data-path="${flexion}"] .switch`);
        await until("flexion is off", () => engine.param(flexion) === "false");
        await visit.page.click(`[data-path="${flexion}"] .switch`);
        await until("flexion is on", () => engine.param(flexion) === "true");
        const paths = ["structural", "shear", "flexion"].map(type => engine.path(`cloth.*.model.${type}_stiffness`));
        await visit.page.fill('[aria-label="stiffness of all springs"]', "42");
        await visit.page.click('[data-set-all="stiffness"]');
        await until("all are 42", () => paths.every(path => Number(engine.param(path)) === 42));
        await visit.page.click("#undo");
        await until("all as before", () => paths.map(path => Number(engine.param(path))).join() === "60,30,3");
    });

    test("forces come and go, and a fabric is chosen", async () => {
        const { visit, engine } = fixture;
        await visit.tab("world");
        await visit.page.selectOption("#add-force", "wind");
        await until("wind", () => engine.last("scene").panes[0].forces.some(force => force.name === "wind"));
        const { path } = engine.last("scene").panes[0].forces.find(force => force.name === "wind");
        await visit.page.click(`[data-remove="${path}"]`);
        await until("no wind", () => !engine.last("scene").panes[0].forces.some(force => force.name === "wind"));
        await visit.tab("setup");
        const density = engine.path("cloth.*.fabric.density");
        await visit.page.click('[data-fabric="wool"]');
        await until("wool", () => Number(engine.param(density)) !== 0.2);
        await visit.page.click("#undo");
        await until("as before", () => Number(engine.param(density)) === 0.2);
    });

    test("what is shown: wires, particles, springs, false colours with a legend", async () => {
        const { visit } = fixture;
        await visit.tab("view");
        for (const name of ["wireframe", "particles"]) await visit.page.click(`[data-look="${name}"] .switch`);
        for (const choice of ["type", "tension"]) await visit.page.selectOption('[data-look="springs"] select', choice);
        await visit.page.selectOption('[data-look="colour by"] select', "stretch");
        await until("the legend", () => visit.page.locator("#legend").isVisible());
        const values = await until("values of the vertices", () =>
            visit.page.evaluate(() => {
                const { stage } = window.weft;
                return stage.frame.sections.some(section => section.scalar !== null);
            }),
        );
        assert.ok(values);
        for (const name of ["wireframe", "particles"]) await visit.page.click(`[data-look="${name}"] .switch`);
        await visit.page.selectOption('[data-look="springs"] select', "none");
        await visit.page.selectOption('[data-look="colour by"] select', "none");
        await until("no legend", async () => !(await visit.page.locator("#legend").isVisible()));
    });

    test("false colours follow other pages and the levels of the mesh", async () => {
        const { visit, engine } = fixture;
        const select = visit.page.locator('[data-look="colour by"] select');
        const legend = () => visit.page.locator("#legend").textContent();
        const ends = () => visit.page.locator("#legend .end").evaluateAll(inputs => inputs.map(i => i.value));
        await visit.tab("view");
        await engine.act("show", { scalar: "speed" });
        await until("the choice of the other", async () => (await select.inputValue()) === "speed");
        assert.match(await legend(), /^speed/);
        await engine.act("show", { scalar: null });
        await until("none", async () => (await select.inputValue()) === "none");
        assert.ok(!(await visit.page.locator("#legend").isVisible()));
        await select.selectOption("refinement");
        assert.deepEqual(await ends(), ["0", "1"]);
        await visit.page.evaluate(() => {
            const { stage, studio } = window.weft;
            const { shape } = stage.panes[0].cloths[0];
            const levels = shape.levels.slice().fill(0, 1).fill(6, 0, 1);
            studio.link.onBinary({ kind: "cloth", shape: { ...shape, levels } });
            studio.link.onBinary({ kind: "frame", frame: stage.frame });
        });
        await until("the new ends", async () => (await ends()).join() === "0,6");
        assert.equal(await visit.page.evaluate(() => window.weft.stage.shared.cloth.range.value.y), 6);
        await select.selectOption("none");
        assert.ok(!(await visit.page.locator("#legend").isVisible()));
    });

    test("the legends of the plots name all lines, in a small window and on a phone", async () => {
        const { browser, url, engine } = fixture;
        await engine.act("play");
        for (const [width, height] of [
            [1280, 800],
            [390, 844],
        ]) {
            const visit = await Visit.open(browser, url, { viewport: { width, height } });
            if (width < 760) await visit.tab("plots");
            await until("the phases", async () => (await visit.page.locator('[data-plot^="Time"] b').count()) > 1);
            const hidden = await visit.page.evaluate(() =>
                [...document.querySelectorAll(".plot-legend span")]
                    .filter(span => {
                        const [own, plot] = [span, span.closest(".plot")].map(e => e.getBoundingClientRect());
                        const legend = span.parentElement.getBoundingClientRect();
                        return own.bottom > legend.bottom + 1 || own.right > plot.right || own.width === 0;
                    })
                    .map(span => span.textContent),
            );
            await visit.close();
            assert.deepEqual(hidden, [], `${width} x ${height}`);
        }
        await engine.act("pause");
    });

    test("another integrator, another target", async () => {
        const { visit, engine } = fixture;
        await visit.tab("setup");
        await visit.page.selectOption("#choose-integrator", "verlet");
        await until("verlet", () => engine.last("scene").panes[0].integrator === "verlet");
        await until("the page knows", () =>
            visit.page.evaluate(() => window.weft.studio.scene.panes[0].integrator === "verlet"),
        );
        await visit.page.fill('[aria-label="cells across"]', "10");
        await visit.page.fill('[aria-label="cells down"]', "8");
        await visit.page.click("#apply-target");
        await until("99 vertices", () => engine.shapes.get("0 0").vertices === 99);
        await until("99 in the page", () =>
            visit.page.evaluate(() => window.weft.stage.panes[0].cloths[0].shape.vertices === 99),
        );
    });

    test("a scene is chosen in the gallery", async () => {
        const { visit, engine } = fixture;
        await visit.page.click("#scenes");
        const cards = await visit.page.locator(".scene").count();
        assert.ok(cards >= 7, `${cards} scenes`);
        const broken = await visit.page.evaluate(async () => {
            const pictures = [...document.querySelectorAll(".scene img")];
            await Promise.allSettled(pictures.map(picture => ((picture.loading = "eager"), picture.decode())));
            return pictures.filter(picture => picture.naturalWidth === 0).length;
        });
        assert.equal(broken, 0, "all pictures are there");
        await visit.page.click('[data-scene="hanging-sheet"]');
        await until("the scene", () => engine.last("scene").name === "hanging-sheet");
        await until("1,024 vertices in the page", () =>
            visit.page.evaluate(() => window.weft.stage.panes[0].cloths[0].shape?.vertices === 1024),
        );
        await until("it plays", async () => (await visit.frame()) > 3);
    });

    test("cloth tears where it is pulled, and the page shows the new boundary", async () => {
        const { visit, engine } = fixture;
        const isPlaying = () =>
            engine.last("time").playing && engine.frame.panes[0].cloths[0].positions.length === 3 * 1681;
        await visit.page.click("#scenes");
        await visit.page.click('[data-scene="rip"]');
        await until("the scene", () => engine.last("scene").name === "rip");
        // The gallery plays what it has loaded: until then a pause would be undone.
        await until("it plays", () => isPlaying() && engine.frame.frame > 0);
        await still(fixture);
        const whole = engine.shapes.get("0 0");
        assert.equal(whole.vertices, 1681);
        const spot = await visit.spot(840);
        assert.ok(spot.meets);
        await visit.stroke([spot, { x: spot.x + 100, y: spot.y - 60 }], {
            held: () => engine.act("play"),
            before: () => until("vertices part", () => engine.shapes.get("0 0").vertices > whole.vertices),
        });
        await still(fixture);
        const torn = engine.shapes.get("0 0");
        assert.equal(torn.triangles, whole.triangles, "nothing is lost");
        const shown = await visit.page.evaluate(() => {
            const [cloth] = window.weft.stage.panes[0].cloths;
            const edges = new Map();
            const { triangles } = cloth.shape;
            for (let t = 0; t < triangles.length; t += 3)
                for (let k = 0; k < 3; k++) {
                    const [a, b] = [triangles[t + k], triangles[t + ((k + 1) % 3)]];
                    const key = `${Math.min(a, b)} ${Math.max(a, b)}`;
                    edges.set(key, (edges.get(key) ?? 0) + 1);
                }
            const open = [...edges.values()].filter(count => count === 1).length;
            return { vertices: cloth.positions.length / 3, open };
        });
        assert.equal(shown.vertices, torn.vertices);
        assert.ok(shown.open > 160, `${shown.open} open edges; the whole sheet has 160`);
    });

    test("four methods side by side, stepped together", async () => {
        const { visit, engine } = fixture;
        await visit.page.click("#scenes");
        await visit.page.click('[data-scene="tear"]');
        await until("the scene", () => engine.last("scene").name === "tear");
        await visit.page.click("#compare");
        await visit.page.click('[data-panes="4"]');
        await until("four panes", () => engine.last("scene").panes.length === 4);
        const methods = engine.last("scene").panes.map(pane => `${pane.model} ${pane.integrator}`);
        assert.equal(new Set(methods).size, 4, methods.join());
        await until("four captions", async () => (await visit.page.locator(".caption").count()) === 4);
        await until("all four in one frame", () => engine.frame.panes.length === 4 && engine.frame.frame > 5);
        await until("the page draws them", () =>
            visit.page.evaluate(
                () =>
                    window.weft.stage.frame?.sections.filter(s => s.kind === "cloth").length === 4 &&
                    window.weft.stage.frame.frame > 5,
            ),
        );
        const bottom = [0, 1, 2, 3].map(pane => engine.vertex(300, pane));
        assert.ok(
            bottom.slice(1).some(place => distance(place, bottom[0]) > 1e-6),
            "they differ",
        );
        const boxes = await Promise.all([0, 1, 2, 3].map(i => visit.page.locator(".caption").nth(i).boundingBox()));
        const blank = await Promise.all(boxes.map(box => visit.colours(box)));
        for (const { colours } of blank) assert.ok(colours > 100, `${colours} colours in a pane`);
        await visit.page.click("#compare");
        await visit.page.click('[data-panes="1"]');
        await until("one pane", () => engine.last("scene").panes.length === 1);
    });

    test("a lost connection is told and comes back", async () => {
        const { browser, url } = fixture;
        const tunnel = await openTunnel(Number(new URL(url).port));
        const through = url.replace(/:\d+/, `:${tunnel.port}`);
        const visit = await Visit.open(browser, through);
        tunnel.cut();
        await until("the banner", () => visit.page.locator("#banner.lost").isVisible());
        tunnel.mend();
        await visit.page.click("#banner button", { timeout: 5000 }).catch(() => undefined);
        await until("it is gone", async () => !(await visit.page.locator("#banner").isVisible()));
        const drawn = await visit.page.evaluate(() => window.weft.stage.drawn);
        await until("it draws again", async () => (await visit.page.evaluate(() => window.weft.stage.drawn)) > drawn);
        await visit.close();
        tunnel.close();
    });
}
