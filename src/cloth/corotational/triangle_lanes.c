/* Energies and forces of many triangles, four at a time. */
#include "cloth/corotational/corotational.h"
#include "weft/vec.h"

static void corners_of(const weft_corotational *c, int64_t t, const weft_vec3 *x, weft_vec3 p[3]) {
    for (int k = 0; k < 3; k++)
        p[k] = x[c->mesh->triangle[t][k]];
}

/* The scalar twins, for one triangle. */
static double energy_of(const weft_corotational *c, const weft_vec3 *x, int64_t t) {
    weft_vec3 p[3];
    corners_of(c, t, x, p);
    return weft_triangle_energy(&c->triangle[t], &c->elasticity, p);
}

static void force_of(const weft_corotational *c, const weft_vec3 *x, const weft_vec3 *v, int64_t t) {
    weft_vec3 p[3], q[3];
    corners_of(c, t, x, p);
    corners_of(c, t, v, q);
    weft_triangle_force(&c->triangle[t], &c->elasticity, (weft_rotation)c->settings.force, c->beta, p, q,
                        c->element_force + 3 * t);
}

#define WEFT_KERNEL "cloth/corotational/triangle_lanes.inc"
#define WEFT_KERNEL_NO_AVX512
#include "core/simd_kernels.inc"

double weft_triangle_energies(const weft_corotational *c, weft_isa isa, const weft_vec3 *x, int64_t begin,
                              int64_t end) {
    return WEFT_SIMD_RUN_AVX2(isa, energies, c, x, begin, end);
}

void weft_triangle_forces(const weft_corotational *c, weft_isa isa, const weft_vec3 *x, const weft_vec3 *v,
                          int64_t begin, int64_t end) {
    WEFT_SIMD_RUN_AVX2(isa, forces, c, x, v, begin, end);
}
