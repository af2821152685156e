/* Bending blocks as an implicit step adds them up, four elements at a time: those of the isometric forms, whose
 * stiffness is constant and the same in all directions. */
#include "model/bending.h"
#include "model/lanes.h"

/* The last elements are repeated where there are fewer than lanes. */
static inline void take_elements(const weft_bending *b, int arity, const int32_t *element, int32_t count,
                                 int32_t e[WEFT_LANES], int32_t vertex[][WEFT_LANES]) {
    for (int lane = 0; lane < WEFT_LANES; lane++) {
        e[lane] = element[lane < count ? lane : count - 1];
        for (int a = 0; a < arity; a++)
            vertex[a][lane] = b->vertex[(size_t)arity * (size_t)e[lane] + (size_t)a];
    }
}

#define WEFT_LANES_KERNEL "model/bending_sums.inc"
#include "model/lanes_sets.inc"

int weft_bending_sums(const weft_bending *b, int isa, const int32_t *element, int32_t count, const weft_vec3 *x,
                      double h, float *sum, const weft_vec3 *u, double *product) {
    if (b->kind != WEFT_BENDING_ISOMETRIC && b->kind != WEFT_BENDING_EDGES)
        return 0;
    WEFT_LANES_RUN(isa, sums, b, element, count, x, h, sum, u, product);
    return 6;
}
