// Opens the page of the Vite project in the present folder, built and from the development server: it draws a cloth.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { launchBrowser, until } from "./fixture.mjs";
import { serve } from "./serve.mjs";

async function look(browser, url) {
    const page = await browser.newPage({ viewport: { width: 300, height: 200 } });
    const errors = [];
    page.on("console", message => message.type() === "error" && errors.push(message.text()));
    page.on("pageerror", error => errors.push(error.message));
    await page.goto(url);
    const picture = async () => (await page.screenshot()).toString("base64");
    await until(`a cloth at ${url}`, async () => errors.length > 0 || (await page.locator("canvas").count()) === 1);
    const first = await picture();
    await until(`it moves at ${url}`, async () => errors.length > 0 || (await picture()) !== first);
    assert.deepEqual(errors, [], url);
    await page.close();
}

const browser = await launchBrowser();
const built = await serve("dist");
await look(browser, built.url);
built.close();

const development = spawn("npx", ["vite", "--host", "127.0.0.1"], {
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
});
try {
    let said = "";
    development.stdout.on("data", text => (said += text));
    // Vite colours the port
    const escapes = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g");
    const address = () => said.replace(escapes, "").match(/http:\/\/127\.0\.0\.1:\d+\//)?.[0];
    await look(browser, await until("the development server", address));
} finally {
    process.kill(-development.pid); // npx and its child
}
await browser.close();
