// The fabrics of the Setup tab. The present one is marked; a model that ignores the fabric's stiffness says so.
import { h } from "../dom";
import type { PaneInfo } from "../protocol";
import type { Studio } from "../studio";
import { ignoresFabric } from "./effect";
import { section } from "./section";

/** Returns whether the cloth has the fabric's values. The engine keeps Poisson's ratios symmetric and may adjust one. */
function has(studio: Studio, cloth: string, values: Record<string, string>): boolean {
    return Object.entries(values).every(([name, text]) => {
        const now = Number(studio.param(`cloth.${cloth}.fabric.${name}`)?.value);
        const tolerance = name.startsWith("poisson") ? 0.03 : 1e-6;
        return Math.abs(now - Number(text)) <= tolerance * Math.abs(Number(text));
    });
}

function chips(studio: Studio, pane: PaneInfo, index: number): HTMLElement {
    const cloth = pane.cloths[index];
    const list = h("div", { class: "chips" });
    if (pane.cloths.length > 1) list.append(h("span", { class: "chips-title" }, cloth.name));
    for (const fabric of studio.hello?.fabrics ?? []) {
        const chip = h("button", { class: "chip", title: fabric.help, "data-fabric": fabric.name }, fabric.name);
        chip.addEventListener("click", () => {
            void studio.act("fabric", { preset: fabric.name, cloth: index }).then(answer => {
                if (answer) studio.tell(`Fabric of ${cloth.name}: ${fabric.name}`);
            });
        });
        list.append(chip);
    }
    return list;
}

/** Says that the stiffness of the fabric is not used, with a button that changes this. */
function ignoredNote(studio: Studio, cloth: string): HTMLElement {
    const use = h("button", { "data-use-fabric": cloth }, "Use the fabric’s stiffness");
    use.addEventListener("click", () => {
        void studio.set({ [`cloth.${cloth}.model.stiffness`]: "fabric" }).then(error => {
            if (error !== null) studio.complain(new Error(error));
        });
    });
    const text = "This scene gives the stiffness of each spring. A fabric changes only weight, friction and air drag.";
    return h("div", { class: "ignored hidden" }, h("p", { class: "about" }, text), use);
}

export function fabricSection(studio: Studio, pane: PaneInfo): { element: HTMLElement; update(): void } {
    const lists = pane.cloths.map((_, i) => chips(studio, pane, i));
    const notes = pane.cloths.map(cloth => ignoredNote(studio, cloth.name));
    const update = (): void => {
        pane.cloths.forEach((cloth, i) => {
            for (const chip of lists[i].querySelectorAll<HTMLElement>("[data-fabric]")) {
                const fabric = studio.hello?.fabrics.find(f => f.name === chip.dataset.fabric);
                chip.setAttribute(
                    "aria-pressed",
                    String(fabric !== undefined && has(studio, cloth.name, fabric.values)),
                );
            }
            notes[i].classList.toggle(
                "hidden",
                !ignoresFabric(studio.scene?.panes[studio.pane] ?? pane, `cloth.${cloth.name}`),
            );
        });
    };
    update();
    return {
        element: section(
            "preset",
            "Fabric",
            lists.flatMap((list, i) => [list, notes[i]]),
            { open: true },
        ),
        update,
    };
}
