// The cloth's material: the physical material of three.js with sheen, extended by a second colour for the back,
// translucency, a weave and false colours. All cloths of all panes share one set of uniforms.
import * as THREE from "three";

import { lookUpShadowsOnSunSide } from "./sun_side";

export interface ClothUniforms {
    front: THREE.IUniform<THREE.Color>;
    back: THREE.IUniform<THREE.Color>;
    translucency: THREE.IUniform<number>; // share of the light from behind that passes through, 0 to 1
    weaveMap: THREE.IUniform<THREE.Texture>;
    weave: THREE.IUniform<number>; // strength of the weave's relief and shading; 0: smooth
    yarns: THREE.IUniform<number>; // per metre
    sun: THREE.IUniform<THREE.Vector3>; // unit vector towards the sun, in world coordinates
    palette: THREE.IUniform<THREE.Texture>;
    falseColour: THREE.IUniform<number>; // 0 or 1
    range: THREE.IUniform<THREE.Vector2>;
}

// One repeat of a plain weave: two yarns each way. RG: slope of the relief; B: height, also used for shading.
function weaveTexture(): THREE.DataTexture {
    const n = 64;
    const height = (x: number, y: number): number => {
        const yarn = (t: number) => Math.sqrt(Math.max(0, 1 - (2 * (t - Math.floor(t)) - 1) ** 2));
        const over = (along: number, row: number) => 0.5 + 0.5 * Math.cos(Math.PI * along + Math.PI * row);
        const u = x * 2;
        const v = y * 2;
        const weft = yarn(v) * (0.35 + 0.65 * over(u - 0.5, Math.floor(v)));
        const warp = yarn(u) * (0.35 + 0.65 * over(v - 0.5, Math.floor(u) + 1));
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
        yarns: { value: 125 },
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
`;
const vertexBody = /* glsl */ `
vValue = value;
vCloth = uv;
`;

const fragmentHead = /* glsl */ `
varying float vValue;
varying vec2 vCloth;
uniform vec3 weftFront, weftBack;
uniform float weftTranslucency, weftWeave, weftYarns, weftFalse;
uniform vec2 weftRange;
uniform sampler2D weftMap, weftPalette;
`;

// The colour depends on the side that is visible. The weave's height darkens the gaps between yarns.
const fragmentColour = /* glsl */ `
vec2 weavePlace = vCloth * weftYarns * 0.5;
vec3 weave = texture2D(weftMap, weavePlace).rgb;
// Fade the relief out where a yarn is smaller than a pixel; it would only flicker.
float weaveSeen = weftWeave * (1.0 - smoothstep(0.25, 0.9, max(length(dFdx(weavePlace)), length(dFdy(weavePlace)))));
vec3 clothColour = gl_FrontFacing ? weftFront : weftBack;
clothColour *= mix(1.0, 0.5 + 0.68 * weave.b, weaveSeen);
if (weftFalse > 0.5)
    clothColour = texture2D(weftPalette, vec2(clamp((vValue - weftRange.x) / (weftRange.y - weftRange.x), 0.004, 0.996), 0.5)).rgb;
diffuseColor.rgb = clothColour;
`;

// Tangents from the derivatives of the rest coordinates, as three.js does for bump maps (Mikkelsen 2010).
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

// The sheen takes the colour of the cloth on both sides; white sheen would look like dust.
const fragmentSheen = /* glsl */ `
material.sheenColor *= mix(clothColour, vec3(1.0), 0.15);
`;

// Lambert's law for light from behind, scaled by the translucency.
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
            weftYarns: shared.yarns,
            weftPalette: shared.palette,
            weftFalse: shared.falseColour,
            weftRange: shared.range,
        });
        lookUpShadowsOnSunSide(shader, shared.sun);
        shader.vertexShader = shader.vertexShader
            .replace("#include <common>", `#include <common>\n${vertexHead}`)
            .replace("#include <begin_vertex>", `#include <begin_vertex>\n${vertexBody}`);
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
