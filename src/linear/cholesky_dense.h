/* The dense products of the sparse factor, in the best instruction set there is. */
#ifndef WEFT_LINEAR_CHOLESKY_DENSE_H
#define WEFT_LINEAR_CHOLESKY_DENSE_H

#include "weft/base.h"

enum {
    WEFT_DENSE_LANES = 8,
    WEFT_DENSE_STREAMED = 1 << 11, /* floats beyond which a block is read in the order of memory, for three sides */
    WEFT_DENSE_AHEAD = 8           /* columns before whose turn such a block is fetched, but for the first ones */
};

typedef struct weft_dense {
    /* y = A x: `n` columns of `stride` rows, whole lanes */
    void (*product)(const float *a, int32_t stride, int32_t n, const float *x, float *y);
    /* y -= A^T x; reads columns and writes y up to the next multiple of four beyond n */
    void (*subtract_transposed)(const float *a, int32_t stride, int32_t n, const float *x, float *y);
    /* For three sides, as quads (cholesky_three.inc). The rows `target` of b less A x (`rows` of them); and x becomes
     * P x less A^T times the rows `row` of b. */
    void (*forward)(const float *a, int32_t stride, int32_t n, const float *x, const int32_t *target, int32_t rows,
                    float *b, float *scratch);
    void (*backward)(const float *pivot, int32_t pivot_stride, const float *a, int32_t stride, int32_t n,
                     const int32_t *row, int32_t rows, float *x, float *b, float *scratch);
    /* the first `width` columns of a front of `stride` columns; 0 when a pivot is not positive */
    int (*eliminate)(float *front, int32_t width, int32_t stride);
    /* the inverse of the lower triangle of its first `width` columns (width x width) */
    void (*invert)(const float *front, int32_t stride, int32_t width, float *inverse);
} weft_dense;

const weft_dense *weft_dense_choose(int portable);

#endif
