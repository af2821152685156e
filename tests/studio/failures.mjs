// Failures and slowness: divergence, a server with another token, a scene slower than real time.
import assert from "node:assert/strict";
import { test } from "node:test";
import { startStudio, until, Visit } from "./fixture.mjs";
import { setPlaying } from "./time.mjs";
import { loadPaused } from "./view.mjs";

/** Ends a studio and waits until its port is free. */
async function end(studio) {
    const gone = new Promise(resolve => studio.child.once("exit", resolve));
    studio.child.kill("SIGINT");
    await gone;
}

export function failureTests(fixture) {
    test("divergence names cause and remedy, and stays until it is dismissed", async () => {
        const { visit, engine } = fixture;
        await loadPaused(fixture, "sheet.yaml");
        await engine.act("set", { path: engine.path("cloth.*.model.structural_stiffness"), value: 1e6 });
        await engine.act("play");
        const notice = visit.page.locator(".notice.failed");
        await until("the failure", async () => (await notice.count()) === 1);
        const text = await notice.textContent();
        assert.match(text, /diverged in frame \d+: the time step of 1 ms is too long for symplectic-euler/);
        assert.match(text, /stable up to [\d.]+ ms/);
        await new Promise(resolve => setTimeout(resolve, 10000));
        assert.equal(await notice.count(), 1, "it stays");
        await notice.locator("button", { hasText: "Use bdf2" }).click();
        await until("the remedy", () => engine.last("scene").panes[0].integrator === "bdf2");
        await until("it runs", () => engine.last("time").playing && engine.frame.frame > 5);
        assert.equal(await notice.count(), 0, "it is dismissed");
        await setPlaying(fixture, false);
    });

    test("a restarted server with another token asks for the new link", async () => {
        const first = startStudio("restarted", "../sheet.yaml", "--threads", "1");
        const url = await first.url;
        const visit = await Visit.open(fixture.browser, url);
        await end(first);
        const banner = visit.page.locator("#banner");
        await until("lost", async () => (await banner.getAttribute("data-state")) === "lost");
        const second = startStudio("restarted", "../sheet.yaml", "--threads", "1", "--port", new URL(url).port);
        await second.url;
        await until("refused", async () => (await banner.getAttribute("data-state")) === "refused");
        assert.match(await banner.textContent(), /Open the new link/);
        await new Promise(resolve => setTimeout(resolve, 3000));
        assert.equal(await banner.getAttribute("data-state"), "refused", "it does not try for ever");
        await visit.close();
        await end(second);
    });

    test("a scene slower than real time says so and offers a faster setting", async () => {
        const { visit, engine } = fixture;
        await loadPaused(fixture, "sheet.yaml");
        const slow = visit.page.locator("#slow");
        assert.ok(!(await slow.isVisible()));
        await engine.act("step", { count: 2 });
        await until("measurements", () => visit.page.evaluate(() => window.weft.studio.stats !== null));
        await visit.page.evaluate(() => {
            const { studio } = window.weft;
            studio.time = { ...studio.time, playing: true };
            for (let i = 0; i < 20; i++) studio.emit("stats", { ...studio.stats, fps: 15, rate: 60 });
        });
        assert.match(await slow.textContent(), /0\.25× real time/);
        await slow.click();
        await visit.page.locator(".menu-item", { hasText: "8 × 8 cells" }).click();
        await until("fewer cells", () => engine.shapes.get("0 0").vertices === 81);
    });

    test("help and frame rate exist on phones", async () => {
        const { browser, url, engine } = fixture;
        const phone = await Visit.open(browser, url, { viewport: { width: 390, height: 844 }, hasTouch: true });
        const isInside = async selector => {
            const box = await phone.page.locator(selector).boundingBox();
            return box !== null && box.x >= 0 && box.x + box.width <= 390 && box.width > 0;
        };
        assert.ok(await isInside("#show-help"), "help");
        await phone.page.click("#show-help");
        assert.ok(await phone.page.locator("#help").isVisible());
        await phone.page.click("#help .close");
        await engine.act("play");
        await until("frames per second", async () => /\d fps/.test(await phone.page.textContent("#rate")));
        assert.ok(await isInside("#rate"), "frame rate");
        await engine.act("pause");
        await phone.close();
    });

    test("citations have enough contrast in both themes", async () => {
        const { browser, url } = fixture;
        for (const colorScheme of ["dark", "light"]) {
            const visit = await Visit.open(browser, url, { colorScheme });
            const contrast = await visit.page.evaluate(() => {
                const numbers = text =>
                    text
                        .match(/[\d.]+/g)
                        .slice(0, 3)
                        .map(Number);
                const light = rgb =>
                    rgb
                        .map(c => c / 255)
                        .map(c => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
                        .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
                const cite = getComputedStyle(document.querySelector("cite"));
                const back = numbers(getComputedStyle(document.getElementById("sidebar")).backgroundColor);
                const opacity = Number(cite.opacity);
                const text = numbers(cite.color).map((c, i) => opacity * c + (1 - opacity) * back[i]);
                const [a, b] = [light(text), light(back)].sort((x, y) => y - x);
                return (a + 0.05) / (b + 0.05);
            });
            await visit.close();
            assert.ok(contrast >= 4.5, `${contrast} in the ${colorScheme} theme`);
        }
    });
}
