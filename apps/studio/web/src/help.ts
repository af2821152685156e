// The help dialog: tools, gestures and keys.
import { dialog } from "./dialog";
import { h } from "./dom";
import { modes } from "./hands/hands";

const keys: [string, string][] = [
    ["Space", "play or pause"],
    [".", "advance one frame; with Shift, one time step"],
    ["R", "restart"],
    ["L", "return to the newest frame"],
    ["Ctrl Z, Ctrl Shift Z", "undo, redo"],
    ["P, U", "pin, free the selected points"],
    ["T, Y", "move, rotate the selected body"],
    ["Esc", "cancel, clear the selection"],
    ["F", "reset the view"],
    ["G", "choose a scene"],
    ["N", "show or hide the pattern of the cloth"],
    ["\\", "show or hide the panels"],
    ["?", "show this help"],
];

const gestures: [string, string][] = [
    ["Drag on the cloth", "pull it; release while moving to throw it"],
    ["Double-click", "pin or free a point"],
    ["Drag beside the cloth", "rotate the camera"],
    ["Wheel, Two-finger pinch", "zoom"],
    ["Right-button drag, Two-finger drag", "pan"],
    ["Drop a mesh file", "use it as the cloth"],
    ["Drop a recording", "open it: the .yaml and .inputs files together"],
];

function table(rows: readonly [string, string][]): HTMLElement {
    return h(
        "dl",
        {},
        ...rows.flatMap(([key, text]) => [
            h("dt", {}, ...key.split(", ").map(k => h("kbd", {}, k))),
            h("dd", {}, text),
        ]),
    );
}

export function helpDialog(): HTMLDialogElement {
    return dialog(
        "help",
        "Tools and keys",
        h(
            "div",
            { class: "help-columns" },
            h(
                "section",
                {},
                h("h3", {}, "Tools"),
                table(modes.map(mode => [mode.key, `${mode.text}: ${mode.help}`] as [string, string])),
            ),
            h("section", {}, h("h3", {}, "Pointer and touch"), table(gestures)),
            h("section", {}, h("h3", {}, "Keys"), table(keys)),
        ),
    );
}
