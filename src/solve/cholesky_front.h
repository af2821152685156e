/* Dense fronts of the multifrontal method. Their work is cut into tiles that threads share; the tiles do not depend on
 * the number of threads. */
#ifndef WEFT_SOLVE_CHOLESKY_FRONT_H
#define WEFT_SOLVE_CHOLESKY_FRONT_H

#include "solve/cholesky_dense.h"
#include "weft/work.h"

/* A symmetric matrix, of which the lower triangle counts. Numbers of rows and columns are multiples of
 * WEFT_DENSE_LANES. */
typedef struct weft_front {
    const weft_dense *dense;
    const weft_work *work;
    float *value;          /* by columns (stride x stride) */
    int32_t width, stride; /* columns to eliminate; all columns */
    float *inverse;        /* scratch (width x width) */
} weft_front;

/* An update of another front, to be added: column j of `from` to the column place[j] of the front. */
typedef struct weft_front_update {
    const float *from;
    int32_t rows, stride;
    const int32_t *place;   /* ascending (rows) */
    const int32_t *run_end; /* the end of the sequence of consecutive places that contains each (rows) */
} weft_front_update;

void weft_front_clear(const weft_front *front);
void weft_front_add(const weft_front *front, const weft_front_update *update);
/* Replaces the first `width` columns by their Cholesky factor and subtracts them from the others. Returns 0 if a pivot
 * is not positive. */
int weft_front_eliminate(const weft_front *front);
/* Copies the first `count` of the columns that were not eliminated, without the rows that were. */
void weft_front_take_update(const weft_front *front, int32_t count, float *update);
/* Stores the first `count` columns of L^-T L^-1 (width x count), where L is the factor of the pivot block, and of the
 * block below times L^-1 ((stride - width) x count). The front has the block below times L^-T. */
void weft_front_take_factor(const weft_front *front, int32_t count, float *pivot, float *below);

#endif
