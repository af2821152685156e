// Which parameters have no effect at present, and why. The engine knows: `weft check` prints the same reasons.
import type { PaneInfo } from "../protocol";

/** Returns the reason why the parameter has no effect, or null if it has one. */
export function whyIdle(pane: PaneInfo, path: string): string | null {
    return path in pane.idle ? `No effect: ${pane.idle[path]}.` : null;
}

/** Returns whether the cloth "cloth.NAME" has its stiffness in the model and ignores that of the fabric. */
export function ignoresFabric(pane: PaneInfo, cloth: string): boolean {
    const source = pane.params.find(param => param.path === `${cloth}.model.stiffness`)?.value;
    return source !== "fabric" && /^model /.test(pane.idle[`${cloth}.fabric.stretch_weft`] ?? "");
}
