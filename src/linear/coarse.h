/* The coarse level of the two-level preconditioner: each cluster of vertices moves as one. */
#ifndef WEFT_LINEAR_COARSE_H
#define WEFT_LINEAR_COARSE_H

#include "linear/ldlt.h"

typedef struct weft_coarse {
    int32_t rows, groups;
    int32_t *group;           /* of each vertex (rows) */
    int32_t *member;          /* vertices by group (rows) */
    int32_t *member_start;    /* (groups + 1) */
    int32_t *start, *column;  /* which groups touch, as in weft_bsr */
    double *diagonal, *value; /* the coarse matrix (groups x 9, start[groups] x 9) */
    weft_ldlt *ldlt;
    int usable;       /* whether the last factorisation went well; without it the level stays out */
    weft_vec3 *right; /* r summed over each group (groups) */
    weft_vec3 *shift; /* its solution (groups) */
    double *scratch;  /* (groups x 3) */
} weft_coarse;

weft_result weft_coarse_create(const weft_bsr *matrix, weft_coarse **made);
void weft_coarse_destroy(weft_coarse *coarse);

/* Takes over the values of the matrix and of the filter (may be null), and factors. */
void weft_coarse_update(weft_coarse *coarse, const weft_bsr *matrix, const weft_filter *filter, const weft_work *work);

/* Fills `shift` for the fine residual r (rows), filtered. */
void weft_coarse_solve(weft_coarse *coarse, const weft_work *work, const weft_vec3 *r);

#endif
