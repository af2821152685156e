// The gallery: a dialog with the scenes and their pictures.
import { dialog } from "./dialog";
import { h } from "./dom";
import type { Studio } from "./studio";

export class Gallery {
    private readonly list = h("div", { class: "scenes" });
    private readonly element: HTMLDialogElement;

    constructor(private readonly studio: Studio) {
        this.element = dialog("gallery", "Scenes", this.list);
    }

    open(): void {
        const current = this.studio.scene?.name;
        const cards = (this.studio.hello?.scenes ?? []).map(scene => {
            const picture =
                scene.thumbnail === null
                    ? h("div", { class: "blank" }, scene.name)
                    : h("img", {
                          src: scene.thumbnail.replace(/^\//, ""),
                          alt: "",
                          loading: "lazy",
                          width: 320,
                          height: 200,
                      });
            const card = h(
                "button",
                { class: "scene", "data-scene": scene.name, "aria-current": scene.name === current },
                picture,
                h("b", {}, scene.name.replaceAll("-", " ")),
                h("span", {}, scene.summary),
            );
            card.addEventListener("click", () => {
                this.element.close();
                void this.studio.act("load", { scene: scene.name }).then(answer => {
                    if (answer) void this.studio.act("play");
                });
            });
            return card;
        });
        this.list.replaceChildren(...cards);
        this.element.showModal();
    }
}
