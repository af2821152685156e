// Buttons that add a ground, a ball or a box.
import { h } from "../dom";
import { icon } from "../icons";
import { tellNotes } from "../recordings";
import type { Studio } from "../studio";

const bodies = [
    { component: "plane", text: "Ground", tip: "A plane below the cloth" },
    { component: "sphere", text: "Ball", tip: "A ball below the cloth, or beside it if there is no room" },
    { component: "box", text: "Box", tip: "A box below the cloth, or beside it if there is no room" },
] as const;

export function addBodies(studio: Studio): HTMLElement {
    const buttons = bodies.map(({ component, text, tip }) => {
        const button = h(
            "button",
            { "data-add-body": component, "data-tip": `${tip} · restarts the scene` },
            icon("plus"),
            text,
        );
        button.addEventListener("click", () => {
            void studio.act("body", { add: component }).then(answer => tellNotes(studio, answer));
        });
        return button;
    });
    return h("div", { class: "adder add-bodies" }, ...buttons);
}
