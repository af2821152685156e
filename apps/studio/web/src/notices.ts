// Notices over the view, and the banner that reports a lost connection. A failure stays until it is dismissed.
import { h } from "./dom";
import { icon } from "./icons";
import type { LinkState } from "./link";
import type { SceneNotice } from "./protocol";
import type { Notice, Studio } from "./studio";

const MOST = 4; // notices at a time
const SHORT = 4000; // ms
const LONG = 9000;

export class Notices {
    readonly list = h("div", { id: "notices", role: "status", "aria-live": "polite" });
    readonly banner = h("div", { id: "banner", class: "hidden", role: "alert" });

    private known: string[] = []; // notices on the scene that were shown

    private readonly place: string; // where the studio runs
    private readonly returns: boolean; // it may come back by itself

    constructor(studio: Studio) {
        this.place = studio.link.backend.name;
        this.returns = studio.link.backend.returns;
        studio.on("notice", notice => this.add(notice));
        studio.on("scene", ({ scene, isNew }) => {
            if (isNew) for (const item of this.list.querySelectorAll(".stays")) item.remove();
            if (isNew) this.known = [];
            this.tellScene(studio, scene.notices);
        });
    }

    add({ text, kind, actions = [] }: Notice): void {
        const same = [...this.list.children].find(item => item.querySelector(".text")?.textContent === text);
        same?.remove();
        const stays = kind === "failed" || kind === "offer";
        const name = `notice ${kind === "failed" ? "error failed" : kind}${stays ? " stays" : ""}`;
        const item = h("div", { class: name }, h("span", { class: "text" }, text));
        const remove = (): void => item.remove();
        for (const action of actions) {
            const button = h("button", {}, action.text);
            button.addEventListener("click", () => {
                remove();
                action.act();
            });
            item.append(button);
        }
        if (stays) item.append(this.closer(remove));
        else setTimeout(remove, kind === "info" ? SHORT : LONG);
        this.list.append(item);
        const passing = [...this.list.querySelectorAll(".notice:not(.stays)")];
        for (const old of passing.slice(0, Math.max(0, passing.length - MOST))) old.remove();
    }

    // Each description of the scene lists its notices. New ones are shown, and those that no longer hold go.
    private tellScene(studio: Studio, notices: SceneNotice[]): void {
        const texts = notices.map(notice => notice.text);
        const gone = this.known.filter(text => !texts.includes(text));
        for (const item of [...this.list.children])
            if (gone.includes(item.querySelector(".text")?.textContent ?? "")) item.remove();
        for (const { text, remedies } of notices) {
            if (this.known.includes(text)) continue;
            const actions = remedies.map(remedy => ({ text: remedy.text, act: () => void studio.apply(remedy) }));
            this.add({ text, kind: actions.length > 0 ? "offer" : "warning", actions });
        }
        this.known = texts;
    }

    connection({ state, retryIn, why }: { state: LinkState; retryIn: number; why?: string }, retry: () => void): void {
        // The card of busy.ts says that an engine in this page is loaded.
        const isQuiet = state === "open" || (state === "connecting" && !this.returns);
        this.banner.classList.toggle("hidden", isQuiet);
        if (state === "open") return;
        const again = h("button", {}, state === "stopped" ? "Restart" : "Try now");
        again.addEventListener("click", retry);
        const lost = why ?? `The connection to ${this.place} was lost.`;
        const texts = {
            connecting: `Connecting to ${this.place}…`,
            lost: `${lost} Next attempt in ${Math.ceil(retryIn)} s.`,
            refused: lost,
            stopped: `${lost} What was not saved is lost.`,
        };
        this.banner.classList.toggle("lost", state !== "connecting");
        this.banner.dataset.state = state;
        this.banner.replaceChildren(h("span", {}, texts[state]), state === "connecting" ? "" : again);
    }

    private closer(remove: () => void): HTMLElement {
        const close = h("button", { class: "close", "aria-label": "Dismiss" }, icon("close"));
        close.addEventListener("click", remove);
        return close;
    }
}
