/* The dense products of the sparse factor. All instruction sets give the same bits. */
#ifndef WEFT_LINEAR_CHOLESKY_DENSE_H
#define WEFT_LINEAR_CHOLESKY_DENSE_H

#include "core/simd.h"
#include "weft/base.h"

enum {
    WEFT_DENSE_LANES = 8,
    WEFT_DENSE_STREAMED = 1 << 11, /* floats beyond which a block is read in memory order, for three right-hand sides */
    WEFT_DENSE_AHEAD = 8           /* columns to prefetch ahead in such a block */
};

typedef struct weft_dense {
    /* y = A x: `n` columns of `stride` rows, a multiple of WEFT_DENSE_LANES */
    void (*product)(const float *a, int32_t stride, int32_t n, const float *x, float *y);
    /* y -= A^T x; reads columns and writes y up to the next multiple of four */
    void (*subtract_transposed)(const float *a, int32_t stride, int32_t n, const float *x, float *y);
    /* For three right-hand sides, four floats per unknown (cholesky_three.inc). `forward` subtracts A x from the rows
     * `target` of b (`rows` of them). `backward` sets x to P x minus A^T times the rows `row` of b. */
    void (*forward)(const float *a, int32_t stride, int32_t n, const float *x, const int32_t *target, int32_t rows,
                    float *b, float *scratch);
    void (*backward)(const float *pivot, int32_t pivot_stride, const float *a, int32_t stride, int32_t n,
                     const int32_t *row, int32_t rows, float *x, float *b, float *scratch);
    /* eliminates the first `width` columns of a front of `stride` columns; 0 if a pivot is not positive */
    int (*eliminate)(float *front, int32_t width, int32_t stride);
    /* the inverse of the lower triangle of the first `width` columns (width x width) */
    void (*invert)(const float *front, int32_t stride, int32_t width, float *inverse);
} weft_dense;

const weft_dense *weft_dense_choose(weft_isa isa);

#endif
