// The page's copy of the server's state, and commands to the server. Panels read this copy and subscribe to its events.
import type { Answer, Link } from "./link";
import type {
    ClothShape,
    ExportEvent,
    Hello,
    Param,
    ParamsEvent,
    Remedy,
    SceneEvent,
    ServerEvent,
    StatsEvent,
    TimeEvent,
} from "./protocol";

export interface Notice {
    text: string;
    /** "failed": the simulation could not continue, or an input of the scene could not be applied. "offer": a choice.
     * These two stay until they are dismissed. "warning": the result may not be what the user wants. */
    kind: "error" | "info" | "warning" | "failed" | "offer";
    actions?: { text: string; act: () => void }[];
}

interface Topics {
    hello: Hello;
    scene: { scene: SceneEvent; isNew: boolean };
    params: ParamsEvent;
    time: TimeEvent;
    stats: StatsEvent;
    history: { undo: string | null; redo: string | null };
    show: { scalar: string | null; unit: string; low: number; high: number };
    mesh: ClothShape;
    export: ExportEvent;
    notice: Notice;
}

type Listener<K extends keyof Topics> = (data: Topics[K]) => void;

/** Whether each of several compared panes has its own value of a parameter. */
export const belongsToPane = (path: string): boolean => path.startsWith("integrator.") || path.includes(".model.");

export class Studio {
    hello: Hello | null = null;
    scene: SceneEvent | null = null;
    time: TimeEvent | null = null;
    stats: StatsEvent | null = null;
    /** The pane whose parameters the panels show. */
    pane = 0;
    private readonly listeners: { [K in keyof Topics]?: Listener<K>[] } = {};

    constructor(readonly link: Link) {
        link.onHello = hello => {
            this.hello = hello;
            this.emit("hello", hello);
        };
        link.onEvent = event => this.receive(event);
    }

    on<K extends keyof Topics>(topic: K, listener: Listener<K>): void {
        const list: Listener<K>[] = this.listeners[topic] ?? [];
        list.push(listener);
        (this.listeners as Record<K, Listener<K>[]>)[topic] = list;
    }

    emit<K extends keyof Topics>(topic: K, data: Topics[K]): void {
        for (const listener of this.listeners[topic] ?? []) listener(data);
    }

    /** Sends a command. If the server refuses it, shows the reason and resolves to null. */
    async act(name: string, fields: Record<string, unknown> = {}): Promise<Answer | null> {
        try {
            return await this.link.send(name, fields);
        } catch (error) {
            this.complain(error);
            return null;
        }
    }

    /** Changes parameters. Resolves to the server's error message, or to null on success. */
    async set(values: Record<string, unknown>): Promise<string | null> {
        const paths = Object.keys(values);
        const one = paths.length === 1 ? { path: paths[0], value: values[paths[0]] } : { values };
        try {
            await this.link.send("set", { ...one, ...this.toPane(paths) });
            return null;
        } catch (error) {
            return error instanceof Error ? error.message : String(error);
        }
    }

    async reset(paths: string[]): Promise<void> {
        await this.act("reset", { paths, ...this.toPane(paths) });
    }

    complain(error: unknown): void {
        this.emit("notice", { text: error instanceof Error ? error.message : String(error), kind: "error" });
    }

    tell(text: string): void {
        this.emit("notice", { text, kind: "info" });
    }

    params(): Param[] {
        return this.scene?.panes[this.pane]?.params ?? [];
    }

    param(path: string): Param | undefined {
        return this.params().find(param => param.path === path);
    }

    /** Returns whether a parameter differs from the scene's own value. */
    isChanged(param: Param): boolean {
        return param.value !== param.default;
    }

    /** Notes the size of a mesh that a cut, a tear or an adaptation has changed. */
    takeMesh(shape: ClothShape): void {
        const cloth = this.scene?.panes[shape.pane]?.cloths[shape.index];
        if (cloth) cloth.vertices = shape.vertices;
        this.emit("mesh", shape);
    }

    choosePane(pane: number): void {
        if (!this.scene || pane === this.pane || pane >= this.scene.panes.length) return;
        this.pane = pane;
        this.emit("scene", { scene: this.scene, isNew: false });
    }

    // Panes differ in model and integrator. All other parameters are shared.
    private toPane(paths: string[]): { pane?: number } {
        const several = (this.scene?.panes.length ?? 1) > 1;
        return several && paths.some(belongsToPane) ? { pane: this.pane } : {};
    }

    private receive(event: ServerEvent): void {
        switch (event.event) {
            case "scene":
                this.takeScene(event);
                break;
            case "params":
                this.takeParams(event);
                break;
            case "time":
                this.time = event;
                this.emit("time", event);
                break;
            case "stats":
                this.stats = event;
                this.emit("stats", event);
                break;
            case "failed":
                this.emit("notice", {
                    text: event.message,
                    kind: "failed",
                    actions: event.remedies.map(remedy => ({
                        text: remedy.text,
                        act: () => void this.apply(remedy),
                    })),
                });
                break;
            case "notice":
                this.emit("notice", { text: event.text, kind: "warning" });
                break;
            case "history":
                this.emit("history", event);
                break;
            case "show":
                this.emit("show", event);
                break;
            case "export":
                this.emit("export", event);
        }
    }

    /** Makes a change that helps after a failure, and starts over. */
    async apply(remedy: Remedy): Promise<void> {
        const { do: name, ...fields } = remedy.command;
        if ((await this.act(name, fields)) && (await this.act("restart"))) await this.act("play");
    }

    private takeScene(scene: SceneEvent): void {
        const isNew = this.scene?.path !== scene.path;
        this.scene = scene;
        this.pane = Math.min(this.pane, scene.panes.length - 1);
        this.emit("scene", { scene, isNew });
    }

    private takeParams(event: ParamsEvent): void {
        const pane = this.scene?.panes[event.pane];
        if (!pane) return;
        pane.idle = event.idle;
        for (const param of pane.params) if (param.path in event.values) param.value = event.values[param.path];
        this.emit("params", event);
    }
}
