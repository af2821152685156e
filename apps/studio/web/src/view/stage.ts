// The canvas with its panes, which share one camera and one set of materials. It draws only when something changed.
import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import type { BinaryMessage, BodyShape, ClothShape, Frame, SceneEvent, Section, Vec3, ViewInfo } from "../protocol";
import { clothUniforms } from "./material";
import { cssColour, paletteAt, paletteTexture } from "./palette";
import { Pane, type Shared } from "./pane";
import { keepShow, loadShow, type Show } from "./show";
import type { Ray } from "./surface";

export interface Area {
    left: number;
    top: number;
    width: number;
    height: number;
}

/** Returns whether the browser draws without a graphics card. Called before the real context is made. */
function isSoftwareGl(): boolean {
    const gl = document.createElement("canvas").getContext("webgl2");
    const info = gl?.getExtension("WEBGL_debug_renderer_info");
    const name: unknown = gl && info ? gl.getParameter(info.UNMASKED_RENDERER_WEBGL) : "";
    gl?.getExtension("WEBGL_lose_context")?.loseContext();
    return typeof name === "string" && /swiftshader|llvmpipe|software/i.test(name);
}

// Quality levels, best first. The last is for machines without a graphics card.
const levels = [
    { ratio: 2, shadow: 2048, pause: 0 },
    { ratio: 1.25, shadow: 1024, pause: 0 },
    { ratio: 1, shadow: 1024, pause: 0 },
    { ratio: 0.6, shadow: 512, pause: 80 }, // pause: ms between two pictures
];
const LOW = 2;
const SOFTWARE = 3;
const PICTURE = 1920; // pixels of the longer side of a picture, at least
const RESTED = 700; // ms; damping moves the camera on for about as long

/** The page's background of the view (view.css), which the transparent canvas lacks. */
function paintBackground(context: CanvasRenderingContext2D, width: number, height: number): void {
    const page = getComputedStyle(document.documentElement);
    const gradient = context.createRadialGradient(0, 0, 0, 0, 0, 1);
    gradient.addColorStop(0, page.getPropertyValue("--sky"));
    gradient.addColorStop(1, page.getPropertyValue("--ground"));
    context.save();
    context.setTransform(1.2 * width, 0, 0, 0.9 * height, 0.5 * width, 0.35 * height);
    context.fillStyle = gradient;
    context.fillRect(-1, -1, 2, 2);
    context.restore();
}

type ShapeMessage = { kind: "cloth"; shape: ClothShape } | { kind: "body"; shape: BodyShape };

export class Stage {
    readonly camera = new THREE.PerspectiveCamera(35, 1, 0.01, 500);
    readonly controls: OrbitControls;
    readonly panes: Pane[] = [];
    readonly show: Show = loadShow();
    readonly shared: Shared;
    private readonly palettes = { plain: paletteTexture(false), signed: paletteTexture(true) };
    /** Called with each frame once it has been drawn. */
    onDrawn: (frame: Frame) => void = () => undefined;
    /** Called with each shape of a cloth once the frame that needs it is about to be drawn. */
    onShape: (shape: ClothShape) => void = () => undefined;
    drawn = 0; // number of pictures drawn so far
    frame: Frame | null = null;
    private readonly renderer: THREE.WebGLRenderer;
    private waiting: Frame | null = null;
    private readonly shapes: ShapeMessage[] = []; // of the frame that waits, in the order of their arrival
    private readonly coming: ShapeMessage[] = []; // of a frame that has not arrived yet
    private dirty = true;
    private level = 0; // quality level in auto mode, 0 is best
    private readonly durations: number[] = [];
    private following = true; // the camera keeps the cloth in view until the user moves it
    private isBusy = false; // a tool has the pointer, and the camera must stay
    private unsettled = 0; // frames to wait after a new scene: the first may still show the old one
    private movedAt = Infinity; // ms, when the user stopped moving the camera
    private earliest = 0; // ms, earliest time of the next picture
    private dark = true;
    private homePanes = 0; // number of panes at the last `goHome`
    private home: { eye: THREE.Vector3; target: THREE.Vector3; fov: number } | null = null;
    private run = -1; // of the scene
    private rest: { eye: THREE.Vector3; target: THREE.Vector3 } | null = null; // the camera before it followed the cloth

    constructor(readonly canvas: HTMLCanvasElement) {
        const software = isSoftwareGl();
        this.renderer = new THREE.WebGLRenderer({
            canvas,
            antialias: !software || this.show.quality === "high",
            alpha: true,
            powerPreference: "high-performance",
        });
        this.renderer.shadowMap.enabled = true;
        this.renderer.shadowMap.type = THREE.PCFShadowMap;
        this.renderer.toneMapping = THREE.NeutralToneMapping;
        this.renderer.setScissorTest(true);
        if (software) this.level = SOFTWARE;
        this.shared = {
            cloth: clothUniforms(this.palettes.plain),
            ground: {
                centre: { value: new THREE.Vector2() },
                reach: { value: 10 },
                line: { value: new THREE.Color() },
                strength: { value: 0.5 },
            },
            // Pushed back farther than the cloth's surface, so that a body does not show through cloth that lies on it.
            body: new THREE.MeshStandardMaterial({
                color: 0xb9b4aa,
                roughness: 0.75,
                polygonOffset: true,
                polygonOffsetFactor: 3,
                polygonOffsetUnits: 3,
            }),
        };
        this.controls = new OrbitControls(this.camera, canvas);
        this.controls.enableDamping = true;
        this.controls.dampingFactor = 0.12;
        this.controls.maxDistance = 200;
        this.controls.minDistance = 0.05;
        this.controls.addEventListener("change", () => this.wake());
        this.controls.addEventListener("start", () => {
            this.following = false;
            this.movedAt = Infinity;
        });
        this.controls.addEventListener("end", () => (this.movedAt = performance.now()));
        canvas.style.removeProperty("cursor"); // OrbitControls sets it, and would hide the tools' cursors
        new ResizeObserver(() => {
            this.resize();
            this.draw(); // before the browser shows the page
        }).observe(canvas);
        this.applyQuality();
        this.resize();
        const loop = (): void => {
            requestAnimationFrame(loop);
            this.tick();
        };
        requestAnimationFrame(loop);
    }

    /** Requests a new picture. */
    wake(): void {
        this.dirty = true;
    }

    setScene(scene: SceneEvent, moveCamera: boolean): void {
        while (this.panes.length > scene.panes.length) this.panes.pop()!.dispose();
        this.makePanes(scene.panes.length);
        scene.panes.forEach((pane, i) => this.panes[i].trim(pane.cloths.length, pane.bodies.length));
        this.applyQuality();
        this.setTheme(this.dark);
        const isAnew = scene.run !== this.run;
        this.run = scene.run;
        if (moveCamera || (isAnew && this.isElsewhere(scene.view))) this.setView(scene.view);
        else if (this.following && this.homePanes !== this.panes.length) this.goHome(); // the panes have a new aspect ratio
        this.resize();
    }

    /** Returns whether the view of a new cloth is far from the present home, or of another scale. */
    private isElsewhere({ eye, target }: ViewInfo): boolean {
        if (!this.home) return true;
        const away = new THREE.Vector3(...eye).distanceTo(new THREE.Vector3(...target));
        const now = this.home.eye.distanceTo(this.home.target);
        const shift = this.home.target.distanceTo(new THREE.Vector3(...target));
        return away > 1.5 * now || now > 1.5 * away || shift > 0.5 * now;
    }

    setView(view: ViewInfo): void {
        this.home = { eye: new THREE.Vector3(...view.eye), target: new THREE.Vector3(...view.target), fov: view.fov };
        const srgb = ([r, g, b]: Vec3): THREE.Color => new THREE.Color().setRGB(r, g, b, THREE.SRGBColorSpace);
        this.setColours(srgb(view.front), srgb(view.back));
        this.setSun(new THREE.Vector3(...view.sun));
        this.unsettled = 2;
        this.goHome();
    }

    goHome(): void {
        if (!this.home) return;
        this.homePanes = this.panes.length;
        this.camera.fov = this.home.fov;
        this.camera.position.copy(this.home.eye);
        this.controls.target.copy(this.home.target);
        // A scene's camera is meant for a wide picture. In a narrow one the camera moves back.
        const aspect = this.area(0).width / this.area(0).height;
        if (aspect < 1.5) {
            const back = Math.min(2.6, 1.5 / aspect) ** 0.85;
            this.camera.position.sub(this.home.target).multiplyScalar(back).add(this.home.target);
        }
        this.controls.update();
        this.follows();
        this.wake();
    }

    // From now on the camera follows, and can come back to where it is.
    private follows(): void {
        this.following = true;
        this.rest = { eye: this.camera.position.clone(), target: this.controls.target.clone() };
    }

    // Undo, scrubbing or a restart may bring back cloth that the camera had followed. If the camera shows it from where
    // it was before, it goes back there.
    private comeBack(): void {
        const box = this.clothExtent();
        if (!this.rest || !this.following || box.isEmpty() || this.isBusy) return;
        const [eye, target] = [this.camera.position.clone(), this.controls.target.clone()];
        this.camera.position.copy(this.rest.eye);
        this.controls.target.copy(this.rest.target);
        this.controls.update();
        if (this.isFramed(box)) return;
        this.camera.position.copy(eye);
        this.controls.target.copy(target);
        this.controls.update();
    }

    private clothExtent(): THREE.Box3 {
        const box = new THREE.Box3();
        for (const pane of this.panes) box.union(pane.clothExtent());
        return box;
    }

    /** Keeps the camera still while a tool has the pointer. */
    setBusy(isBusy: boolean): void {
        this.isBusy = isBusy;
    }

    setColours(front: THREE.Color, back: THREE.Color): void {
        this.shared.cloth.front.value.copy(front);
        this.shared.cloth.back.value.copy(back);
        this.wake();
    }

    setSun(direction: THREE.Vector3): void {
        this.shared.cloth.sun.value.copy(direction).normalize();
        for (const pane of this.panes) pane.settle(this.show);
        this.wake();
    }

    setTheme(dark: boolean): void {
        this.dark = dark;
        const ground = new THREE.Color(dark ? 0x252a33 : 0xcbc8c2);
        this.shared.ground.line.value.set(dark ? 0x47505f : 0xaaa7a0);
        for (const pane of this.panes) pane.setLight(dark ? 3.1 : 3.2, dark ? 1.9 : 2.2, ground);
        this.wake();
    }

    changeShow(change: Partial<Show>): void {
        Object.assign(this.show, change);
        keepShow(this.show);
        if (change.quality) this.applyQuality();
        this.shared.cloth.falseColour.value = this.show.colour === "none" ? 0 : 1;
        for (const pane of this.panes) pane.refresh(this.show);
        this.wake();
    }

    /** Sets the values at the ends of the palette. Signed values have a palette of their own. */
    setRange(low: number, high: number, isSigned = false): void {
        this.shared.cloth.palette.value = isSigned ? this.palettes.signed : this.palettes.plain;
        this.shared.cloth.range.value.set(low, high > low ? high : low + 1e-9);
        this.wake();
    }

    /** The place of a value in the palette, 0 to 1. */
    shareOf(value: number): number {
        const { x: low, y: high } = this.shared.cloth.range.value;
        return Math.min(1, Math.max(0, (value - low) / (high - low)));
    }

    /** The colour at a place in the palette, for CSS. */
    colourOf(share: number): string {
        const isSigned = this.shared.cloth.palette.value === this.palettes.signed;
        return cssColour(paletteAt(isSigned)(share));
    }

    receive(message: BinaryMessage): void {
        if (message.kind === "frame") {
            // Only the newest frame is drawn. A frame that was overtaken counts as drawn.
            if (this.waiting) this.onDrawn(this.waiting);
            this.waiting = message.frame;
            this.shapes.push(...this.coming.splice(0));
            this.wake();
        } else this.coming.push(message); // until its frame is there, the old shape is drawn
    }

    // Gives cloths and bodies the new shapes of a frame. Shapes of frames that it has overtaken are left out.
    private applyShapes(frame: Frame): void {
        for (const { kind, shape } of this.shapes.splice(0)) {
            const { pane: index, index: object, version } = shape;
            const isOwn = (s: Section): boolean => s.kind === kind && s.pane === index && s.index === object;
            if (frame.sections.find(isOwn)?.version !== version) continue;
            // A frame may arrive before the event that describes its scene.
            this.makePanes(index + 1);
            if (kind === "body") this.panes[index].setBodyShape(shape);
            else {
                this.panes[index].setClothShape(shape);
                this.onShape(shape);
            }
        }
    }

    /** The area of a pane, in CSS pixels from the upper left corner of the canvas. */
    area(pane: number): Area {
        const width = this.canvas.clientWidth;
        const height = this.canvas.clientHeight;
        const count = Math.max(1, this.panes.length);
        const columns = count === 4 || (count === 2 && width >= height) ? 2 : 1;
        const rows = Math.ceil(count / columns);
        return {
            left: (pane % columns) * (width / columns),
            top: Math.floor(pane / columns) * (height / rows),
            width: width / columns,
            height: height / rows,
        };
    }

    paneAt(x: number, y: number): number {
        for (let i = 0; i < this.panes.length; i++) {
            const a = this.area(i);
            if (x >= a.left && x < a.left + a.width && y >= a.top && y < a.top + a.height) return i;
        }
        return 0;
    }

    /** Returns the ray through a point of the canvas, in CSS pixels. The direction has unit length. */
    ray(x: number, y: number, pane: number): Ray {
        const a = this.area(pane);
        this.aim(a);
        const far = new THREE.Vector3(((x - a.left) / a.width) * 2 - 1, 1 - ((y - a.top) / a.height) * 2, 0.5);
        far.unproject(this.camera).sub(this.camera.position).normalize();
        return { origin: this.camera.position.toArray(), direction: far.toArray() };
    }

    /** Projects a point to the canvas, in CSS pixels. Returns null for a point behind the camera. */
    project(x: number, y: number, z: number, pane: number): { x: number; y: number } | null {
        const a = this.area(pane);
        this.aim(a);
        const p = new THREE.Vector3(x, y, z).project(this.camera);
        if (p.z > 1) return null;
        return { x: a.left + ((p.x + 1) / 2) * a.width, y: a.top + ((1 - p.y) / 2) * a.height };
    }

    /** Returns the present camera, for exported pictures. */
    cameraNow(): { eye: number[]; target: number[]; fov: number } {
        return { eye: this.camera.position.toArray(), target: this.controls.target.toArray(), fov: this.camera.fov };
    }

    /** Looks from another place. The camera stays there until the user moves it. */
    setCamera({ eye, target, fov }: { eye: Vec3; target: Vec3; fov: number }): void {
        this.camera.fov = fov;
        this.camera.position.set(...eye);
        this.controls.target.set(...target);
        this.controls.update();
        this.following = false;
        this.wake();
    }

    /** Draws the view, with its background and with all details, and returns it as a PNG picture. */
    picture(): Promise<Blob> {
        const { clientWidth: width, clientHeight: height } = this.canvas;
        this.renderer.setPixelRatio(Math.max(window.devicePixelRatio, PICTURE / Math.max(width, height)));
        this.renderer.setSize(width, height, false);
        this.draw(); // the browser keeps the picture only until the end of this task
        const picture = document.createElement("canvas");
        picture.width = this.canvas.width;
        picture.height = this.canvas.height;
        const context = picture.getContext("2d")!;
        paintBackground(context, picture.width, picture.height);
        context.drawImage(this.canvas, 0, 0);
        this.applyQuality();
        return new Promise((resolve, reject) =>
            picture.toBlob(blob => (blob ? resolve(blob) : reject(new Error("no picture could be made")))),
        );
    }

    private makePanes(count: number): void {
        if (this.panes.length >= count) return;
        while (this.panes.length < count) this.panes.push(new Pane(this.shared));
        this.applyQuality();
        this.setTheme(this.dark);
    }

    private get quality(): (typeof levels)[number] {
        const { quality } = this.show;
        return levels[quality === "high" ? 0 : quality === "low" ? LOW : this.level];
    }

    private applyQuality(): void {
        const { ratio, shadow } = this.quality;
        this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, ratio));
        for (const pane of this.panes) pane.setShadowSize(this.panes.length > 1 ? shadow / 2 : shadow);
        this.resize();
    }

    private resize(): void {
        const { clientWidth, clientHeight } = this.canvas;
        if (clientWidth && clientHeight) this.renderer.setSize(clientWidth, clientHeight, false);
        this.earliest = 0; // the canvas is empty now, so the next picture must not wait
        this.wake();
    }

    private aim(area: Area): void {
        const aspect = area.width / area.height;
        if (Math.abs(this.camera.aspect - aspect) > 1e-6) {
            this.camera.aspect = aspect;
            this.camera.updateProjectionMatrix();
        }
        this.camera.updateMatrixWorld();
    }

    private tick(): void {
        this.controls.update();
        if (!this.dirty || performance.now() < this.earliest) return;
        this.dirty = false;
        const frame = this.waiting;
        this.waiting = null;
        if (frame) this.apply(frame);
        this.follow();
        const start = performance.now();
        this.draw();
        if (frame) {
            this.frame = frame;
            this.onDrawn(frame);
        }
        this.earliest = start + this.quality.pause;
        this.watchSpeed(performance.now() - start);
    }

    private apply(frame: Frame): void {
        this.unsettled = Math.max(0, this.unsettled - 1);
        this.applyShapes(frame);
        for (const section of frame.sections) {
            const pane = this.panes[section.pane] as Pane | undefined;
            pane?.setState(section, this.show);
        }
        for (const pane of this.panes) pane.settle(this.show);
        if (this.frame && frame.frame < this.frame.frame) this.comeBack();
    }

    /** Returns whether the whole box is in the picture. */
    private isFramed(box: THREE.Box3): boolean {
        this.aim(this.area(0));
        const corner = new THREE.Vector3();
        for (let i = 0; i < 8; i++) {
            corner.set(i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y, i & 4 ? box.max.z : box.min.z);
            corner.project(this.camera);
            if (Math.max(Math.abs(corner.x), Math.abs(corner.y)) >= 0.97 || corner.z > 1) return false;
        }
        return true;
    }

    // The scene's view fits the start of the motion. Moves the camera back when the cloth leaves the picture. A camera
    // that the user has moved follows again once it rests and shows the whole cloth.
    private follow(): void {
        const box = this.clothExtent();
        if (box.isEmpty() || this.isBusy || this.unsettled > 0) return;
        const isFramed = this.isFramed(box);
        if (isFramed && !this.following && performance.now() - this.movedAt > RESTED) this.follows();
        if (isFramed || !this.following) return;
        const { target } = this.controls;
        const centre = box.getCenter(new THREE.Vector3());
        const seen = centre.clone().project(this.camera);
        const off = Math.max(Math.abs(seen.x), Math.abs(seen.y)); // 1 at the edge of the picture
        const shift = centre.sub(target).multiplyScalar(THREE.MathUtils.clamp(off - 0.4, 0.12, 1));
        const away = this.camera.position.clone().sub(target).multiplyScalar(1.02);
        target.add(shift);
        this.camera.position.copy(target).add(away);
        this.wake();
    }

    private draw(): void {
        const height = this.canvas.clientHeight;
        if (!height) return;
        const distance = this.camera.position.distanceTo(this.controls.target);
        this.camera.near = distance / 100;
        this.camera.far = distance * 100;
        this.camera.updateProjectionMatrix();
        this.panes.forEach((pane, i) => {
            const a = this.area(i);
            this.aim(a);
            pane.sizeMarks(
                (a.height * this.renderer.getPixelRatio()) /
                    (2 * distance * Math.tan((this.camera.fov * Math.PI) / 360)),
            );
            this.renderer.setViewport(a.left, height - a.top - a.height, a.width, a.height);
            this.renderer.setScissor(a.left, height - a.top - a.height, a.width, a.height);
            this.renderer.render(pane.scene, this.camera);
        });
        this.drawn++;
    }

    // Lowers the quality by one level if most of 40 pictures take too long for 30 per second.
    private watchSpeed(ms: number): void {
        if (this.show.quality !== "auto" || this.level >= LOW) return;
        this.durations.push(ms);
        if (this.durations.length < 40) return;
        this.durations.sort((a, b) => a - b);
        if (this.durations[20] > 28) {
            this.level++;
            this.applyQuality();
        }
        this.durations.length = 0;
    }
}
