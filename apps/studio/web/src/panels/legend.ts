// The legend of false colours. Its ends can be typed; a button lets them follow the data again.
import { h, short } from "../dom";
import { paletteGradient } from "../view/palette";
import type { ColourRange } from "./range";
import { unitText } from "./units";

function endInput(label: string): HTMLInputElement {
    return h("input", { type: "text", inputmode: "decimal", class: "number end", "aria-label": label });
}

export class Legend {
    readonly element = h("div", { id: "legend", class: "hidden" });
    /** Called with a range that was typed, or with null when it shall follow the data. */
    onRange: (range: ColourRange | null) => void = () => undefined;
    private readonly inputs = [endInput("lowest value of the colours"), endInput("highest value of the colours")];
    private readonly middle = h("span");
    private readonly auto = h("button", { class: "auto", "data-tip": "The range follows the data" }, "auto");
    private range: ColourRange = { low: 0, high: 1 };

    constructor() {
        this.auto.addEventListener("click", () => this.onRange(null));
        for (const input of this.inputs) {
            input.addEventListener("change", () => this.read());
            input.addEventListener("keydown", event => {
                event.stopPropagation();
                if (event.key === "Enter") input.blur();
            });
        }
    }

    hide(): void {
        this.element.classList.add("hidden");
    }

    show(name: string, unit: string, isSigned: boolean, canChange: boolean): void {
        this.element.classList.remove("hidden");
        for (const input of this.inputs) input.disabled = !canChange;
        this.element.replaceChildren(
            h(
                "div",
                { class: "what" },
                name,
                unit ? h("span", { class: "unit" }, unitText(unit)) : "",
                canChange ? this.auto : "",
            ),
            h("div", { class: "bar", style: `background: ${paletteGradient(isSigned)}` }),
            h("div", { class: "ends" }, this.inputs[0], this.middle, this.inputs[1]),
        );
    }

    update(range: ColourRange, isAuto: boolean): void {
        this.range = range;
        this.auto.setAttribute("aria-pressed", String(isAuto));
        [range.low, range.high].forEach((end, i) => {
            if (document.activeElement !== this.inputs[i]) this.inputs[i].value = short(end, 3);
        });
        this.middle.textContent = short((range.low + range.high) / 2, 3);
    }

    private read(): void {
        const [low, high] = this.inputs.map(input => Number(input.value));
        const isRange = this.inputs.every(input => input.value.trim() !== "") && high > low;
        if (isRange) this.onRange({ low, high });
        else this.update(this.range, this.auto.getAttribute("aria-pressed") === "true");
    }
}
