// The View tab: what is drawn, the material of the cloth, and the light.
import * as THREE from "three";
import { h, short } from "../dom";
import type { Show } from "../view/show";
import type { Stage } from "../view/stage";
import type { FalseColour } from "./colour";
import { section } from "./section";

function toggle(name: string, value: boolean, change: (on: boolean) => void, key?: string): HTMLElement {
    const input = h("input", { type: "checkbox", class: "switch", role: "switch", checked: value, "aria-label": name });
    input.addEventListener("change", () => change(input.checked));
    return h(
        "label",
        { class: "row", "data-look": name },
        h("span", { class: "name" }, name, key ? h("kbd", {}, key) : null),
        h("span", { class: "spacer" }),
        input,
    );
}

function pick<T extends string>(
    name: string,
    choices: readonly T[],
    value: T,
    change: (choice: T) => void,
): HTMLElement {
    const select = h(
        "select",
        { "aria-label": name },
        ...choices.map(choice => h("option", { value: choice }, choice)),
    );
    select.value = value;
    select.addEventListener("change", () => change(select.value as T));
    return h(
        "div",
        { class: "row", "data-look": name },
        h("span", { class: "name" }, name),
        h("span", { class: "spacer" }),
        select,
    );
}

function slide(
    name: string,
    low: number,
    high: number,
    value: number,
    change: (value: number) => void,
    unit = "",
): HTMLElement {
    const out = h("span", { class: "readout" }, `${short(value, 3)}${unit}`);
    const slider = h("input", {
        type: "range",
        class: "slider",
        min: low,
        max: high,
        step: "any",
        value,
        "aria-label": name,
    });
    const fill = (): void =>
        slider.style.setProperty("--fill", `${((Number(slider.value) - low) / (high - low)) * 100}%`);
    fill();
    slider.addEventListener("input", () => {
        fill();
        out.textContent = `${short(Number(slider.value), 3)}${unit}`;
        change(Number(slider.value));
    });
    return h("div", { class: "row", "data-look": name }, h("span", { class: "name" }, name), slider, out);
}

function colour(name: string, value: THREE.Color, change: (colour: THREE.Color) => void): HTMLElement {
    const input = h("input", { type: "color", value: `#${value.getHexString()}`, "aria-label": name });
    input.addEventListener("input", () => change(new THREE.Color(input.value)));
    return h("div", { class: "row" }, h("span", { class: "name" }, name), h("span", { class: "spacer" }), input);
}

/** Sets azimuth and elevation of the sun on a small disc. The centre is overhead, the rim is the horizon. */
function sunDial(stage: Stage): HTMLElement {
    const knob = h("i", { class: "sun-knob" });
    const dial = h(
        "div",
        { class: "sun-dial", role: "slider", tabindex: 0, "aria-label": "Light direction", "aria-valuetext": "" },
        knob,
    );
    const sun = stage.shared.cloth.sun.value;
    const place = (): void => {
        knob.style.left = `${50 + sun.x * 48}%`;
        knob.style.top = `${50 + sun.z * 48}%`;
        dial.setAttribute("aria-valuetext", `${(Math.asin(sun.y) * 57.3).toFixed(0)} degrees above the horizon`);
    };
    const turn = (x: number, z: number): void => {
        const r = Math.min(0.985, Math.hypot(x, z));
        const angle = Math.atan2(z, x);
        stage.setSun(new THREE.Vector3(r * Math.cos(angle), Math.sqrt(1 - r * r), r * Math.sin(angle)));
        place();
    };
    const follow = (event: PointerEvent): void => {
        const box = dial.getBoundingClientRect();
        turn(((event.clientX - box.left) / box.width) * 2 - 1, ((event.clientY - box.top) / box.height) * 2 - 1);
    };
    dial.addEventListener("pointerdown", event => {
        dial.setPointerCapture(event.pointerId);
        follow(event);
    });
    dial.addEventListener("pointermove", event => {
        if (dial.hasPointerCapture(event.pointerId)) follow(event);
    });
    dial.addEventListener("keydown", event => {
        const way = { ArrowLeft: [-0.06, 0], ArrowRight: [0.06, 0], ArrowUp: [0, -0.06], ArrowDown: [0, 0.06] }[
            event.key
        ];
        if (!way) return;
        event.preventDefault();
        event.stopPropagation();
        turn(sun.x + way[0], sun.z + way[1]);
    });
    place();
    return h(
        "div",
        { class: "row row-dial" },
        h("span", { class: "name" }, "light direction"),
        h("span", { class: "spacer" }),
        dial,
    );
}

export function lookSections(stage: Stage, colours: FalseColour): HTMLElement[] {
    const show = stage.show;
    const set = (change: Partial<Show>): void => stage.changeShow(change);
    const cloth = stage.shared.cloth;
    const colouring = pick("colour by", colours.choices(), show.colour, choice => colours.choose(choice));
    colours.onFollow = choice => {
        colouring.querySelector("select")!.value = choice;
    };
    return [
        section(
            "show",
            "Show",
            [
                toggle("surface", show.surface, on => set({ surface: on })),
                toggle("wireframe", show.wires, on => set({ wires: on })),
                toggle("particles", show.particles, on => set({ particles: on })),
                slide("particle size", 1, 16, show.particleSize, value => set({ particleSize: value }), " px"),
                pick("springs", ["none", "type", "tension"] as const, show.links, links => set({ links })),
                colouring,
                toggle("pins", show.pins, on => set({ pins: on })),
                toggle("bodies", show.bodies, on => set({ bodies: on })),
                toggle("ground", show.ground, on => set({ ground: on })),
            ],
            { open: true },
        ),
        section(
            "material",
            "Cloth",
            [
                colour("front", cloth.front.value, value => stage.setColours(value, cloth.back.value)),
                colour("back", cloth.back.value, value => stage.setColours(cloth.front.value, value)),
                slide("translucency", 0, 1, cloth.translucency.value, value => {
                    cloth.translucency.value = value;
                    stage.wake();
                }),
                slide("weave strength", 0, 1, cloth.weave.value, value => {
                    cloth.weave.value = value;
                    stage.wake();
                }),
                slide(
                    "yarn spacing",
                    0.5,
                    20,
                    1000 / cloth.yarns.value,
                    value => {
                        cloth.yarns.value = 1000 / value;
                        stage.wake();
                    },
                    " mm",
                ),
            ],
            { open: true },
        ),
        section(
            "light",
            "Light",
            [
                sunDial(stage),
                pick("quality", ["auto", "high", "low"] as const, show.quality, quality => set({ quality })),
            ],
            { open: true },
        ),
    ];
}
