// What stays in view, or comes back, while the cloth's shape changes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { distance, until } from "./fixture.mjs";
import { loadPaused } from "./view.mjs";

/** The width of each cloth as it is drawn now, m; 0 for a cloth that the picture lacks. */
function drawnWidths(visit) {
    return visit.page.evaluate(() => {
        const { stage } = window.weft;
        stage.draw();
        return stage.panes.flatMap(pane =>
            pane.cloths.map(cloth => {
                const x = cloth.surface.geometry.getAttribute("position").array.filter((_, i) => i % 3 === 0);
                return Math.max(...x) - Math.min(...x);
            }),
        );
    });
}

const DRAWN = "window.weft.stage.panes[0].cloths[0].positions.length / 3"; // vertices

export function changesTests(fixture) {
    test("a cloth keeps its old shape in the picture until the first frame of its new one", async () => {
        const { visit } = fixture;
        await loadPaused(fixture, "sheet.yaml");
        const [width] = await drawnWidths(visit);
        assert.ok(width > 0.9, `${width} m wide`);
        await visit.page.evaluate(() => {
            const { studio, stage } = window.weft;
            const { shape } = stage.panes[0].cloths[0];
            studio.link.onBinary({ kind: "cloth", shape: { ...shape, version: shape.version + 1000 } });
        });
        assert.deepEqual(await drawnWidths(visit), [width]);
    });

    test("another cloth can be undone, and its pins come back", async () => {
        const { visit, engine } = fixture;
        await loadPaused(fixture, "sheet.yaml");
        const drawn = vertices => async () => (await visit.page.evaluate(DRAWN)) === vertices;
        await engine.act("pin", { vertices: [144] });
        await visit.tab("setup");
        await visit.page.fill('[aria-label="cells across"]', "10");
        await visit.page.fill('[aria-label="cells down"]', "8");
        await visit.page.click("#apply-target");
        await until("the rectangle in the page", drawn(99));
        await visit.page.click("#undo");
        await until("the sheet again", drawn(289));
        assert.deepEqual(await visit.held(), [0, 16, 144]);
        await visit.page.click("#redo");
        await until("the rectangle again", drawn(99));
    });

    test("the gizmo is where its body is, also after undo and a restart", async () => {
        const { visit, engine } = fixture;
        await loadPaused(fixture, "sheet.yaml");
        await visit.mode("body");
        const ball = [0.9, 1.2, 0];
        const from = await visit.project(ball);
        const gizmo = () =>
            visit.page.evaluate(() => {
                const { children } = window.weft.stage.panes[0].scene;
                return children.find(child => child.isTransformControlsRoot)?.controls.object.position.toArray();
            });
        const isAt = place => async () => distance((await gizmo()) ?? [NaN, 0, 0], place) < 1e-6;
        for (const takeBack of ["undo", "restart"]) {
            await engine.act("step", { count: 2 });
            await until("two frames", async () => (await engine.act("state")).panes[0].frame >= 2);
            await visit.mode("orbit");
            await visit.mode("body");
            await visit.stroke([from, { x: from.x - 60, y: from.y }]);
            const moved = () => JSON.parse(engine.param("bodies.sphere.at"));
            await until("the ball moves", () => moved()[0] < 0.8);
            await until("the gizmo, too", async () => isAt(moved())());
            await visit.page.click(`#${takeBack}`);
            await until(`the ball is back after ${takeBack}`, () => distance(moved(), ball) < 1e-6);
            await until(`the gizmo after ${takeBack}`, isAt(ball), 20000);
        }
        await engine.act("algorithm", { integrator: "bdf2" });
        await until("bdf2", () => engine.last("scene").panes[0].integrator === "bdf2");
        await until("the gizmo with another method", isAt(ball), 20000);
        await visit.mode("hand");
    });

    test("a picture of the view has its background, and all pixels", async () => {
        const { visit } = fixture;
        await loadPaused(fixture, "sheet.yaml");
        const picture = await visit.page.evaluate(async () => {
            const image = await createImageBitmap(await window.weft.stage.picture());
            const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
            context.drawImage(image, 0, 0);
            const { data } = context.getImageData(0, 0, image.width, image.height);
            const colours = new Set();
            let clear = 0;
            for (let i = 0; i < data.length; i += 4) {
                if (data[i + 3] < 255) clear++;
                colours.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
            }
            return { width: image.width, clear, colours: colours.size };
        });
        assert.ok(picture.width >= 1920, `${picture.width} pixels wide`);
        assert.equal(picture.clear, 0, "transparent pixels");
        assert.ok(picture.colours > 500, `${picture.colours} colours`);
    });
}
