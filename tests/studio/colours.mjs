// False colours and plots: ranges, the palette of signed values, the probe, the time axis, hover, CSV.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { until } from "./fixture.mjs";
import { still } from "./time.mjs";
import { loadPaused } from "./view.mjs";

const range = visit => visit.page.evaluate(() => window.weft.stage.shared.cloth.range.value.toArray());

async function colourBy(visit, name) {
    await visit.tab("view");
    await visit.page.selectOption('[data-look="colour by"] select', name);
    await until("its legend", async () => (await visit.page.locator("#legend").textContent()).startsWith(name));
}

/** Runs frames and waits until the page has the last one. */
async function run(fixture, count) {
    const { engine } = fixture;
    const end = (await engine.act("state")).panes[0].frame + count;
    await engine.act("step", { count });
    await until(`frame ${end}`, async () => (await engine.act("state")).panes[0].frame === end);
    await still(fixture);
}

export function colourTests(fixture) {
    test("the range of colours follows the data, or is set by hand", async () => {
        const { visit, engine } = fixture;
        await loadPaused(fixture, "sheet.yaml", 2);
        await colourBy(visit, "speed");
        const largest = () =>
            visit.page.evaluate(() => Math.max(...(window.weft.stage.panes[0].cloths[0].scalar ?? [0])));
        await until("values", async () => (await largest()) > 0);
        await until("a range that fits", async () => {
            const [low, high] = await range(visit);
            return low === 0 && high < 4 * (await largest());
        });
        const [, before] = await range(visit);
        await engine.act("free", { vertices: [0, 16] });
        await run(fixture, 20);
        await until("a wider range", async () => (await range(visit))[1] > before);
        await visit.page.fill('[aria-label="highest value of the colours"]', "7");
        await visit.page.keyboard.press("Enter");
        assert.deepEqual(await range(visit), [0, 7]);
        await run(fixture, 3);
        assert.deepEqual(await range(visit), [0, 7], "it stays");
        await visit.page.click("#legend .auto");
        await until("it follows again", async () => (await range(visit))[1] < 7);
    });

    test("signed values have a diverging palette around zero", async () => {
        const { visit, engine } = fixture;
        await loadPaused(fixture, "sheet.yaml");
        await engine.act("algorithm", { model: "corotational" });
        await run(fixture, 10);
        await colourBy(visit, "strain-weft");
        await until("a symmetric range", async () => {
            const [low, high] = await range(visit);
            return low === -high;
        });
        const middle = () =>
            visit.page.evaluate(() => {
                const { data } = window.weft.stage.shared.cloth.palette.value.image;
                return [...data.slice(4 * 127, 4 * 127 + 3)];
            });
        const [r, g, b] = await middle();
        assert.ok(Math.abs(r - g) < 6 && Math.abs(g - b) < 6 && r > 200, `zero is ${r} ${g} ${b}`);
        await colourBy(visit, "speed");
        await until("viridis", async () => (await middle())[0] < 100);
    });

    test("the probe tells the value under the pointer", async () => {
        const { visit } = fixture;
        await loadPaused(fixture, "sheet.yaml", 12);
        await colourBy(visit, "speed");
        const spot = await visit.spot(144);
        await visit.page.mouse.move(spot.x - 30, spot.y);
        await visit.page.mouse.move(spot.x, spot.y);
        const probe = visit.page.locator("#probe");
        await until("the probe", () => probe.isVisible());
        assert.match(await probe.textContent(), /^[\d.e-]+ m\/s$/);
        const value = await visit.page.evaluate(
            vertex => window.weft.stage.panes[0].cloths[0].scalar[vertex],
            spot.vertex,
        );
        assert.ok(Math.abs(Number.parseFloat(await probe.textContent()) - value) <= 0.01 * value);
        await visit.tab("view");
        await visit.page.selectOption('[data-look="colour by"] select', "none");
    });

    test("plots have a time axis, readings at the pointer, and a table", async () => {
        const { visit, engine } = fixture;
        await loadPaused(fixture, "sheet.yaml");
        await engine.act("play");
        await until("three seconds", () => engine.frame.time > 3);
        await still(fixture);
        const table = async () => {
            const waiting = visit.page.waitForEvent("download");
            await visit.page.click(".csv");
            const lines = readFileSync(await (await waiting).path(), "utf8")
                .trim()
                .split("\n");
            return lines.map(line => line.split(","));
        };
        const [head, ...rows] = await table();
        assert.equal(head[0], '"time (s)"');
        const potential = head.indexOf('"Energy: potential (J)"');
        assert.ok(potential > 0 && rows.length > 5);
        const times = rows.map(row => Number(row[0]));
        assert.ok(times.every((time, i) => i === 0 || time > times[i - 1]));
        const axis = await visit.page.evaluate(() => window.weft.plots.plots[0].frame);
        assert.equal(axis.to, times.at(-1));
        const canvas = visit.page.locator('[data-plot="Energy"] canvas');
        const reading = visit.page.locator('[data-plot="Energy"] .plot-legend span:nth-child(3) b');
        const first = Number(Number(rows[0][potential]).toPrecision(3));
        await until("the first value", async () => {
            const { x, y, height } = await canvas.boundingBox(); // it moves while the page is laid out
            await visit.page.mouse.move(x + 1, y + height / 2);
            return Math.abs(Number(await reading.textContent()) - first) < 1e-9;
        });
        const box = await canvas.boundingBox();
        await visit.page.mouse.move(box.x + box.width / 2, box.y - 60);
        await engine.act("restart");
        await run(fixture, 30);
        const later = (await table()).slice(1).map(row => Number(row[0]));
        assert.ok(
            later.every(time => time <= 0.51),
            "a new run has a new curve",
        );
        await loadPaused(fixture, "hanging-sheet");
        const other = (await table()).slice(1).map(row => Number(row[0]));
        assert.ok(
            other.every(time => time === 0),
            `a new scene has a new curve, not ${other}`,
        );
    });

    test("the time axis of a plot has a number at any length", async () => {
        const { visit } = fixture;
        await loadPaused(fixture, "sheet.yaml", 2);
        const counts = await visit.page.evaluate(async () => {
            const { studio, plots } = window.weft;
            const found = [];
            for (let time = 0.3; time < 40; time *= 1.4) {
                studio.emit("stats", { ...studio.stats, time });
                await new Promise(resolve => setTimeout(resolve, 100));
                const { from, to, ticks } = plots.plots[0].frame;
                found.push(to === Math.max(time, from + 2) ? ticks.length : `${from} to ${to} at ${time}`);
            }
            return found;
        });
        assert.ok(
            counts.every(count => count >= 1 && count <= 6),
            counts.join(),
        );
    });

    test("a single spike does not spoil the scale of a plot", async () => {
        const { visit } = fixture;
        await loadPaused(fixture, "sheet.yaml", 2);
        const { high, isClipped } = await visit.page.evaluate(async () => {
            const { studio, plots } = window.weft;
            for (let i = 1; i <= 60; i++) {
                const pane = { ...studio.stats.panes[0], iterations: i === 30 ? 1e6 : 10 };
                studio.emit("stats", { ...studio.stats, panes: [pane], time: 100 + i });
            }
            await new Promise(resolve => setTimeout(resolve, 300));
            return plots.plots[2].frame.range;
        });
        assert.ok(isClipped && high < 30, `up to ${high}`);
    });
}
