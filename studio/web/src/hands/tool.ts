// What a hand can be: each tool takes the pointer from its going down to its going up.
import type { Studio } from "../studio";
import type { Overlay } from "./overlay";
import type { Stage } from "../view/stage";

export interface Point {
    x: number; // CSS pixels from the canvas's corner
    y: number;
    pane: number; // where it went down
    shift: boolean;
}

export interface Context {
    studio: Studio;
    stage: Stage;
    overlay: Overlay;
}

export interface Tool {
    /** Whether it takes the pointer; else the camera gets it. */
    down(point: Point): boolean;
    move(point: Point): void;
    up(point: Point): void;
    /** The pointer was lost, or the mode changed. */
    cancel(): void;
    /** Whether the pointer is over something it would take. */
    hover?(point: Point): boolean;
}
