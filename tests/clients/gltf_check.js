// Opens the GLB and USDA files of a run with independent programs and compares the positions with the PLY files:
//     node gltf_check.js DIR SCENE CLOTH...
// GLB: the Khronos validator must find no issue, and three.js plays the file. USDA: the reader of three.js parses it.
// The first, the middle and the last frame are compared, and for GLB also a time between two frames.
import fs from 'node:fs';
import validator from 'gltf-validator';
import { AnimationMixer, Vector3 } from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { USDLoader } from 'three/examples/jsm/loaders/USDLoader.js';
import { USDAParser } from 'three/examples/jsm/loaders/usd/USDAParser.js';

const TOLERANCE = 1e-6; // of the size of the cloth

const [directory, scene, ...cloths] = process.argv.slice(2);
if (cloths.length === 0) {
    console.error('usage: node gltf_check.js DIR SCENE CLOTH...');
    process.exit(2);
}
let failures = 0;

function report(what, good, detail) {
    console.log(`${what}: ${detail}, ${good ? 'ok' : 'WRONG'}`);
    if (!good) failures++;
}

/** Positions of a binary PLY whose vertices begin with float x, y, z, and the number of its triangles and faces. */
function readPly(path) {
    const bytes = fs.readFileSync(path);
    const end = bytes.indexOf('end_header\n') + 'end_header\n'.length;
    let vertices = 0;
    let faces = 0;
    let stride = 0;
    let element = '';
    for (const line of bytes.toString('latin1', 0, end).split('\n')) {
        const words = line.split(' ');
        if (words[0] === 'element') {
            element = words[1];
            if (element === 'vertex') vertices = Number(words[2]);
            if (element === 'face') faces = Number(words[2]);
        }
        if (words[0] === 'property' && element === 'vertex') stride += words[1] === 'double' ? 8 : 4;
    }
    const positions = [];
    for (let v = 0; v < vertices; v++)
        for (let k = 0; k < 3; k++) positions.push(bytes.readFloatLE(end + v * stride + 4 * k));
    return { positions, faces };
}

const plyPath = (cloth, frame) => `${directory}/ply/${cloth}_${String(frame).padStart(4, '0')}.ply`;

function compare(what, got, expected) {
    if (got.length < expected.length) {
        report(what, false, `${got.length / 3} vertices, ${expected.length / 3} expected`);
        return;
    }
    const size = expected.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
    let worst = 0;
    expected.forEach((x, i) => {
        const off = Math.abs(got[i] - x) / size;
        worst = off <= worst ? worst : off; // keeps NaN
    });
    report(what, worst <= TOLERANCE, `largest difference ${worst.toExponential(2)} of the size`);
}

/** The current positions of the first `count` vertices in three.js. */
function shown(mesh, count) {
    const positions = [];
    const point = new Vector3();
    mesh.updateMatrixWorld(true);
    for (let v = 0; v < count; v++) {
        mesh.getVertexPosition(v, point).applyMatrix4(mesh.matrixWorld);
        positions.push(point.x, point.y, point.z);
    }
    return positions;
}

const lerp = (a, b, s) => a.map((x, i) => (1 - s) * x + s * b[i]);

async function checkGlb(frames, rate) {
    const file = fs.readFileSync(`${directory}/${scene}.glb`);
    const { issues, info } = await validator.validateBytes(new Uint8Array(file));
    for (const message of issues.messages) console.log(`  ${message.code} ${message.pointer}: ${message.message}`);
    report('validator', issues.numErrors === 0 && issues.numWarnings === 0,
        `${issues.numErrors} errors, ${issues.numWarnings} warnings`);
    report('validator', info.hasMorphTargets && info.animationCount === 1 && info.drawCallCount === cloths.length,
        `${info.totalVertexCount} vertices, ${info.totalTriangleCount} triangles`);

    const bytes = file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength);
    const gltf = await new GLTFLoader().parseAsync(bytes, '');
    const mixer = new AnimationMixer(gltf.scene);
    mixer.clipAction(gltf.animations[0]).setLoop(2200, 1).play(); // once
    const last = frames[frames.length - 1];
    report('three.js', Math.abs(gltf.animations[0].duration - last / rate) < 1e-5,
        `${gltf.animations[0].duration} s long`);
    for (const cloth of cloths) {
        const mesh = gltf.scene.getObjectByName(cloth);
        report(`three.js, ${cloth}`, mesh?.isMesh && mesh.morphTargetInfluences.length === last + 1,
            `${mesh?.morphTargetInfluences?.length} targets for ${last + 1} frames`);
        report(`three.js, ${cloth}`, mesh.material.side === 2, 'two-sided');
        for (const frame of [...frames, frames[1] + 0.5]) {
            const before = readPly(plyPath(cloth, Math.floor(frame))).positions;
            const after = readPly(plyPath(cloth, Math.ceil(frame))).positions;
            mixer.setTime(Math.min(frame / rate, gltf.animations[0].duration - 1e-7));
            compare(`glb, ${cloth}, frame ${frame}`, shown(mesh, before.length / 3), lerp(before, after, frame % 1));
        }
    }
}

/** Checks the parsed time samples, and the mesh that three.js makes from the first one. */
function checkUsda(frames, rate) {
    const text = fs.readFileSync(`${directory}/${scene}.usda`, 'utf8');
    const specs = new USDAParser().parseData(text).specsByPath;
    const root = specs['/'].fields;
    report('usda', root.upAxis === 'Y' && root.metersPerUnit === 1 && root.timeCodesPerSecond === rate,
        `${root.upAxis} up, ${root.metersPerUnit} m, ${root.timeCodesPerSecond} frames/s`);
    const loaded = new USDLoader().parse(text, '');
    for (const cloth of cloths) {
        const path = `/${root.defaultPrim}/${cloth}`;
        const { times, values } = specs[`${path}.points`].fields.timeSamples;
        report(`usda, ${cloth}`, times.length === frames[2] + 1, `${times.length} samples`);
        const normals = specs[`${path}.normals`].fields.timeSamples;
        for (const frame of frames) {
            const ply = readPly(plyPath(cloth, frame));
            compare(`usda, ${cloth}, frame ${frame}`, values[times.indexOf(frame)], ply.positions);
            const flat = normals.values[normals.times.indexOf(frame)];
            let worst = 0;
            for (let v = 0; v < flat.length; v += 3)
                worst = Math.max(worst, Math.abs(Math.hypot(flat[v], flat[v + 1], flat[v + 2]) - 1));
            report(`usda, ${cloth}, frame ${frame}`, flat.length === ply.positions.length && worst < 1e-6,
                `normals of length 1 within ${worst.toExponential(2)}`);
        }
        const counts = specs[`${path}.faceVertexCounts`].fields.default;
        const faces = readPly(plyPath(cloth, 0)).faces;
        report(`usda, ${cloth}`, counts.length === faces, `${counts.length} faces of ${faces}`);
        let mesh; // the root may have the same name
        loaded.traverse((object) => { if (object.isMesh && object.name === cloth) mesh = object; });
        const triangles = counts.reduce((sum, size) => sum + size - 2, 0);
        report(`three.js, ${cloth}`, mesh?.isMesh && mesh.geometry.attributes.position.count === 3 * triangles,
            `a mesh of ${mesh?.geometry?.attributes.position.count / 3} triangles`);
    }
}

const count = fs.readdirSync(`${directory}/ply`).filter((name) => name.startsWith(`${cloths[0]}_0`)).length;
const rate = JSON.parse(fs.readFileSync(`${directory}/report.json`, 'utf8')).settings['time.rate'];
const frames = [0, Math.floor((count - 1) / 2), count - 1];
await checkGlb(frames, Number(rate));
checkUsda(frames, Number(rate));
process.exit(failures === 0 ? 0 : 1);
