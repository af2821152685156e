/* The dense products of the sparse factor. All instruction sets give the same bits. */
#ifndef WEFT_SOLVE_CHOLESKY_DENSE_H
#define WEFT_SOLVE_CHOLESKY_DENSE_H

#include "core/simd.h"
#include "weft/base.h"

enum {
    WEFT_DENSE_LANES = 8,
    WEFT_DENSE_STREAMED = 1 << 11, /* floats beyond which a block is read in memory order, for three right-hand sides */
    WEFT_DENSE_AHEAD = 8           /* columns to prefetch ahead in such a block */
};

/* Matrices are stored by columns, `stride` floats apart. Numbers of rows are multiples of WEFT_DENSE_LANES. */
typedef struct weft_dense {
    /* y = A x: `rows` x `n` */
    void (*product)(const float *a, int32_t stride, int32_t rows, int32_t n, const float *x, float *y);
    /* y -= A^T x; reads columns and writes y up to the next multiple of four */
    void (*subtract_transposed)(const float *a, int32_t stride, int32_t rows, int32_t n, const float *x, float *y);
    /* For three right-hand sides, four floats per unknown (cholesky_three.inc). `forward` subtracts A x from the rows
     * `target` of b (`rows` of them). `backward` sets x to P x minus A^T times the rows `row` of b. */
    void (*forward)(const float *a, int32_t stride, int32_t n, const float *x, const int32_t *target, int32_t rows,
                    float *b, float *scratch);
    void (*backward)(const float *pivot, int32_t pivot_stride, const float *a, int32_t stride, int32_t n,
                     const int32_t *row, int32_t rows, float *x, float *b, float *scratch);
    /* Steps of the elimination of the `n` columns from `at` on, a panel, in a square front: first the diagonal block,
     * which sets `scale` (n) and returns 0 if a pivot is not positive; then rows below it; then tiles of the columns
     * behind the panel. Only the lower triangle counts. */
    int (*factor_corner)(float *front, int32_t stride, int32_t at, int32_t n, float *scale);
    void (*finish_rows)(float *front, int32_t stride, int32_t at, int32_t n, const float *scale, int32_t from,
                        int32_t to);
    void (*update_tile)(float *front, int32_t stride, int32_t at, int32_t n, int32_t left, int32_t right, int32_t top,
                        int32_t bottom);
    /* columns [left, right) of the inverse of the lower triangle of the first `width` columns (width x width) */
    void (*invert)(const float *front, int32_t stride, int32_t width, int32_t left, int32_t right, float *inverse);
    /* to += from */
    void (*add)(float *to, const float *from, int32_t count);
} weft_dense;

const weft_dense *weft_dense_choose(weft_isa isa);

#endif
