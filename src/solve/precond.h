/* Preconditioners for the conjugate gradient method. */
#ifndef WEFT_SOLVE_PRECOND_H
#define WEFT_SOLVE_PRECOND_H

#include "solve/bsr.h"
#include "solve/coarse.h"
#include "solve/filter.h"

typedef enum weft_precond_kind {
    WEFT_PRECOND_NONE,
    WEFT_PRECOND_DIAGONAL,
    WEFT_PRECOND_BLOCK,     /* block-Jacobi: inverts each 3x3 diagonal block */
    WEFT_PRECOND_TWO_LEVEL, /* block-Jacobi plus a direct solve in the coarse space of aggregates */
    WEFT_PRECOND_CHOLESKY   /* Cholesky factor of a matrix a few steps old; block-Jacobi if it cannot be factored */
} weft_precond_kind;

typedef struct weft_factored weft_factored;

typedef struct weft_precond {
    weft_precond_kind kind;
    int32_t rows;
    float *inverse;          /* inverse diagonal blocks: xx xy xz yy yz zz (rows x 6) */
    weft_coarse *coarse;     /* two-level only, otherwise null */
    weft_factored *factored; /* cholesky only, otherwise null */
    const weft_vec3
        *far; /* correction by the factor, set by weft_precond_prepare; cholesky only, otherwise null (rows) */
} weft_precond;

/* `position` (rows) guides the order of a Cholesky factor; may be null for the other kinds. */
weft_result weft_precond_create(const weft_bsr *matrix, weft_precond_kind kind, const weft_vec3 *position,
                                weft_precond **made);
void weft_precond_destroy(weft_precond *precond);

/* Computes the preconditioner from a finished matrix and a filter (may be null). */
void weft_precond_update(weft_precond *precond, const weft_bsr *matrix, const weft_filter *filter,
                         const weft_work *work);

/* Iterations after which it is cheaper to interrupt the solve, update the preconditioner and continue. */
int32_t weft_precond_iteration_limit(const weft_precond *precond);

/* Records the iterations of a solve. A Cholesky factor may become stale. */
void weft_precond_record_solve(weft_precond *precond, int32_t iterations);

/* Whether weft_precond_local needs no weft_precond_prepare. */
static inline int weft_precond_is_local(const weft_precond *precond) { return !precond->coarse && !precond->far; }

/* Computes the non-local correction for the filtered residual r. */
void weft_precond_prepare(const weft_precond *precond, const weft_work *work, const weft_vec3 *r);

/* Whether weft_precond_follow can take the place of weft_precond_prepare. */
static inline int weft_precond_can_follow(const weft_precond *precond) { return !precond->far; }

/* The correction for r - alpha q after that for r. Loops that compute the filtered q, in blocks of WEFT_BLOCK rows,
 * have called weft_precond_restrict. So r - alpha q is not needed yet. */
void weft_precond_restrict(const weft_precond *precond, const weft_vec3 *q, int64_t begin, int64_t end);
void weft_precond_follow(const weft_precond *precond, const weft_work *work, double alpha);

/* M^-1 r at vertex i, not filtered. Symmetric and positive definite on filtered vectors. */
static inline weft_vec3 weft_precond_local(const weft_precond *precond, int64_t i, weft_vec3 r) {
    const float *m = precond->inverse + 6 * i;
    weft_vec3 z = weft_vec3_make((double)m[0] * r.x + (double)m[1] * r.y + (double)m[2] * r.z,
                                 (double)m[1] * r.x + (double)m[3] * r.y + (double)m[4] * r.z,
                                 (double)m[2] * r.x + (double)m[4] * r.y + (double)m[5] * r.z);
    if (precond->coarse)
        return weft_add(z, weft_coarse_at(precond->coarse, i));
    return precond->far ? weft_add(z, precond->far[i]) : z;
}

#endif
