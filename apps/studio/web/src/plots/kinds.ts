// What the plots show.
import type { PaneStats, StatsEvent } from "../protocol";

export interface Line {
    name: string;
    colour: string; // a custom property of the style sheet
    value: (stats: PaneStats, event: StatsEvent) => number;
}

export interface PlotKind {
    title: string;
    unit: string;
    lines: Line[] | "phases";
    /** The value to plot, one line per pane, when panes are compared. */
    compare: (stats: PaneStats, event: StatsEvent) => number;
}

const COLOURS = 7; // of the style sheet, one for each phase of a step

const total = (stats: PaneStats): number => Object.values(stats.ms).reduce((sum, ms) => sum + ms, 0);

export const plotKinds: PlotKind[] = [
    {
        title: "Energy",
        unit: "J",
        lines: [
            { name: "kinetic", colour: "--line-1", value: s => s.kinetic },
            { name: "elastic", colour: "--line-2", value: s => s.elastic },
            { name: "potential", colour: "--line-3", value: s => s.potential },
        ],
        compare: s => s.kinetic + s.elastic + s.potential,
    },
    {
        title: "Stretch",
        unit: "%",
        lines: [
            { name: "max", colour: "--line-2", value: s => 100 * s.stretch_max },
            { name: "mean", colour: "--line-1", value: s => 100 * s.stretch_mean },
        ],
        compare: s => 100 * s.stretch_max,
    },
    {
        title: "Iterations",
        unit: "per frame",
        lines: [{ name: "iterations", colour: "--line-1", value: s => s.iterations }],
        compare: s => s.iterations,
    },
    {
        title: "Contacts",
        unit: "per frame",
        lines: [{ name: "contacts", colour: "--line-3", value: s => s.contacts }],
        compare: s => s.contacts,
    },
    { title: "Time per frame", unit: "ms", lines: "phases", compare: total },
    {
        title: "Frame rate",
        unit: "1/s",
        lines: [
            { name: "actual", colour: "--line-1", value: (_, e) => e.fps },
            { name: "target", colour: "--line-4", value: (_, e) => e.rate },
        ],
        compare: (_, e) => e.fps,
    },
];

/** Returns the lines of a plot for one measurement: name, colour and value. One per pane when panes are compared. */
export function linesOf(kind: PlotKind, event: StatsEvent): { name: string; colour: string; value: number }[] {
    const first = event.panes.at(0);
    if (!first) return [];
    if (event.panes.length > 1)
        return event.panes.map((pane, i) => ({
            name: `pane ${i + 1}`,
            colour: `--line-${i + 1}`,
            value: kind.compare(pane, event),
        }));
    if (kind.lines === "phases")
        return Object.entries(first.ms).map(([name, value], i) => ({
            name,
            colour: `--line-${(i % COLOURS) + 1}`,
            value,
        }));
    return kind.lines.map(line => ({ name: line.name, colour: line.colour, value: line.value(first, event) }));
}
