// Uses the installed package weft-cloth in Node.
import assert from "node:assert/strict";
import { loadWeft, WeftError } from "weft-cloth";
import { ClothGeometry } from "weft-cloth/three";

const weft = await loadWeft();
const scene = `cloth:
  grid: {cells: [6, 6], size: [1, 1], axes: [x, -y]}
  fabric: wool
  pins: [{corner: top-left}, {corner: top-right}]
forces: [gravity]
bodies: [{sphere: {radius: 0.1, at: [0, -3, 0]}}]`;
const sim = weft.createSim(scene);
const [cloth] = sim.cloths;
assert.equal(cloth.vertexCount, 49);
const geometry = new ClothGeometry(cloth);
const buffer = geometry.getAttribute("position").array;
sim.set("time.step", 0.005);
assert.equal(Number(sim.get("time.step")), 0.005);
assert.ok(sim.parameters().includes("time.step"));
cloth.drag(45, [0.1, 0.2, 0.5]);
for (let i = 0; i < 5; i++) sim.advance();
geometry.update();
assert.equal(geometry.getAttribute("position").array, buffer, "updated in place");
assert.ok(Math.abs(buffer[3 * 45 + 2] - 0.5) < 1e-3, "the hand holds it");
cloth.release();
sim.advance();
assert.equal(sim.frame, 6);
assert.match(sim.hash, /^[0-9a-f]{16}$/);
assert.equal(sim.bodies().length, 1);
assert.equal(Buffer.from(sim.write("glb").subarray(0, 4)).toString(), "glTF");
assert.match(new TextDecoder().decode(sim.write("obj")), /^v /m);
assert.throws(
    () => weft.createSim("cloth: {gird: 3}"),
    error => error instanceof WeftError && /gird/.test(error.message),
);
assert.throws(() => cloth.pin([49]), /vertex 49 is not in 0 to 48/);
assert.throws(() => sim.set("time.step", "never"), /time\.step/);
const two = weft.createSim("cloth: {mesh: quad.obj}", {
    "quad.obj": "v 0 1 0\nv 1 1 0\nv 1 0 0\nv 0 0 0\nf 1 2 3 4\n",
});
assert.equal(two.cloths[0].vertexCount, 4);
for (const one of [sim, two]) one.destroy();
assert.throws(() => sim.advance(), /destroyed/);
