// Uses the installed package weft-cloth in Node.
import assert from "node:assert/strict";
import { loadWeft, WeftError } from "weft-cloth";
import { ClothGeometry } from "weft-cloth/three";

/** What loadWeft says of other modules. Each must be told at once: a promise that never settles would hang here. */
async function refusal(settings) {
    const late = new Promise(resolve => setTimeout(resolve, 10000, "never").unref());
    const said = loadWeft(settings).then(
        () => "loaded",
        error => (error instanceof WeftError ? error.message : String(error)),
    );
    return Promise.race([said, late]);
}
const EMPTY = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0); // a module without anything
const OTHER = Uint8Array.from([...EMPTY, 1, 4, 1, 96, 0, 0, 2, 7, 1, 1, 120, 1, 121, 0, 0]); // it imports x.y()
assert.match(await refusal({ wasmBinary: EMPTY }), /^wasmBinary: this WebAssembly module is not that of this package/);
assert.match(await refusal({ wasmBinary: OTHER }), /^wasmBinary: this WebAssembly module is not that of this package/);
assert.match(await refusal({ wasmBinary: Uint8Array.of(1, 2, 3) }), /^wasmBinary: this is not the WebAssembly module/);
assert.match(await refusal({ wasm: "file:///no/such.wasm" }), /^file:.*such\.wasm: this is not the WebAssembly module/);
assert.match(await refusal({ wasm: "such.wasm" }), /^such\.wasm: this is not the WebAssembly module/);

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
assert.throws(() => cloth.pin(3), /vertices are a list, not 3/);
assert.throws(() => cloth.drag(0, [NaN, 0, 0]), /not finite/);
assert.throws(() => weft.createSim(), /the scene is a text, not undefined/);
assert.throws(() => weft.createSim("cloth: {mesh: a.obj}", { "a.obj": 5 }), /'a\.obj': a file is a text/);
assert.throws(() => sim.set("time.step", "never"), /time\.step/);
const two = weft.createSim("cloth: {mesh: quad.obj}", {
    "quad.obj": "v 0 1 0\nv 1 1 0\nv 1 0 0\nv 0 0 0\nf 1 2 3 4\n",
});
assert.equal(two.cloths[0].vertexCount, 4);
for (const one of [sim, two]) one.destroy();
assert.throws(() => sim.advance(), /destroyed/);
