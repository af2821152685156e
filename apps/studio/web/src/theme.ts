// The dark or light theme: the user's choice, or else that of the system.
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

    /** Switches to the other theme and stores the choice. */
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
