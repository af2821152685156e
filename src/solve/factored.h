/* Cholesky factor of the whole matrix as a preconditioner. It is reused over several steps, because the matrix changes
 * little from step to step. */
#ifndef WEFT_SOLVE_FACTORED_H
#define WEFT_SOLVE_FACTORED_H

#include "solve/bsr.h"
#include "solve/cholesky.h"
#include "solve/filter.h"

typedef struct weft_factored {
    weft_cholesky *cholesky;
    int64_t blocks;           /* off-diagonal blocks */
    double *diagonal, *value; /* the factored matrix (rows x 9, blocks x 9) */
    uint8_t *held;            /* vertices that were fixed (rows) */
    int32_t first_iterations; /* iterations of the first solve with this factor; -1: none yet */
    int32_t extra_iterations; /* iterations beyond that, summed over later solves */
    double refactor_cost;     /* cost of a factorisation, in iterations */
    int stale;                /* 1: factor again before the next solve */
    int usable;               /* 1: a factor exists */
    float *b, *scratch;       /* right-hand side and scratch of a solve */
    int32_t *identity;        /* 0, 1, 2, ...: each vertex is its own group (rows) */
    weft_vec3 *z;             /* the solution (rows) */
} weft_factored;

weft_result weft_factored_create(const weft_bsr *matrix, const weft_vec3 *position, weft_factored **made);
void weft_factored_destroy(weft_factored *factored);
/* Factors `matrix` if the factor is stale or the set of fixed vertices changed. */
void weft_factored_update(weft_factored *factored, const weft_bsr *matrix, const weft_filter *filter);
/* Computes z for the residual r. */
void weft_factored_solve(weft_factored *factored, const weft_work *work, const weft_vec3 *r);
/* Iterations after which it is cheaper to interrupt the solve, factor again and continue. */
int32_t weft_factored_iteration_limit(const weft_factored *factored);
/* Records the iterations of a solve and decides whether the factor is stale. */
void weft_factored_record_solve(weft_factored *factored, int32_t iterations);

/* State for snapshots: the factored matrix, on which later solves depend. */
size_t weft_factored_state_size(const weft_factored *factored);
void weft_factored_state_save(const weft_factored *factored, void *buffer);
weft_result weft_factored_state_load(weft_factored *factored, const weft_bsr *matrix, const void *buffer, size_t size);

#endif
