// Pinch and throw, pin and free, select, cut, bodies, wind, touch; undo.
import assert from "node:assert/strict";
import { test } from "node:test";
import { distance, until, Visit } from "./fixture.mjs";
import { setPlaying, settled } from "./time.mjs";

const CENTRE = 144; // vertex (8, 8)
const TOP = 25; // vertex (8, 1)
const HEM = 280; // vertex (8, 16)

async function steps(fixture, count) {
    const { engine, visit } = fixture;
    const start = await settled(engine);
    await engine.act("step", { count });
    await until(`${count} frames`, () => engine.frame.frame >= start + count);
    await until("the page has them", async () => (await visit.frame()) > start + count);
}

/** Paused at frame 0, flat as it was made: each vertex is seen. */
async function startOver(fixture) {
    const { visit, engine } = fixture;
    await setPlaying(fixture, false);
    await engine.act("step"); // so that the frame 0 that comes is not an old one
    await until("a later frame in the page", async () => (await visit.frame()) > 1);
    await visit.page.keyboard.press("r");
    await until("frame 0", () => engine.frame.frame === 0);
    await until("frame 0 in the page", async () => (await visit.frame()) === 1);
}

/** Also where both are on the cloth: the first lets go of it. */
async function twoFingersZoom(phone, engine, touch) {
    const away = () =>
        phone.page.evaluate(() => {
            const { camera, controls } = window.weft.stage;
            return camera.position.distanceTo(controls.target);
        });
    const before = await away();
    const spot = await phone.spot(CENTRE);
    assert.ok(spot.meets);
    const first = { x: spot.x, y: spot.y, id: 0 };
    await touch("touchStart", [first]);
    await engine.act("play");
    // The browser takes less than 15 pixels for a finger that rests.
    for (const x of [spot.x - 8, spot.x - 20]) await touch("touchMove", [{ ...first, x }]);
    const held = () => engine.frame.panes[0].cloths[0].held.includes(spot.vertex);
    await until("one finger holds", held);
    const pair = reach => [
        { ...first, x: spot.x - reach },
        { x: spot.x + reach, y: spot.y, id: 1 },
    ];
    await touch("touchStart", pair(20));
    await until("two do not", () => !held());
    for (const reach of [30, 45, 60, 75]) await touch("touchMove", pair(reach));
    await until("they zoom", async () => (await away()) < 0.6 * before);
    await touch("touchEnd", []);
    await phone.page.evaluate(() => window.weft.stage.goHome());
}

export function handsTests(fixture) {
    test("a drag moves the cloth here and there, in the plane of the screen", async () => {
        const { visit, engine } = fixture;
        await visit.mode("hand");
        await startOver(fixture);
        const spot = await visit.spot(CENTRE);
        assert.ok(spot.meets);
        const start = engine.vertex(spot.vertex);
        const depth = () =>
            visit.page.evaluate(p => {
                const { camera } = window.weft.stage;
                const forward = camera.getWorldDirection(camera.position.clone());
                return camera.position
                    .clone()
                    .set(...p)
                    .sub(camera.position)
                    .dot(forward);
            }, engine.vertex(spot.vertex));
        const before = await depth();
        const to = { x: spot.x - 110, y: spot.y - 60 };
        await visit.stroke([spot, to], {
            held: () => engine.act("play"),
            before: async () => {
                await until("the engine follows", () => distance(engine.vertex(spot.vertex), start) > 0.2);
                await until("it arrives under the pointer", async () => {
                    const at = await visit.project(engine.vertex(spot.vertex));
                    return Math.hypot(at.x - to.x, at.y - to.y) < 4;
                });
                await until(
                    "the page shows it",
                    async () => distance(await visit.vertex(spot.vertex), engine.vertex(spot.vertex)) < 0.01,
                );
                assert.ok(Math.abs((await depth()) - before) < 0.01, "the depth stays");
                assert.ok(engine.frame.panes[0].cloths[0].held.includes(spot.vertex));
            },
        });
        await until("it is let go", () => !engine.frame.panes[0].cloths[0].held.includes(spot.vertex));
        const let_go = engine.vertex(spot.vertex);
        await until("and falls back", () => distance(engine.vertex(spot.vertex), let_go) > 0.1);
    });

    test("a double click pins, another frees, undo takes it back", async () => {
        const { visit, engine } = fixture;
        await startOver(fixture);
        const spot = await visit.spot(CENTRE);
        const { vertex } = spot;
        await visit.page.mouse.dblclick(spot.x, spot.y);
        await until("it is pinned", () => engine.frame.panes[0].cloths[0].held.includes(vertex));
        const place = engine.vertex(vertex);
        await steps(fixture, 10);
        assert.ok(distance(engine.vertex(vertex), place) < 1e-6, "a pin holds");
        await until("the page shows the pin", async () => (await visit.held()).includes(vertex));
        const again = await visit.spot(vertex);
        await visit.page.mouse.dblclick(again.x, again.y);
        await until("it is free", () => !engine.frame.panes[0].cloths[0].held.includes(vertex));
        await steps(fixture, 10);
        assert.ok(distance(engine.vertex(vertex), place) > 1e-3, "what is free falls");
        await visit.page.keyboard.press("Control+z");
        await until("undone: pinned again", () => engine.frame.panes[0].cloths[0].held.includes(vertex));
        await visit.page.keyboard.press("Control+Shift+z");
        await until("redone: free again", () => !engine.frame.panes[0].cloths[0].held.includes(vertex));
        await visit.page.click("#undo");
        await visit.page.click("#undo");
        await until("both undone", () => !engine.frame.panes[0].cloths[0].held.includes(vertex));
    });

    test("a double click pins what its first press has met, though the cloth falls away", async () => {
        const { visit, engine } = fixture;
        await startOver(fixture);
        await visit.mode("hand");
        const spot = await visit.spot(TOP);
        const { mouse } = visit.page;
        await mouse.move(spot.x, spot.y);
        await mouse.down();
        await mouse.up();
        await visit.page.evaluate(() => window.weft.stage.setBusy(true)); // or else the camera would follow
        await engine.act("free", { vertices: [0, 16] });
        await steps(fixture, 30);
        const empty = await visit.page.evaluate(
            ([x, y]) => {
                const { stage } = window.weft;
                const box = stage.canvas.getBoundingClientRect();
                return stage.panes[0].cast(stage.ray(x - box.left, y - box.top, 0)) === null;
            },
            [spot.x, spot.y],
        );
        assert.ok(empty, "nothing is left under the pointer");
        await mouse.down({ clickCount: 2 });
        await mouse.up({ clickCount: 2 });
        await until("it is pinned", () => engine.frame.panes[0].cloths[0].held.join() === String(spot.vertex));
        for (let i = 0; i < 2; i++) await visit.page.keyboard.press("Control+z");
        await until("undone", () => engine.frame.panes[0].cloths[0].held.join() === "0,16");
    });

    test("the pin mode pins by one click", async () => {
        const { visit, engine } = fixture;
        await startOver(fixture);
        await visit.mode("pin");
        const spot = await visit.spot(CENTRE);
        await visit.page.mouse.click(spot.x, spot.y);
        await until("it is pinned", () => engine.frame.panes[0].cloths[0].held.includes(spot.vertex));
        await until("the page knows", async () => (await visit.held()).includes(spot.vertex));
        await visit.page.mouse.click(spot.x, spot.y);
        await until("it is free", () => !engine.frame.panes[0].cloths[0].held.includes(spot.vertex));
    });

    test("a box selects, and what is selected is pinned, dragged and freed together", async () => {
        const { visit, engine } = fixture;
        await engine.act("set", { path: "contact.self", value: "false" }); // vertices are dragged onto each other
        await startOver(fixture);
        await visit.page.keyboard.press("2");
        const a = await visit.project([-0.15, 1.4, 0]);
        const b = await visit.project([0.15, 1.1, 0]);
        await visit.stroke([a, b]);
        const chosen = await visit.page.evaluate(() => [...window.weft.stage.panes[0].cloths[0].selected]);
        const inside = Array.from({ length: 289 }, (_, i) => i).filter(i => {
            const [x, y] = [-0.5 + (i % 17) / 16, 2 - Math.floor(i / 17) / 16];
            return Math.abs(x) < 0.15 && y > 1.1 && y < 1.4;
        });
        assert.deepEqual(
            chosen.sort((x, y) => x - y),
            inside,
        );
        await visit.page.keyboard.press("p");
        await until("all are pinned", () => inside.every(i => engine.frame.panes[0].cloths[0].held.includes(i)));
        await visit.page.keyboard.press("u");
        await until("none is", () => inside.every(i => !engine.frame.panes[0].cloths[0].held.includes(i)));
        const spot = await visit.spot(inside[Math.floor(inside.length / 2)]);
        const start = inside.map(i => engine.vertex(i));
        await visit.stroke([spot, { x: spot.x + 60, y: spot.y + 20 }], {
            held: () => engine.act("play"),
            before: () => until("all follow", () => inside.every((i, k) => distance(engine.vertex(i), start[k]) > 0.1)),
        });
        await visit.page.keyboard.press("Escape");
        assert.equal(await visit.page.evaluate(() => window.weft.stage.panes[0].cloths[0].selected.size), 0);
        await engine.act("set", { path: "contact.self", value: "auto" });
    });

    test("a stroke cuts", async () => {
        const { visit, engine } = fixture;
        await startOver(fixture);
        const whole = engine.shapes.get("0 0").vertices;
        await visit.mode("cut");
        await visit.stroke([await visit.project([-0.3, 1.28, 0]), await visit.project([0.6, 1.28, 0])], { steps: 12 });
        await until("doubled vertices", () => engine.shapes.get("0 0").vertices > whole);
        const { links } = engine.shapes.get("0 0");
        await until(
            "the page has them",
            async () =>
                (await visit.page.evaluate(() => window.weft.stage.panes[0].cloths[0].shape.types.length)) === links,
        );
        // Twelve columns hang by the rest: the right lower corner falls, the left one stays.
        await steps(fixture, 40);
        assert.ok(
            engine.vertex(288)[1] < engine.vertex(272)[1] - 0.05,
            `${engine.vertex(288)[1]} and ${engine.vertex(272)[1]}`,
        );
        await visit.page.click("#restart");
        await visit.mode("hand");
    });

    test("undo takes a cut and a drag back", async () => {
        const { visit, engine } = fixture;
        await startOver(fixture);
        const whole = engine.shapes.get("0 0").vertices;
        await steps(fixture, 5);
        const spot = await visit.spot(CENTRE);
        const start = engine.vertex(spot.vertex);
        await visit.mode("hand");
        await visit.stroke([spot, { x: spot.x + 80, y: spot.y }], {
            held: () => engine.act("play"),
            before: () => until("it moves", () => distance(engine.vertex(spot.vertex), start) > 0.1),
        });
        await setPlaying(fixture, false);
        await visit.mode("cut");
        const [left, right] = [await visit.project([-0.6, 1.6, 0]), await visit.project([0.6, 1.6, 0])];
        await visit.stroke([left, right], { steps: 12 });
        await until("doubled vertices", () => engine.shapes.get("0 0").vertices > whole);
        await steps(fixture, 5);
        await visit.page.keyboard.press("Control+z");
        await until("whole again", () => engine.shapes.get("0 0").vertices === whole);
        await visit.page.keyboard.press("Control+z");
        await until("about as before the drag", () => distance(engine.vertex(spot.vertex), start) < 0.05);
        await visit.mode("hand");
    });

    // Notices of the cuts and undos before it may lie over the ball: they must let the pointer through.
    test("a body goes where it is dragged, and by its gizmo", async () => {
        const { visit, engine } = fixture;
        await visit.mode("body");
        const middle = () => {
            const x = engine.frame.panes[0].bodies[0].positions;
            const sum = x.reduce((total, value, i) => ((total[i % 3] += value), total), [0, 0, 0]);
            return x.length > 0 ? sum.map(value => (3 * value) / x.length) : [0.9, 1.2, 0];
        };
        await setPlaying(fixture, true);
        const from = await visit.project([0.9, 1.2, 0]);
        await visit.stroke([from, { x: from.x - 60, y: from.y }]);
        await until("it has moved", () => middle()[0] < 0.6);
        const start = middle();
        assert.ok(Math.abs(start[1] - 1.2) < 0.05, "not up or down");
        await until("the panels know its place", () => JSON.parse(engine.param("bodies.sphere.at"))[0] < 0.6);
        // The arrow of y stands in the middle; the gizmo must have drawn itself there before it feels the pointer.
        const drawn = await visit.page.evaluate(() => window.weft.stage.drawn);
        await until("the gizmo", async () => (await visit.page.evaluate(() => window.weft.stage.drawn)) > drawn + 1);
        const centre = await visit.project(start);
        const arrow = { x: centre.x, y: centre.y - 30 };
        await visit.page.mouse.move(arrow.x, arrow.y - 2);
        await visit.stroke([arrow, { x: arrow.x + 3, y: arrow.y - 50 }]);
        await until("it has risen", () => middle()[1] > start[1] + 0.1);
        assert.ok(Math.abs(middle()[0] - start[0]) < 0.01, "along y only");
        await visit.page.keyboard.press("Escape");
    });

    test("wind blows the way of the drag, seen from the side, and ceases", async () => {
        const { visit, engine } = fixture;
        await visit.page.click("#restart");
        await setPlaying(fixture, true);
        await visit.mode("orbit");
        const corner = await visit.page.locator("#canvas").boundingBox();
        const low = { x: corner.x + corner.width - 40, y: corner.y + corner.height - 30 };
        await visit.stroke([low, { x: low.x - 110, y: low.y }]);
        const right = await until("the camera has turned", () =>
            visit.page.evaluate(() => {
                const m = window.weft.stage.camera.matrixWorld.elements;
                return Math.abs(m[2]) > 0.5 ? [m[0], m[1], m[2]] : null;
            }),
        );
        await visit.mode("wind");
        const along = () => engine.vertex(HEM).reduce((sum, value, k) => sum + value * right[k], 0);
        const start = along();
        const a = { x: corner.x + 90, y: corner.y + 60 };
        await visit.stroke([a, { x: a.x + 180, y: a.y }], {
            before: () => until("the hem goes along", () => along() > start + 0.1),
        });
        await until("and comes back", () => along() < start + 0.05);
        await visit.mode("hand");
        await visit.page.keyboard.press("f");
        await setPlaying(fixture, false);
    });

    test("at phone size a finger drags the cloth", async () => {
        const { browser, url, engine } = fixture;
        const phone = await Visit.open(browser, url, {
            viewport: { width: 390, height: 844 },
            hasTouch: true,
            isMobile: true,
            colorScheme: "light",
        });
        await startOver({ visit: phone, engine });
        const spot = await phone.spot(CENTRE);
        assert.ok(spot.meets);
        const session = await phone.context.newCDPSession(phone.page);
        const touch = (type, touchPoints, timestamp) =>
            session.send("Input.dispatchTouchEvent", { type, touchPoints, timestamp });
        const start = engine.vertex(spot.vertex);
        await touch("touchStart", [{ x: spot.x, y: spot.y }]);
        await engine.act("play");
        for (let i = 1; i <= 6; i++) await touch("touchMove", [{ x: spot.x + 8 * i, y: spot.y - 4 * i }]);
        await until("it follows the finger", () => distance(engine.vertex(spot.vertex), start) > 0.1);
        await touch("touchEnd", []);
        await until("it is let go", () => !engine.frame.panes[0].cloths[0].held.includes(spot.vertex));
        await startOver({ visit: phone, engine });
        await twoFingersZoom(phone, engine, touch);
        await startOver({ visit: phone, engine });
        const tapped = await phone.spot(CENTRE);
        assert.ok(tapped.meets);
        const begin = Date.now() / 1000;
        for (const [i, type] of ["touchStart", "touchEnd", "touchStart", "touchEnd"].entries())
            await touch(type, i % 2 ? [] : [{ x: tapped.x, y: tapped.y }], begin + 0.05 * i);
        await until("two taps pin", () => engine.frame.panes[0].cloths[0].held.includes(tapped.vertex));
        await engine.act("undo");
        await phone.page.tap('[role="tab"][data-tab="cloth"]');
        const sheet = await phone.page.locator("#sidebar").boundingBox();
        assert.ok(sheet.height > 300 && sheet.width === 390, "the sheet is open");
        const wide = await phone.page.evaluate(() => document.documentElement.scrollWidth);
        assert.equal(wide, 390, "nothing sticks out");
        assert.deepEqual(phone.errors, []);
        await phone.close();
        await engine.act("pause");
    });
}
