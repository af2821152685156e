// The pointer on the view. The current tool gets each event first; the camera gets what the tool does not take.
import { h, perFrame, rove } from "../dom";
import { icon, type IconName } from "../icons";
import { BodyTool } from "./moveBody";
import { CutTool } from "./cut";
import { Hold, PinchTool, PinTool } from "./pinch";
import { Selection, SelectTool } from "./select";
import type { Context, Point, Tool } from "./tool";
import { WindTool } from "./wind";

export const modes = [
    {
        name: "hand",
        key: "1",
        icon: "hand",
        text: "Hand",
        help: "drag or throw the cloth; double-click to pin or free a point",
    },
    {
        name: "select",
        key: "2",
        icon: "select",
        text: "Select",
        help: "draw a box to select points; drag to move them, P to pin, U to free",
    },
    { name: "pin", key: "3", icon: "pin", text: "Pin", help: "click to pin or free a point" },
    { name: "cut", key: "4", icon: "cut", text: "Cut", help: "draw a line to cut the cloth under it" },
    {
        name: "body",
        key: "5",
        icon: "body",
        text: "Bodies",
        help: "drag a body or its handles; T to move, Y to rotate",
    },
    { name: "wind", key: "6", icon: "wind", text: "Wind", help: "drag to blow wind; a longer drag blows faster" },
    { name: "orbit", key: "7", icon: "orbit", text: "Camera", help: "move only the camera" },
] as const satisfies readonly { name: string; key: string; icon: IconName; text: string; help: string }[];

export type Mode = (typeof modes)[number]["name"];

// A double tap. For a mouse or pen the system detects double clicks with the user's own settings.
const DOUBLE_MS = 400;
const DOUBLE_PX = 20;

export class Hands {
    readonly bar = h("div", { id: "modes", role: "toolbar", "aria-label": "Tools" });
    readonly selection: Selection;
    private mode: Mode = "hand";
    private readonly tools: Partial<Record<Mode, Tool>>;
    private readonly body: BodyTool;
    private readonly pin: PinTool;
    private readonly pinch: PinchTool;
    private active: { tool: Tool; last: PointerEvent; pane: number } | null = null;
    private isGiving = false;
    private lastDown = { time: 0, x: 0, y: 0, isTouch: false };

    constructor(private readonly context: Context) {
        const hold = new Hold(context);
        this.selection = new Selection(context);
        this.body = new BodyTool(context);
        this.pin = new PinTool(context, hold);
        this.pinch = new PinchTool(context, hold);
        this.tools = {
            hand: this.pinch,
            select: new SelectTool(context, hold, this.selection),
            pin: this.pin,
            cut: new CutTool(context),
            body: this.body,
            wind: new WindTool(context),
        };
        for (const mode of modes) {
            const button = h(
                "button",
                {
                    "data-mode": mode.name,
                    "data-tip": `${mode.text} · ${mode.help} · key ${mode.key}`,
                    "aria-label": mode.text,
                },
                icon(mode.icon),
                h("span", {}, mode.text),
            );
            button.addEventListener("click", () => this.choose(mode.name));
            this.bar.append(button);
        }
        rove(this.bar, "[data-mode]");
        this.listen(context.stage.canvas);
        this.choose("hand");
    }

    choose(mode: Mode): void {
        this.leave();
        if (this.mode === "body") this.body.leave();
        this.mode = mode;
        this.context.stage.canvas.dataset.mode = mode;
        for (const button of this.bar.querySelectorAll<HTMLElement>("[data-mode]")) {
            button.setAttribute("aria-pressed", String(button.dataset.mode === mode));
            button.tabIndex = button.dataset.mode === mode ? 0 : -1;
        }
    }

    /** Shows the gizmo's arrows (true) or rings (false). */
    setGizmo(moving: boolean): void {
        this.body.setMoving(moving);
    }

    escape(): void {
        this.leave();
        this.selection.clear();
        this.body.leave();
    }

    // Captures events, so that tools get them before OrbitControls and the gizmo.
    private listen(canvas: HTMLCanvasElement): void {
        canvas.addEventListener("pointerdown", event => this.down(event), { capture: true });
        canvas.addEventListener("pointermove", event => this.move(event), { capture: true });
        canvas.addEventListener("pointerup", event => this.up(event), { capture: true });
        canvas.addEventListener("pointercancel", () => this.leave());
        canvas.addEventListener("dblclick", () => {
            if (this.mode === "hand" && !this.lastDown.isTouch) this.toggleLast();
        });
        canvas.addEventListener("contextmenu", event => event.preventDefault());
    }

    private leave(): void {
        this.active?.tool.cancel();
        this.active = null;
        this.free();
    }

    private free(): void {
        this.context.stage.setBusy(false);
        this.context.stage.canvas.classList.remove("grabbing");
    }

    /** Two fingers move the camera. Passes the first finger, which a tool had, to the camera before the second. */
    private giveToCamera(): void {
        if (!this.active) return;
        const { pointerId, pointerType, clientX, clientY } = this.active.last;
        this.leave();
        this.isGiving = true;
        this.context.stage.canvas.dispatchEvent(
            new PointerEvent("pointerdown", { pointerId, pointerType, isPrimary: true, clientX, clientY, buttons: 1 }),
        );
        this.isGiving = false;
    }

    private point(event: PointerEvent, pane?: number): Point {
        const box = this.context.stage.canvas.getBoundingClientRect();
        const x = event.clientX - box.left;
        const y = event.clientY - box.top;
        return { x, y, pane: pane ?? this.context.stage.paneAt(x, y), shift: event.shiftKey };
    }

    private down(event: PointerEvent): void {
        if (this.isGiving) return;
        if (event.pointerType === "touch" && !event.isPrimary) {
            this.giveToCamera();
            return;
        }
        if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
        const { stage } = this.context;
        const tool = this.tools[this.mode];
        if (event.button !== 0 || this.active || !tool || stage.panes.length === 0) return;
        const point = this.point(event);
        this.context.studio.choosePane(point.pane);
        const isTouch = event.pointerType === "touch";
        const isDouble =
            isTouch &&
            event.timeStamp - this.lastDown.time < DOUBLE_MS &&
            Math.hypot(point.x - this.lastDown.x, point.y - this.lastDown.y) < DOUBLE_PX;
        this.lastDown = { time: isDouble ? 0 : event.timeStamp, x: point.x, y: point.y, isTouch };
        const taken = tool.down(point);
        if (isDouble && this.mode === "hand" && this.toggleLast()) {
            tool.cancel();
            event.stopImmediatePropagation();
            return;
        }
        if (!taken) return;
        event.stopImmediatePropagation();
        stage.setBusy(true);
        this.active = { tool, last: event, pane: point.pane };
        stage.canvas.setPointerCapture(event.pointerId);
        stage.canvas.classList.add("grabbing");
    }

    /** Pins or frees the point that a double click hit. A moving cloth may have left the pointer by the second press. */
    private toggleLast(): boolean {
        const met = this.pinch.lastMet;
        if (met) this.pin.toggle(met);
        return met !== null;
    }

    private move(event: PointerEvent): void {
        if (this.active?.last.pointerId === event.pointerId) {
            event.stopImmediatePropagation();
            this.active.last = event;
            this.active.tool.move(this.point(event, this.active.pane));
        } else if (!this.active && event.pointerType === "mouse" && event.buttons === 0) this.hover(event);
    }

    private up(event: PointerEvent): void {
        if (this.active?.last.pointerId !== event.pointerId) return;
        event.stopImmediatePropagation();
        const { tool, pane } = this.active;
        this.active = null;
        tool.up(this.point(event, pane));
        this.free();
    }

    private readonly hover = perFrame((event: PointerEvent) => {
        const { stage } = this.context;
        const tool = this.tools[this.mode];
        const over = stage.panes.length > 0 && tool?.hover?.(this.point(event)) === true;
        stage.canvas.classList.toggle("over", over);
    });
}
