// The overlay that says what the keys and gestures do.
import { dialog } from "./dialog";
import { h } from "./dom";
import { modes } from "./hands/hands";

const keys: [string, string][] = [
    ["Space", "play and pause"],
    [".", "one frame on; with Shift one step"],
    ["R", "restart"],
    ["L", "back to the newest frame"],
    ["Ctrl Z, Ctrl Shift Z", "undo, redo"],
    ["P, U", "pin, free what is selected"],
    ["T, Y", "move, turn the chosen body"],
    ["Esc", "let go, select nothing"],
    ["F", "the scene's own view"],
    ["G", "scenes"],
    ["\\", "hide and show the panels"],
    ["?", "this page"],
];

const gestures: [string, string][] = [
    ["Drag on the cloth", "pinch and pull it; let go in motion to throw it"],
    ["Double click", "pin a point, or free it"],
    ["Drag beside it", "turn the camera; one finger"],
    ["Wheel, two fingers", "nearer and farther"],
    ["Right button, two fingers", "shift the view"],
    ["Drop a mesh file", "makes it the cloth"],
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
        "Hands and keys",
        h(
            "div",
            { class: "help-columns" },
            h(
                "section",
                {},
                h("h3", {}, "Modes"),
                table(modes.map(mode => [mode.key, `${mode.text}: ${mode.help}`] as [string, string])),
            ),
            h("section", {}, h("h3", {}, "Pointer and touch"), table(gestures)),
            h("section", {}, h("h3", {}, "Keys"), table(keys)),
        ),
    );
}
