// Says what the studio works on when an answer or a frame takes long, so that a slow scene does not look like a broken
// page. An engine in this page that takes very long can be restarted.
import { h } from "./dom";
import type { Link, LinkState, Pending } from "./link";
import type { Studio } from "./studio";

const SOON = 400; // ms without an answer, then it shows
const FRAME = 1500; // ms without a frame, while it plays
const LONG = 20000; // ms, then a restart is offered
const LOOK = 200; // ms between looks

/** `since`: when it began; `covers`: what is behind it is not yet the scene that was asked for. */
interface Work {
    text: string;
    since: number;
    covers: boolean;
}

const plain = (name: unknown): string =>
    typeof name === "string"
        ? name
              .replace(/^.*\//, "")
              .replace(/\.yaml$/, "")
              .replaceAll("-", " ")
        : "the scene";

function describe({ name, fields, since }: Pending): Work {
    const texts: Record<string, string> = {
        load: `Preparing ${plain(fields.scene)}…`,
        compare: "Preparing the methods…",
        algorithm: "Preparing the method…",
        target: "Preparing the cloth…",
        export: "Writing the files…",
        record: "Writing the recording…",
    };
    return { text: texts[name] ?? "Computing…", since, covers: false };
}

export class Busy {
    readonly element: HTMLElement;
    private readonly text = h("span", { class: "what" });
    private readonly restart = h("button", { class: "hidden" }, "Restart the engine");
    private opening: number | null = performance.now(); // until the first scene is drawn
    private drawn = 0; // when the last frame was drawn
    private away = 0; // when the page was last hidden: nothing is drawn then
    private state: LinkState = "connecting";

    constructor(
        private readonly studio: Studio,
        private readonly link: Link,
    ) {
        this.element = h(
            "div",
            { id: "busy", class: "hidden" },
            h("div", { class: "card", role: "status" }, h("span", { class: "spinner" }), this.text, this.restart),
        );
        this.restart.addEventListener("click", () => this.link.restart());
        document.addEventListener("visibilitychange", () => (this.away = performance.now()));
        window.setInterval(() => this.look(), LOOK);
    }

    follow(state: LinkState): void {
        // A server still has the scene; an engine of this page opens one anew.
        const isNew = state === "connecting" && this.state !== "connecting";
        if (isNew && !this.link.backend.returns) this.opening = performance.now();
        this.state = state;
        this.look();
    }

    /** A frame was drawn. */
    frame(): void {
        this.drawn = performance.now();
    }

    /** The scene that the page was opened with is there. */
    opened(): void {
        this.opening = null;
        this.drawn = performance.now();
        this.look();
    }

    private work(): Work | null {
        if (this.state === "connecting")
            return this.link.backend.returns
                ? null // the banner says that it connects
                : { text: "Loading the engine…", since: this.opening ?? 0, covers: true };
        if (this.state !== "open") return null;
        const { pending } = this.link;
        if (this.opening !== null)
            return {
                text: pending ? describe(pending).text : "Preparing the scene…",
                since: this.opening,
                covers: true,
            };
        const now = performance.now();
        if (pending && now - pending.since > SOON) return describe(pending);
        const idle = Math.max(this.drawn, this.away);
        if (this.studio.time?.playing && !document.hidden && now - idle > FRAME)
            return { text: "Computing the next frame…", since: idle, covers: false };
        return null;
    }

    private look(): void {
        const work = this.work();
        this.element.classList.toggle("hidden", work === null);
        if (!work) return;
        const waited = performance.now() - work.since;
        const text = waited > 3000 ? `${work.text} ${Math.floor(waited / 1000)} s` : work.text;
        if (this.text.textContent !== text) this.text.textContent = text;
        this.element.classList.toggle("covers", work.covers);
        this.restart.classList.toggle("hidden", this.link.backend.returns || waited < LONG);
    }
}
