// The probe: shows the value of the false colours under the pointer.
import { perFrame, short } from "../dom";
import type { Stage } from "../view/stage";
import { unitText } from "./units";

/** Shows the value in `element` while the pointer is over coloured cloth. `unit` is asked each time. */
export function watchProbe(stage: Stage, element: HTMLElement, unit: () => string): void {
    const hide = (): void => element.classList.add("hidden");
    const show = perFrame((event: PointerEvent) => {
        const box = stage.canvas.getBoundingClientRect();
        const [x, y] = [event.clientX - box.left, event.clientY - box.top];
        const index = stage.paneAt(x, y);
        const pane = stage.panes.at(index);
        const hit = pane?.cast(stage.ray(x, y, index));
        const value = hit ? pane?.cloths[hit.cloth].valueAt(hit.vertex, stage.show) : undefined;
        if (value === undefined) {
            hide();
            return;
        }
        element.textContent = `${short(value, 3)} ${unitText(unit())}`.trim();
        element.style.left = `${x + 14}px`;
        element.style.top = `${y + 14}px`;
        element.classList.remove("hidden");
    });
    stage.canvas.addEventListener("pointermove", event => {
        if (stage.show.colour === "none" || event.buttons !== 0 || event.pointerType !== "mouse") hide();
        else show(event);
    });
    stage.canvas.addEventListener("pointerleave", hide);
}
