// Shadows on thin sheets.
import * as THREE from "three";

/**
 * Looks the shadow up on the side that faces the sun. three.js moves the place where it looks along the normal, so that
 * the back of a sheet would lie in the shadow of its own front. Call it in onBeforeCompile of a material with two sides.
 *
 * @param sun unit vector towards the sun, in world coordinates
 */
export function lookUpShadowsOnSunSide(
    shader: THREE.WebGLProgramParametersWithUniforms,
    sun: THREE.IUniform<THREE.Vector3>,
): void {
    shader.uniforms.weftSun = sun;
    const lookUp = THREE.ShaderChunk.shadowmap_vertex.replace(
        /(vec3 shadowWorldNormal = [^;]*;)/,
        "$1\nshadowWorldNormal *= dot(shadowWorldNormal, weftSun) < 0.0 ? -1.0 : 1.0;",
    );
    shader.vertexShader = shader.vertexShader
        .replace("#include <common>", "#include <common>\nuniform vec3 weftSun;")
        .replace("#include <shadowmap_vertex>", lookUp);
}
