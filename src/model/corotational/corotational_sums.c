/* The triangles' blocks as an implicit step adds them up, many triangles at a time in single precision, as the matrix
 * is. Sides are differences of places in double. Stiffness and damping are added in the triangle's frame, before they
 * are turned into the world, and the product with u is taken there too. */
#include "core/many.h"
#include "model/corotational/corotational.h"
#include "model/pairs/pair_records.h"
#include "weft/vec.h"

/* The normal of a triangle squeezed to less than this part has fewer than four digits; it is left to the scalar twin,
 * as are sides whose squares leave the range of floats. */
static const float FLATTEST = 1e-3F, SMALLEST = 1e-12F, LARGEST = 1e12F;
/* Pivots this part of the diagonal below 0 are what rounding makes of 0: near rest the stiffness against rotation is
 * the stress, known to that part of the stiffness against stretch. */
static const float ROUNDING = 1e-7F;
/* Jacobi's method stops when what is left outside of the diagonal is that, squared. */
static const float SMALL = 1e-13F;

/* Stiffnesses that differ by more than this are not told from rounding: the strain is known to 1e-7 of the stiffest. */
static const double MOST_APART = 1e5;

enum { RECORD = 3 * WEFT_PAIR_FLOATS };

static const int SYMMETRIC[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5}, TRANSPOSED[9] = {0, 3, 6, 1, 4, 7, 2, 5, 8};

static weft_vec3 place_of(const double place[8], int moved) {
    return weft_vec3_make(place[4 * moved], place[4 * moved + 1], place[4 * moved + 2]);
}

/* A collapsed triangle. */
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

#define WEFT_LANES_KERNEL "model/corotational/corotational_sums.inc"
#include "core/many_sets.inc"

static int is_extreme(const weft_elasticity *m) {
    return fmax(fmax(m->xx, m->yy), m->ss) > MOST_APART * fmin(fmin(m->xx, m->yy), m->ss);
}

int weft_triangle_sums(const weft_corotational *c, int isa, const int32_t *element, int32_t count,
                       const double (*place)[8], double h, float *record) {
    if (c->settings.strain == WEFT_STRAIN_GREEN || c->settings.hessian != WEFT_ROTATION_EXACT ||
        is_extreme(&c->elasticity))
        return 0;
    WEFT_LANES_RUN(isa, sums, c, element, count, place, h, record);
    return 1;
}
