/* Blocks of elements of two vertices whose force is along them, four at a time: springs and the interactions of
 * `buckling`. In two passes: what the model's law needs to know, then the blocks from what it says. */
#ifndef WEFT_MODEL_PAIR_SUMS_H
#define WEFT_MODEL_PAIR_SUMS_H

#include "weft/model.h"

/* Arrays of up to WEFT_SUMS_MAX pairs. */
typedef struct weft_pairs {
    int32_t count;
    int32_t end[2][WEFT_SUMS_MAX];
    double unit[3][WEFT_SUMS_MAX]; /* from the first end to the second; 0 where they are at one place */
    double length[WEFT_SUMS_MAX];  /* m */
    double inverse[WEFT_SUMS_MAX]; /* 1 / length, 0 for 0 */
    /* By the law: stiffness (N/m) and damping (kg/s) along the pair and across it. */
    double along[WEFT_SUMS_MAX], across[WEFT_SUMS_MAX];
    double damping_along[WEFT_SUMS_MAX], damping_across[WEFT_SUMS_MAX];
} weft_pairs;

/* isa as weft_lanes_isa tells. */
void weft_pairs_measure(int isa, const int32_t (*end)[2], const int32_t *element, int32_t count, const weft_vec3 *x,
                        weft_pairs *pairs);
/* As element_sums of weft/model.h. Returns 6: the blocks are symmetric. */
int weft_pairs_sums(int isa, const weft_pairs *pairs, double h, float *sum, const weft_vec3 *u, double *product);

#endif
