// Prints the rate that the studio shows for each scene of the gallery: node rates.mjs SECONDS SCENE... (tools/studio-rates).
// The page is small, because without a graphics card drawing takes processor time from the simulation.
import { launchBrowser, startStudio, Visit } from "./fixture.mjs";

const [seconds, ...scenes] = process.argv.slice(2);
const FAST = 30,
    SLOW = 10; // frames per second

/** The rates shown within that time, once per half second. The first one covers the start and does not count. */
async function shownRates(visit) {
    const rates = [];
    for (let at = 0; at < 2 * Number(seconds); at++) {
        await visit.page.waitForTimeout(500);
        const text = await visit.page.textContent("#rate");
        if (/^\d+ fps$/.test(text)) rates.push(parseInt(text, 10));
    }
    return rates.slice(1);
}

async function measure(browser, scene) {
    const studio = startStudio(".", scene);
    try {
        const visit = await Visit.open(browser, await studio.url, {
            viewport: { width: 360, height: 300 },
        });
        const rates = await shownRates(visit);
        await visit.context.close();
        return {
            mean: rates.reduce((sum, rate) => sum + rate, 0) / rates.length,
            least: Math.min(...rates),
        };
    } finally {
        studio.child.kill("SIGINT");
    }
}

const browser = await launchBrowser();
let fast = 0,
    slow = 0;
console.log("| scene | frames per second, mean | least |\n| --- | --- | --- |");
try {
    for (const scene of scenes) {
        const { mean, least } = await measure(browser, scene);
        console.log(`| ${scene} | ${mean.toFixed(1)} | ${least} |`);
        fast += mean >= FAST;
        slow += mean < SLOW;
    }
} finally {
    await browser.close();
}
console.log(`${fast} of ${scenes.length} scenes at ${FAST} frames per second or more, ${slow} below ${SLOW}`);
