// Which parameters have no effect at present, and why. The engine knows: `weft check` prints the same reasons.
import type { PaneInfo } from "../protocol";
import { labelOf } from "./labels";

/** Returns the reason why the parameter has no effect, or null if it has one. */
export function whyIdle(pane: PaneInfo, path: string): string | null {
    return path in pane.idle ? `No effect: ${pane.idle[path]}.` : null;
}

const listed = (names: string[]): string => {
    const quoted = names.slice(0, 3).map(name => `“${name}”`);
    if (names.length > 3) quoted.push(`${String(names.length - 3)} more`);
    return quoted.length > 1 ? `${quoted.slice(0, -1).join(", ")} and ${quoted.at(-1)!}` : quoted[0];
};

/** Says a reason of `whyIdle` in the words of the panels: what it is about, and labels in place of parameters' names. */
export function inWords(pane: PaneInfo, reason: string, fields: string[]): string {
    const text = reason.replace(/^No effect:? /, "").replace(/[a-z]+(?:[._][a-z]+)+/g, name => {
        const named = pane.params.find(param => param.path === name || param.path.endsWith(`.${name}`));
        if (!named) return name;
        const group = name.includes(".") ? ` of ${name.split(".").at(-2)!}` : "";
        return `“${labelOf(named.path)}”${group}`;
    });
    if (text.includes(" does not use it")) return text.replace(" does not use it", ` does not use ${listed(fields)}`);
    return `${listed(fields)}: ${text}`;
}

/** Returns whether the cloth "cloth.NAME" has its stiffness in the model and ignores that of the fabric. */
export function ignoresFabric(pane: PaneInfo, cloth: string): boolean {
    const source = pane.params.find(param => param.path === `${cloth}.model.stiffness`)?.value;
    return source !== "fabric" && /^model /.test(pane.idle[`${cloth}.fabric.stretch_weft`] ?? "");
}
