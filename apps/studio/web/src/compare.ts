// Comparison of two or four methods side by side: the menu, and a caption on each pane.
import { menuItem, menu } from "./dialog";
import { h, short } from "./dom";
import { icon } from "./icons";
import { chooseMethod, methodChoices } from "./panels/setup";
import { readable } from "./panels/units";
import type { PaneInfo } from "./protocol";
import type { Studio } from "./studio";
import type { Stage } from "./view/stage";

interface Method {
    model: string;
    integrator: string;
}

/** Returns `count` methods that the components support, starting with the present ones; different ones if possible. */
function suggest(studio: Studio, count: number): Method[] {
    const pairs = studio.hello?.pairs ?? {};
    const panes = studio.scene?.panes ?? [];
    const chosen: Method[] = panes.slice(0, count).map(({ model, integrator }) => ({ model, integrator }));
    const has = (method: Method): boolean =>
        chosen.some(c => c.model === method.model && c.integrator === method.integrator);
    const stable = ["bdf2", "implicit-euler"]; // stable for any time step, so they work with the scene's own
    const able = Object.entries(pairs).flatMap(([model, integrators]) =>
        integrators.map(integrator => ({ model, integrator })),
    );
    const ranked = [
        ...able.filter(m => stable.includes(m.integrator)),
        ...able.filter(m => !stable.includes(m.integrator)),
    ];
    for (const method of ranked) if (chosen.length < count && !has(method)) chosen.push(method);
    while (chosen.length < count) chosen.push(chosen[0]);
    return chosen;
}

/** Says that a method has a shorter time step than the others. */
function stepNote(pane: PaneInfo): HTMLElement | null {
    if (pane.wanted_step === null) return null;
    const [step, wanted] = [pane.step, pane.wanted_step].map(seconds => readable(String(seconds), "s"));
    return h(
        "span",
        { class: "step-note" },
        `time step ${step}: ${pane.integrator} is unstable with the others’ ${wanted}`,
    );
}

export class Compare {
    readonly captions = h("div", { id: "captions" });
    readonly menu: HTMLElement;

    constructor(
        private readonly studio: Studio,
        private readonly stage: Stage,
    ) {
        const button = h(
            "button",
            { id: "compare", "data-tip": "Compare methods side by side", "aria-label": "Compare" },
            icon("compare"),
            h("span", { class: "wide" }, "Compare"),
        );
        this.menu = menu("compare-menu", button, close =>
            [1, 2, 4].map(count =>
                menuItem(
                    ["", "Single method", "Two methods", "", "Four methods"][count],
                    `${count} ${count === 1 ? "pane" : "panes"}`,
                    () => {
                        close();
                        this.start(count);
                    },
                    { "data-panes": String(count) },
                ),
            ),
        );
        studio.on("scene", () => this.caption());
        studio.on("stats", () => this.figures());
        new ResizeObserver(() => this.place()).observe(stage.canvas);
    }

    private start(count: number): void {
        const playing = this.studio.time?.playing ?? true;
        void this.studio.act("compare", { panes: suggest(this.studio, count) }).then(answer => {
            if (answer && playing) void this.studio.act("play");
        });
    }

    private caption(): void {
        const panes = this.studio.scene?.panes ?? [];
        this.captions.classList.toggle("hidden", panes.length < 2);
        this.captions.replaceChildren(
            ...panes.map((pane, i) => {
                const { model, integrator } = methodChoices(this.studio, pane, fields =>
                    chooseMethod(this.studio, { ...fields, pane: i }),
                );
                model.id = integrator.id = "";
                const caption = h(
                    "div",
                    { class: "caption", "data-pane": i, "aria-current": i === this.studio.pane },
                    h(
                        "div",
                        { class: "method" },
                        h("i", { class: "swatch", style: `--colour: var(--line-${i + 1})` }),
                        model,
                        integrator,
                    ),
                    h("span", { class: "figures" }),
                    stepNote(pane),
                );
                caption.addEventListener("pointerdown", () => this.studio.choosePane(i));
                return caption;
            }),
        );
        this.place();
    }

    private place(): void {
        this.captions.querySelectorAll<HTMLElement>(".caption").forEach((caption, i) => {
            const area = this.stage.area(i);
            caption.style.left = `${area.left}px`;
            caption.style.top = `${area.top}px`;
            caption.style.width = `${area.width}px`;
            caption.style.height = `${area.height}px`;
        });
    }

    private figures(): void {
        const stats = this.studio.stats;
        this.captions.querySelectorAll<HTMLElement>(".figures").forEach((element, i) => {
            const pane = stats?.panes.at(i);
            if (!pane) return;
            const ms = Object.values(pane.ms).reduce((sum, value) => sum + value, 0);
            element.textContent = `${short(ms, 3)} ms · stretch ${short(100 * pane.stretch_max, 3)} % · ${short(pane.kinetic + pane.elastic + pane.potential, 3)} J`;
        });
    }
}
