/* Checks that a state is finite and has not diverged. */
#ifndef WEFT_CORE_SANE_H
#define WEFT_CORE_SANE_H

#include <math.h>

#include "core/simd.h"
#include "weft/base.h"

/* A larger coordinate (m) or speed (m/s) counts as divergence. It is reported before it overflows. */
#define WEFT_FARTHEST 1e7

/* Returns whether all components are finite and below WEFT_FARTHEST. The sum of squares needs no branch. Only if it is
 * large or not a number are the components tested one by one. Four separate sums let the additions overlap. */
static inline int weft_sane(const weft_vec3 *a, int64_t count) {
    const double *value = &a->x;
    int64_t n = 3 * count, i = 0;
    weft_f64x2_u first = {0}, second = {0}, third = {0}, fourth = {0};
    for (; i + 8 <= n; i += 8) {
        const weft_f64x2_u *lanes = (const weft_f64x2_u *)(value + i);
        first += lanes[0] * lanes[0];
        second += lanes[1] * lanes[1];
        third += lanes[2] * lanes[2];
        fourth += lanes[3] * lanes[3];
    }
    first = (first + second) + (third + fourth);
    double all = first[0] + first[1];
    for (; i < n; i++)
        all += value[i] * value[i];
    if (all < WEFT_FARTHEST * WEFT_FARTHEST)
        return 1;
    for (i = 0; i < n; i++)
        if (!(fabs(value[i]) < WEFT_FARTHEST))
            return 0;
    return 1;
}

#endif
