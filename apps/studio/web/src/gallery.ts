// The gallery: a dialog with the scenes and their pictures, and the recordings of this folder.
import { dialog } from "./dialog";
import { h } from "./dom";
import { icon } from "./icons";
import type { SceneEntry } from "./protocol";
import { openRecording, useFiles } from "./recordings";
import type { Studio } from "./studio";

function picture(scene: SceneEntry): HTMLElement {
    if (scene.thumbnail === null) return h("div", { class: "blank" }, scene.name);
    const src = scene.thumbnail.replace(/^\//, "");
    return h("img", { src, alt: "", loading: "lazy", width: 320, height: 200 });
}

export class Gallery {
    private readonly list = h("div", { class: "scenes" });
    private readonly recordings = h("div", { class: "recordings" });
    private readonly element: HTMLDialogElement;

    constructor(private readonly studio: Studio) {
        this.element = dialog(
            "gallery",
            "Scenes",
            this.list,
            h("h3", {}, "Recordings"),
            this.recordings,
            this.opener(),
        );
    }

    open(): void {
        const current = this.studio.scene?.path;
        const cards = (this.studio.hello?.scenes ?? []).map(scene => {
            const card = h(
                "button",
                { class: "scene", "data-scene": scene.name, "aria-current": scene.name === current },
                picture(scene),
                h("b", {}, scene.name.replaceAll("-", " ")),
                h("span", {}, scene.summary),
            );
            card.addEventListener("click", () => this.load(scene.name));
            return card;
        });
        this.list.replaceChildren(...cards);
        void this.listRecordings();
        this.element.showModal();
    }

    private load(scene: string): void {
        this.element.close();
        void openRecording(this.studio, scene);
    }

    private async listRecordings(): Promise<void> {
        const answer = await this.studio.act("recordings");
        const list = (answer?.recordings ?? []) as { name: string; path: string }[];
        const buttons = list.map(({ name, path }) => {
            const isCurrent = path === this.studio.scene?.path;
            const button = h(
                "button",
                { "data-recording": name, "aria-current": isCurrent },
                icon("record"),
                `${name} (recording)`,
            );
            button.addEventListener("click", () => this.load(path));
            return button;
        });
        this.recordings.replaceChildren(
            ...(buttons.length > 0 ? buttons : [h("p", { class: "about" }, "None yet. Record, then Save recording.")]),
        );
    }

    private opener(): HTMLElement {
        const input = h("input", {
            type: "file",
            accept: ".yaml,.inputs",
            multiple: true,
            class: "hidden",
            id: "recording-files",
        });
        input.addEventListener("change", () => {
            const files = [...(input.files ?? [])];
            input.value = "";
            this.element.close();
            void useFiles(this.studio, files);
        });
        return h(
            "label",
            { class: "drop", for: "recording-files" },
            icon("upload"),
            h("span", {}, "Open a recording: choose its .yaml and .inputs files, or drop both onto the page"),
            input,
        );
    }
}
