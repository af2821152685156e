// Draws a picture of the studio's page: node picture.mjs SCENE.yaml FILE.png (tools/studio-picture).
import { launchBrowser, startStudio, until, Visit } from "./fixture.mjs";

const FRAME = 200; // late enough for folds and for long curves in the plots
const [scene, file] = process.argv.slice(2);
const studio = startStudio(".", scene);
const browser = await launchBrowser();
try {
    const visit = await Visit.open(browser, await studio.url, {
        viewport: { width: 1280, height: 800 },
        colorScheme: "dark",
    });
    await until(`frame ${FRAME}`, async () => (await visit.frame()) > FRAME);
    // As on a machine with a graphics card: all pixels, and smooth edges.
    const drawn = await visit.page.evaluate(() => {
        Object.defineProperty(window, "devicePixelRatio", { value: 2 });
        window.weft.stage.changeShow({ quality: "high" });
        return window.weft.stage.drawn;
    });
    await until("a fine picture", async () => (await visit.page.evaluate(() => window.weft.stage.drawn)) > drawn);
    await visit.page.screenshot({ path: file });
} finally {
    await browser.close();
    studio.child.kill("SIGINT");
}
