// The ground: a disc with a grid of metres and decimetres. It receives shadows and fades into the background.
import * as THREE from "three";

export interface GroundUniforms {
    centre: THREE.IUniform<THREE.Vector2>; // m, centre of the opaque part
    reach: THREE.IUniform<number>; // m, radius at which it has faded out
    line: THREE.IUniform<THREE.Color>;
    strength: THREE.IUniform<number>;
}

const grid = /* glsl */ `
float gridLine(vec2 place, float width) {
    vec2 f = abs(fract(place - 0.5) - 0.5), w = fwidth(place);
    vec2 near = 1.0 - smoothstep(w * width, w * (width + 0.9), f);
    near *= 1.0 - smoothstep(0.15, 0.5, w);
    return max(near.x, near.y);
}
`;

export function groundMaterial(shared: GroundUniforms): THREE.MeshStandardMaterial {
    const material = new THREE.MeshStandardMaterial({ roughness: 0.95, transparent: true, depthWrite: false });
    material.onBeforeCompile = shader => {
        Object.assign(shader.uniforms, {
            groundCentre: shared.centre,
            groundReach: shared.reach,
            groundLine: shared.line,
            groundStrength: shared.strength,
        });
        shader.vertexShader = shader.vertexShader
            .replace("#include <common>", "#include <common>\nvarying vec2 vGround;")
            .replace(
                "#include <begin_vertex>",
                "#include <begin_vertex>\nvGround = (modelMatrix * vec4(position, 1.0)).xz;",
            );
        shader.fragmentShader = shader.fragmentShader
            .replace(
                "#include <common>",
                `#include <common>\nvarying vec2 vGround;\nuniform vec2 groundCentre;\nuniform float groundReach, groundStrength;\nuniform vec3 groundLine;\n${grid}`,
            )
            .replace(
                "#include <color_fragment>",
                `float lines = max(0.8 * gridLine(vGround, 0.1), 0.3 * gridLine(vGround * 10.0, 0.0));
                diffuseColor.rgb = mix(diffuseColor.rgb, groundLine, lines * groundStrength);
                diffuseColor.a *= 1.0 - smoothstep(0.25, 1.0, length(vGround - groundCentre) / groundReach);`,
            );
    };
    return material;
}
