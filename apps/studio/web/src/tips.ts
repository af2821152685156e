// The tooltip of all elements with data-tip: shown on hover, on keyboard focus, and on touch while held.
import { h } from "./dom";

export function watchTips(): void {
    const tip = h("div", { id: "tip", role: "tooltip", class: "hidden" });
    document.body.append(tip);
    let timer = 0;
    const hide = (): void => {
        clearTimeout(timer);
        tip.classList.add("hidden");
    };
    const open = (target: HTMLElement): void => {
        const [head, ...rest] = (target.dataset.tip ?? "").split(" · ");
        tip.replaceChildren(h("b", {}, head), ...rest.map(text => h("span", {}, text)));
        tip.classList.remove("hidden");
        const at = target.getBoundingClientRect();
        const own = tip.getBoundingClientRect();
        const left = Math.min(Math.max(8, at.left + at.width / 2 - own.width / 2), window.innerWidth - own.width - 8);
        const above = at.top - own.height - 8;
        tip.style.left = `${left}px`;
        tip.style.top = `${above > 8 ? above : at.bottom + 8}px`;
    };
    const soon = (event: Event): void => {
        const target = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-tip]") : null;
        hide();
        if (target) timer = window.setTimeout(() => open(target), 350);
    };
    document.addEventListener("pointerover", soon);
    document.addEventListener("focusin", event => {
        if (event.target instanceof Element && event.target.matches(":focus-visible")) soon(event);
    });
    for (const name of ["pointerdown", "pointerleave", "focusout", "scroll"])
        document.addEventListener(name, hide, { capture: true });
}
