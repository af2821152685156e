/* Coarse space of the two-level preconditioner: each aggregate of vertices translates rigidly. */
#ifndef WEFT_LINEAR_COARSE_H
#define WEFT_LINEAR_COARSE_H

#include "linear/ldlt.h"

typedef struct weft_coarse {
    int32_t rows, groups;
    int32_t *group;           /* aggregate of each vertex (rows) */
    int32_t *member;          /* vertices sorted by aggregate (rows) */
    int32_t *member_start;    /* (groups + 1) */
    int32_t *start, *column;  /* adjacency of the aggregates, as in weft_bsr */
    double *diagonal, *value; /* the coarse matrix (groups x 9, start[groups] x 9) */
    weft_ldlt *ldlt;
    int usable;       /* 0: the last factorisation failed, so the coarse correction is skipped */
    weft_vec3 *right; /* residual summed over each aggregate (groups) */
    weft_vec3 *shift; /* coarse solution (groups) */
    double *scratch;  /* (groups x 3) */
} weft_coarse;

weft_result weft_coarse_create(const weft_bsr *matrix, weft_coarse **made);
void weft_coarse_destroy(weft_coarse *coarse);

/* Computes the coarse matrix from `matrix` and `filter` (may be null) and factors it. */
void weft_coarse_update(weft_coarse *coarse, const weft_bsr *matrix, const weft_filter *filter, const weft_work *work);

/* Computes `shift` for the filtered fine residual r (rows). */
void weft_coarse_solve(weft_coarse *coarse, const weft_work *work, const weft_vec3 *r);

#endif
