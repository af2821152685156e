// Pause, step, scrub, restart, slow motion.
import assert from "node:assert/strict";
import { test } from "node:test";
import { distance, until } from "./fixture.mjs";

/** The page may hear of it later than the other viewer, and must not be clicked before it has. */
export async function setPlaying(fixture, on) {
    const { visit, engine } = fixture;
    const isPlaying = () => engine.last("time").playing;
    const pageKnows = async () => (await visit.page.getAttribute("#play", "data-playing")) === String(isPlaying());
    for (;;) {
        await until("the page knows", pageKnows);
        if (isPlaying() === on) return;
        await visit.page.click("#play");
        await until(on ? "it plays" : "it pauses", () => isPlaying() === on);
    }
}

/** Until the newest frame that the other viewer has is the state's own. */
export async function settled(engine) {
    const { frame } = (await engine.act("state")).panes[0];
    await until(`frame ${frame}`, () => engine.frame.frame === frame);
    return frame;
}

/** Paused, and the page shows the state itself: what is aimed at is still there when the button goes down. */
export async function still(fixture) {
    const { visit, engine } = fixture;
    await setPlaying(fixture, false);
    const { step } = (await engine.act("state")).panes[0];
    await until(`step ${step}`, () => engine.frame.step === step);
    await until("it in the page", () =>
        visit.page.evaluate(sequence => window.weft.stage.frame?.sequence === sequence, engine.frame.sequence),
    );
}

export function timeTests(fixture) {
    test("pause stops time, a step is one frame", async () => {
        const { visit, engine } = fixture;
        await setPlaying(fixture, false);
        const frame = await settled(engine);
        const place = engine.vertex(280);
        await new Promise(resolve => setTimeout(resolve, 300));
        assert.equal(await settled(engine), frame);
        assert.deepEqual(engine.vertex(280), place);
        await visit.page.click("#step");
        await until("the next frame", () => engine.frame.frame === frame + 1);
        await until("the next frame in the page", async () => (await visit.frame()) === frame + 2);
        await visit.page.keyboard.press(".");
        await until("one more by key", () => engine.frame.frame === frame + 2);
        await new Promise(resolve => setTimeout(resolve, 200));
        assert.equal(await settled(engine), frame + 2);
    });

    test("restart goes to frame 0, and time goes the same way again", async () => {
        const { visit, engine } = fixture;
        await visit.page.click("#restart");
        await until("frame 0", () => engine.frame.frame === 0);
        assert.ok(distance(engine.vertex(280), [0, 1, 0]) < 1e-5, "the hem is where it was made");
        await until("frame 0 in the page", async () => (await visit.frame()) === 1);
        await engine.act("step", { count: 12 });
        await until("frame 12", () => engine.frame.frame === 12);
        fixture.twelve = (await engine.hashes())[0];
        await visit.page.keyboard.press("r");
        await until("frame 0 by key", () => engine.frame.frame === 0);
        await engine.act("step", { count: 12 });
        await until("frame 12", () => engine.frame.frame === 12);
        assert.equal((await engine.hashes())[0], fixture.twelve);
    });

    test("the bar scrubs through the recorded frames, and play goes on from there", async () => {
        const { visit, engine } = fixture;
        const newest = engine.vertex(280);
        const pageShows = frame => async () => (await visit.frame()) - 1 === frame;
        await until("the newest frame in the page", pageShows(12));
        const bar = await visit.page.locator("#scrub").boundingBox();
        await visit.page.mouse.click(bar.x + bar.width / 2, bar.y + bar.height / 2);
        await until("an older frame there", () => engine.frame.scrubbed);
        const shown = engine.frame.frame;
        assert.ok(shown > 2 && shown < 10, `frame ${shown}`);
        await until("it in the page", pageShows(shown));
        assert.ok(engine.vertex(280)[1] > newest[1] + 1e-4, "it was higher then");
        assert.ok(distance(await visit.vertex(280), engine.vertex(280)) < 1e-3);
        await visit.page.click("#live");
        await until("the newest again", () => engine.frame.frame === 12 && !engine.frame.scrubbed);
        assert.deepEqual(engine.vertex(280), newest);
        await engine.act("scrub", { frame: 6 });
        await setPlaying(fixture, true);
        await until("it went on", () => engine.frame.frame > 12);
        await setPlaying(fixture, false);
    });

    test("the button pauses at once, though a long step keeps the answer back", async () => {
        const { visit, engine } = fixture;
        await setPlaying(fixture, true);
        await visit.page.evaluate(() => {
            const { link } = window.weft.studio;
            const { send } = link;
            link.send = async (...command) => {
                await new Promise(resolve => (window.letGo = resolve));
                link.send = send;
                return send.apply(link, command);
            };
        });
        await visit.page.click("#play");
        assert.equal(await visit.page.getAttribute("#play", "data-playing"), "false");
        assert.equal(engine.last("time").playing, true);
        await visit.page.evaluate(() => window.letGo());
        await until("it pauses", () => !engine.last("time").playing);
        await setPlaying(fixture, true);
        await setPlaying(fixture, false);
    });

    test("slow motion", async () => {
        const { visit, engine } = fixture;
        await visit.page.selectOption("#speed", "0.25");
        await until("a quarter", () => engine.last("time").speed === 0.25);
        await visit.page.selectOption("#speed", "1");
        await until("real time", () => engine.last("time").speed === 1);
    });
}
