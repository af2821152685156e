// What the view draws: cloth over bodies, the ground, cursors, and the camera that follows.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import { slow, until, Visit } from "./fixture.mjs";
import { setPlaying, still } from "./time.mjs";

// 25 x 25 vertices fall onto a ball.
export const ON_BALL = `time: {frames: 240, rate: 60}
cloth:
  - name: cloth
    grid: {cells: [24, 24], size: [0.5, 0.5], axes: [x, z], origin: [-0.25, 0.54, -0.25]}
bodies:
  - sphere: {radius: 0.12, at: [0, 0.4, 0]}
`;

/** Width of the first cloth on the screen, as a share of the view; NaN if some of it is behind the camera. */
export function widthOf(visit) {
    return visit.page.evaluate(() => {
        const { stage } = window.weft;
        const x = stage.panes[0].cloths[0].positions;
        const seen = [];
        for (let i = 0; i < x.length; i += 3) seen.push(stage.project(x[i], x[i + 1], x[i + 2], 0)?.x ?? NaN);
        return (Math.max(...seen) - Math.min(...seen)) / stage.canvas.clientWidth;
    });
}

/** Loads a scene, paused, and waits for the page. */
export async function loadPaused(fixture, scene, frames = 0) {
    const { visit, engine } = fixture;
    await engine.act("load", { scene });
    const name = engine.last("scene").name;
    await until(`${name} in the page`, () =>
        visit.page.evaluate(wanted => window.weft.studio.scene?.name === wanted, name),
    );
    if (frames > 0) {
        await engine.act("step", { count: frames });
        await until(`frame ${frames}`, async () => (await engine.act("state")).panes[0].frame === frames);
    }
    await still(fixture);
}

/** Share of the points in the view at which cloth is in front, but the picture has the body's colour. */
function shineThrough(visit) {
    return visit.page.evaluate(() => {
        const { stage } = window.weft;
        const { body } = stage.shared;
        const before = body.color.getHex();
        body.color.set(0x000000);
        body.emissive.set(0x00ff00);
        stage.draw();
        const gl = stage.canvas.getContext("webgl2");
        const { width, height } = stage.canvas.getBoundingClientRect();
        const pixel = new Uint8Array(4);
        let [cloth, wrong] = [0, 0];
        for (let y = 4; y < height; y += 6)
            for (let x = 4; x < width; x += 6) {
                const ray = stage.ray(x, y, 0);
                if (!stage.panes[0].cast(ray)) continue;
                cloth++;
                const at = [(x / width) * stage.canvas.width, (1 - y / height) * stage.canvas.height];
                gl.readPixels(Math.floor(at[0]), Math.floor(at[1]), 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
                const inFront = !(stage.panes[0].castBody(ray)?.distance < stage.panes[0].cast(ray).distance);
                if (inFront && pixel[1] > 200 && pixel[0] < 80) wrong++;
            }
        body.color.setHex(before);
        body.emissive.set(0);
        stage.wake();
        return { cloth, wrong };
    });
}

export function viewTests(fixture) {
    test("a table does not show through its cloth", async () => {
        await loadPaused(fixture, "tablecloth", 3);
        const { cloth, wrong } = await shineThrough(fixture.visit);
        assert.ok(cloth > 100, `${cloth} points of cloth`);
        assert.ok(wrong <= 0.02 * cloth, `${wrong} of ${cloth} points show the table`);
    });

    test("the ground is drawn where there is one, and nowhere else", async () => {
        const { visit } = fixture;
        const isDrawn = () => visit.page.evaluate(() => window.weft.stage.panes[0].ground.visible);
        assert.ok(await isDrawn(), "the tablecloth has a ground");
        await loadPaused(fixture, "sheet.yaml");
        await until("no ground", async () => !(await isDrawn()));
    });

    test("Space and L work after scrubbing", async () => {
        const { visit, engine } = fixture;
        await loadPaused(fixture, "sheet.yaml", 10);
        const bar = await visit.page.locator("#scrub").boundingBox();
        await visit.page.mouse.click(bar.x + bar.width / 3, bar.y + bar.height / 2);
        await until("an older frame", () => engine.frame.scrubbed);
        await visit.page.keyboard.press("l");
        await until("the newest", () => !engine.frame.scrubbed && engine.frame.frame === 10);
        await until("the bar knows", async () => (await visit.page.inputValue("#scrub")) === "10");
        await visit.page.mouse.click(bar.x + bar.width / 3, bar.y + bar.height / 2);
        await until("an older frame again", () => engine.frame.scrubbed);
        await visit.page.keyboard.press(" ");
        await until("it plays", () => engine.last("time").playing);
        await setPlaying(fixture, false);
    });

    test("each tool has its cursor", async () => {
        const { visit } = fixture;
        await loadPaused(fixture, "sheet.yaml");
        const spot = await visit.spot(144);
        const cursor = () => visit.page.evaluate(() => getComputedStyle(document.getElementById("canvas")).cursor);
        for (const [mode, wanted] of [
            ["hand", "grab"],
            ["cut", "crosshair"],
            ["pin", "pointer"],
        ]) {
            await visit.mode(mode);
            await visit.page.mouse.move(spot.x + 40, spot.y);
            await visit.page.mouse.move(spot.x, spot.y);
            await until(`${wanted} in ${mode}`, async () => (await cursor()) === wanted);
        }
        await visit.mode("hand");
    });

    test("the camera follows cloth that falls, also after an action", async () => {
        const { browser, url, engine } = fixture;
        await loadPaused(fixture, "sheet.yaml");
        const visit = await Visit.open(browser, url);
        await engine.act("pause");
        await visit.mode("pin");
        const spot = await visit.spot(144);
        for (let i = 0; i < 2; i++) await visit.page.mouse.click(spot.x, spot.y);
        await engine.act("free", { vertices: [0, 16] });
        await engine.act("free", { vertices: [spot.vertex] });
        await engine.act("play");
        await until("it has fallen", () => engine.frame.frame > 70);
        await engine.act("pause");
        const isSeen = () =>
            visit.page.evaluate(() => {
                const { stage } = window.weft;
                const x = stage.panes[0].cloths[0].positions;
                const at = stage.project(x[432], x[433], x[434], 0);
                const { clientWidth, clientHeight } = stage.canvas;
                return at !== null && at.x > 0 && at.x < clientWidth && at.y > 0 && at.y < clientHeight;
            });
        await until("its centre is in the picture", isSeen);
        await visit.close();
    });

    test("after a cut the camera keeps what stays in view, and comes back after undo", slow, async () => {
        const { browser, url, engine } = fixture;
        writeFileSync("on-ball.yaml", ON_BALL);
        await loadPaused(fixture, "on-ball.yaml");
        const visit = await Visit.open(browser, url);
        await engine.act("pause");
        const frameOf = async () => (await engine.act("state")).panes[0].frame;
        const go = async count => {
            const start = await frameOf();
            await engine.act("step", { count });
            await until(`${count} frames`, async () => (await frameOf()) >= start + count);
            await until("the page has them", async () => (await visit.frame()) > start + count);
        };
        await go(30);
        const width = await widthOf(visit);
        // A stroke along x = 0.1 takes off what hangs beside the ball.
        const eye = [0.1, 0.4, 3];
        await engine.act("cut", { eye, rays: [-0.2, -0.1, 0, 0.1, 0.2].map(y => [0, y, -1]) });
        await go(70);
        const ball = () =>
            visit.page.evaluate(() => {
                const { stage } = window.weft;
                const { clientWidth, clientHeight } = stage.canvas;
                const [left, right] = [-0.12, 0.12].map(x => stage.project(x, 0.4, 0, 0));
                return { size: (right.x - left.x) / clientWidth, x: left.x / clientWidth, y: left.y / clientHeight };
            });
        const lowest = Math.min(...engine.frame.panes[0].cloths[0].positions.filter((_, i) => i % 3 === 1));
        assert.ok(lowest < -2, `a part has fallen to ${lowest}`);
        const seen = await ball();
        assert.ok(seen.size > 0.1, `the ball is ${seen.size} of the picture`);
        assert.ok(seen.x > 0 && seen.x < 1 && seen.y > 0 && seen.y < 1, JSON.stringify(seen));
        await engine.act("undo");
        await until("the cloth is as large as before", async () => (await widthOf(visit)) > 0.8 * width);
        await visit.close();
    });
}
