// The view of a simulation in a notebook: one script that draws the cloths and bodies of the page's data. The Python
// package puts it into a page of its own (apps/python/weft/notebook.py); there is no server.
import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";

import { lookUpShadowsOnSunSide } from "../view/sun_side";

const SUN = { value: new THREE.Vector3(0.8, 1.6, 1).normalize() }; // towards the sun

interface Surface {
    name: string;
    triangles: string; // base64 of uint32
    frames: string[]; // base64 of float32, three numbers per vertex
    colour: [number, number, number]; // sRGB, 0 to 1
}

interface Data {
    cloths: Surface[];
    bodies: Surface[];
    rate: number; // frames per second
}

function bytes(text: string): ArrayBuffer {
    const raw = atob(text);
    const array = new Uint8Array(raw.length);
    for (let i = 0; i < raw.length; i++) array[i] = raw.charCodeAt(i);
    return array.buffer;
}

/** A surface that can show each of its frames. A body that stands still has one. */
class Shape {
    readonly mesh: THREE.Mesh<THREE.BufferGeometry, THREE.MeshStandardMaterial>;
    readonly frames: Float32Array[];

    constructor(surface: Surface, isCloth: boolean) {
        this.frames = surface.frames.map(text => new Float32Array(bytes(text)));
        const geometry = new THREE.BufferGeometry();
        geometry.setIndex(new THREE.BufferAttribute(new Uint32Array(bytes(surface.triangles)), 1));
        geometry.setAttribute("position", new THREE.BufferAttribute(this.frames[0].slice(), 3));
        geometry.computeVertexNormals();
        const colour = new THREE.Color().setRGB(...surface.colour, THREE.SRGBColorSpace);
        const material = new THREE.MeshStandardMaterial({ color: colour, roughness: 0.85, side: THREE.DoubleSide });
        material.onBeforeCompile = shader => lookUpShadowsOnSunSide(shader, SUN);
        this.mesh = new THREE.Mesh(geometry, material);
        this.mesh.name = surface.name;
        this.mesh.castShadow = true;
        this.mesh.receiveShadow = true;
        this.mesh.frustumCulled = !isCloth;
    }

    show(frame: number): void {
        if (this.frames.length < 2) return;
        const positions = this.mesh.geometry.getAttribute("position") as THREE.BufferAttribute;
        (positions.array as Float32Array).set(this.frames[Math.min(frame, this.frames.length - 1)]);
        positions.needsUpdate = true;
        this.mesh.geometry.computeVertexNormals();
    }
}

function boundsOf(shapes: Shape[]): THREE.Box3 {
    const box = new THREE.Box3();
    const point = new THREE.Vector3();
    for (const shape of shapes)
        for (const frame of shape.frames)
            for (let i = 0; i < frame.length; i += 3)
                box.expandByPoint(point.set(frame[i], frame[i + 1], frame[i + 2]));
    return box;
}

function light(scene: THREE.Scene, centre: THREE.Vector3, size: number): void {
    const sun = new THREE.DirectionalLight(0xffffff, 2.4);
    sun.position.copy(centre).addScaledVector(SUN.value, 2 * size);
    sun.target.position.copy(centre);
    sun.castShadow = true;
    sun.shadow.mapSize.set(2048, 2048);
    sun.shadow.normalBias = 0.004 * size;
    sun.shadow.bias = -0.001;
    const reach = { left: -size, right: size, bottom: -size, top: size, near: 0.1 * size, far: 5 * size };
    Object.assign(sun.shadow.camera, reach);
    scene.add(sun, sun.target, new THREE.HemisphereLight(0xe8eefc, 0x6a655e, 1.3));
}

function ground(box: THREE.Box3, size: number): THREE.Mesh {
    const floor = new THREE.Mesh(
        new THREE.CircleGeometry(6 * size, 64),
        new THREE.MeshStandardMaterial({ color: 0xd9d7d2 }),
    );
    floor.rotation.x = -Math.PI / 2;
    floor.position.y = box.min.y - 0.002 * size;
    floor.receiveShadow = true;
    return floor;
}

/** Adds a button and a slider for the frames. Returns a function that draws the frame of the present time. */
function timeBar(page: HTMLElement, count: number, rate: number, show: (frame: number) => void): (now: number) => void {
    const bar = document.createElement("div");
    const button = document.createElement("button");
    const slider = document.createElement("input");
    const label = document.createElement("span");
    bar.style.cssText = "position:absolute;left:8px;right:8px;bottom:8px;display:flex;gap:8px;align-items:center";
    slider.style.flex = "1";
    slider.type = "range";
    slider.max = String(count - 1);
    slider.value = "0";
    slider.setAttribute("aria-label", "Frame");
    bar.append(button, slider, label);
    page.append(bar);
    let playing = true;
    let shown = -1;
    let start = 0;
    const paint = (frame: number): void => {
        if (frame === shown) return;
        shown = frame;
        slider.value = String(frame);
        label.textContent = `${(frame / rate).toFixed(2)} s`;
        show(frame);
    };
    const press = (): void => {
        button.textContent = playing ? "Pause" : "Play";
    };
    button.onclick = () => {
        playing = !playing;
        start = performance.now() - (1000 * shown) / rate;
        press();
    };
    slider.oninput = () => {
        playing = false;
        press();
        paint(Number(slider.value));
    };
    press();
    return now => {
        if (playing) paint(Math.max(0, Math.floor(((now - start) * rate) / 1000)) % count);
    };
}

function start(data: Data, page: HTMLElement): void {
    const shapes = [
        ...data.cloths.map(surface => new Shape(surface, true)),
        ...data.bodies.map(surface => new Shape(surface, false)),
    ];
    const box = boundsOf(shapes.slice(0, data.cloths.length));
    const centre = box.getCenter(new THREE.Vector3());
    const size = Math.max(box.getSize(new THREE.Vector3()).length(), 1e-3);
    const scene = new THREE.Scene();
    scene.background = new THREE.Color(0xf2f1ee);
    scene.fog = new THREE.Fog(0xf2f1ee, 4 * size, 9 * size);
    light(scene, centre, size);
    scene.add(ground(boundsOf(shapes), size), ...shapes.map(shape => shape.mesh));

    const renderer = new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
    renderer.shadowMap.enabled = true;
    renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    page.append(renderer.domElement);
    const camera = new THREE.PerspectiveCamera(35, 1, 0.01 * size, 40 * size);
    camera.position.set(centre.x + 0.7 * size, centre.y + 0.35 * size, centre.z + 1.5 * size);
    const controls = new OrbitControls(camera, renderer.domElement);
    controls.target.copy(centre);
    controls.update();

    const count = Math.max(...shapes.map(shape => shape.frames.length));
    const show = (frame: number): void => {
        for (const shape of shapes) shape.show(frame);
    };
    const advance = count > 1 ? timeBar(page, count, data.rate, show) : null;
    const resize = (): void => {
        renderer.setSize(page.clientWidth, page.clientHeight);
        camera.aspect = page.clientWidth / Math.max(page.clientHeight, 1);
        camera.updateProjectionMatrix();
    };
    new ResizeObserver(resize).observe(page);
    resize();
    renderer.setAnimationLoop(now => {
        advance?.(now);
        renderer.render(scene, camera);
    });
}

const source = document.getElementById("weft-data");
const page = document.getElementById("weft-view");
if (source && page)
    try {
        start(JSON.parse(source.textContent) as Data, page);
    } catch (error) {
        page.textContent = `The view cannot be shown: ${String(error)}`;
    }
