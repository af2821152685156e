// The pattern beside the view: pieces, seams, what is chosen in both, and the mark of the pointer.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import { until } from "./fixture.mjs";
import { loadPaused } from "./view.mjs";

/** Two panels of 20 x 30 cm, sewn along their sides to a flat tube: an OBJ file with seams in its coordinates. */
function tube() {
    const lines = [];
    const [columns, rows] = [4, 6];
    for (let j = 0; j <= rows; j++)
        for (let i = 0; i < 2 * columns; i++) {
            const x = i <= columns ? i : 2 * columns - i;
            lines.push(`v ${0.05 * x - 0.1} ${1 + 0.05 * j} ${i > 0 && i < columns ? 0.03 : i > columns ? -0.03 : 0}`);
        }
    for (const shift of [0, 0.3])
        for (let j = 0; j <= rows; j++)
            for (let i = 0; i <= columns; i++) lines.push(`vt ${shift + 0.05 * i} ${0.05 * j}`);
    ["front", "back"].forEach((name, panel) => {
        lines.push(`g ${name}`);
        for (let j = 0; j < rows; j++)
            for (let i = 0; i < columns; i++) {
                const at = (di, dj) => {
                    const around = (panel * columns + i + di) % (2 * columns);
                    const flat = panel * (columns + 1) * (rows + 1) + (j + dj) * (columns + 1) + i + di;
                    return `${(j + dj) * 2 * columns + around + 1}/${flat + 1}`;
                };
                lines.push(`f ${at(0, 0)} ${at(1, 0)} ${at(1, 1)} ${at(0, 1)}`);
            }
    });
    return lines.join("\n");
}

const SCENE = `time: {frames: 20, rate: 50, step: 20 ms}
integrator: implicit-euler
cloth: {name: tube, mesh: tube.obj, model: {name: corotational, rest: pattern}, pins: [{nearest: [0, 1.3, 0.03]}]}
view: {position: [0, 1.2, 1.2], target: [0, 1.15, 0]}
`;

/** Triangles and lines that are marked on the cloth in 3D. */
const marked = visit =>
    visit.page.evaluate(() => {
        const { chosen, chosenLines } = window.weft.stage.panes[0].cloths[0];
        return [chosen, chosenLines].map(each => (each.visible ? each.geometry.getIndex().count : 0));
    });

const info = visit => visit.page.textContent("#pattern-info");

export function patternTests(fixture) {
    test("a panel or seam that is chosen in the pattern is marked in both views", async () => {
        const { visit } = fixture;
        writeFileSync("tube.obj", tube());
        writeFileSync("tube.yaml", SCENE);
        await loadPaused(fixture, "tube.yaml");
        await visit.page.click("#toggle-pattern");
        await until("two pieces", async () => (await info(visit)) === "2 pieces, 2 seams");
        const canvas = await visit.page.locator("#pattern canvas").boundingBox();
        const view = await visit.page.locator("#canvas").boundingBox();
        assert.ok(view.x + view.width <= canvas.x + 1, "beside the view, not over it");

        // The left half of the canvas has the front. A click on it chooses that panel.
        await visit.page.mouse.click(canvas.x + 0.25 * canvas.width, canvas.y + canvas.height / 2);
        await until("the front", async () => (await info(visit)).startsWith("front: 600 cm², 48 triangles"));
        assert.deepEqual(await marked(visit), [144, 0]);
        // Half of the triangles, and all of them of the front.
        const panels = await visit.page.evaluate(() => Array.from(window.weft.stage.panes[0].cloths[0].shape.panels));
        assert.equal(panels.filter(panel => panel === 0).length, 48);

        await visit.page.selectOption("#pattern-panels", { index: 3 });
        await until("a seam", async () => (await info(visit)) === "front – back: 30 cm and 30 cm");
        assert.deepEqual(await marked(visit), [0, 12]);

        await visit.page.selectOption("#pattern-panels", "");
        assert.deepEqual(await marked(visit), [0, 0]);
        await visit.page.click("#toggle-pattern");
        const whole = await visit.page.locator("#canvas").boundingBox();
        assert.ok(whole.width > 1.5 * view.width, "the view has its room again");
        assert.deepEqual(visit.errors, []);
    });
}
