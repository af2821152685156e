// Settings of what is drawn and how. The browser stores them.
import { memory } from "../dom";

export interface Show {
    surface: boolean;
    wires: boolean;
    particles: boolean;
    particleSize: number; // pixels
    links: "none" | "type" | "tension";
    pins: boolean;
    bodies: boolean;
    ground: boolean;
    colour: string; // "none", "refinement" or a scalar of the server
    quality: "auto" | "high" | "low";
}

const defaults: Show = {
    surface: true,
    wires: false,
    particles: false,
    particleSize: 5,
    links: "none",
    pins: true,
    bodies: true,
    ground: true,
    colour: "none",
    quality: "auto",
};

export function loadShow(): Show {
    try {
        const kept = JSON.parse(memory.get("show") ?? "{}") as Partial<Show>;
        return { ...defaults, ...kept, colour: "none" };
    } catch {
        return { ...defaults };
    }
}

export function keepShow(show: Show): void {
    memory.set("show", JSON.stringify(show));
}
