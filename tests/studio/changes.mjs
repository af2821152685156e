// What stays in view, or comes back, while the cloth's shape changes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "./fixture.mjs";
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
}
