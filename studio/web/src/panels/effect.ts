// Which parameters have no effect at present, and why. The rules mirror the engine: where a model takes its stiffness
// from, which forces use drag and lift, and when there is contact.
import type { PaneInfo, Param } from "../protocol";
import { leaf } from "./labels";

const fabricStiffness = new Set([
    "stretch_weft",
    "stretch_warp",
    "shear",
    "poisson_weft",
    "poisson_warp",
    "bend_weft",
    "bend_warp",
    "damping",
]);
// Names of the parameters that `stiffness: fabric` replaces, by model.
const givenStiffness: Record<string, string[]> = {
    springs: ["structural_stiffness", "shear_stiffness", "flexion_stiffness"],
    buckling: ["stretch", "shear", "flexion", "flexion_triangles"],
};
// With `stiffness: auto`, springs use their own value instead of the fabric's where it is above 0.
const springOf: Record<string, string> = {
    stretch_weft: "structural_stiffness",
    stretch_warp: "structural_stiffness",
    shear: "shear_stiffness",
    bend_weft: "flexion_stiffness",
    bend_warp: "flexion_stiffness",
};

/** Tells why parameters of one pane have no effect. */
export class Effects {
    private readonly values: Map<string, string>;

    constructor(
        private readonly pane: PaneInfo,
        params: Param[],
    ) {
        this.values = new Map(params.map(param => [param.path, param.value]));
    }

    /** Returns the reason why the parameter has no effect, or null if it has one. */
    whyIdle(path: string): string | null {
        const words = path.split(".");
        if (words[0] === "contact") return this.ofContact(leaf(path));
        if (words[0] !== "cloth") return null;
        const prefix = words.slice(0, -2).join(".");
        const kind = words[words.length - 2];
        if (kind === "fabric") return this.ofFabric(prefix, leaf(path));
        return kind === "model" ? this.ofModel(prefix, leaf(path)) : null;
    }

    /** Returns whether the cloth "cloth.NAME" has its stiffness in the model and ignores that of the fabric. */
    ignoresFabric(cloth: string): boolean {
        return this.values.get(`${cloth}.model.stiffness`) === "given" || this.isReplaced(cloth, "stretch_weft");
    }

    private isReplaced(cloth: string, name: string): boolean {
        const own = this.values.get(`${cloth}.model.${springOf[name] ?? ""}`);
        return this.values.get(`${cloth}.model.stiffness`) === "auto" && Number(own ?? 0) > 0;
    }

    private ofFabric(cloth: string, name: string): string | null {
        if (fabricStiffness.has(name) && this.values.get(`${cloth}.model.stiffness`) === "given")
            return "No effect: the model's stiffness is “given”. Set it to “fabric” to use this value.";
        if (this.isReplaced(cloth, name))
            return "No effect: the model's own stiffness is given. Set it to 0 to use the fabric's.";
        if (name === "thickness")
            return Number(this.values.get("contact.thickness")) > 0
                ? "No effect: contact has its own thickness."
                : null;
        if (name === "friction") return this.hasContact() ? null : "No effect: nothing touches the cloth.";
        if (name === "drag" || name === "lift")
            return this.pane.forces.some(force => force.name.startsWith("wind")) ? null : "No effect without wind.";
        if (name === "tear_zone" && !this.tears(cloth))
            return "No effect: both tearing strains are 0, which means never.";
        return null;
    }

    private tears(cloth: string): boolean {
        return ["tear_weft", "tear_warp"].some(name => Number(this.values.get(`${cloth}.fabric.${name}`) ?? 0) > 0);
    }

    private ofModel(cloth: string, name: string): string | null {
        const value = (other: string): string | undefined => this.values.get(`${cloth}.model.${other}`);
        const model = value("structural_stiffness") === undefined ? "buckling" : "springs";
        if (value("stiffness") === "fabric" && givenStiffness[model].includes(name))
            return "No effect: the model's stiffness comes from the fabric. Set it to “given” to use this value.";
        const type = name.split("_")[0];
        if (name !== type && value(type) === "false") return `No effect: ${type} springs are off.`;
        if (name === "limit_passes" && Number(value("limit")) === 0)
            return "No effect: the elongation limit is 0, which means none.";
        return null;
    }

    private ofContact(name: string): string | null {
        if (name === "self" || this.hasContact()) return null;
        return "No effect: there are no bodies, and self-collision is off.";
    }

    private hasContact(): boolean {
        return this.pane.bodies.length > 0 || this.values.get("contact.self") === "true";
    }
}
