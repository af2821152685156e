/* The dense products of the sparse factor, in the best instruction set there is. */
#ifndef WEFT_LINEAR_CHOLESKY_DENSE_H
#define WEFT_LINEAR_CHOLESKY_DENSE_H

#include "weft/base.h"

enum { WEFT_DENSE_LANES = 8 };

typedef struct weft_dense {
    /* y = A x for `sides` vectors, x_stride and y_stride floats apart: `n` columns of `stride` rows, whole lanes */
    void (*product)(const float *a, int32_t stride, int32_t n, const float *x, int64_t x_stride, float *y,
                    int64_t y_stride, int sides);
    /* y -= A^T x; reads columns and writes y up to the next multiple of four beyond n */
    void (*subtract_transposed)(const float *a, int32_t stride, int32_t n, const float *x, int64_t x_stride, float *y,
                                int64_t y_stride, int sides);
    /* the first `width` columns of a front of `stride` columns; 0 when a pivot is not positive */
    int (*eliminate)(float *front, int32_t width, int32_t stride);
    /* the inverse of the lower triangle of its first `width` columns (width x width) */
    void (*invert)(const float *front, int32_t stride, int32_t width, float *inverse);
} weft_dense;

const weft_dense *weft_dense_choose(int portable);

#endif
