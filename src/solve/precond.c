/* Preconditioners: diagonal, block-Jacobi (Choi and Ko 2002 use it for cloth), two-level (coarse.c) and a reused
 * Cholesky factor (factored.c). */
#include "solve/precond.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "solve/coarse.h"
#include "solve/factored.h"

weft_result weft_precond_create(const weft_bsr *matrix, weft_precond_kind kind, const weft_vec3 *position,
                                weft_precond **made) {
    *made = NULL;
    weft_precond *precond = weft_allocate(1, sizeof *precond);
    if (!precond)
        return weft_fail_memory("preconditioner", sizeof *precond);
    precond->kind = kind;
    precond->rows = matrix->rows;
    weft_result result = weft_ok();
    precond->inverse = weft_allocate_large(6 * (size_t)matrix->rows, sizeof *precond->inverse);
    if (!precond->inverse)
        result = weft_fail_memory("preconditioner", 24 * (size_t)matrix->rows);
    if (result.code == WEFT_OK && kind == WEFT_PRECOND_TWO_LEVEL) {
        result = weft_coarse_create(matrix, position, &precond->coarse);
    }
    if (result.code == WEFT_OK && kind == WEFT_PRECOND_CHOLESKY) {
        result = weft_factored_create(matrix, position, &precond->factored);
        if (precond->factored)
            precond->far = precond->factored->z;
    }
    if (result.code != WEFT_OK) {
        weft_precond_destroy(precond);
        return result;
    }
    *made = precond;
    return weft_ok();
}

void weft_precond_destroy(weft_precond *precond) {
    if (!precond)
        return;
    weft_factored_destroy(precond->factored);
    weft_coarse_destroy(precond->coarse);
    free(precond->inverse);
    free(precond);
}

/* 1 / a if that is a positive finite float, otherwise 1. */
static float inverse_entry(double a) {
    float inverse = (float)(1 / a);
    return inverse > 0 && isfinite(inverse) ? inverse : 1;
}

static void diagonal_inverse(const float *a, float *m) {
    m[0] = inverse_entry((double)a[0]);
    m[3] = inverse_entry((double)a[4]);
    m[5] = inverse_entry((double)a[8]);
    m[1] = m[2] = m[4] = 0;
}

/* Inverts by cofactors. A block that is not safely positive definite is replaced by its diagonal. */
static void block_inverse(const float *a, float *m) {
    double xx = (double)a[0], xy = (double)a[1], xz = (double)a[2];
    double yy = (double)a[4], yz = (double)a[5], zz = (double)a[8];
    double cxx = yy * zz - yz * yz, cxy = xz * yz - xy * zz, cxz = xy * yz - xz * yy;
    double cyy = xx * zz - xz * xz, cyz = xy * xz - xx * yz, czz = xx * yy - xy * xy;
    double determinant = xx * cxx + xy * cxy + xz * cxz;
    const double least = 1e-6; /* relative to a diagonal block */
    int positive = xx > 0 && czz > least * xx * yy && determinant > least * xx * yy * zz && isfinite(determinant);
    double s = 1 / determinant;
    if (!positive || !isfinite((float)(cxx * s)) || !isfinite((float)(cyy * s)) || !isfinite((float)(czz * s))) {
        diagonal_inverse(a, m);
        return;
    }
    m[0] = (float)(cxx * s);
    m[1] = (float)(cxy * s);
    m[2] = (float)(cxz * s);
    m[3] = (float)(cyy * s);
    m[4] = (float)(cyz * s);
    m[5] = (float)(czz * s);
}

typedef struct update_context {
    weft_precond *precond;
    const weft_bsr *matrix;
} update_context;

static void update_rows(void *context, int64_t begin, int64_t end) {
    const update_context *u = context;
    for (int64_t i = begin; i < end; i++) {
        static const float unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
        const float *block = u->matrix->diagonal + 9 * i;
        float *inverse = u->precond->inverse + 6 * i;
        if (u->precond->kind >= WEFT_PRECOND_BLOCK)
            block_inverse(block, inverse);
        else
            diagonal_inverse(u->precond->kind == WEFT_PRECOND_DIAGONAL ? block : unit, inverse);
    }
}

void weft_precond_update(weft_precond *precond, const weft_bsr *matrix, const weft_filter *filter,
                         const weft_work *work) {
    update_context u = {precond, matrix};
    if (precond->factored)
        weft_factored_update(precond->factored, matrix, filter);
    if (precond->factored && precond->factored->usable)
        memset(precond->inverse, 0, 6 * (size_t)precond->rows * sizeof *precond->inverse);
    else
        weft_parallel_for(work, precond->rows, WEFT_BLOCK, update_rows, &u);
    if (precond->coarse)
        weft_coarse_update(precond->coarse, matrix, filter, work);
}

void weft_precond_prepare(const weft_precond *precond, const weft_work *work, const weft_vec3 *r) {
    if (precond->coarse)
        weft_coarse_solve(precond->coarse, work, r);
    if (precond->factored && precond->factored->usable)
        weft_factored_solve(precond->factored, work, r);
    else if (precond->factored)
        memset(precond->factored->z, 0, (size_t)precond->rows * sizeof *r);
}

void weft_precond_restrict(const weft_precond *precond, const weft_vec3 *q, int64_t begin, int64_t end) {
    if (precond->coarse)
        weft_coarse_restrict(precond->coarse, q, begin, end);
}

void weft_precond_follow(const weft_precond *precond, const weft_work *work, double alpha) {
    if (precond->coarse)
        weft_coarse_follow(precond->coarse, work, alpha);
}

int32_t weft_precond_iteration_limit(const weft_precond *precond) {
    return precond->factored ? weft_factored_iteration_limit(precond->factored) : INT32_MAX;
}

void weft_precond_record_solve(weft_precond *precond, int32_t iterations) {
    if (precond->factored)
        weft_factored_record_solve(precond->factored, iterations);
}
