/* Direct solve of a symmetric positive definite block matrix in double precision: for checking, for small meshes and
 * for the coarse level of a preconditioner. */
#ifndef WEFT_LINEAR_LDLT_H
#define WEFT_LINEAR_LDLT_H

#include "linear/bsr.h"
#include "linear/filter.h"

typedef struct weft_ldlt {
    int32_t rows;
    int32_t *order;                        /* order[k]: the row eliminated as the k-th (rows) */
    int32_t *place;                        /* its inverse (rows) */
    int32_t *parent;                       /* elimination tree, -1 at a root (rows) */
    int64_t *start;                        /* columns of L (rows + 1) */
    int32_t *row;                          /* below the diagonal, ascending (start[rows]) */
    double *value;                         /* row-major blocks (start[rows] x 9) */
    double *inverse;                       /* of the pivots, row-major (rows x 9) */
    int32_t *mark, *path, *reach, *filled; /* scratch of the factorisation (rows) */
    double *column;                        /* likewise (rows x 9) */
} weft_ldlt;

/* Order and structure of the factor, for the structure start, column as in weft_bsr. */
weft_result weft_ldlt_create(int32_t rows, const int32_t *start, const int32_t *column, weft_ldlt **made);
void weft_ldlt_destroy(weft_ldlt *ldlt);

/* Blocks in the same structure: diagonal (rows x 9), value (start[rows] x 9). Returns 0, with the factor unusable, when
 * a pivot is not positive definite; then neither is the matrix, or only within rounding. */
int weft_ldlt_factor(weft_ldlt *ldlt, const int32_t *start, const int32_t *column, const double *diagonal,
                     const double *value);

/* x = A^-1 b, where x may be b. `scratch` has 3 x rows. */
void weft_ldlt_solve(const weft_ldlt *ldlt, const double *b, double *x, double *scratch);

/* Solves S A x = S b with (1 - S) x = z at once, as weft_pcg_solve does by iteration; `filter` may be null. A matrix
 * that is not positive definite is a failure (WEFT_BAD_INPUT). */
weft_result weft_ldlt_solve_once(const weft_bsr *matrix, const weft_filter *filter, const weft_work *work,
                                 const weft_vec3 *b, weft_vec3 *x);

#endif
