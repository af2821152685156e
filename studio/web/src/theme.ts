// Dark and light: the system's choice, or the one made here.
import { memory } from "./dom";

const system = window.matchMedia("(prefers-color-scheme: dark)");

export class Theme {
    onChange: (dark: boolean) => void = () => undefined;

    constructor() {
        system.addEventListener("change", () => this.apply());
        this.apply();
    }

    get dark(): boolean {
        const kept = memory.get("theme");
        return kept === null ? system.matches : kept === "dark";
    }

    /** To the other one; back at the system's it follows the system again. */
    toggle(): void {
        const dark = !this.dark;
        memory.set("theme", dark ? "dark" : "light");
        this.apply();
    }

    apply(): void {
        document.documentElement.dataset.theme = this.dark ? "dark" : "light";
        this.onChange(this.dark);
    }
}
