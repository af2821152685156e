// The interface of the pointer tools. A tool owns the pointer from press to release.
import type { Studio } from "../studio";
import type { Overlay } from "./overlay";
import type { Stage } from "../view/stage";

export interface Point {
    x: number; // CSS pixels from the upper left corner of the canvas
    y: number;
    pane: number; // where the pointer was pressed
    shift: boolean;
}

export interface Context {
    studio: Studio;
    stage: Stage;
    overlay: Overlay;
}

export interface Tool {
    /** Returns whether the tool takes the pointer. If not, the camera gets it. */
    down(point: Point): boolean;
    move(point: Point): void;
    up(point: Point): void;
    /** Called when the pointer is lost or another tool is chosen. */
    cancel(): void;
    /** Returns whether the pointer is over something that the tool can take. */
    hover?(point: Point): boolean;
}
