/* Blocks of triangles for the matrix of an implicit step, one triangle per lane. They are in single precision, like the
 * matrix. Edge vectors are differences of positions in double. Stiffness and damping are added in the triangle's frame,
 * before the rotation to world space. The product with u is taken there, too. */
#include <math.h>
#include <string.h>

#include "cloth/corotational/corotational.h"
#include "cloth/pair_records.h"
#include "core/simd.h"
#include "weft/vec.h"

/* A triangle compressed to less than this fraction has a normal of fewer than four digits. The scalar twin computes it.
 * It also computes triangles whose squared edge lengths leave the range of floats. */
static const float FLATTEST = 1e-3F, SMALLEST = 1e-12F, LARGEST = 1e12F;
/* Pivots that are negative by less than this fraction of the diagonal are rounding errors of 0. Near rest the stiffness
 * against rotation is the stress, whose error is this fraction of the stiffness against stretch. */
static const float ROUNDING = 1e-7F;
/* The Jacobi method stops when the squared norm off the diagonal is this fraction of the whole. */
static const float SMALL = 1e-13F;

/* Beyond this ratio of stiffnesses the smallest drowns in rounding: strain has an error of 1e-7 of the stiffest. */
static const double MOST_APART = 1e5;

enum { RECORD = 3 * WEFT_PAIR_FLOATS };

static const int SYMMETRIC[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5}, TRANSPOSED[9] = {0, 3, 6, 1, 4, 7, 2, 5, 8};

static weft_vec3 place_of(const double place[8], int moved) {
    return weft_vec3_make(place[4 * moved], place[4 * moved + 1], place[4 * moved + 2]);
}

/* The scalar twin for one triangle. */
static void redo_lane(const weft_corotational *c, int32_t t, const double (*place)[8], double h, float *record) {
    const int32_t *corner = c->mesh->triangle[t];
    weft_vec3 p[3], u[3];
    double stiffness[27], damping[27];
    for (int k = 0; k < 3; k++) {
        p[k] = place_of(place[corner[k]], 0);
        u[k] = place_of(place[corner[k]], 1);
    }
    weft_triangle_blocks(&c->triangle[t], &c->elasticity, WEFT_ROTATION_EXACT, 0, c->beta, p, stiffness, damping);
    weft_pair_records(3, u, h, stiffness, damping, record);
}

#define WEFT_KERNEL "cloth/corotational/triangle_sums.inc"
#include "core/simd_kernels.inc"

static int is_extreme(const weft_elasticity *m) {
    return fmax(fmax(m->xx, m->yy), m->ss) > MOST_APART * fmin(fmin(m->xx, m->yy), m->ss);
}

int weft_triangle_sums(const weft_corotational *c, weft_isa isa, const int32_t *element, int32_t count,
                       const double (*place)[8], double h, float *record) {
    if (c->settings.strain == WEFT_STRAIN_GREEN || c->settings.hessian != WEFT_ROTATION_EXACT ||
        is_extreme(&c->elasticity))
        return 0;
    WEFT_SIMD_RUN(isa, sums, c, element, count, place, h, record);
    return 1;
}
