// The Setup tab: cloth shape, algorithm and fabric. These are the choices of the first page of Assunção (2020).
import { h } from "../dom";
import { icon } from "../icons";
import type { PaneInfo } from "../protocol";
import { tellNotes, useMesh } from "../recordings";
import type { Studio } from "../studio";
import { fabricSection } from "./fabric";
import { section } from "./section";

/** Sends a command and shows the notes of its answer. */
async function actAndTell(studio: Studio, name: string, fields: Record<string, unknown>): Promise<void> {
    tellNotes(studio, await studio.act(name, fields));
}

/** Chooses model or integrator, of one pane or of all. */
export function chooseMethod(studio: Studio, fields: Record<string, unknown>): void {
    void actAndTell(studio, "algorithm", fields);
}

function count(label: string, value: number, step: string): HTMLInputElement {
    return h("input", { type: "number", class: "number", min: step === "1" ? 1 : 0, step, value, "aria-label": label });
}

function row(name: string, tip: string, ...content: (Node | string)[]): HTMLElement {
    return h("div", { class: "row" }, h("span", { class: "name", "data-tip": tip, tabindex: 0 }, name), ...content);
}

/** Says how many vertices the cloth has, also after a cut. */
function countVertices(pane: PaneInfo): string {
    const first = pane.cloths.at(0);
    return first ? `${first.vertices.toLocaleString("en")} vertices` : "";
}

function targetSection(studio: Studio, pane: PaneInfo): HTMLElement {
    const first = pane.cloths.at(0);
    const chosen = h(
        "select",
        { "aria-label": "Cloth" },
        ...pane.cloths.map((cloth, i) => h("option", { value: i }, cloth.name)),
    );
    const [a, b] = first?.grid ?? [32, 32];
    const [w, l] = first?.size ?? [1, 1];
    const cells = [count("cells across", a, "1"), count("cells down", b, "1")];
    const size = [count("width", Number(w.toPrecision(4)), "any"), count("height", Number(l.toPrecision(4)), "any")];
    const apply = h("button", { class: "primary", id: "apply-target" }, "Use this rectangle");
    apply.addEventListener("click", () => {
        const grid = { cells: cells.map(i => Number(i.value)), size: size.map(i => Number(i.value)) };
        void actAndTell(studio, "target", { grid, cloth: Number(chosen.value || 0) });
    });
    const file = h("input", {
        type: "file",
        accept: studio.link.backend.meshes.join(","),
        class: "hidden",
        id: "mesh-file",
    });
    file.addEventListener("change", () => {
        const mesh = file.files?.item(0);
        if (mesh) void useMesh(studio, mesh, Number(chosen.value || 0));
        file.value = "";
    });
    const drop = h(
        "label",
        { class: "drop", for: "mesh-file" },
        icon("upload"),
        h("span", {}, "Choose a mesh file, or drop one anywhere"),
        file,
    );
    return section(
        "target",
        "Cloth shape",
        [
            ...(pane.cloths.length > 1
                ? [row("cloth", "The cloth that gets the new shape", h("span", { class: "spacer" }), chosen)]
                : []),
            row(
                "cells",
                "Number of grid cells across and down",
                h("span", { class: "pairing" }, cells[0], "×", cells[1]),
            ),
            row(
                "size",
                "Width and height of the cloth at rest, in metres",
                h("span", { class: "pairing" }, size[0], "×", size[1], h("span", { class: "unit" }, "m")),
            ),
            apply,
            drop,
        ],
        { open: true, note: countVertices(pane) },
    );
}

function choose(
    label: string,
    names: string[],
    value: string,
    allowed: Set<string>,
    help: (name: string) => string,
    without = "", // what the others do not work with
): HTMLSelectElement {
    const select = h("select", { "aria-label": label, id: `choose-${label}` });
    for (const name of names) {
        const disabled = !allowed.has(name) && name !== value;
        const title = disabled && without ? `Does not work with ${without}. ${help(name)}` : help(name);
        const text = disabled && without ? `${name} (not with ${without})` : name;
        select.append(h("option", { value: name, disabled, title }, text));
    }
    select.value = value;
    return select;
}

export function methodChoices(
    studio: Studio,
    pane: PaneInfo,
    change: (fields: Record<string, string>) => void,
): { model: HTMLSelectElement; integrator: HTMLSelectElement } {
    const all = studio.hello?.components ?? [];
    const names = (kind: string): string[] => all.filter(c => c.kind === kind).map(c => c.name);
    const help =
        (kind: string) =>
        (name: string): string =>
            all.find(c => c.kind === kind && c.name === name)?.help ?? "";
    const pairs = studio.hello?.pairs ?? {};
    const model = choose("model", names("model"), pane.model, new Set(Object.keys(pairs)), help("model"));
    const integrator = choose(
        "integrator",
        names("integrator"),
        pane.integrator,
        new Set(pairs[pane.model] ?? names("integrator")),
        help("integrator"),
        pane.model,
    );
    // The server chooses another integrator if the present one does not work with the model, and says so.
    model.addEventListener("change", () => change({ model: model.value }));
    integrator.addEventListener("change", () => change({ integrator: integrator.value }));
    return { model, integrator };
}

function algorithmSection(studio: Studio, pane: PaneInfo): HTMLElement {
    const several = (studio.scene?.panes.length ?? 1) > 1;
    const { model, integrator } = methodChoices(studio, pane, fields => {
        chooseMethod(studio, several ? { ...fields, pane: studio.pane } : fields);
    });
    const about = (kind: string, name: string): HTMLElement => {
        const component = studio.hello?.components.find(c => c.kind === kind && c.name === name);
        return h(
            "p",
            { class: "about" },
            component?.help ?? "",
            component?.paper ? h("cite", {}, component.paper) : null,
        );
    };
    return section(
        "algorithm",
        "Algorithm",
        [
            row("model", "How the cloth resists stretching, shearing and bending", model),
            about("model", pane.model),
            row("integrator", "How the simulation advances in time", integrator),
            about("integrator", pane.integrator),
        ],
        { open: true, note: several ? `pane ${studio.pane + 1}` : "" },
    );
}

export function setupSections(studio: Studio, pane: PaneInfo): { elements: HTMLElement[]; update(): void } {
    const fabric = fabricSection(studio, pane);
    const target = targetSection(studio, pane);
    return {
        elements: [target, algorithmSection(studio, pane), fabric.element],
        update: () => {
            const note = target.querySelector("summary .note");
            const now = studio.scene?.panes[studio.pane];
            if (note && now) note.textContent = countVertices(now);
            fabric.update();
        },
    };
}
