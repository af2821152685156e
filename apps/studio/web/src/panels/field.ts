// A parameter as a row: label with a tooltip, slider, number with unit, reset button, and the server's error message.
import { h } from "../dom";
import { icon } from "../icons";
import type { Param } from "../protocol";
import type { Studio } from "../studio";
import { labelOf } from "./labels";
import { rounded, scaleFor } from "./scale";
import { readable, tidy, unitFor, unitText } from "./units";

export interface Field {
    element: HTMLElement;
    update(param: Param): void;
    /** Greys the row. The reason is why the parameter has no effect; null if it has one. */
    setIdle(reason: string | null, inWords: (reason: string, fields: string[]) => string): void;
}

/** Sends a value as typed, such as "12 mm"; the server converts units. */
type Send = (value: unknown) => void;

/** Sends one value at a time. Of the values that arrive meanwhile, only the last is kept. */
function latest(send: (value: unknown) => Promise<void>): Send {
    let busy = false;
    let next: { value: unknown } | null = null;
    const go = async (value: unknown): Promise<void> => {
        busy = true;
        await send(value);
        busy = false;
        const waiting = next;
        next = null;
        if (waiting) void go(waiting.value);
    };
    return value => {
        if (busy) next = { value };
        else void go(value);
    };
}

function isFocused(input: Element): boolean {
    return document.activeElement === input;
}

interface Control {
    parts: (HTMLElement | null)[];
    update(param: Param): void;
}

function numberInput(label: string, commit: (text: string) => void): HTMLInputElement {
    const input = h("input", {
        type: "text",
        inputmode: "decimal",
        class: "number",
        "aria-label": label,
        spellcheck: "false",
        autocomplete: "off",
    });
    let before = "";
    input.addEventListener("focus", () => {
        before = input.value;
        input.select();
    });
    const finish = (): void => {
        if (input.value !== before) commit(input.value);
        before = input.value;
    };
    input.addEventListener("change", finish);
    input.addEventListener("keydown", event => {
        if (event.key === "Enter") finish();
        if (event.key === "Escape") {
            input.value = before;
            input.blur();
        }
        event.stopPropagation();
    });
    return input;
}

function realControl(first: Param, label: string, send: Send): Control {
    const whole = first.type === "int";
    let scale = scaleFor(first);
    const slider = h("input", {
        type: "range",
        min: 0,
        max: 1,
        step: "any",
        class: "slider",
        "aria-label": label,
    });
    const unit = h("span", { class: "unit" });
    let shown = unitFor(Number.parseFloat(first.value), first.unit);
    // A number without a unit has the unit that is shown.
    const commit = (text: string): void => {
        const isNumber = text.trim() !== "" && !Number.isNaN(Number(text));
        send(isNumber && shown.factor !== 1 ? `${text} ${shown.unit}` : text);
    };
    const number = numberInput(label, commit);
    const show = (value: number, text = String(value)): void => {
        if (!whole) shown = unitFor(value, first.unit);
        number.value = shown.factor === 1 ? tidy(text) : tidy(String(value / shown.factor));
        unit.textContent = unitText(shown.unit);
    };
    slider.addEventListener("input", () => {
        const value = rounded(scale.toValue(Number(slider.value)), whole);
        show(value);
        slider.style.setProperty("--fill", `${Number(slider.value) * 100}%`);
        send(value);
    });
    return {
        parts: [slider, h("span", { class: "measure" }, number, unit)],
        update(param) {
            const value = Number.parseFloat(param.value);
            if (!isFocused(number)) show(value, param.value);
            if (!slider.matches(":active")) {
                scale = scaleFor(param);
                slider.value = String(scale.toSlider(value));
                slider.style.setProperty("--fill", `${Number(slider.value) * 100}%`);
            }
        },
    };
}

function boolControl(label: string, send: Send): Control {
    const input = h("input", { type: "checkbox", class: "switch", role: "switch", "aria-label": label });
    input.addEventListener("change", () => send(input.checked));
    return {
        parts: [h("span", { class: "spacer" }), input],
        update(now) {
            input.checked = now.value === "true";
        },
    };
}

function choiceControl(param: Param, label: string, send: Send): Control {
    const select = h(
        "select",
        { "aria-label": label },
        ...(param.choices ?? []).map(choice => h("option", { value: choice }, choice)),
    );
    select.addEventListener("change", () => send(select.value));
    return {
        parts: [h("span", { class: "spacer" }), select],
        update(now) {
            select.value = now.value;
        },
    };
}

function stringControl(label: string, send: Send): Control {
    const input = numberInput(label, send);
    input.inputMode = "text";
    input.classList.add("text");
    return {
        parts: [input],
        update(now) {
            if (!isFocused(input)) input.value = now.value;
        },
    };
}

/** "[1, 0, 0]" -> ["1", "0", "0"] */
function parts(text: string): string[] {
    return text
        .replace(/[[\]]/g, "")
        .split(",")
        .map(part => part.trim());
}

function listControl(param: Param, label: string, send: Send): Control {
    const names = param.type === "pair" ? ["a", "b"] : ["x", "y", "z"];
    const commit = (): void => send(`[${inputs.map(input => input.value).join(", ")}]`);
    const inputs = names.map(name => numberInput(`${label}, ${name}`, commit));
    const row = h("span", { class: "vector" }, ...inputs, h("span", { class: "unit" }, unitText(param.unit)));
    return {
        parts: [row],
        update(now) {
            const values = parts(now.value);
            inputs.forEach((input, i) => {
                if (!isFocused(input)) input.value = tidy(values[i] ?? "");
            });
        },
    };
}

function controlFor(param: Param, label: string, send: Send): Control {
    switch (param.type) {
        case "real":
        case "int":
            return realControl(param, label, send);
        case "bool":
            return boolControl(label, send);
        case "choice":
            return choiceControl(param, label, send);
        case "string":
            return stringControl(label, send);
        default:
            return listControl(param, label, send);
    }
}

function limits(param: Param): string {
    const low = readable(String(param.low), param.unit);
    const high = readable(String(param.high), param.unit);
    if (param.low === null && param.high === null) return "";
    if (param.high === null) return `${param.open_low ? "above" : "from"} ${low}`;
    if (param.low === null) return `up to ${high}`;
    return `${param.open_low ? "above " : ""}${low} to ${high}`;
}

function tip(param: Param): string {
    const rows = [
        param.help,
        param.type === "real" || param.type === "int" ? limits(param) : "",
        `scene value: ${readable(param.default, param.unit)}`,
        `name: ${param.path}`,
    ];
    if (param.fixed) rows.push("a change restarts the scene");
    return rows.filter(Boolean).join(" · ");
}

/** Makes the row. `spoken` is the name for screen readers, where `name` alone is ambiguous. */
export function paramField(studio: Studio, first: Param, name = labelOf(first.path), spoken = name): Field {
    const complaint = h("div", { class: "complaint", role: "alert" });
    const path = first.path;
    const send = latest(async value => {
        const error = await studio.set({ [path]: value });
        complaint.textContent = error ?? "";
        element.classList.toggle("wrong", error !== null);
    });
    const control = controlFor(first, spoken, send);
    const reset = h(
        "button",
        { class: "reset", title: "Reset to the scene's value", "aria-label": `Reset ${spoken}` },
        icon("reset"),
    );
    reset.addEventListener("click", () => {
        complaint.textContent = "";
        element.classList.remove("wrong");
        void studio.reset([path]);
    });
    const label = h("span", { class: "name", "data-tip": tip(first), tabindex: 0 }, name);
    const element = h(
        "div",
        { class: `row row-${first.type}`, "data-path": path, "data-label": spoken, "data-help": first.help },
        label,
        ...control.parts,
        reset,
        complaint,
    );
    const update = (param: Param): void => {
        control.update(param);
        element.classList.toggle("changed", studio.isChanged(param));
    };
    const setIdle: Field["setIdle"] = (reason, inWords) => {
        element.classList.toggle("idle", reason !== null);
        if (reason === null) delete element.dataset.idle;
        else element.dataset.idle = reason;
        label.dataset.tip = reason === null ? tip(first) : `No effect: ${inWords(reason, [spoken])} · ${tip(first)}`;
    };
    update(first);
    return { element, update, setIdle };
}
