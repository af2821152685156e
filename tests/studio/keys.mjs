// The page without a mouse: Space, arrow keys, where the focus is, and text that can be read.
import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "./fixture.mjs";
import { loadPaused } from "./view.mjs";

/** Puts the focus on an element as the keyboard does. */
async function reach(visit, selector) {
    await visit.page.keyboard.press("Tab");
    await visit.page.focus(selector);
}

const focused = (visit, name) => visit.page.evaluate(key => document.activeElement.getAttribute(key), name);

/** The lowest contrast of visible texts with the panel, by WCAG 2.2. */
function leastContrast(visit, selector) {
    return visit.page.evaluate(wanted => {
        const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
        const rgb = colour => {
            context.fillStyle = colour;
            context.fillRect(0, 0, 1, 1);
            return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3).map(value => value / 255);
        };
        const linear = value => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
        const light = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b) + 0.05;
        const ground = rgb(getComputedStyle(document.getElementById("sidebar")).backgroundColor);
        const contrasts = [...document.querySelectorAll(wanted)]
            .filter(text => text.offsetParent)
            .map(text => {
                let opacity = 1;
                for (let at = text; at; at = at.parentElement) opacity *= Number(getComputedStyle(at).opacity);
                const own = rgb(getComputedStyle(text).color).map(
                    (value, k) => ground[k] + opacity * (value - ground[k]),
                );
                const [low, high] = [light(own), light(ground)].sort((a, b) => a - b);
                return high / low;
            });
        return Math.min(...contrasts);
    }, selector);
}

export function keysTests(fixture) {
    test("Space presses the control that the keyboard has reached, and plays otherwise", async () => {
        const { visit, engine } = fixture;
        await loadPaused(fixture, "sheet.yaml");
        await visit.tab("view");
        const wires = '[data-look="wireframe"] .switch';
        await reach(visit, wires);
        for (const isOn of [true, false]) {
            await visit.page.keyboard.press(" ");
            assert.equal(await visit.page.isChecked(wires), isOn);
        }
        assert.equal((await engine.act("state")).playing, false);
        await visit.mode("pin"); // with the mouse: the button has the focus, but was not reached
        for (const isOn of [true, false]) {
            await visit.page.keyboard.press(" ");
            await until(`the page plays: ${isOn}`, async () => {
                return (await visit.page.getAttribute("#play", "data-playing")) === String(isOn);
            });
        }
        assert.equal(await visit.page.getAttribute('#modes [data-mode="pin"]', "aria-pressed"), "true");
        await visit.mode("hand");
    });

    test("arrow keys move in menus, tabs and tools", async () => {
        const { visit } = fixture;
        const { keyboard } = visit.page;
        await reach(visit, "#compare");
        assert.equal(await focused(visit, "aria-expanded"), "false");
        for (const [key, panes] of [
            ["Enter", "1"],
            ["ArrowDown", "2"],
            ["End", "4"],
            ["ArrowDown", "1"],
        ]) {
            await keyboard.press(key);
            assert.equal(await focused(visit, "data-panes"), panes, key);
        }
        assert.equal(await visit.page.getAttribute("#compare", "aria-expanded"), "true");
        await keyboard.press("Escape");
        assert.equal(await focused(visit, "id"), "compare");
        assert.equal(await focused(visit, "aria-expanded"), "false");

        await reach(visit, '[role="tab"][aria-selected="true"]');
        await keyboard.press("Home");
        await keyboard.press("ArrowRight");
        assert.equal(await focused(visit, "data-tab"), "cloth");
        assert.ok(await visit.page.isVisible('[data-page="cloth"]'));
        await reach(visit, '#modes [data-mode="hand"]');
        await keyboard.press("ArrowRight");
        await keyboard.press(" ");
        assert.equal(await visit.page.getAttribute('#modes [data-mode="select"]', "aria-pressed"), "true");
        for (const bar of ['[role="tab"]', "#modes [data-mode]"])
            assert.equal(await visit.page.locator(`${bar}[tabindex="0"]`).count(), 1, `one of ${bar} for Tab`);
        await visit.mode("hand");
    });

    test("names of fields without effect can be read in both themes", async () => {
        const { visit } = fixture;
        await loadPaused(fixture, "sheet.yaml");
        await visit.tab("cloth");
        for (let i = 0; i < 2; i++) {
            const contrast = await leastContrast(visit, ".row.idle > .name");
            assert.ok(contrast >= 4.5 && contrast < 21, `contrast ${contrast}`);
            await visit.page.click("#theme");
        }
    });
}
