// The Export and Record menus: the present frame, the animation, and the recording that `weft run` replays.
import { menu, menuItem } from "./dialog";
import { download, h, save } from "./dom";
import { icon } from "./icons";
import type { ExportEvent } from "./protocol";
import type { Studio } from "./studio";
import type { Stage } from "./view/stage";

interface File {
    what: "frame" | "take" | "view";
    format: string;
    text: string;
    note: string;
}

const meshes: File[] = [
    { what: "frame", format: "obj", text: "Frame as OBJ", note: "mesh" },
    { what: "frame", format: "ply", text: "Frame as PLY", note: "mesh per cloth" },
    { what: "frame", format: "glb", text: "Frame as GLB", note: "mesh" },
    { what: "take", format: "glb", text: "Animation as GLB", note: "animated mesh" },
    { what: "take", format: "pc2", text: "Animation as PC2", note: "point cache and mesh per cloth" },
];
const rendered: File[] = [
    { what: "frame", format: "png", text: "Frame as PNG", note: "ray-traced picture" },
    { what: "take", format: "mp4", text: "Animation as MP4", note: "ray-traced video" },
];
const seen: File[] = [{ what: "view", format: "png", text: "Frame as PNG", note: "picture of the view" }];

const nameOf = (url: string): string => url.slice(url.lastIndexOf("/") + 1);

export class Exports {
    readonly menu: HTMLElement;
    readonly record: HTMLElement;
    readonly jobs = h("div", { id: "jobs" });
    private readonly names = new Map<number, string>();
    private readonly early = new Map<number, ExportEvent>(); // exports that ended before their number was known

    constructor(
        private readonly studio: Studio,
        private readonly stage: Stage,
    ) {
        const button = h(
            "button",
            { id: "export", "data-tip": "Export this frame or the animation", "aria-label": "Export" },
            icon("save"),
            h("span", { class: "wide" }, "Export"),
        );
        this.menu = menu("export-menu", button, close =>
            [...meshes, ...(studio.link.backend.renders ? rendered : seen)].map(file =>
                menuItem(
                    file.text,
                    file.note,
                    () => {
                        close();
                        void (file.what === "view" ? this.saveView() : this.start(file.what, file.format, file.text));
                    },
                    { "data-export": `${file.what}-${file.format}` },
                ),
            ),
        );
        const recordButton = h(
            "button",
            { id: "record", "data-tip": "Record your actions · weft run can replay them", "aria-label": "Record" },
            icon("record"),
            h("span", { class: "wide" }, "Record"),
        );
        this.record = menu("record-menu", recordButton, close => [
            menuItem(
                "Restart and record",
                "from frame 0",
                () => {
                    close();
                    void studio.act("record", { action: "start" }).then(answer => {
                        if (answer) studio.tell("Recording started. Everything you do from now on is recorded.");
                    });
                },
                { "data-record": "start" },
            ),
            menuItem(
                "Save recording",
                "scene and inputs",
                () => {
                    close();
                    void this.saveRecording();
                },
                { "data-record": "save" },
            ),
        ]);
        studio.on("export", event => this.progress(event));
        studio.on("time", ({ recording, time }) => this.showRecording(recordButton, recording, time));
        studio.on("stats", ({ time }) => this.showRecording(recordButton, studio.time?.recording ?? false, time));
    }

    private async start(what: string, format: string, name: string): Promise<void> {
        const camera = format === "png" || format === "mp4" ? this.view() : {};
        const answer = await this.studio.act("export", { what, format, pane: this.studio.pane, ...camera });
        if (!answer) return;
        this.names.set(Number(answer.job), name);
        const early = this.early.get(Number(answer.job));
        if (early) this.progress(early);
        const label = this.jobs.querySelector(`[data-job="${Number(answer.job)}"] .what`);
        if (label) label.textContent = name;
    }

    // Video codecs need even sides.
    private view(): Record<string, unknown> {
        const area = this.stage.area(this.studio.pane);
        const even = (value: number): number => 2 * Math.round(value / 2);
        const scale = Math.min(1, 1280 / Math.max(area.width, area.height));
        return { camera: this.stage.cameraNow(), size: [even(area.width * scale), even(area.height * scale)] };
    }

    private progress(event: ExportEvent): void {
        const item = this.jobs.querySelector<HTMLElement>(`[data-job="${event.job}"]`) ?? this.addJob(event.job);
        item.querySelector("progress")!.value = event.progress;
        item.querySelector(".percent")!.textContent = `${Math.floor(100 * event.progress)} %`;
        if (event.error === undefined && event.url === undefined) return;
        item.remove();
        // All pages receive the event; only the one that asked for the export saves the file.
        const mine = this.names.get(event.job);
        this.names.delete(event.job);
        if (mine === undefined) {
            this.early.set(event.job, event);
            return;
        }
        if (event.cancelled) this.studio.tell(`${mine}: cancelled`);
        else if (event.error !== undefined) this.studio.complain(new Error(event.error));
        else if (event.url !== undefined) {
            const urls = event.urls ?? [event.url];
            for (const url of urls) void this.save(url);
            this.studio.tell(`${urls.map(nameOf).join(", ")} ${urls.length > 1 ? "are" : "is"} ready`);
        }
    }

    private addJob(job: number): HTMLElement {
        const cancel = h("button", { class: "cancel", "aria-label": "Cancel the export" }, "Cancel");
        cancel.addEventListener("click", () => {
            cancel.disabled = true;
            void this.studio.act("cancel", { job });
        });
        const item = h(
            "div",
            { class: "job", "data-job": job },
            h("span", { class: "what" }, this.names.get(job) ?? "Export"),
            h("progress", { max: 1 }),
            h("span", { class: "percent" }),
            cancel,
        );
        this.jobs.append(item);
        return item;
    }

    private showRecording(button: HTMLElement, isOn: boolean, time: number): void {
        button.classList.toggle("recording", isOn);
        button.querySelector(".wide")!.textContent = isOn ? `Recording ${time.toFixed(1)} s` : "Record";
        button.setAttribute("aria-label", isOn ? "Recording" : "Record");
    }

    private async saveRecording(): Promise<void> {
        const answer = await this.studio.act("record", { action: "save" });
        if (!answer) return;
        const replay = this.studio.link.backend.shares
            ? "Drop both files on this page to replay it."
            : `Replay it with: weft run ${String(answer.path)}`;
        this.studio.tell(
            `Saved ${String(answer.path)} (${String(answer.frames)} frames, state ${String(answer.state_hash)}). ${replay}`,
        );
        for (const url of [answer.url, answer.inputs_url]) if (typeof url === "string") await this.save(url);
    }

    private async save(url: string): Promise<void> {
        try {
            save(nameOf(url), await this.studio.link.backend.fileAddress(url));
        } catch (error) {
            this.studio.complain(error);
        }
    }

    private async saveView(): Promise<void> {
        const picture = await this.stage.picture();
        const name = `${this.studio.scene?.name ?? "scene"}-frame-${this.stage.frame?.frame ?? 0}.png`;
        download(name, picture);
        this.studio.tell(`${name} is ready`);
    }
}
