// Lines that come and go, and the banner of a lost connection.
import { h } from "./dom";
import type { LinkState } from "./link";
import type { Studio } from "./studio";

export class Notices {
    readonly list = h("div", { id: "notices", role: "status", "aria-live": "polite" });
    readonly banner = h("div", { id: "banner", class: "hidden", role: "alert" });

    constructor(studio: Studio) {
        studio.on("notice", ({ text, kind }) => this.add(text, kind));
    }

    add(text: string, kind: "error" | "info"): void {
        const same = [...this.list.children].find(item => item.textContent === text);
        same?.remove();
        const item = h("div", { class: `notice ${kind}` }, text);
        item.addEventListener("click", () => item.remove());
        this.list.append(item);
        while (this.list.children.length > 4) this.list.firstElementChild?.remove();
        setTimeout(() => item.remove(), kind === "error" ? 9000 : 4000);
    }

    connection(state: LinkState, retryIn: number, retry: () => void): void {
        this.banner.classList.toggle("hidden", state === "open");
        if (state === "open") return;
        const again = h("button", {}, "Try now");
        again.addEventListener("click", retry);
        const text =
            state === "connecting"
                ? "Connecting to weft studio …"
                : `The connection to weft studio was lost. Trying again in ${Math.ceil(retryIn)} s.`;
        this.banner.classList.toggle("lost", state === "lost");
        this.banner.replaceChildren(h("span", {}, text), state === "lost" ? again : "");
    }
}
