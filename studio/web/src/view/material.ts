// The cloth's material: three's physical one with sheen, plus what cloth needs and it lacks: another colour on the back,
// light that comes through, a weave, and false colours. One set of uniforms serves all cloths of all panes.
import * as THREE from "three";

export interface Look {
    front: THREE.Color;
    back: THREE.Color;
    translucency: number; // share of the light from behind that comes through
    weave: number; // strength of the weave's relief and shade, 0: smooth
    thread: number; // m, distance of two threads
}

export interface ClothUniforms {
    front: THREE.IUniform<THREE.Color>;
    back: THREE.IUniform<THREE.Color>;
    translucency: THREE.IUniform<number>;
    weaveMap: THREE.IUniform<THREE.Texture>;
    weave: THREE.IUniform<number>;
    threads: THREE.IUniform<number>; // per metre
    sun: THREE.IUniform<THREE.Vector3>; // unit, world, towards the sun
    palette: THREE.IUniform<THREE.Texture>;
    falseColour: THREE.IUniform<number>; // 0 or 1
    range: THREE.IUniform<THREE.Vector2>;
}

// One repeat of plain weave: two threads each way. RG: slope of the relief, B: height, which also shades.
function weaveTexture(): THREE.DataTexture {
    const n = 64;
    const height = (x: number, y: number): number => {
        const thread = (t: number) => Math.sqrt(Math.max(0, 1 - (2 * (t - Math.floor(t)) - 1) ** 2));
        const over = (along: number, row: number) => 0.5 + 0.5 * Math.cos(Math.PI * along + Math.PI * row);
        const u = x * 2;
        const v = y * 2;
        const weft = thread(v) * (0.35 + 0.65 * over(u - 0.5, Math.floor(v)));
        const warp = thread(u) * (0.35 + 0.65 * over(v - 0.5, Math.floor(u) + 1));
        return Math.max(weft, warp);
    };
    const data = new Uint8Array(n * n * 4);
    for (let j = 0; j < n; j++)
        for (let i = 0; i < n; i++) {
            const x = (i + 0.5) / n;
            const y = (j + 0.5) / n;
            const e = 1 / n;
            const at = 4 * (j * n + i);
            data[at] = 127.5 + 127.5 * THREE.MathUtils.clamp((height(x + e, y) - height(x - e, y)) * 2, -1, 1);
            data[at + 1] = 127.5 + 127.5 * THREE.MathUtils.clamp((height(x, y + e) - height(x, y - e)) * 2, -1, 1);
            data[at + 2] = 255 * height(x, y);
            data[at + 3] = 255;
        }
    const texture = new THREE.DataTexture(data, n, n);
    texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
    texture.magFilter = THREE.LinearFilter;
    texture.minFilter = THREE.LinearMipmapLinearFilter;
    texture.generateMipmaps = true;
    texture.anisotropy = 8;
    texture.needsUpdate = true;
    return texture;
}

export function clothUniforms(palette: THREE.Texture): ClothUniforms {
    return {
        front: { value: new THREE.Color(0.7, 0.2, 0.17) },
        back: { value: new THREE.Color(0.7, 0.2, 0.17) },
        translucency: { value: 0.35 },
        weaveMap: { value: weaveTexture() },
        weave: { value: 0.6 },
        threads: { value: 125 },
        sun: { value: new THREE.Vector3(0.5, 0.8, 0.4).normalize() },
        palette: { value: palette },
        falseColour: { value: 0 },
        range: { value: new THREE.Vector2(0, 1) },
    };
}

const vertexHead = /* glsl */ `
attribute float value;
varying float vValue;
varying vec2 vCloth;
uniform vec3 weftSun;
`;
const vertexBody = /* glsl */ `
vValue = value;
vCloth = uv;
`;

const fragmentHead = /* glsl */ `
varying float vValue;
varying vec2 vCloth;
uniform vec3 weftFront, weftBack;
uniform float weftTranslucency, weftWeave, weftThreads, weftFalse;
uniform vec2 weftRange;
uniform sampler2D weftMap, weftPalette;
`;

// Faces are seen from both sides: the colour follows the side. The weave's height darkens the gaps between threads.
const fragmentColour = /* glsl */ `
vec2 weavePlace = vCloth * weftThreads * 0.5;
vec3 weave = texture2D(weftMap, weavePlace).rgb;
// Where a thread is smaller than a pixel the relief would only glitter.
float weaveSeen = weftWeave * (1.0 - smoothstep(0.25, 0.9, max(length(dFdx(weavePlace)), length(dFdy(weavePlace)))));
vec3 clothColour = gl_FrontFacing ? weftFront : weftBack;
clothColour *= mix(1.0, 0.5 + 0.68 * weave.b, weaveSeen);
if (weftFalse > 0.5)
    clothColour = texture2D(weftPalette, vec2(clamp((vValue - weftRange.x) / (weftRange.y - weftRange.x), 0.004, 0.996), 0.5)).rgb;
diffuseColor.rgb = clothColour;
`;

// Tangents from the derivatives of the rest coordinates, as three does for bump maps (Mikkelsen 2010).
const fragmentNormal = /* glsl */ `
if (weaveSeen > 0.0) {
    vec3 px = dFdx(-vViewPosition), py = dFdy(-vViewPosition);
    vec2 ux = dFdx(vCloth), uy = dFdy(vCloth);
    float area = ux.x * uy.y - uy.x * ux.y;
    if (abs(area) > 1e-14) {
        vec3 s = (px * uy.y - py * ux.y) / area, t = (py * ux.x - px * uy.x) / area;
        vec2 slope = (weave.rg * 2.0 - 1.0) * 0.55 * weaveSeen * faceDirection;
        normal = normalize(normal - slope.x * normalize(s) - slope.y * normalize(t));
    }
}
`;

// Sheen of the fibre's own hue, on either side: white would look like dust.
const fragmentSheen = /* glsl */ `
material.sheenColor *= mix(clothColour, vec3(1.0), 0.15);
`;

// Lambert's law for light from behind, scaled by what passes.
const throughLight = /* glsl */ `
float dotThrough = saturate(-dot(geometryNormal, directLight.direction));
reflectedLight.directDiffuse += dotThrough * directLight.color * weftTranslucency * material.diffuseColor * (RECIPROCAL_PI * 1.1);
`;

export function clothMaterial(shared: ClothUniforms): THREE.MeshPhysicalMaterial {
    const material = new THREE.MeshPhysicalMaterial({
        side: THREE.DoubleSide,
        shadowSide: THREE.DoubleSide,
        roughness: 0.85,
        sheen: 0.6,
        sheenRoughness: 0.45,
        sheenColor: new THREE.Color(1, 1, 1),
        envMapIntensity: 0.9,
    });
    material.onBeforeCompile = shader => {
        Object.assign(shader.uniforms, {
            weftFront: shared.front,
            weftBack: shared.back,
            weftTranslucency: shared.translucency,
            weftMap: shared.weaveMap,
            weftWeave: shared.weave,
            weftThreads: shared.threads,
            weftSun: shared.sun,
            weftPalette: shared.palette,
            weftFalse: shared.falseColour,
            weftRange: shared.range,
        });
        // The shadow is looked up on the side that faces the sun, else a thin sheet would shade its own back.
        const shadowVertex = THREE.ShaderChunk.shadowmap_vertex.replace(
            /(vec3 shadowWorldNormal = [^;]*;)/,
            "$1\nshadowWorldNormal *= dot(shadowWorldNormal, weftSun) < 0.0 ? -1.0 : 1.0;",
        );
        shader.vertexShader = shader.vertexShader
            .replace("#include <common>", `#include <common>\n${vertexHead}`)
            .replace("#include <begin_vertex>", `#include <begin_vertex>\n${vertexBody}`)
            .replace("#include <shadowmap_vertex>", shadowVertex);
        const lights = THREE.ShaderChunk.lights_physical_pars_fragment.replace(
            /(void RE_Direct_Physical\([^{]*\{)/,
            `$1\n${throughLight}`,
        );
        shader.fragmentShader = shader.fragmentShader
            .replace("#include <common>", `#include <common>\n${fragmentHead}`)
            .replace("#include <lights_physical_pars_fragment>", lights)
            .replace("#include <color_fragment>", `#include <color_fragment>\n${fragmentColour}`)
            .replace("#include <lights_physical_fragment>", `#include <lights_physical_fragment>\n${fragmentSheen}`)
            .replace("#include <normal_fragment_maps>", `#include <normal_fragment_maps>\n${fragmentNormal}`);
    };
    return material;
}
