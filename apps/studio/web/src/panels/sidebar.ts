// The sidebar: tabs with panels, which are generated from the parameter tables of the present scene.
import { h, memory, replace, rove } from "../dom";
import { icon } from "../icons";
import type { PaneInfo, Param } from "../protocol";
import type { Studio } from "../studio";
import type { Stage } from "../view/stage";
import type { FalseColour } from "./colour";
import { paramField, type Field } from "./field";
import { addBodies } from "./addBody";
import { inWords, whyIdle } from "./effect";
import { finder } from "./find";
import { hasGarment, panelFabric, sewAgain } from "./garment";
import { labelOf, titleOf } from "./labels";
import { lookSections } from "./look";
import { section, unfold } from "./section";
import { setupSections } from "./setup";
import { findSprings, springPathList, springsSection } from "./springs";

const tabs = ["setup", "cloth", "world", "view", "plots"] as const;
type Tab = (typeof tabs)[number];

function groupOf(path: string): string {
    return path.slice(0, Math.max(0, path.lastIndexOf(".")));
}

function tabOf(group: string): Tab {
    const top = group.split(".")[0];
    if (top === "time" || top === "integrator") return "setup";
    return top === "cloth" ? "cloth" : "world";
}

function reasonList(reasons: string[]): HTMLElement {
    const items = reasons.map(reason => h("li", {}, reason));
    return h("div", { class: "reasons about" }, "Greyed fields have no effect:", h("ul", {}, ...items));
}

export class Sidebar {
    readonly element: HTMLElement;
    readonly plots = h("div", { class: "page", "data-page": "plots" });
    private readonly fields = new Map<string, Field>();
    private readonly pages = new Map<Tab, HTMLElement>();
    private readonly filter: HTMLInputElement;
    private readonly nothing = h("div", { class: "nothing hidden", role: "status" });
    private signature = "";
    private updateSetup: () => void = () => undefined;

    constructor(
        private readonly studio: Studio,
        private readonly stage: Stage,
        private readonly colours: FalseColour,
    ) {
        const bar = h("div", { class: "tabs", role: "tablist", "aria-label": "Panels" });
        const body = h("div", { class: "pages" });
        for (const tab of tabs) {
            const page = tab === "plots" ? this.plots : h("div", { class: "page", "data-page": tab });
            page.id = `page-${tab}`;
            page.setAttribute("role", "tabpanel");
            page.setAttribute("aria-label", tab);
            this.pages.set(tab, page);
            body.append(page);
            const button = h("button", { role: "tab", "data-tab": tab, "aria-controls": page.id }, tab);
            button.addEventListener("click", () => this.choose(tab));
            bar.append(button);
        }
        rove(bar, "[role=tab]", tab => tab.click());
        this.filter = h("input", {
            type: "search",
            class: "filter",
            placeholder: "Find a parameter",
            "aria-label": "Find a parameter",
        });
        this.filter.addEventListener("input", () => this.applyFilter());
        this.filter.addEventListener("keydown", event => event.stopPropagation());
        this.element = h("aside", { id: "sidebar" }, h("div", { class: "grip" }), bar, this.filter, this.nothing, body);
        this.choose((memory.get("tab") as Tab | null) ?? "setup");
        studio.on("scene", () => this.build());
        studio.on("mesh", () => this.updateSetup());
        studio.on("params", event => {
            if (event.pane === studio.pane) this.update();
        });
    }

    choose(tab: Tab): void {
        const known = tabs.includes(tab) ? tab : "setup";
        memory.set("tab", known);
        this.element.dataset.tab = known;
        for (const button of this.element.querySelectorAll<HTMLElement>("[role=tab]")) {
            button.setAttribute("aria-selected", String(button.dataset.tab === known));
            button.tabIndex = button.dataset.tab === known ? 0 : -1;
        }
        for (const [name, page] of this.pages) page.classList.toggle("current", name === known);
    }

    /** Opens the section of a group of parameters, such as "cloth.tshirt.panels.front", and scrolls to it. */
    reveal(group: string): void {
        const row = this.element.querySelector<HTMLElement>(`[data-path^="${group}."]`);
        const part = row?.closest<HTMLDetailsElement>("details.section");
        if (!part) return;
        this.choose(tabOf(group));
        part.open = true;
        part.scrollIntoView({ block: "nearest" });
    }

    /** Rebuilds the panels if the scene's lists have changed. Otherwise only updates their values. */
    private build(): void {
        const pane = this.studio.scene?.panes[this.studio.pane];
        if (!pane) return;
        const lists = { ...pane, params: pane.params.map(param => param.path), idle: null };
        const signature = JSON.stringify([this.studio.scene?.name, this.studio.pane, lists]);
        if (signature === this.signature) {
            this.update();
            return;
        }
        this.signature = signature;
        this.fields.clear();
        this.fill(pane);
        this.applyFilter();
    }

    private fill(pane: PaneInfo): void {
        const springs = findSprings(pane.params, this.studio.hello?.link_types ?? ["structural", "shear", "flexion"]);
        const taken = new Set(springs ? springPathList(springs) : []);
        const groups = new Map<string, Param[]>();
        for (const param of pane.params) {
            if (taken.has(param.path)) continue;
            const group = groupOf(param.path);
            groups.set(group, [...(groups.get(group) ?? []), param]);
        }
        const sections: Record<"setup" | "cloth" | "world", HTMLElement[]> = { setup: [], cloth: [], world: [] };
        const forces = new Set(pane.forces.map(force => force.path));
        for (const [group, params] of groups)
            if (!forces.has(group)) sections[tabOf(group) as "setup"].push(this.group(group, params));
        const forceParts = pane.forces.map(force => this.group(force.path, groups.get(force.path) ?? [], force.path));
        const setup = setupSections(this.studio, pane);
        this.updateSetup = () => setup.update();
        replace(this.pages.get("setup")!, ...setup.elements, ...sections.setup);
        replace(
            this.pages.get("cloth")!,
            springs ? springsSection(this.studio, springs, this.fields) : null,
            hasGarment(pane) ? sewAgain(this.studio) : null,
            ...sections.cloth,
        );
        replace(this.pages.get("world")!, addBodies(this.studio), this.addForce(), ...forceParts, ...sections.world);
        replace(this.pages.get("view")!, ...lookSections(this.stage, this.colours));
        this.markIdle();
    }

    private group(group: string, params: Param[], removable?: string): HTMLElement {
        const rows = params.map(param => {
            const field = paramField(this.studio, param);
            this.fields.set(param.path, field);
            return field.element;
        });
        const several = (this.studio.scene?.panes[this.studio.pane].cloths.length ?? 1) > 1;
        const words = group.split(".");
        const options: { open: boolean; note?: string; aside?: Node } = {
            open: /fabric$|model$|ease$|^forces|^integrator|^time|^contact$|mannequin/.test(group),
        };
        if (several && words[0] === "cloth") options.note = words[1];
        if (removable !== undefined) {
            const remove = h(
                "button",
                {
                    class: "remove",
                    title: "Remove this force",
                    "aria-label": `Remove the force ${titleOf(group)}`,
                    "data-remove": removable,
                },
                icon("close"),
            );
            remove.addEventListener("click", event => {
                event.preventDefault();
                void this.studio.act("force", { remove: removable });
            });
            options.aside = remove;
        }
        if (words[2] === "panels")
            rows.unshift(panelFabric(this.studio, this.studio.scene!.panes[this.studio.pane], group));
        const key = words[0] === "cloth" ? `cloth.${words.slice(2).join(".")}` : group;
        if (rows.length === 0) rows.push(h("p", { class: "about" }, "No parameters."));
        return section(key, titleOf(group), rows, options);
    }

    private addForce(): HTMLElement {
        const forces = (this.studio.hello?.components ?? []).filter(c => c.kind === "force");
        const select = h(
            "select",
            { "aria-label": "Add a force", id: "add-force" },
            h("option", { value: "" }, "Add a force…"),
            ...forces.map(f => h("option", { value: f.name, title: f.help }, `${f.name}: ${f.help}`)),
        );
        select.addEventListener("change", () => {
            if (select.value) void this.studio.act("force", { add: select.value });
            select.value = "";
        });
        return h("div", { class: "adder" }, icon("plus"), select);
    }

    private update(): void {
        for (const param of this.studio.params()) this.fields.get(param.path)?.update(param);
        this.updateSetup();
        this.markIdle();
    }

    // Greys the fields without effect. The reasons of a section are listed at its top.
    private markIdle(): void {
        const pane = this.studio.scene?.panes[this.studio.pane];
        if (!pane) return;
        const words = (reason: string, fields: string[]): string => inWords(pane, reason, fields);
        for (const [path, field] of this.fields) field.setIdle(whyIdle(pane, path), words);
        for (const part of this.element.querySelectorAll<HTMLElement>("details.section")) {
            const rows = [...part.querySelectorAll<HTMLElement>("[data-idle]:not(.filtered)")];
            const reasons = new Map<string, string[]>(); // and the labels of their fields
            for (const { dataset } of rows)
                reasons.set(dataset.idle!, [...(reasons.get(dataset.idle!) ?? []), dataset.label ?? ""]);
            part.querySelector(".reasons")?.remove();
            const texts = [...reasons].map(([reason, labels]) => words(reason, labels));
            if (texts.length > 0) part.querySelector(".body")?.prepend(reasonList(texts));
        }
    }

    // Shows the matching rows of all tabs and hides sections without any.
    private applyFilter(): void {
        const text = this.filter.value.trim();
        const isOn = text !== "";
        const fits = finder(text);
        let found = 0;
        this.element.classList.toggle("filtering", isOn);
        for (const row of this.element.querySelectorAll<HTMLElement>("[data-path]")) {
            const { path = "", label = "", help = "" } = row.dataset;
            const isFound = !isOn || fits(path, label, help);
            if (isFound) found++;
            row.classList.toggle("filtered", !isFound);
        }
        for (const part of this.element.querySelectorAll<HTMLDetailsElement>("details.section")) {
            part.classList.toggle("filtered", isOn && !part.querySelector("[data-path]:not(.filtered)"));
            unfold(part, isOn);
        }
        this.nothing.classList.toggle("hidden", !isOn || found > 0);
        if (isOn && found === 0) this.sayNothing(text, fits);
        this.markIdle(); // the reasons of the rows that are shown
    }

    // Says that nothing was found. A parameter of a force that the scene lacks is offered together with the force.
    private sayNothing(text: string, fits: ReturnType<typeof finder>): void {
        const forces = (this.studio.hello?.components ?? []).filter(
            c =>
                c.kind === "force" &&
                c.params.some(p => fits(`forces.${c.name}.${p.path}`, labelOf(`forces.${c.name}.${p.path}`), p.help)),
        );
        const buttons = forces.slice(0, 3).map(force => {
            const add = h("button", { "data-add-force": force.name }, `Add ${titleOf(`forces.${force.name}`)}`);
            add.addEventListener("click", () => void this.studio.act("force", { add: force.name }));
            return add;
        });
        replace(
            this.nothing,
            h("p", {}, `No parameter of this scene matches “${text}”.`),
            buttons.length > 0 ? h("p", {}, "A force that it does not have yet does:") : null,
            ...buttons,
        );
    }
}
