/* Direct solve of a symmetric positive definite block matrix in double precision, for small or badly conditioned
 * systems and for verification. */
#ifndef WEFT_SOLVE_LDLT_H
#define WEFT_SOLVE_LDLT_H

#include "solve/bsr.h"
#include "solve/filter.h"

typedef struct weft_ldlt {
    int32_t rows;
    int32_t *order;                        /* order[k] is the row eliminated k-th (rows) */
    int32_t *place;                        /* inverse of `order` (rows) */
    int32_t *parent;                       /* elimination tree, -1 at a root (rows) */
    int64_t *start;                        /* column starts of L (rows + 1) */
    int32_t *row;                          /* row indices below the diagonal, ascending (start[rows]) */
    double *value;                         /* row-major blocks (start[rows] x 9) */
    double *inverse;                       /* inverse pivots, row-major (rows x 9) */
    int32_t *mark, *path, *reach, *filled; /* scratch of the factorisation (rows) */
    double *column;                        /* scratch of the factorisation (rows x 9) */
} weft_ldlt;

/* Orders the rows and computes the structure of the factor. `start` and `column` are as in weft_bsr. */
weft_result weft_ldlt_create(int32_t rows, const int32_t *start, const int32_t *column, weft_ldlt **made);
void weft_ldlt_destroy(weft_ldlt *ldlt);

/* Factors the blocks diagonal (rows x 9) and value (start[rows] x 9) of the same structure. Returns 0 if a pivot is not
 * positive definite; the factor is then unusable. The matrix is then indefinite, at least within rounding. */
int weft_ldlt_factor(weft_ldlt *ldlt, const int32_t *start, const int32_t *column, const double *diagonal,
                     const double *value);

/* x = A^-1 b; x may alias b. `scratch` has 3 x rows entries. */
void weft_ldlt_solve(const weft_ldlt *ldlt, const double *b, double *x, double *scratch);

/* Solves S A x = S b with (1 - S) x = z directly; weft_pcg_solve does the same iteratively. It can be used for all
 * matrices of the same structure. */
typedef struct weft_direct weft_direct;
weft_result weft_direct_create(const weft_bsr *matrix, weft_direct **made);
void weft_direct_destroy(weft_direct *direct);
/* `filter` may be null. Returns WEFT_BAD_INPUT if the matrix is not positive definite. */
weft_result weft_direct_solve(weft_direct *direct, const weft_bsr *matrix, const weft_filter *filter,
                              const weft_work *work, const weft_vec3 *b, weft_vec3 *x);

#endif
