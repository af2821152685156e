// The live cloth of the landing page: a sheet that hangs in a light wind, and that a pointer or the keys can pull.
import * as THREE from "three";
import { loadWeft } from "../wasm/npm/weft.js";
import { ClothGeometry } from "../wasm/npm/three.js";

const CELLS = 34;
const SCENE = `
time: {step: 8.5 ms, rate: 60}
integrator: {name: projective, iterations: 4}
cloth:
  grid: {cells: [${CELLS}, ${CELLS}], size: [1.2, 1.2], axes: [x, -y], origin: [-0.6, 0.62, 0]}
  fabric: {preset: cotton, drag: 0.5, lift: 0.2}
  model: {name: springs, stiffness: fabric}
  pins: [{corner: top-left}, {corner: top-right}, {vertices: [${CELLS / 2}]}]
forces:
  - gravity
  - air-damping: {coefficient: 0.08, per: area}
  - wind: {speed: 1.5, direction: [0.3, 0, 1], randomness: 0.7, gust_frequency: 0.7}
`;

const canvas = document.querySelector("#cloth");
const status = document.querySelector("#cloth-status");
const wind = document.querySelector("#wind");

function makeView() {
    const renderer = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: true });
    renderer.toneMapping = THREE.NeutralToneMapping;
    const camera = new THREE.PerspectiveCamera(34, 1, 0.1, 20);
    const scene = new THREE.Scene();
    const sun = new THREE.DirectionalLight(0xfff4e0, 3.6);
    sun.position.set(2.6, 1.2, 1); // from the side, so that folds show
    scene.add(new THREE.HemisphereLight(0xffffff, 0x8a8078, 1.1), sun);
    const resize = () => {
        const { clientWidth: width, clientHeight: height } = canvas;
        renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
        renderer.setSize(width, height, false);
        camera.aspect = width / height;
        const away = 2.5 * Math.max(1, 1.05 / camera.aspect);
        camera.position.set(0.35, 0.12, away);
        camera.lookAt(0, 0, 0);
        camera.updateProjectionMatrix();
    };
    new ResizeObserver(resize).observe(canvas);
    resize();
    return { renderer, camera, scene };
}

/** Pulls the vertex under a pointer, in the plane of the screen. */
function addHands(view, cloth) {
    const pointers = new Map(); // pointer -> { vertex, plane }
    const caster = new THREE.Raycaster();
    const aim = event => {
        const box = canvas.getBoundingClientRect();
        const x = ((event.clientX - box.left) / box.width) * 2 - 1;
        const y = 1 - ((event.clientY - box.top) / box.height) * 2;
        caster.setFromCamera(new THREE.Vector2(x, y), view.camera);
        return caster.ray;
    };
    const nearest = ray => {
        const x = cloth.positions;
        const point = new THREE.Vector3();
        let best = { vertex: -1, distance: 0.12 };
        for (let i = 0; i < cloth.vertexCount; i++) {
            const distance = ray.distanceToPoint(point.set(x[3 * i], x[3 * i + 1], x[3 * i + 2]));
            if (distance < best.distance) best = { vertex: i, distance };
        }
        return best.vertex;
    };
    canvas.addEventListener("pointerdown", event => {
        const vertex = nearest(aim(event));
        if (vertex < 0) return;
        event.preventDefault();
        canvas.setPointerCapture(event.pointerId);
        const at = new THREE.Vector3(...cloth.positions.subarray(3 * vertex, 3 * vertex + 3));
        const normal = view.camera.getWorldDirection(new THREE.Vector3());
        const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(normal, at);
        pointers.set(event.pointerId, { vertex, plane });
        cloth.drag(vertex, at.toArray());
    });
    canvas.addEventListener("pointermove", event => {
        const held = pointers.get(event.pointerId);
        const at = held && aim(event).intersectPlane(held.plane, new THREE.Vector3());
        if (at) cloth.drag(held.vertex, at.clampLength(0, 2.5).toArray());
    });
    for (const name of ["pointerup", "pointercancel"])
        canvas.addEventListener(name, event => {
            if (pointers.delete(event.pointerId) && pointers.size === 0) cloth.release();
        });
    // A finger on the cloth pulls it; beside the cloth it scrolls the page.
    canvas.addEventListener("touchstart", event => pointers.size > 0 && event.preventDefault(), { passive: false });
    return pointers;
}

/** The arrow keys pull the middle of the hem; it is let go with the key. */
function addKeys(cloth) {
    const hem = (CELLS + 1) * CELLS + CELLS / 2;
    const directions = { ArrowLeft: [-1, 0, 0], ArrowRight: [1, 0, 0], ArrowUp: [0, 0.6, 1], ArrowDown: [0, 0, -1] };
    let place = null;
    canvas.addEventListener("keydown", event => {
        const along = directions[event.key];
        if (!along) return;
        event.preventDefault();
        place ??= [...cloth.positions.subarray(3 * hem, 3 * hem + 3)];
        place = place.map((value, k) => Math.max(-1.2, Math.min(1.2, value + 0.06 * along[k])));
        cloth.drag(hem, place);
    });
    canvas.addEventListener("keyup", () => {
        if (place) cloth.release();
        place = null;
    });
}

async function start() {
    const loading = loadWeft(); // while the view is made
    const view = makeView();
    const weft = await loading;
    const sim = weft.createSim(SCENE);
    const [cloth] = sim.cloths;
    const geometry = new ClothGeometry(cloth);
    const material = new THREE.MeshStandardMaterial({ color: 0xb5342b, roughness: 0.82, side: THREE.DoubleSide });
    view.scene.add(new THREE.Mesh(geometry, material));
    addHands(view, cloth);
    addKeys(cloth);
    wind.addEventListener("input", () => sim.set("forces.wind.speed", Number(wind.value)));
    const begin = performance.now();
    let frames = 0;
    view.renderer.setAnimationLoop(() => {
        const due = Math.floor(((performance.now() - begin) / 1000) * 60);
        if (due - frames > 3) frames = due - 3; // a slow machine falls behind instead of catching up
        for (; frames < due; frames++) sim.advance();
        geometry.update();
        view.renderer.render(view.scene, view.camera);
        if (canvas.dataset.ready) return;
        canvas.dataset.ready = String(Math.round(performance.now())); // ms since the page was opened
        status.textContent = "";
    });
    window.weftLanding = { sim, cloth };
}

start().catch(error => {
    status.textContent = `The live cloth needs WebAssembly and WebGL 2: ${error.message}`;
});
