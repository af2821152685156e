// Small helpers for the DOM, in place of a framework.

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | ((event: never) => void) | undefined>;

/** Makes an element. Attributes `on...` are listeners; `true` sets a bare attribute, `false` and undefined set none. */
export function h<K extends keyof HTMLElementTagNameMap>(
    tag: K,
    attributes: Attributes = {},
    ...children: Child[]
): HTMLElementTagNameMap[K] {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (typeof value === "function") element.addEventListener(name.slice(2), value as EventListener);
        else if (value === true) element.setAttribute(name, "");
        else if (value !== false && value !== undefined) element.setAttribute(name, String(value));
    }
    for (const child of children) if (child) element.append(child);
    return element;
}

export function byId(id: string): HTMLElement {
    const element = document.getElementById(id);
    if (!element) throw new Error(`the page has no #${id}`);
    return element;
}

export function replace(parent: Element, ...children: Child[]): void {
    parent.replaceChildren(...children.filter((child): child is Node | string => Boolean(child)));
}

const moves: Record<string, number> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

/** Lets arrow keys, Home and End move the focus among the parts of a menu or a bar, of which Tab reaches only one. */
export function rove(bar: HTMLElement, selector: string, moved: (to: HTMLElement) => void = () => undefined): void {
    const parts = (): HTMLElement[] => [...bar.querySelectorAll<HTMLElement>(selector)].filter(p => p.offsetParent);
    bar.addEventListener("focusin", event => {
        for (const part of parts()) part.tabIndex = part === event.target ? 0 : -1;
    });
    bar.addEventListener("keydown", event => {
        const all = parts();
        const at = all.findIndex(part => part === event.target);
        const next = event.key in moves ? (at + moves[event.key] + all.length) % all.length : -1;
        const to = event.key === "Home" ? 0 : event.key === "End" ? all.length - 1 : next;
        if (at < 0 || to < 0) return;
        event.preventDefault();
        event.stopPropagation();
        all[to].focus();
        moved(all[to]);
    });
}

/** Wraps a function so that it runs at most once per animation frame, with the latest arguments. */
export function perFrame<A extends unknown[]>(call: (...args: A) => void): (...args: A) => void {
    let last: A | null = null;
    return (...args) => {
        if (!last)
            requestAnimationFrame(() => {
                const now = last;
                last = null;
                if (now) call(...now);
            });
        last = args;
    };
}

/** Lets the browser save what is at an address. */
export function save(name: string, address: string): void {
    const link = h("a", { href: address, download: name });
    document.body.append(link);
    link.click();
    link.remove();
}

export function download(name: string, blob: Blob): void {
    const address = URL.createObjectURL(blob);
    save(name, address);
    setTimeout(() => URL.revokeObjectURL(address), 10000);
}

/** Stores settings in the browser. A private window may refuse; then they last until the page is closed. */
export const memory = {
    get(key: string): string | null {
        try {
            return localStorage.getItem(`weft.${key}`);
        } catch {
            return null;
        }
    },
    set(key: string, value: string): void {
        try {
            localStorage.setItem(`weft.${key}`, value);
        } catch {
            // The setting is lost when the page is closed.
        }
    },
};

/** Formats a number with few digits: 0.25, 1200, 3.5e-6. */
export function short(value: number, digits = 4): string {
    if (!Number.isFinite(value)) return value > 0 ? "∞" : value < 0 ? "-∞" : "–";
    const size = Math.abs(value);
    if (size !== 0 && (size < 1e-3 || size >= 1e5)) {
        const [mantissa, power] = value.toExponential(Math.min(digits - 1, 2)).split("e");
        return `${String(Number(mantissa))}e${String(Number(power))}`;
    }
    return String(Number(value.toPrecision(digits)));
}
