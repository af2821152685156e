// Files in and out: a mesh dropped, exports, a recording that `weft run` replays.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { until } from "./fixture.mjs";
import { setPlaying, still } from "./time.mjs";

const CENTRE_RIGHT = 149; // vertex (13, 8)

/** A cap of n x n quads. */
function cap(n) {
    const lines = [];
    for (let j = 0; j <= n; j++)
        for (let i = 0; i <= n; i++) {
            const [x, z] = [i / n - 0.5, j / n - 0.5];
            lines.push(`v ${x} ${1.5 - x * x - z * z} ${z}`);
        }
    for (let j = 0; j < n; j++)
        for (let i = 1; i <= n; i++) {
            const a = j * (n + 1) + i;
            lines.push(`f ${a} ${a + n + 1} ${a + n + 2} ${a + 1}`);
        }
    return lines.join("\n") + "\n";
}

export function filesTests(fixture) {
    test("a mesh dropped onto the page becomes the cloth", async () => {
        const { visit, engine } = fixture;
        await engine.act("load", { scene: "sheet.yaml" });
        await until("the sheet", async () => (await visit.page.title()) === "sheet · Weft studio");
        const data = await visit.page.evaluateHandle(text => {
            const transfer = new DataTransfer();
            transfer.items.add(new File([text], "cap.obj"));
            return transfer;
        }, cap(6));
        await visit.page.dispatchEvent("#canvas", "dragover", { dataTransfer: data });
        await visit.page.dispatchEvent("#canvas", "drop", { dataTransfer: data });
        await until("49 vertices", () => engine.shapes.get("0 0").vertices === 49);
        await until("49 in the page", () =>
            visit.page.evaluate(() => window.weft.stage.panes[0].cloths[0].shape.vertices === 49),
        );
        await visit.page.setInputFiles("#mesh-file", {
            name: "not-a-mesh.obj",
            mimeType: "text/plain",
            buffer: Buffer.from("v 1 2 junk\n"),
        });
        const notice = await until("the complaint", () => visit.page.locator(".notice.error").first().textContent());
        assert.match(notice, /^uploads\/not-a-mesh\.obj:1: /);
        assert.equal(engine.shapes.get("0 0").vertices, 49);
    });

    test("frame and take are exported", async () => {
        const { visit, engine } = fixture;
        await setPlaying(fixture, false);
        await engine.act("load", { scene: "sheet.yaml" });
        await engine.act("step", { count: 6 });
        await until("frame 6", () => engine.frame.frame === 6 && engine.shapes.get("0 0").vertices === 289);
        const get = async kind => {
            const waiting = visit.page.waitForEvent("download");
            await visit.page.click("#export");
            await visit.page.click(`[data-export="${kind}"]`);
            const download = await waiting;
            const [what, format] = kind.split("-");
            assert.equal(download.suggestedFilename(), `sheet${what === "frame" ? "-frame-6" : ""}.${format}`);
            return readFileSync(await download.path());
        };
        const obj = String(await get("frame-obj"))
            .split("\n")
            .filter(line => line.startsWith("v "));
        assert.ok(obj.length >= 289);
        const hem = obj[280].split(" ").slice(1).map(Number);
        engine.vertex(280).forEach((value, k) => assert.ok(Math.abs(value - hem[k]) < 1e-4, `${hem}`));
        assert.equal((await get("frame-glb")).toString("latin1", 0, 4), "glTF");
        assert.equal((await get("frame-png")).toString("latin1", 1, 4), "PNG");
        const take = await get("take-glb");
        assert.equal(take.toString("latin1", 0, 4), "glTF");
        assert.ok(take.includes('"animations"'), "the take moves");
        assert.equal((await get("take-mp4")).toString("latin1", 4, 8), "ftyp");
    });

    test("an export shows its progress and can be cancelled", async () => {
        const { visit, engine } = fixture;
        await engine.act("load", { scene: "sheet.yaml" });
        await engine.act("step", { count: 60 });
        await until("60 frames", async () => (await engine.act("state")).panes[0].frame === 60);
        await visit.page.click("#export");
        await visit.page.click('[data-export="take-mp4"]');
        const job = visit.page.locator(".job");
        await until("its progress", async () => /Animation as MP4.*\d %/.test(await job.textContent()));
        await visit.whileNoticesStay(async () => {
            await job.locator(".cancel").click();
            await until("it is gone", async () => (await job.count()) === 0);
            const notice = visit.page.locator(".notice", { hasText: "Animation as MP4: cancelled" });
            await until("it is told", async () => (await notice.count()) === 1);
        });
        assert.ok(engine.last("export").cancelled);
    });

    test("a recording is indicated, listed in the gallery, and opens when it is dropped", async () => {
        const { visit, engine } = fixture;
        await engine.act("load", { scene: "sheet.yaml" });
        const isOn = async () => ((await visit.page.getAttribute("#record", "class")) ?? "").includes("recording");
        assert.ok(!(await isOn()));
        await visit.page.click("#record");
        await visit.page.click('[data-record="start"]');
        await until("the indicator", isOn);
        await engine.act("pin", { vertices: [144] });
        await engine.act("step", { count: 8 });
        await until("8 frames", async () => (await engine.act("state")).panes[0].frame === 8);
        const { state_hash: hash } = await engine.act("record", { action: "save", name: "pinned" });
        await until("no indicator", async () => !(await isOn()));
        await engine.act("load", { scene: "hanging-sheet" });
        await visit.page.click("#scenes");
        await visit.page.click('[data-recording="pinned"]');
        await until("it is open", () => engine.last("scene").name === "pinned");
        await until("it plays", () => engine.frame.frame > 8);
        await engine.act("scrub", { frame: 8 });
        assert.deepEqual(await engine.hashes(), [hash]);
        const texts = ["yaml", "inputs"].map(kind => [
            `dropped.${kind}`,
            readFileSync(`recordings/pinned.${kind}`, "utf8").replace("pinned.inputs", "dropped.inputs"),
        ]);
        const data = await visit.page.evaluateHandle(files => {
            const transfer = new DataTransfer();
            for (const [name, text] of files) transfer.items.add(new File([text], name));
            return transfer;
        }, texts);
        await visit.page.dispatchEvent("#canvas", "drop", { dataTransfer: data });
        await until("the dropped one is open", () => engine.last("scene").name === "dropped");
        await until("it plays as well", () => engine.frame.frame > 8);
        await engine.act("scrub", { frame: 8 });
        assert.deepEqual(await engine.hashes(), [hash]);
        await setPlaying(fixture, false);
    });

    test("a recording is replayed by weft run to the same bits", async () => {
        const { visit, engine } = fixture;
        await engine.act("load", { scene: "sheet.yaml" });
        await visit.page.click("#record");
        await visit.page.click('[data-record="start"]');
        await until("frame 0", () => engine.frame.frame === 0);
        await until("frame 0 in the page", async () => (await visit.frame()) === 1);
        await visit.mode("hand");
        await setPlaying(fixture, true);
        await until("some frames", () => engine.frame.frame > 5);
        await still(fixture);
        const held = () => engine.frame.panes[0].cloths[0].held;
        const spot = await visit.spot(144);
        await visit.stroke([spot, { x: spot.x + 70, y: spot.y - 40 }], {
            held: () => engine.act("play"),
            before: () => until("it is in the hand", () => held().includes(spot.vertex)),
        });
        await still(fixture);
        const pinned = await visit.spot(CENTRE_RIGHT);
        assert.ok(pinned.meets);
        await visit.page.mouse.dblclick(pinned.x, pinned.y);
        await until("it is pinned", () => held().includes(pinned.vertex));
        await setPlaying(fixture, true);
        await visit.mode("wind");
        const { frame } = engine.frame;
        await visit.stroke(
            [
                { x: spot.x - 110, y: spot.y },
                { x: spot.x, y: spot.y },
            ],
            { before: () => until("it blows a while", () => engine.frame.frame > frame + 3) },
        );
        await visit.mode("hand");
        await setPlaying(fixture, false);
        const now = async () => (await engine.act("state")).panes[0].frame;
        const begun = await now();
        await visit.page.click("#step"); // to the end of a frame: that is where recordings end
        await until("its end", async () => (await now()) > begun);
        const downloads = [];
        visit.page.on("download", download => downloads.push(download.suggestedFilename()));
        await visit.page.click("#record");
        const notice = await visit.whileNoticesStay(async () => {
            await visit.page.click('[data-record="save"]');
            return visit.page.locator(".notice", { hasText: "recordings/sheet" }).textContent();
        });
        const [, hash] = notice.match(/state ([0-9a-f]{16})/);
        assert.deepEqual(await engine.hashes(), [hash]);
        const inputs = readFileSync("recordings/sheet.inputs", "utf8");
        for (const kind of ["drag", "release", "pin", "add-force wind"]) assert.match(inputs, new RegExp(kind));
        await until("both files", () => downloads.length === 2);
        execFileSync(process.env.WEFT, ["run", "recordings/sheet.yaml", "--out", "replayed", "--quiet"]);
        const report = JSON.parse(readFileSync("replayed/report.json", "utf8"));
        assert.equal(report.state_hash, hash);
    });

    test("another recording of the scene gets a name of its own", async () => {
        const { visit } = fixture;
        const before = readFileSync("recordings/sheet.inputs", "utf8");
        await visit.whileNoticesStay(async () => {
            await visit.page.click("#record");
            await visit.page.click('[data-record="save"]');
            const notice = visit.page.locator(".notice", { hasText: "Saved recordings/sheet-2.yaml" });
            await until("the name", async () => (await notice.count()) === 1);
        });
        assert.equal(readFileSync("recordings/sheet.inputs", "utf8"), before);
        await visit.page.click("#scenes");
        const button = visit.page.locator('[data-recording="sheet"]');
        await until("it is listed", async () => (await button.count()) === 1);
        assert.equal(await button.textContent(), "sheet (recording)");
        await visit.page.keyboard.press("Escape");
    });

    test("files given to the page replace no recording", async () => {
        const { visit, engine } = fixture;
        const read = name => readFileSync(`recordings/${name}`, "utf8");
        const before = ["sheet.yaml", "pinned.yaml", "pinned.inputs"].map(read);
        const file = (name, text) => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
        const scene = readFileSync("sheet.yaml", "utf8");
        await visit.whileNoticesStay(async () => {
            await visit.page.setInputFiles("#mesh-file", file("sheet.yaml", scene));
            const notice = visit.page.locator(".notice.error", { hasText: "sheet.yaml is not a mesh file" });
            await until("the complaint", async () => (await notice.count()) === 1);
        });
        await visit.page.setInputFiles("#recording-files", file("sheet.yaml", scene));
        await until("the scene is open", () => engine.last("scene").path === "uploads/sheet.yaml");
        // another recording of that name keeps its own inputs
        const other = read("sheet.yaml").replace("sheet.inputs", "pinned.inputs");
        await visit.page.setInputFiles("#recording-files", [
            file("pinned.yaml", other),
            file("pinned.inputs", read("sheet.inputs")),
        ]);
        await until("the recording is open", () => engine.last("scene").path === "recordings/pinned-2.yaml");
        await until("the page says so", async () => /^pinned-2 \(recording\)/.test(await visit.page.title()));
        assert.match(read("pinned-2.yaml"), /^inputs: .*pinned-2\.inputs/m);
        assert.equal(read("pinned-2.inputs"), read("sheet.inputs"));
        assert.deepEqual(["sheet.yaml", "pinned.yaml", "pinned.inputs"].map(read), before);
        await setPlaying(fixture, false);
    });
}
