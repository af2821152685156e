// The body tool: drags bodies parallel to the screen, or with a gizmo of arrows and rings (single pane only).
import * as THREE from "three";
import { TransformControls } from "three/addons/controls/TransformControls.js";
import type { Context, Point, Tool } from "./tool";

function numbers(text: string | undefined): THREE.Vector3 {
    const parts = (text ?? "").replace(/[[\]]/g, "").split(",").map(Number);
    return parts.length === 3 && parts.every(Number.isFinite) ? new THREE.Vector3(...parts) : new THREE.Vector3();
}

export class BodyTool implements Tool {
    private readonly gizmo: TransformControls;
    private readonly proxy = new THREE.Object3D();
    private body: number | null = null;
    private plane: THREE.Plane | null = null;
    private offset = new THREE.Vector3();

    constructor(private readonly context: Context) {
        const { stage } = context;
        this.proxy.rotation.order = "ZYX"; // about the world's x axis first, then y, then z
        this.gizmo = new TransformControls(stage.camera, stage.canvas);
        this.gizmo.size = 1.1;
        this.gizmo.addEventListener("change", () => stage.wake());
        this.gizmo.addEventListener("dragging-changed", event => {
            stage.controls.enabled = !(event.value as boolean);
        });
        this.gizmo.addEventListener("objectChange", () => this.send());
        context.studio.on("params", () => this.follow());
        context.studio.on("scene", ({ isNew }) => this.follow(isNew));
    }

    /** Makes the gizmo move (true) or rotate (false) the body. */
    setMoving(moving: boolean): void {
        this.gizmo.setMode(moving ? "translate" : "rotate");
        this.context.stage.wake();
    }

    get isMoving(): boolean {
        return this.gizmo.mode === "translate";
    }

    down(point: Point): boolean {
        if (this.gizmo.axis !== null && this.body !== null) return false; // the gizmo takes the pointer
        const { stage } = this.context;
        const ray = stage.ray(point.x, point.y, point.pane);
        const hit = stage.panes[point.pane].castBody(ray);
        if (!hit) {
            this.leave();
            return false;
        }
        this.choose(hit.body);
        const place = new THREE.Vector3(...ray.direction).multiplyScalar(hit.distance).add(stage.camera.position);
        this.plane = new THREE.Plane().setFromNormalAndCoplanarPoint(
            stage.camera.getWorldDirection(new THREE.Vector3()),
            place,
        );
        this.offset = this.proxy.position.clone().sub(place);
        return true;
    }

    move(point: Point): void {
        if (!this.plane) return;
        const ray = this.context.stage.ray(point.x, point.y, point.pane);
        const line = new THREE.Ray(new THREE.Vector3(...ray.origin), new THREE.Vector3(...ray.direction));
        const at = line.intersectPlane(this.plane, new THREE.Vector3());
        if (!at) return;
        this.proxy.position.copy(at.add(this.offset));
        this.send();
    }

    up(): void {
        this.plane = null;
    }

    cancel(): void {
        this.plane = null;
    }

    hover(point: Point): boolean {
        const { stage } = this.context;
        return stage.panes[point.pane].castBody(stage.ray(point.x, point.y, point.pane)) !== null;
    }

    leave(): void {
        this.body = null;
        this.gizmo.detach();
        this.gizmo.getHelper().removeFromParent();
        this.proxy.removeFromParent();
        this.context.stage.wake();
    }

    private choose(body: number): void {
        const { stage } = this.context;
        this.body = body;
        this.place(body);
        if (stage.panes.length !== 1) return;
        stage.panes[0].scene.add(this.proxy, this.gizmo.getHelper());
        this.gizmo.attach(this.proxy);
        stage.wake();
    }

    private place(body: number): void {
        const { studio } = this.context;
        const path = studio.scene?.panes[0]?.bodies[body]?.path ?? "";
        const value = (leaf: string): string | undefined => studio.param(`${path}.${leaf}`)?.value;
        this.proxy.position.copy(numbers(value("at")));
        this.proxy.rotation.setFromVector3(numbers(value("rotate")));
    }

    // Undo, a restart, other pages and the time bar move bodies, too.
    private follow(isNewScene = false): void {
        if (this.body === null || this.plane || this.gizmo.dragging) return;
        const { stage, studio } = this.context;
        const isThere = studio.scene?.panes.length === 1 && this.body < studio.scene.panes[0].bodies.length;
        if (isNewScene || !isThere) {
            this.leave();
            return;
        }
        this.place(this.body);
        stage.wake();
    }

    private send(): void {
        if (this.body === null) return;
        const { x, y, z } = this.proxy.rotation;
        void this.context.studio.act("body", { body: this.body, at: this.proxy.position.toArray(), rotate: [x, y, z] });
        this.context.stage.wake();
    }
}
