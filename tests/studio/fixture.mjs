// A studio in a folder of its own, a browser with its page, and another viewer that is asked what the engine did.
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { createConnection, createServer } from "node:net";
import { chromium } from "playwright-core";
import { Engine } from "./engine.mjs";

const PATIENCE = 180000; // ms; the machine may be busy and draws without a graphics card

export async function until(what, check, patience = PATIENCE) {
    const end = Date.now() + patience;
    let value;
    for (;;) {
        value = await check();
        if (value) return value;
        if (Date.now() > end) throw new Error(`waited ${patience / 1000} s in vain: ${what}`);
        await new Promise(resolve => setTimeout(resolve, 40));
    }
}

/** Options of tests that take half a minute: `make test-all` runs them. */
export const slow = { skip: process.env.WEFT_TEST_FULL === "1" ? false : "make test-all runs it" };

export const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

/** Starts `weft studio` and resolves to the address that it prints. */
export function startStudio(folder, ...args) {
    mkdirSync(folder, { recursive: true });
    const child = spawn(process.env.WEFT, ["studio", ...args, "--no-open"], {
        cwd: folder,
        stdio: ["ignore", "pipe", "pipe"],
    });
    let said = "";
    const url = new Promise((resolve, reject) => {
        const read = chunk => {
            said += chunk;
            const found = said.match(/http:\/\/127\.0\.0\.1:\d+\/\?token=[0-9a-f]+/);
            if (found) resolve(found[0]);
        };
        child.stdout.on("data", read);
        child.stderr.on("data", read);
        child.on("exit", code => reject(new Error(`weft studio ended with ${code}: ${said}`)));
        setTimeout(() => reject(new Error(`weft studio printed no address: ${said}`)), PATIENCE).unref();
    });
    return { child, url, said: () => said };
}

/** A way to the studio that can be cut: what an SSH tunnel does when the network goes. */
export async function openTunnel(port) {
    const pairs = new Set();
    let broken = false;
    const server = createServer(near => {
        if (broken) {
            near.destroy();
            return;
        }
        const far = createConnection(port, "127.0.0.1");
        near.pipe(far).pipe(near);
        pairs.add(near).add(far);
        for (const socket of [near, far]) {
            socket.on("error", () => undefined);
            socket.on("close", () => pairs.delete(socket));
        }
    });
    await new Promise(resolve => server.listen(0, "127.0.0.1", resolve));
    return {
        port: server.address().port,
        cut() {
            broken = true;
            for (const socket of pairs) socket.destroy();
        },
        mend() {
            broken = false;
        },
        close() {
            this.cut();
            server.close();
        },
    };
}

export function launchBrowser() {
    return chromium.launch({
        executablePath: process.env.CHROMIUM,
        args: [
            "--no-sandbox",
            "--use-gl=angle",
            "--use-angle=swiftshader",
            "--enable-unsafe-swiftshader",
            "--ignore-gpu-blocklist",
            "--disable-gpu-rasterization",
            "--disable-accelerated-2d-canvas",
        ],
    });
}

/** Runs in pages: the website then does not store its files for use without a network, which takes a while. */
export function withoutServiceWorker() {
    delete Navigator.prototype.serviceWorker;
}

export class Visit {
    errors = [];

    static async open(browser, url, options = {}) {
        const visit = new Visit();
        visit.context = await browser.newContext({
            viewport: { width: 900, height: 560 },
            acceptDownloads: true,
            ...options,
        });
        await visit.context.addInitScript(withoutServiceWorker);
        visit.page = await visit.context.newPage();
        visit.page.setDefaultTimeout(PATIENCE);
        visit.page.on("console", message => {
            if (message.type() === "error" || message.type() === "warning") visit.errors.push(message.text());
        });
        visit.page.on("pageerror", error => visit.errors.push(error.message));
        await visit.page.goto(url);
        await until("a frame in the page", () => visit.frame());
        return visit;
    }

    /** Number of the frame that was drawn last, from 1 on; null before any. */
    frame() {
        return this.page.evaluate(() => (window.weft.stage.frame ? window.weft.stage.frame.frame + 1 : null));
    }

    vertex(index, pane = 0, cloth = 0) {
        return this.page.evaluate(
            ([i, p, c]) => Array.from(window.weft.stage.panes[p].cloths[c].positions.slice(3 * i, 3 * i + 3)),
            [index, pane, cloth],
        );
    }

    held(pane = 0, cloth = 0) {
        return this.page.evaluate(([p, c]) => Array.from(window.weft.stage.panes[p].cloths[c].held), [pane, cloth]);
    }

    /** Where a vertex is on the screen, and what a click there meets; whole pixels, as a mouse has them. */
    spot(index, pane = 0, cloth = 0) {
        return this.page.evaluate(
            ([i, p, c]) => {
                const { stage } = window.weft;
                const box = stage.canvas.getBoundingClientRect();
                const x = stage.panes[p].cloths[c].positions;
                const seen = stage.project(x[3 * i], x[3 * i + 1], x[3 * i + 2], p);
                const at = { x: Math.round(box.left + seen.x), y: Math.round(box.top + seen.y) };
                const hit = stage.panes[p].cast(stage.ray(at.x - box.left, at.y - box.top, p));
                return {
                    ...at,
                    meets: hit !== null && hit.cloth === c,
                    vertex: hit?.vertex,
                };
            },
            [index, pane, cloth],
        );
    }

    /** Where a point of space is on the screen. */
    project(point, pane = 0) {
        return this.page.evaluate(
            ([q, p]) => {
                const { stage } = window.weft;
                const box = stage.canvas.getBoundingClientRect();
                const at = stage.project(q[0], q[1], q[2], p);
                return { x: box.left + at.x, y: box.top + at.y };
            },
            [point, pane],
        );
    }

    /** Down, along the way in steps, and up; `held` runs before it moves, `before` with the button still down. */
    async stroke(points, { steps = 6, held, before } = {}) {
        const { mouse } = this.page;
        await mouse.move(points[0].x, points[0].y);
        await mouse.down();
        try {
            if (held) await held();
            for (const point of points.slice(1)) await mouse.move(point.x, point.y, { steps });
            if (before) await before();
        } finally {
            await mouse.up();
        }
    }

    /** Meanwhile notices do not go by themselves: a slow machine would not see them in time. */
    async whileNoticesStay(act) {
        await this.page.evaluate(() => {
            const own = window.setTimeout;
            window.setTimeout = (call, ms, ...rest) => (ms === 4000 || ms === 9000 ? 0 : own(call, ms, ...rest));
            window.letNoticesGo = () => {
                window.setTimeout = own;
                for (const notice of document.querySelectorAll(".notice")) notice.remove();
            };
        });
        try {
            return await act();
        } finally {
            await this.page.evaluate(() => window.letNoticesGo());
        }
    }

    mode(name) {
        return this.page.click(`[data-mode="${name}"]`);
    }

    tab(name) {
        return this.page.click(`[role="tab"][data-tab="${name}"]`); // the panel names its tab as well
    }

    /** Opens the section if it is folded. */
    async unfold(key) {
        const open = await this.page.getAttribute(`[data-section="${key}"]`, "open");
        if (open === null) await this.page.click(`[data-section="${key}"] > summary`);
    }

    /** How many colours a part of the page has, and the share of the most frequent one. */
    async colours(clip) {
        const png = await this.page.screenshot({ clip });
        return this.page.evaluate(async data => {
            const image = new Image();
            image.src = `data:image/png;base64,${data}`;
            await image.decode();
            const canvas = document.createElement("canvas");
            canvas.width = image.width;
            canvas.height = image.height;
            const context = canvas.getContext("2d");
            context.drawImage(image, 0, 0);
            const pixels = new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer);
            const counts = new Map();
            for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
            return { colours: counts.size, most: Math.max(...counts.values()) / pixels.length };
        }, png.toString("base64"));
    }

    close() {
        return this.context.close();
    }
}

export { Engine };
