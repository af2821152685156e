// What the page tells: meshes in another unit, intersections, added bodies, choices that do not fit.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import { until, Visit } from "./fixture.mjs";
import { loadPaused, ON_BALL, widthOf } from "./view.mjs";

const LATE = `time: {step: 2 ms, frames: 240, rate: 60}
integrator: implicit-euler
cloth:
  - name: sheet
    grid: {cells: [12, 12], size: [1, 1], axes: [x, z], origin: [-0.5, 1, -0.5]}
    pins: [{corner: top-left}, {corner: top-right}]
bodies:
  - sphere: {radius: 0.2, at: [0.01, 0.95, 0.02], appears: 60 ms}
`;

/** A sheet of 4 x 4 quads. */
function sheet(side) {
    const lines = [];
    for (let j = 0; j <= 4; j++) for (let i = 0; i <= 4; i++) lines.push(`v ${(i * side) / 4} 0 ${(j * side) / 4}`);
    for (let j = 0; j < 4; j++)
        for (let i = 1; i <= 4; i++) {
            const a = 5 * j + i;
            lines.push(`f ${a} ${a + 5} ${a + 6} ${a + 1}`);
        }
    return lines.join("\n") + "\n";
}

export function noticeTests(fixture) {
    test("a mesh in centimetres is told, and one click scales it", async () => {
        const { visit, engine } = fixture;
        await loadPaused(fixture, "sheet.yaml");
        await visit.page.setInputFiles("#mesh-file", {
            name: "wide.obj",
            mimeType: "text/plain",
            buffer: Buffer.from(sheet(50)),
        });
        const notice = visit.page.locator(".notice.offer");
        await until("the notice", async () => (await notice.count()) === 1);
        assert.match(await notice.textContent(), /is 50 m long .* is this one in centimetres/);
        await notice.locator("button", { hasText: "Scale by 0.01" }).click();
        const width = () => {
            const x = engine.frame.panes[0].cloths[0].positions.filter((_, i) => i % 3 === 0);
            return Math.max(...x) - Math.min(...x);
        };
        await until("half a metre", () => Math.abs(width() - 0.5) < 0.1);
        await until("no notice", async () => (await notice.count()) === 0);
        await until("the camera is near", async () => (await widthOf(visit)) > 0.15);
        await engine.act("pause");
    });

    test("cloth that intersects a body is told once", async () => {
        const { visit, engine } = fixture;
        writeFileSync("late.yaml", LATE);
        await loadPaused(fixture, "late.yaml");
        const notice = visit.page.locator(".notice.warning", { hasText: "cloth 'sheet' intersects body 'sphere'" });
        await visit.whileNoticesStay(async () => {
            await engine.act("step", { count: 8 });
            await until("the notice", async () => (await notice.count()) === 1);
        });
        await engine.act("scrub", { frame: 1 });
        await engine.act("step", { count: 8 });
        await until("frame 9", async () => (await engine.act("state")).panes[0].frame === 9);
        assert.equal(engine.events.filter(event => event.event === "notice").length, 1);
    });

    test("an added ball is beside what is there, and says so", async () => {
        const { visit, engine } = fixture;
        writeFileSync("on-ball.yaml", ON_BALL);
        await loadPaused(fixture, "on-ball.yaml");
        await visit.tab("world");
        const notice = visit.page.locator(".notice", { hasText: "The ball is to the side, because there is no room" });
        await visit.whileNoticesStay(async () => {
            await visit.page.click('[data-add-body="sphere"]');
            await until("the notice", async () => (await notice.count()) === 1);
        });
        const [x, , z] = JSON.parse(engine.param("bodies.1.at"));
        assert.ok(Math.hypot(x, z) > 0.22, `${x} ${z}`);
    });

    test("an integrator that the model cannot use says why", async () => {
        const { visit } = fixture;
        await loadPaused(fixture, "on-ball.yaml");
        await visit.tab("setup");
        const option = visit.page.locator('#choose-integrator option[value="xpbd"]');
        await until("greyed", async () => (await option.getAttribute("disabled")) !== null);
        assert.match(await option.getAttribute("title"), /^Does not work with corotational\. /);
        assert.equal(await option.textContent(), "xpbd (not with corotational)");
    });

    test("a search lists only the reasons of the fields that it shows", async () => {
        const { visit } = fixture;
        await loadPaused(fixture, "hanging-sheet");
        await visit.tab("cloth");
        const lists = () =>
            visit.page.evaluate(() => {
                const parts = [...document.querySelectorAll("details.section:not(.filtered)")];
                return parts.map(part => ({
                    listed: part.querySelectorAll(".reasons li").length,
                    shown: new Set(
                        [...part.querySelectorAll("[data-idle]:not(.filtered)")].map(row => row.dataset.idle),
                    ).size,
                    all: new Set([...part.querySelectorAll("[data-idle]")].map(row => row.dataset.idle)).size,
                }));
            });
        await visit.page.fill(".filter", "bending");
        const found = await lists();
        assert.ok(
            found.some(part => part.all > part.shown),
            JSON.stringify(found),
        );
        for (const part of found) assert.equal(part.listed, part.shown);
        await visit.page.fill(".filter", "");
        for (const part of await lists()) assert.equal(part.listed, part.all);
    });

    test("each phase of a step has its own colour", async () => {
        const { visit, engine } = fixture;
        await loadPaused(fixture, "sheet.yaml");
        await engine.act("step", { count: 2 });
        await until("measurements", () => visit.page.evaluate(() => window.weft.studio.stats !== null));
        const colours = await visit.page.evaluate(() => {
            const { studio } = window.weft;
            const names = ["input", "integrate", "limit", "contact", "tear", "check", "adapt"];
            const ms = Object.fromEntries(names.map(name => [name, 1]));
            studio.emit("stats", { ...studio.stats, panes: [{ ...studio.stats.panes[0], ms }] });
            const marks = [...document.querySelectorAll('[data-plot^="Time"] .plot-legend span')];
            return marks.map(mark => getComputedStyle(mark).getPropertyValue("--colour"));
        });
        assert.equal(colours.length, 7);
        assert.equal(new Set(colours).size, 7, colours.join());
        await loadPaused(fixture, "sheet.yaml");
    });

    test("after a cut the panel keeps the rectangle and counts the vertices, also in a new page", async () => {
        const { visit, engine } = fixture;
        await loadPaused(fixture, "sheet.yaml", 1);
        await visit.tab("setup");
        const note = () => visit.page.locator('[data-section="target"] .note').textContent();
        assert.equal(await note(), "289 vertices");
        const rays = [-0.3, 0.3].map(x => [x, -0.03, -1]);
        await engine.act("cut", { eye: [0, 1.5, 3], rays });
        await until("more vertices", () => engine.shapes.get("0 0").vertices > 289);
        await until("they are counted", async () => (await note()) === `${engine.shapes.get("0 0").vertices} vertices`);
        const other = await Visit.open(fixture.browser, fixture.url);
        assert.equal(await other.page.inputValue('[aria-label="cells across"]'), "16");
        assert.equal(await other.page.inputValue('[aria-label="width"]'), "1");
        await other.close();
        await engine.act("undo");
        await until("as before", async () => (await note()) === "289 vertices");
    });

    test("all of the time bar is on a small screen", async () => {
        const { browser, url, engine } = fixture;
        await loadPaused(fixture, "sheet.yaml", 2);
        for (const [width, height] of [
            [390, 844],
            [844, 390],
        ]) {
            const visit = await Visit.open(browser, url, { viewport: { width, height } });
            await engine.act("play");
            await until("measurements", () => visit.page.evaluate(() => window.weft.studio.stats !== null));
            await engine.act("pause");
            await until("it is paused", () => visit.page.evaluate(() => !window.weft.studio.time.playing));
            const wrong = await visit.page.evaluate(() => {
                const { studio } = window.weft;
                studio.time.playing = true;
                for (let i = 0; i < 20; i++) studio.emit("stats", { ...studio.stats, fps: 7.2, rate: 60 });
                const bar = document.getElementById("timebar").getBoundingClientRect();
                const parts = ["restart", "play", "step", "scrub", "clock", "rate", "slow", "speed"].map(id => {
                    const element = document.getElementById(id);
                    return { id, element, box: element.getBoundingClientRect() };
                });
                const common = (a, b) =>
                    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
                    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
                const height = bar.height > 90 ? [`the bar is ${bar.height} pixels high`] : [];
                return height.concat(
                    parts.flatMap(({ id, element, box }, i) => [
                        ...(box.width === 0 ? [`${id} is hidden`] : []),
                        ...(box.left < bar.left || box.right > bar.right ? [`${id} is off the bar`] : []),
                        ...(element.scrollWidth > element.clientWidth + 1 && id === "slow" ? [`${id} is cut off`] : []),
                        ...parts.slice(i + 1).flatMap(b => (common(box, b.box) ? [`${id} lies over ${b.id}`] : [])),
                    ]),
                );
            });
            await visit.close();
            assert.deepEqual(wrong, [], `${width} x ${height}`);
        }
    });
}
