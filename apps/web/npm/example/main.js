import * as THREE from "three";
import { loadWeft } from "weft-cloth";
import { ClothGeometry } from "weft-cloth/three";

const weft = await loadWeft();
const sim = weft.createSim(`
cloth: {grid: {cells: [24, 24], size: [1, 1], axes: [x, -y], origin: [-0.5, 0.5, 0]}, pins: [{corner: top-left}]}
forces: [gravity]`);
const geometry = new ClothGeometry(sim.cloths[0]);
const scene = new THREE.Scene().add(new THREE.HemisphereLight(0xffffff, 0x443333, 3));
scene.add(new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({ color: 0xb03a2e, side: THREE.DoubleSide })));
const camera = new THREE.PerspectiveCamera(40, innerWidth / innerHeight).translateZ(2.5);
const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.setSize(innerWidth, innerHeight);
document.body.append(renderer.domElement);
renderer.setAnimationLoop(() => {
    sim.advance();
    geometry.update();
    renderer.render(scene, camera);
});
