// Dialogs and menus. Dialogs use the <dialog> element, which handles Escape, focus and the top layer.
import { h } from "./dom";
import { icon } from "./icons";

export function dialog(id: string, title: string, ...body: Node[]): HTMLDialogElement {
    const close = h("button", { class: "close", "aria-label": "Close" }, icon("close"));
    const element = h(
        "dialog",
        { id },
        h("header", {}, h("h2", {}, title), close),
        h("div", { class: "dialog-body" }, ...body),
    );
    close.addEventListener("click", () => element.close());
    element.addEventListener("click", event => {
        if (event.target === element) element.close();
    });
    element.addEventListener("keydown", event => event.stopPropagation());
    document.body.append(element);
    return element;
}

/** Makes a button that opens a list below it. */
export function menu(id: string, button: HTMLButtonElement, fill: (close: () => void) => Node[]): HTMLElement {
    const list = h("div", { class: "menu-list hidden", role: "menu", id });
    const close = (): void => list.classList.add("hidden");
    button.addEventListener("click", event => {
        event.stopPropagation();
        const open = list.classList.contains("hidden");
        document.dispatchEvent(new CustomEvent("weft-menu"));
        if (!open) return;
        list.replaceChildren(...fill(close));
        list.classList.remove("hidden");
    });
    list.addEventListener("click", event => event.stopPropagation());
    for (const name of ["click", "weft-menu"]) document.addEventListener(name, close);
    document.addEventListener("keydown", event => {
        if (event.key === "Escape") close();
    });
    return h("div", { class: "menu" }, button, list);
}

export function menuItem(
    text: string,
    note: string,
    click: () => void,
    attributes: Record<string, string> = {},
): HTMLButtonElement {
    const item = h(
        "button",
        { role: "menuitem", class: "menu-item", ...attributes },
        h("span", {}, text),
        h("span", { class: "note" }, note),
    );
    item.addEventListener("click", click);
    return item;
}
