// Pictures of the pages of the website, wide and narrow, light and dark, for people to look at.
// usage: node pictures.mjs FOLDER [PAGE]...      environment: WEFT_SITE, CHROMIUM
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { launchBrowser, withoutServiceWorker } from "./fixture.mjs";
import { serve } from "./serve.mjs";

const [folder, ...given] = process.argv.slice(2);
const pages =
    given.length > 0
        ? given
        : ["index", "gallery", "benchmarks", "experiments", "docs/index", "docs/quick-start"].concat([
              "docs/methods",
              "docs/garments",
              "docs/scene-reference",
              "docs/browser",
              "api/index",
              "api/weft-sim",
              "studio/index",
          ]);
const server = await serve(process.env.WEFT_SITE);
const browser = await launchBrowser();
mkdirSync(folder, { recursive: true });
for (const name of pages)
    for (const colorScheme of ["light", "dark"])
        for (const [kind, width, height] of [
            ["wide", 1280, 800],
            ["narrow", 390, 844],
        ]) {
            const page = await browser.newPage({ viewport: { width, height }, colorScheme });
            await page.addInitScript(withoutServiceWorker);
            await page.goto(`${server.url}${name}.html?shadows`);
            if (name === "index")
                await page.waitForFunction(() => window.weftLanding?.sim.frame > 60, null, { timeout: 60000 });
            if (name.startsWith("studio"))
                await page.waitForFunction(() => window.weft?.stage.frame?.frame > 10, null, { timeout: 60000 });
            const whole = !name.startsWith("studio");
            const size = await page.evaluate(() => document.documentElement.scrollHeight);
            const clip = { x: 0, y: 0, width, height: whole ? Math.min(size, 3 * height) : height };
            const path = join(folder, `${name.replace("/", "-")}-${kind}-${colorScheme}.png`);
            await page.screenshot({ path, clip, fullPage: whole });
            await page.close();
        }
await browser.close();
server.close();
