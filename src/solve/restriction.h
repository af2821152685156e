/* Sums of a vector over the vertices, with the weights of a coarse space: the transpose of its interpolation. */
#ifndef WEFT_SOLVE_RESTRICTION_H
#define WEFT_SOLVE_RESTRICTION_H

#include "core/simd.h"
#include "solve/coarse_space.h"
#include "weft/vec.h"

/* Each block of WEFT_BLOCK vertices has a sum for every node that it touches. Loops over vertices can therefore form
 * the sums of their own blocks, in an order that does not depend on threads. */
typedef struct weft_restriction {
    int32_t rows, nodes;
    int32_t *first;       /* sum of each block (blocks + 1) */
    int32_t *entry_start; /* first entry of each sum (sums + 1) */
    uint8_t *row;         /* vertex of an entry, counted from the first of its block */
    float *weight;        /* of an entry */
    int32_t *touch_start; /* (nodes + 1) */
    int32_t *touch;       /* the sums of each node, ascending */
    double *sum;          /* (sums x 4), the fourth ignored */
} weft_restriction;

weft_result weft_restriction_create(const weft_coarse_space *space, weft_restriction *made);
void weft_restriction_free(weft_restriction *restriction);

/* The sums of the block of vertices [begin, end), where begin is a multiple of WEFT_BLOCK. */
void weft_restriction_sum(const weft_restriction *restriction, weft_isa isa, const weft_vec3 *v, int64_t begin,
                          int64_t end);

/* The sum over all vertices, from those of the blocks. */
static inline weft_vec3 weft_restriction_at(const weft_restriction *t, int64_t node) {
    double x = 0, y = 0, z = 0;
    for (int32_t k = t->touch_start[node]; k < t->touch_start[node + 1]; k++) {
        const double *sum = t->sum + 4 * (int64_t)t->touch[k];
        x += sum[0];
        y += sum[1];
        z += sum[2];
    }
    return weft_vec3_make(x, y, z);
}

#endif
