// A section of a panel that can be folded. The browser remembers which sections are open.
import { h, memory } from "../dom";
import { icon } from "../icons";

export function section(
    key: string,
    title: string,
    body: Node[],
    options: { open?: boolean; aside?: Node; note?: string } = {},
): HTMLElement {
    const kept = memory.get(`open.${key}`);
    const open = kept === null ? (options.open ?? false) : kept === "1";
    const head = h(
        "summary",
        {},
        icon("chevron"),
        h("span", { class: "title" }, title),
        options.note ? h("span", { class: "note" }, options.note) : null,
        options.aside,
    );
    const element = h(
        "details",
        { class: "section", "data-section": key, open },
        head,
        h("div", { class: "body" }, ...body),
    );
    element.addEventListener("toggle", () => {
        if (element.dataset.before === undefined) memory.set(`open.${key}`, element.open ? "1" : "0");
    });
    return element;
}

/** Opens a section temporarily (true) or restores its state (false). The browser does not remember this. */
export function unfold(element: HTMLDetailsElement, on: boolean): void {
    if (on && element.dataset.before === undefined) {
        element.dataset.before = element.open ? "1" : "0";
        element.open = true;
    } else if (!on && element.dataset.before !== undefined) {
        element.open = element.dataset.before === "1";
        setTimeout(() => delete element.dataset.before); // after the toggle event
    }
}
