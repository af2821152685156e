// Short-lived notices, and the banner that reports a lost connection.
import { h } from "./dom";
import type { LinkState } from "./link";
import type { NoticeKind, Studio } from "./studio";

export class Notices {
    readonly list = h("div", { id: "notices", role: "status", "aria-live": "polite" });
    readonly banner = h("div", { id: "banner", class: "hidden", role: "alert" });

    constructor(studio: Studio) {
        studio.on("notice", ({ text, kind }) => this.add(text, kind));
        // A failure that stopped the simulation is shown until it continues or restarts.
        studio.on("time", ({ playing }) => {
            if (!playing) for (const item of this.list.querySelectorAll(".failed")) item.classList.add("halted");
        });
        for (const topic of ["stats", "scene"] as const)
            studio.on(topic, () => {
                for (const item of this.list.querySelectorAll(".halted")) item.remove();
            });
    }

    add(text: string, kind: NoticeKind): void {
        const same = [...this.list.children].find(item => item.textContent === text);
        same?.remove();
        const item = h("div", { class: `notice ${kind === "failed" ? "error failed" : kind}` }, text);
        item.addEventListener("click", () => item.remove());
        this.list.append(item);
        while (this.list.children.length > 4) this.list.firstElementChild?.remove();
        setTimeout(() => item.remove(), kind === "info" ? 4000 : 9000);
    }

    connection(state: LinkState, retryIn: number, retry: () => void): void {
        this.banner.classList.toggle("hidden", state === "open");
        if (state === "open") return;
        const again = h("button", {}, "Try now");
        again.addEventListener("click", retry);
        const text =
            state === "connecting"
                ? "Connecting to weft studio…"
                : `The connection to weft studio was lost. Next attempt in ${Math.ceil(retryIn)} s.`;
        this.banner.classList.toggle("lost", state === "lost");
        this.banner.replaceChildren(h("span", {}, text), state === "lost" ? again : "");
    }
}
