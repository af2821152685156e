// A parameter as a row: label with a tooltip, slider, number with unit, reset button, and the server's error message.
import { h } from "../dom";
import { icon } from "../icons";
import type { Param } from "../protocol";
import type { Studio } from "../studio";
import { labelOf } from "./labels";
import { rounded, scaleFor } from "./scale";

export interface Field {
    element: HTMLElement;
    update(param: Param): void;
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

/** Formats a number for reading: 5e-6, not 0.000005. */
function tidy(text: string): string {
    const value = Number(text);
    if (text.trim() === "" || Number.isNaN(value)) return text;
    const size = Math.abs(value);
    if (size === 0 || (size >= 1e-3 && size < 1e6)) return String(Number(value.toPrecision(5)));
    return value
        .toExponential(5)
        .replace(/\.?0+e/, "e")
        .replace("e+", "e");
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
    const number = numberInput(label, send);
    slider.addEventListener("input", () => {
        const value = rounded(scale.toValue(Number(slider.value)), whole);
        number.value = tidy(String(value));
        slider.style.setProperty("--fill", `${Number(slider.value) * 100}%`);
        send(value);
    });
    const unit = h("span", { class: "unit" }, first.unit);
    return {
        parts: [slider, h("span", { class: "measure" }, number, unit)],
        update(param) {
            const value = Number.parseFloat(param.value);
            if (!isFocused(number)) number.value = tidy(param.value);
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
    const row = h("span", { class: "vector" }, ...inputs, h("span", { class: "unit" }, param.unit));
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

export function limits(param: Param): string {
    const unit = param.unit ? ` ${param.unit}` : "";
    if (param.low === null && param.high === null) return "";
    if (param.high === null) return `${param.open_low ? "above" : "from"} ${String(param.low)}${unit}`;
    if (param.low === null) return `up to ${String(param.high)}${unit}`;
    return `${param.open_low ? "above " : ""}${String(param.low)} to ${String(param.high)}${unit}`;
}

function tip(param: Param): string {
    const rows = [
        param.help,
        param.type === "real" || param.type === "int" ? limits(param) : "",
        `scene value: ${param.default}`,
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
        { class: `row row-${first.type}`, "data-path": path, "data-label": spoken },
        label,
        ...control.parts,
        reset,
        complaint,
    );
    const update = (param: Param): void => {
        control.update(param);
        element.classList.toggle("changed", studio.isChanged(param));
    };
    update(first);
    return { element, update };
}
