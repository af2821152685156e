/* The dense products of the sparse factor, in the best instruction set there is. */
#ifndef WEFT_LINEAR_CHOLESKY_DENSE_H
#define WEFT_LINEAR_CHOLESKY_DENSE_H

#include "weft/base.h"

enum { WEFT_DENSE_LANES = 8 };

typedef struct weft_dense {
    /* y = A x: `n` columns of `stride` rows, whole lanes */
    void (*product)(const float *a, int32_t stride, int32_t n, const float *x, float *y);
    /* y -= A^T x */
    void (*subtract_transposed)(const float *a, int32_t stride, int32_t n, const float *x, float *y);
    int (*eliminate)(float *front, int32_t width, int32_t stride);
    void (*invert)(const float *front, int32_t stride, int32_t width, float *inverse);
} weft_dense;

const weft_dense *weft_dense_choose(int portable);

#endif
