// Springs by type: switch, stiffness and rest length of each, and rows that set all types at once.
import { h } from "../dom";
import type { Param } from "../protocol";
import type { Studio } from "../studio";
import { linkColours } from "../view/cloth";
import { paramField, type Field } from "./field";
import { section } from "./section";

export interface SpringPaths {
    prefix: string; // "cloth.sheet.model."
    types: string[];
}

/** Finds the model's springs. The model must have a switch, a stiffness and a rest length for each type. */
export function findSprings(params: Param[], types: string[]): SpringPaths | null {
    const switchOf = params.find(p => p.type === "bool" && p.path.endsWith(`.${types[0]}`));
    if (!switchOf) return null;
    const prefix = switchOf.path.slice(0, -types[0].length);
    const has = (name: string): boolean => params.some(p => p.path === prefix + name);
    const complete = types.every(type => has(type) && has(`${type}_stiffness`) && has(`${type}_rest`));
    return complete ? { prefix, types } : null;
}

export function springPathList(springs: SpringPaths): string[] {
    return springs.types.flatMap(type =>
        [type, `${type}_stiffness`, `${type}_rest`].map(name => springs.prefix + name),
    );
}

function setAll(studio: Studio, springs: SpringPaths): HTMLElement {
    const complaint = h("div", { class: "complaint", role: "alert" });
    const row = (what: string, name: string, unit: string, hint: string): HTMLElement => {
        const input = h("input", {
            class: "number",
            inputmode: "decimal",
            "aria-label": `${name} of all springs`,
            placeholder: hint,
        });
        const apply = h("button", { "data-set-all": what }, "Set all");
        const go = (): void => {
            if (input.value.trim() === "") return;
            const values = Object.fromEntries(
                springs.types.map(type => [`${springs.prefix}${type}_${what}`, input.value]),
            );
            void studio.set(values).then(error => {
                complaint.textContent = error ?? "";
            });
        };
        apply.addEventListener("click", go);
        input.addEventListener("keydown", event => {
            event.stopPropagation();
            if (event.key === "Enter") go();
        });
        return h(
            "div",
            { class: "row" },
            h("span", { class: "name" }, name),
            h("span", { class: "spacer" }),
            h("span", { class: "measure" }, input, h("span", { class: "unit" }, unit)),
            apply,
        );
    };
    return h(
        "div",
        { class: "set-all" },
        h("div", { class: "sub" }, "All types"),
        row("stiffness", "stiffness", "N/m", "e.g. 50"),
        row("rest", "rest length", "m", "e.g. 0"),
        complaint,
    );
}

export function springsSection(studio: Studio, springs: SpringPaths, fields: Map<string, Field>): HTMLElement {
    const blocks = springs.types.map((type, i) => {
        const rows = [type, `${type}_stiffness`, `${type}_rest`].map((name, k) => {
            const param = studio.param(springs.prefix + name)!;
            const label = ["on", "stiffness", "rest length"][k];
            const field = paramField(studio, param, label, `${type} springs, ${label}`);
            fields.set(param.path, field);
            return field.element;
        });
        const swatch = h("i", { class: "swatch", style: `--colour: #${linkColours[i].toString(16).padStart(6, "0")}` });
        return h("div", { class: "spring-type" }, h("div", { class: "sub" }, swatch, type), ...rows);
    });
    return section("springs", "Springs", [...blocks, setAll(studio, springs)], { open: true });
}
