/* The triangles' blocks as an implicit step adds them up, four triangles at a time. Stiffness and damping are added in
 * the triangle's frame, before they are turned into the world, and the product with u is taken there too. */
#include "model/corotational.h"
#include "model/lanes.h"
#include "weft/vec.h"

typedef struct group {
    int32_t corner[3][WEFT_LANES];
    lanes inverse[4], area;
} group;

typedef struct deformed {
    lane_vec q[2], normal;
    lanes xx, xy, yy, trace, squeeze;
    lanes turn;    /* 1 / trace */
    lane_bits odd; /* collapsed */
} deformed;

typedef struct shaped {
    int32_t element[WEFT_LANES];
    group g;
    deformed d;
    lanes rate[10], plane[10], normal[3];
} shaped;

/* The last elements are repeated where there are fewer than lanes. */
static inline void take_elements(const weft_corotational *c, const int32_t *element, int32_t count, shaped *s) {
    for (int lane = 0; lane < WEFT_LANES; lane++) {
        s->element[lane] = element[lane < count ? lane : count - 1];
        for (int k = 0; k < 3; k++)
            s->g.corner[k][lane] = c->mesh->triangle[s->element[lane]][k];
    }
}

static void redo_lane(const weft_corotational *c, int32_t t, const weft_vec3 *x, double h, float *sum,
                      const weft_vec3 *u, double *product) {
    const int32_t *corner = c->mesh->triangle[t];
    weft_vec3 p[3] = {x[corner[0]], x[corner[1]], x[corner[2]]}, f[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    double stiffness[27], damping[27], *k = stiffness;
    weft_triangle_blocks(&c->triangle[t], &c->elasticity, WEFT_ROTATION_EXACT, 0, c->beta, p, stiffness, damping);
    for (int m = 0; m < 27; m++)
        sum[WEFT_LANES * m] = (float)(h * (h * stiffness[m] + damping[m]));
    for (int i = 0; i < 3 && u; i++)
        for (int j = i + 1; j < 3; j++, k += 9) {
            weft_vec3 d = weft_sub(u[corner[j]], u[corner[i]]);
            weft_vec3 rows[3] = {{k[0], k[1], k[2]}, {k[3], k[4], k[5]}, {k[6], k[7], k[8]}};
            weft_vec3 on_j = weft_add_scaled(weft_add_scaled(weft_scale(d.x, rows[0]), d.y, rows[1]), d.z, rows[2]);
            f[i] = weft_add(f[i], weft_vec3_make(weft_dot(rows[0], d), weft_dot(rows[1], d), weft_dot(rows[2], d)));
            f[j] = weft_sub(f[j], on_j);
        }
    for (int i = 0; i < 3 && u; i++) {
        product[WEFT_LANES * (3 * i)] = f[i].x;
        product[WEFT_LANES * (3 * i + 1)] = f[i].y;
        product[WEFT_LANES * (3 * i + 2)] = f[i].z;
    }
}

/* Collapsed triangles, one by one. */
static void redo_lanes(const weft_corotational *c, const lane_bits *odd, const int32_t e[WEFT_LANES],
                       const weft_vec3 *x, double h, float *sum, const weft_vec3 *u, double *product) {
    for (int lane = 0; lane < WEFT_LANES; lane++)
        if ((*odd)[lane])
            redo_lane(c, e[lane], x, h, sum + lane, u, product ? product + lane : NULL);
}

#define WEFT_LANES_KERNEL "model/corotational_sums.inc"
#include "model/lanes_sets.inc"

int weft_triangle_sums(const weft_corotational *c, int isa, const int32_t *element, int32_t count, const weft_vec3 *x,
                       double h, float *sum, const weft_vec3 *u, double *product) {
    if (c->settings.strain == WEFT_STRAIN_GREEN || c->settings.hessian != WEFT_ROTATION_EXACT)
        return 0;
    WEFT_LANES_RUN(isa, sums, c, element, count, x, h, sum, u, product);
    return 9;
}
