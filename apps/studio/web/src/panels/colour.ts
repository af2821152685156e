// False colours: the quantity, its range and the legend. All pages share the server's quantity; the range and the colours
// of refinement levels are local to this page.
import { h } from "../dom";
import type { Studio } from "../studio";
import type { Stage } from "../view/stage";
import { Legend } from "./legend";
import { watchProbe } from "./probe";
import { followRange, type ColourRange } from "./range";

const REFINEMENT = "refinement";

export class FalseColour {
    /** The value under the pointer. */
    readonly probe = h("div", { id: "probe", class: "hidden" });
    /** Called when another page has chosen a quantity. */
    onFollow: (choice: string) => void = () => undefined;
    private readonly legend = new Legend();
    private pending = 0; // choices of this page that the server has not answered yet
    private deepest = 1; // the highest refinement level that the colours span
    private range: ColourRange = { low: 0, high: 1 };
    private isSigned = false;
    private unit = "";
    private isAuto = true; // the range follows the data

    constructor(
        private readonly studio: Studio,
        private readonly stage: Stage,
    ) {
        studio.on("show", ({ scalar, unit, low, high }) => {
            if (this.pending === 0) this.follow(scalar);
            if (scalar !== null && scalar === stage.show.colour) this.begin(scalar, unit, low, high);
        });
        studio.on("scene", ({ isNew }) => {
            if (isNew && stage.show.colour === REFINEMENT) this.showLevels(1);
        });
        this.legend.onRange = range => this.setRange(range);
        watchProbe(stage, this.probe, () => this.unit);
    }

    /** The legend at the edge of the view. */
    get element(): HTMLElement {
        return this.legend.element;
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

    /** Adapts the range to the frame that was drawn. A range that still fits is kept unless `keep` is false. */
    fit(keep = true): void {
        const { colour } = this.stage.show;
        if (!this.isAuto || colour === "none" || colour === REFINEMENT) return;
        const lists = this.stage.panes.flatMap(pane => pane.cloths.map(cloth => cloth.scalar));
        const known = lists.filter((list): list is Float32Array => list !== null);
        const range = followRange(known, this.isSigned, this.range, keep);
        if (range !== this.range) this.apply(range);
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
        else if (choice === "none") this.legend.hide();
    }

    private levels(): number {
        const shapes = this.stage.panes.flatMap(pane => pane.cloths.map(cloth => cloth.shape));
        return shapes.reduce((most, shape) => shape?.levels.reduce((a, b) => Math.max(a, b), most) ?? most, 0);
    }

    private showLevels(atLeast: number): void {
        this.deepest = Math.max(atLeast, this.levels());
        this.unit = "";
        this.isSigned = false;
        this.legend.show(REFINEMENT, "", false, false);
        this.apply({ low: 0, high: this.deepest });
    }

    private begin(name: string, unit: string, low: number, high: number): void {
        this.unit = unit;
        this.isSigned = low < 0;
        this.isAuto = true;
        this.legend.show(name, unit, this.isSigned, true);
        this.apply({ low, high });
        this.fit(false);
    }

    /** Sets the range by hand; null lets it follow the data again. */
    private setRange(range: ColourRange | null): void {
        this.isAuto = range === null;
        if (range) this.apply(range);
        else this.fit(false);
        this.legend.update(this.range, this.isAuto);
    }

    private apply(range: ColourRange): void {
        this.range = range;
        this.stage.setRange(range.low, range.high, this.isSigned);
        this.legend.update(range, this.isAuto);
    }
}
