// The time bar: play, pause, step, restart, playback speed, and the slider over the recorded frames.
import { h, short } from "./dom";
import { icon, type IconName } from "./icons";
import type { Frame } from "./protocol";
import { Slow } from "./slow";
import type { Studio } from "./studio";

const speeds = [0.1, 0.25, 0.5, 1, 2];

function button(name: IconName, id: string, tip: string, click: () => void): HTMLButtonElement {
    const element = h("button", { id, "data-tip": tip, "aria-label": tip.split(" · ")[0] }, icon(name));
    element.addEventListener("click", click);
    return element;
}

export class TimeBar {
    readonly element: HTMLElement;
    private readonly play: HTMLButtonElement;
    private readonly live: HTMLButtonElement;
    private readonly bar: HTMLInputElement;
    private readonly clock = h("span", { id: "clock" });
    private readonly rate = h("span", {
        id: "rate",
        "data-tip": "Simulated frames per second of real time",
    });
    private readonly speed: HTMLSelectElement;
    private scrubbing = false;
    private asked: boolean | null = null; // to play or to pause, while a long step keeps the answer back

    constructor(private readonly studio: Studio) {
        this.play = button("play", "play", "Play · Space", () => this.toggle());
        this.live = button("live", "live", "Return to the newest frame · L", () => void studio.act("live"));
        this.speed = h(
            "select",
            { id: "speed", "aria-label": "Playback speed", "data-tip": "Playback speed" },
            ...speeds.map(s => h("option", { value: s }, `${s}×`)),
        );
        this.speed.value = "1";
        this.speed.addEventListener("change", () => void studio.act("speed", { factor: Number(this.speed.value) }));
        this.bar = h("input", {
            type: "range",
            id: "scrub",
            class: "slider",
            min: 0,
            max: 0,
            step: 1,
            value: 0,
            "aria-label": "Recorded frames",
        });
        this.bar.addEventListener("pointerdown", () => (this.scrubbing = true));
        this.bar.addEventListener("pointerup", () => (this.scrubbing = false));
        this.bar.addEventListener("input", () => {
            this.fill();
            void studio.act("scrub", { frame: Number(this.bar.value) });
        });
        this.element = h(
            "footer",
            { id: "timebar" },
            h(
                "div",
                { class: "transport" },
                button("restart", "restart", "Restart · R", () => void studio.act("restart")),
                this.play,
                button("step", "step", "Advance one frame · . (with Shift: one time step)", () => this.step(false)),
            ),
            this.bar,
            this.live,
            h("div", { class: "readings" }, this.clock, this.rate),
            new Slow(studio).element,
            this.speed,
        );
        studio.on("time", time => {
            this.paintPlay();
            this.live.classList.toggle("on", !time.live);
            this.live.disabled = time.live;
            if (!speeds.includes(time.speed))
                this.speed.append(h("option", { value: time.speed }, `${short(time.speed)}×`));
            this.speed.value = String(time.speed);
            this.setRange(time.first, time.last);
            this.place(time.frame, time.time);
        });
        studio.on("stats", stats => {
            this.setRange(studio.time?.first ?? 0, stats.last);
            this.rate.textContent = `${stats.fps.toFixed(0)} fps`;
            this.rate.classList.toggle("slow", stats.fps < 0.9 * stats.rate);
        });
    }

    toggle(): void {
        const asked = !this.isPlaying;
        this.asked = asked;
        this.paintPlay();
        void this.studio.act(asked ? "play" : "pause").finally(() => {
            if (this.asked === asked) this.asked = null;
            this.paintPlay();
        });
    }

    private get isPlaying(): boolean {
        return this.asked ?? this.studio.time?.playing ?? false;
    }

    private paintPlay(): void {
        const on = this.isPlaying;
        this.play.replaceChildren(icon(on ? "pause" : "play"));
        this.play.dataset.playing = String(on);
        this.play.setAttribute("aria-label", on ? "Pause" : "Play");
        if (!on) this.rate.textContent = "";
    }

    step(single: boolean): void {
        void this.studio.act("step", single ? { unit: "step" } : {});
    }

    /** Shows the time of a frame that was drawn. */
    follow(frame: Frame): void {
        if (!frame.scrubbed && frame.frame > Number(this.bar.max)) this.setRange(Number(this.bar.min), frame.frame);
        this.place(frame.frame, frame.time);
    }

    private setRange(first: number, last: number): void {
        this.bar.min = String(first);
        this.bar.max = String(Math.max(last, first));
        this.fill();
    }

    private place(frame: number, time: number): void {
        if (!this.scrubbing) this.bar.value = String(frame);
        this.fill();
        this.clock.replaceChildren(
            h("b", {}, time.toFixed(2)),
            " s ",
            h("span", { class: "frames" }, `frame ${frame}`),
        );
    }

    private fill(): void {
        const low = Number(this.bar.min);
        const span = Number(this.bar.max) - low;
        this.bar.style.setProperty("--fill", `${span > 0 ? ((Number(this.bar.value) - low) / span) * 100 : 100}%`);
    }
}
