// Says that a scene runs slower than real time, and offers settings that make it faster.
import { menu, menuItem } from "./dialog";
import { h, short } from "./dom";
import { readable } from "./panels/units";
import type { PaneInfo, SceneEvent, StatsEvent } from "./protocol";
import type { Studio } from "./studio";

const SLOW = 0.9; // of real time
const PATIENCE = 15; // measurements in a row, 10 per second
const anyStep = new Set(["bdf2", "implicit-euler", "projective", "xpbd"]); // integrators that are stable for any step

interface Faster {
    text: string;
    note: string;
    commands: [string, Record<string, unknown>][];
}

function longerStep(scene: SceneEvent, pane: PaneInfo): Faster | null {
    const step = Math.min(2 * pane.step, 1 / scene.rate);
    if (!anyStep.has(pane.integrator) || step < 1.2 * pane.step) return null;
    return {
        text: `Time step ${readable(step.toPrecision(3), "s")}`,
        note: `instead of ${readable(String(pane.step), "s")}`,
        commands: [["set", { path: "time.step", value: Number(step.toPrecision(3)) }]],
    };
}

function otherIntegrator(scene: SceneEvent, pane: PaneInfo, pairs: Record<string, string[]>): Faster | null {
    const best = (pairs[pane.model] ?? []).find(name => name === "projective" || name === "bdf2");
    if (best === undefined || anyStep.has(pane.integrator)) return null;
    const step = Number((1 / scene.rate).toPrecision(3));
    return {
        text: `${best}, one step per frame`,
        note: `instead of ${pane.integrator}`,
        commands: [
            ["algorithm", { integrator: best }],
            ["set", { path: "time.step", value: step }],
        ],
    };
}

function fewerCells(pane: PaneInfo): Faster | null {
    const cloth = pane.cloths.findIndex(c => c.grid !== null && Math.min(...c.grid) >= 8);
    if (cloth < 0) return null;
    const { grid, size } = pane.cloths[cloth];
    const cells = (grid ?? []).map(count => Math.round(count / 2));
    return {
        text: `${cells.join(" × ")} cells`,
        note: `instead of ${(grid ?? []).join(" × ")}`,
        commands: [["target", { grid: { cells, size }, cloth }]],
    };
}

export class Slow {
    /** A button with a menu, hidden while the scene keeps up with real time. */
    readonly element: HTMLElement;
    private readonly text = h("span");
    private count = 0; // slow measurements in a row

    constructor(private readonly studio: Studio) {
        const button = h(
            "button",
            { id: "slow", "data-tip": "Slower than real time · Choose a faster setting" },
            this.text,
            h("span", { class: "wide" }, " time: faster…"),
        );
        this.element = menu("slow-menu", button, close => this.items(close));
        this.element.classList.add("hidden", "upwards");
        studio.on("stats", stats => this.measure(stats));
        studio.on("scene", () => this.hide());
    }

    private hide(): void {
        this.count = 0;
        this.element.classList.add("hidden");
    }

    private measure(stats: StatsEvent): void {
        if (!this.studio.time?.playing) return;
        if (stats.fps <= 0 || stats.fps >= SLOW * stats.rate) {
            this.hide();
            return;
        }
        if (++this.count < PATIENCE) return;
        this.element.classList.remove("hidden");
        this.text.textContent = `${short(stats.fps / stats.rate, 2)}× real`;
    }

    private items(close: () => void): Node[] {
        const scene = this.studio.scene;
        const pane = scene?.panes[0];
        if (!scene || !pane) return [];
        const offers = [
            otherIntegrator(scene, pane, this.studio.hello?.pairs ?? {}),
            longerStep(scene, pane),
            fewerCells(pane),
        ].filter((offer): offer is Faster => offer !== null);
        if (offers.length === 0) return [h("p", { class: "about" }, "There is no faster setting to offer.")];
        return offers.map((offer, i) =>
            menuItem(
                offer.text,
                offer.note,
                () => {
                    close();
                    void this.apply(offer);
                },
                { "data-faster": String(i) },
            ),
        );
    }

    private async apply(offer: Faster): Promise<void> {
        for (const [name, fields] of offer.commands) if (!(await this.studio.act(name, fields))) return;
    }
}
