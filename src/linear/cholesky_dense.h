/* The dense products of the sparse factor, in the best instruction set there is. */
#ifndef WEFT_LINEAR_CHOLESKY_DENSE_H
#define WEFT_LINEAR_CHOLESKY_DENSE_H

#include "weft/base.h"

enum { WEFT_DENSE_LANES = 8, WEFT_DENSE_GROUP = 4 };

typedef struct weft_dense {
    /* y = A x for `sides` vectors, x_stride and y_stride floats apart: `n` columns of `stride` rows, whole lanes */
    void (*product)(const float *a, int32_t stride, int32_t n, const float *x, int64_t x_stride, float *y,
                    int64_t y_stride, int sides);
    /* y -= A^T x; reads columns and writes y up to the next multiple of four beyond n */
    void (*subtract_transposed)(const float *a, int32_t stride, int32_t n, const float *x, int64_t x_stride, float *y,
                                int64_t y_stride, int sides);
    /* The same two on groups of four columns: eight rows of each of the four lie beside each other, so that a solve
     * reads the factor from end to end. The last group is filled up with zeros. This one adds: y += A x */
    void (*grouped)(const float *a, int32_t stride, int32_t n, const float *x, int64_t x_stride, float *y,
                    int64_t y_stride, int sides);
    void (*subtract_grouped)(const float *a, int32_t stride, int32_t n, const float *x, int64_t x_stride, float *y,
                             int64_t y_stride, int sides);
    /* the first `width` columns of a front of `stride` columns; 0 when a pivot is not positive */
    int (*eliminate)(float *front, int32_t width, int32_t stride);
    /* the inverse of the lower triangle of its first `width` columns (width x width) */
    void (*invert)(const float *front, int32_t stride, int32_t width, float *inverse);
} weft_dense;

/* Floats of `n` columns of `stride` rows in groups. */
static inline int64_t weft_dense_grouped_size(int32_t stride, int32_t n) {
    return (int64_t)stride * ((n + WEFT_DENSE_GROUP - 1) / WEFT_DENSE_GROUP * WEFT_DENSE_GROUP);
}

const weft_dense *weft_dense_choose(int portable);

#endif
