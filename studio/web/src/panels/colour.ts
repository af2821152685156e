// False colours. All pages share the server's quantity; the colours of refinement levels are local to this page.
import { h, short } from "../dom";
import type { Studio } from "../studio";
import { paletteGradient } from "../view/palette";
import type { Stage } from "../view/stage";

const REFINEMENT = "refinement";

export class FalseColour {
    /** The legend at the edge of the view. */
    readonly legend = h("div", { id: "legend", class: "hidden" });
    /** Called when another page has chosen a quantity. */
    onFollow: (choice: string) => void = () => undefined;
    private pending = 0; // choices of this page that the server has not answered yet
    private deepest = 1; // the highest refinement level that the colours span

    constructor(
        private readonly studio: Studio,
        private readonly stage: Stage,
    ) {
        studio.on("show", ({ scalar, unit, low, high }) => {
            if (this.pending === 0) this.follow(scalar);
            if (scalar !== null && scalar === stage.show.colour) this.span(scalar, unit, low, high);
        });
        studio.on("scene", ({ isNew }) => {
            if (isNew && stage.show.colour === REFINEMENT) this.showLevels(1);
        });
    }

    choices(): string[] {
        return [...new Set(["none", ...(this.studio.hello?.scalars ?? []), REFINEMENT])];
    }

    choose(choice: string): void {
        const scalar = this.studio.hello?.scalars.includes(choice) ? choice : null;
        this.paint(choice);
        this.pending++;
        void this.studio.act("show", { scalar }).then(() => this.pending--);
    }

    /** Widens the range if a changed mesh has higher refinement levels. */
    widen(): void {
        if (this.stage.show.colour === REFINEMENT && this.levels() > this.deepest) this.showLevels(this.deepest);
    }

    private follow(scalar: string | null): void {
        const now = this.stage.show.colour;
        const choice = scalar ?? (now === REFINEMENT ? now : "none");
        if (choice === now) return;
        this.paint(choice);
        this.onFollow(choice);
    }

    private paint(choice: string): void {
        this.stage.changeShow({ colour: choice });
        if (choice === REFINEMENT) this.showLevels(1);
        else if (choice === "none") this.legend.classList.add("hidden");
    }

    private levels(): number {
        const shapes = this.stage.panes.flatMap(pane => pane.cloths.map(cloth => cloth.shape));
        return shapes.reduce((most, shape) => shape?.levels.reduce((a, b) => Math.max(a, b), most) ?? most, 0);
    }

    private showLevels(atLeast: number): void {
        this.deepest = Math.max(atLeast, this.levels());
        this.span(REFINEMENT, "", 0, this.deepest);
    }

    private span(name: string, unit: string, low: number, high: number): void {
        this.stage.setRange(low, high);
        this.legend.classList.remove("hidden");
        this.legend.replaceChildren(
            h("div", { class: "what" }, name, unit ? h("span", { class: "unit" }, unit) : ""),
            h("div", { class: "bar", style: `background: ${paletteGradient()}` }),
            h("div", { class: "ends" }, ...[low, (low + high) / 2, high].map(end => h("span", {}, short(end, 3)))),
        );
    }
}
