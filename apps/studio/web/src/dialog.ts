// Dialogs and menus. Dialogs use the <dialog> element, which handles Escape, focus and the top layer.
import { h, rove } from "./dom";
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
    const name = button.getAttribute("aria-label");
    if (name) list.setAttribute("aria-label", name);
    button.setAttribute("aria-haspopup", "menu");
    button.setAttribute("aria-controls", id);
    button.setAttribute("aria-expanded", "false");
    const close = (): void => {
        if (list.contains(document.activeElement)) button.focus();
        list.classList.add("hidden");
        button.setAttribute("aria-expanded", "false");
    };
    button.addEventListener("click", event => {
        event.stopPropagation();
        const open = list.classList.contains("hidden");
        document.dispatchEvent(new CustomEvent("weft-menu"));
        if (!open) return;
        list.replaceChildren(...fill(close));
        list.classList.remove("hidden");
        button.setAttribute("aria-expanded", "true");
        list.querySelector<HTMLElement>("[role=menuitem]")?.focus();
    });
    button.addEventListener("keydown", event => {
        if (event.key !== "ArrowDown" || !list.classList.contains("hidden")) return;
        event.preventDefault();
        button.click();
    });
    rove(list, "[role=menuitem]");
    list.addEventListener("keydown", event => {
        if (event.key === "Tab") close(); // the focus goes on from the button
    });
    list.addEventListener("click", event => event.stopPropagation());
    for (const topic of ["click", "weft-menu"]) document.addEventListener(topic, close);
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
        { role: "menuitem", tabindex: -1, class: "menu-item", ...attributes },
        h("span", {}, text),
        h("span", { class: "note" }, note),
    );
    item.addEventListener("click", click);
    return item;
}
