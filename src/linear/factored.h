/* A factor of the whole matrix as a preconditioner, kept while it serves: cloth changes little from step to step. */
#ifndef WEFT_LINEAR_FACTORED_H
#define WEFT_LINEAR_FACTORED_H

#include "linear/bsr.h"
#include "linear/cholesky.h"
#include "linear/filter.h"

typedef struct weft_factored {
    weft_cholesky *cholesky;
    int64_t blocks;           /* off the diagonal */
    double *diagonal, *value; /* of the matrix that was factored (rows x 9, blocks x 9) */
    uint8_t *held;            /* vertices that were fixed (rows) */
    int32_t fresh;            /* iterations of the first solve with this factor; -1: none yet */
    int32_t excess;           /* iterations above that of the solves since */
    double price;             /* of a factorisation, in iterations */
    int worn;                 /* whether it has to be made anew */
    int usable;               /* whether there is one */
    float *b, *scratch;       /* of a solve */
    int32_t *own;             /* 0 1 2 ..: the group of each vertex is itself (rows) */
    weft_vec3 *z;             /* the solution (rows) */
} weft_factored;

weft_result weft_factored_create(const weft_bsr *matrix, const weft_vec3 *position, weft_factored **made);
void weft_factored_destroy(weft_factored *factored);
/* Takes over the matrix when the factor is worn, or other vertices are held. */
void weft_factored_update(weft_factored *factored, const weft_bsr *matrix, const weft_filter *filter);
/* Fills z for the residual r. */
void weft_factored_solve(weft_factored *factored, const weft_work *work, const weft_vec3 *r);
/* Iterations after which a solve with an old factor is better broken off and begun again with a new one. */
int32_t weft_factored_patience(const weft_factored *factored);
/* After a solve: what the factor is worth. */
void weft_factored_judge(weft_factored *factored, int32_t iterations);

/* What a later solve depends on, for snapshots: the matrix that was factored. */
size_t weft_factored_state_size(const weft_factored *factored);
void weft_factored_state_save(const weft_factored *factored, void *buffer);
weft_result weft_factored_state_load(weft_factored *factored, const weft_bsr *matrix, const void *buffer, size_t size);

#endif
