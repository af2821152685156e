// The landing page: a live cloth in the browser, with the npm package weft-cloth and three.js.
import * as THREE from "three";
import { loadWeft } from "../npm/weft.js";
import { ClothGeometry } from "../npm/three.js";
import { curtain } from "./curtain.js";
import { addHands, addKeys, Grips } from "./hands.js";
import { weave } from "./weave.js";

const CELLS = 48;
const FOLDS = 4;
const WIDTH = 1.62; // of the flat cloth, m
const SHAPE = { cells: CELLS, folds: FOLDS, width: WIDTH, height: 1.15, span: 1.22, top: 0.6 };
const PINS = Array.from({ length: FOLDS + 1 }, (_, i) => (i * CELLS) / FOLDS); // vertices of the upper edge
// Without self-collision: a curtain that is folded by hand onto itself takes ten times as long per frame with it, too long
// for a page that must answer at once. The studio's scenes have it.
const SCENE = `
time: {step: 8.5 ms, rate: 60}
integrator: {name: projective, iterations: 5}
cloth:
  mesh: cloth.obj
  fabric: {preset: cotton, density: 0.25, drag: 0.5, lift: 0.2}
  model: {name: springs, stiffness: fabric}
  pins: [{vertices: [${PINS.join(", ")}]}]
forces:
  - gravity
  - air-damping: {coefficient: 0.1, per: area}
  - wind: {speed: 2, direction: [0.3, 0, 1], randomness: 0.7, gust_frequency: 0.7}
`;

const canvas = document.querySelector("#cloth");
const status = document.querySelector("#cloth-status");
const wind = document.querySelector("#wind");
const hint = document.querySelector("#hint");

/** Whether the browser draws without a graphics card. Shadows would then be too slow, unless the address asks for them. */
function isSlow(renderer) {
    const gl = renderer.getContext();
    const info = gl.getExtension("WEBGL_debug_renderer_info");
    const name = info ? gl.getParameter(info.UNMASKED_RENDERER_WEBGL) : "";
    return /swiftshader|llvmpipe|software/i.test(name) && !new URLSearchParams(location.search).has("shadows");
}

function addLights(scene, withShadows) {
    const sun = new THREE.DirectionalLight(0xfff6ea, 3.7);
    sun.position.set(-1.5, 1.2, 1.9); // from the side, so that folds show
    scene.add(new THREE.HemisphereLight(0xffffff, 0x8f8a90, 1.6), sun);
    if (!withShadows) return;
    sun.castShadow = true;
    sun.shadow.mapSize.set(1024, 1024);
    sun.shadow.bias = -0.002;
    sun.shadow.normalBias = 0.012;
    sun.shadow.radius = 8;
    Object.assign(sun.shadow.camera, { left: -1.5, right: 1.5, bottom: -1.5, top: 1.5, near: 0.5, far: 6 });
    // The cloth hangs before the page, which takes its shadow.
    const wall = new THREE.Mesh(new THREE.PlaneGeometry(8, 8), new THREE.ShadowMaterial({ opacity: 0.2 }));
    wall.position.z = -0.35;
    wall.receiveShadow = true;
    scene.add(wall);
}

function makeView() {
    const renderer = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: true });
    const slow = isSlow(renderer);
    renderer.toneMapping = THREE.NeutralToneMapping;
    renderer.shadowMap.enabled = !slow;
    renderer.shadowMap.type = THREE.PCFShadowMap;
    const camera = new THREE.PerspectiveCamera(30, 1, 0.1, 20);
    const scene = new THREE.Scene();
    addLights(scene, !slow);
    const resize = () => {
        const { clientWidth: width, clientHeight: height } = canvas;
        renderer.setPixelRatio(slow ? 0.75 : Math.min(devicePixelRatio, 2));
        renderer.setSize(width, height, false);
        camera.aspect = width / height;
        camera.position.set(0.3, 0.05, 3.1 * Math.max(1, 1 / camera.aspect));
        camera.lookAt(0.06, 0, 0);
        camera.updateProjectionMatrix();
    };
    new ResizeObserver(resize).observe(canvas);
    resize();
    return { renderer, camera, scene };
}

function addCloth(view, cloth) {
    const geometry = new ClothGeometry(cloth);
    const map = new THREE.CanvasTexture(weave());
    map.colorSpace = THREE.SRGBColorSpace;
    map.wrapS = map.wrapT = THREE.RepeatWrapping;
    map.repeat.set(3.2, 3.2); // per metre of rest coordinates
    map.anisotropy = 8;
    const material = new THREE.MeshStandardMaterial({ map, roughness: 0.9, side: THREE.DoubleSide });
    const mesh = new THREE.Mesh(geometry, material);
    mesh.castShadow = mesh.receiveShadow = true;
    const knob = new THREE.SphereGeometry(0.016, 20, 14);
    const brass = new THREE.MeshStandardMaterial({ color: 0xb08d57, roughness: 0.35, metalness: 0.6 });
    for (const pin of PINS) {
        const at = new THREE.Mesh(knob, brass);
        at.position.fromArray(cloth.positions, 3 * pin);
        view.scene.add(at);
    }
    view.scene.add(mesh);
    return geometry;
}

/** Draws frames at 60 per second of simulated time. A slow machine falls behind instead of catching up. */
function animate(view, sim, geometry) {
    let last = performance.now();
    let owed = 0;
    view.renderer.setAnimationLoop(() => {
        const now = performance.now();
        owed = Math.min(owed + ((now - last) / 1000) * 60, 2);
        last = now;
        try {
            for (; owed >= 1; owed--) sim.advance();
        } catch (error) {
            view.renderer.setAnimationLoop(null);
            status.textContent = `The simulation stopped: ${error.message}. Reload the page to start it again.`;
            return;
        }
        geometry.update();
        view.renderer.render(view.scene, view.camera);
        if (canvas.dataset.ready) return;
        canvas.dataset.ready = String(Math.round(performance.now())); // ms since the page was opened
        status.textContent = "";
    });
}

async function start() {
    const loading = loadWeft({ wasm: new URL("engine/weft.wasm", import.meta.url) }); // while the view is made
    loading.catch(() => undefined); // the view may fail first
    const view = makeView();
    const weft = await loading;
    const sim = weft.createSim(SCENE, { "cloth.obj": curtain(SHAPE) });
    const [cloth] = sim.cloths;
    const geometry = addCloth(view, cloth);
    const grips = new Grips(cloth, { cells: CELLS, cell: WIDTH / CELLS, pins: PINS });
    const onGrab = () => hint.classList.add("gone");
    addHands({ canvas, camera: view.camera, grips, onGrab });
    addKeys({ canvas, grips, onGrab });
    wind.addEventListener("input", () => sim.set("forces.wind.speed", Number(wind.value)));
    sim.set("forces.wind.speed", Number(wind.value)); // the browser may have kept another value
    animate(view, sim, geometry);
    hint.hidden = false;
    window.weftLanding = { sim, cloth };
}

start().catch(error => {
    status.textContent = `The live cloth could not be started. It needs WebAssembly and WebGL 2. ${error.message}`;
    canvas.hidden = true;
    const still = document.querySelector("#still");
    still.src = still.dataset.src;
    still.hidden = false;
});
