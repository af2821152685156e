// Garments: the fabric of one panel, and sewing again from the pattern.
import { h } from "../dom";
import type { PaneInfo } from "../protocol";
import { tellNotes } from "../recordings";
import type { Studio } from "../studio";

/** Returns whether the pane has a garment: a cloth with sewn panels. */
export function hasGarment(pane: PaneInfo | undefined): boolean {
    return pane?.params.some(param => param.path.endsWith(".ease.width")) ?? false;
}

/** Chooses a fabric for one panel. GROUP is "cloth.NAME.panels.PANEL". */
export function panelFabric(studio: Studio, pane: PaneInfo, group: string): HTMLElement {
    const [, name, , panel] = group.split(".");
    const cloth = pane.cloths.findIndex(each => each.name === name);
    const fabrics = studio.hello?.fabrics ?? [];
    const select = h(
        "select",
        { "aria-label": `Fabric of panel ${panel}`, "data-panel-fabric": panel },
        h("option", { value: "" }, "Give it a fabric…"),
        ...fabrics.map(fabric => h("option", { value: fabric.name, title: fabric.help }, fabric.name)),
    );
    select.addEventListener("change", () => {
        if (select.value)
            void studio.act("fabric", { preset: select.value, cloth, panel }).then(answer => tellNotes(studio, answer));
        select.value = "";
    });
    return h("div", { class: "adder" }, select);
}

/** A button that restarts: the panels are placed around the body and sewn again, with the present values. */
export function sewAgain(studio: Studio): HTMLButtonElement {
    const button = h(
        "button",
        { class: "sew-again", title: "Restart: place the panels around the body and sew them again" },
        "Sew again",
    );
    button.addEventListener("click", () => {
        void studio.act("restart").then(answer => (answer ? studio.act("play") : null));
    });
    return button;
}
