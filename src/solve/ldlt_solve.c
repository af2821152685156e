/* Direct solve of the filtered system (Baraff and Witkin 1998). The constrained system becomes S A S + (1 - S); its
 * solution is added to the prescribed values. */
#include <stdlib.h>

#include "core/memory.h"
#include "solve/ldlt.h"

struct weft_direct {
    double *diagonal, *value; /* as for weft_ldlt_factor */
    double *scratch;
    weft_vec3 *z, *right;
    weft_ldlt *ldlt;
};

/* block = S_i block S_j */
static void filter_block(const weft_filter *filter, int32_t i, int32_t j, double *block) {
    double left[9], right[9], half[9];
    weft_filter_matrix(filter, i, left);
    weft_filter_matrix(filter, j, right);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            half[3 * r + c] =
                block[3 * r] * right[c] + block[3 * r + 1] * right[3 + c] + block[3 * r + 2] * right[6 + c];
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            block[3 * r + c] = left[3 * r] * half[c] + left[3 * r + 1] * half[3 + c] + left[3 * r + 2] * half[6 + c];
}

static void fill_values(const weft_bsr *matrix, const weft_filter *filter, weft_direct *s) {
    for (int32_t i = 0; i < matrix->rows; i++) {
        double *diagonal = s->diagonal + 9 * (size_t)i;
        weft_bsr_diagonal(matrix, i, diagonal);
        for (int32_t k = matrix->start[i]; k < matrix->start[i + 1]; k++) {
            weft_bsr_block(matrix, k, s->value + 9 * (size_t)k);
            if (filter && (filter->state[i] || filter->state[matrix->column[k]]))
                filter_block(filter, i, matrix->column[k], s->value + 9 * (size_t)k);
        }
        if (filter && filter->state[i]) {
            double size = diagonal[0] + diagonal[4] + diagonal[8], allowed[9];
            filter_block(filter, i, i, diagonal);
            weft_filter_matrix(filter, i, allowed);
            for (int c = 0; c < 9; c++) /* 1 - S, scaled like the diagonal block */
                diagonal[c] += (size > 0 ? size : 1) * ((c % 4 == 0) - allowed[c]);
        }
    }
}

weft_result weft_direct_create(const weft_bsr *matrix, weft_direct **made) {
    *made = NULL;
    size_t n = (size_t)matrix->rows, blocks = (size_t)matrix->blocks;
    weft_direct *s = weft_allocate(1, sizeof *s);
    if (!s)
        return weft_fail_memory("direct solve", sizeof *s);
    s->diagonal = weft_allocate(9 * n, sizeof *s->diagonal);
    s->value = weft_allocate(9 * blocks, sizeof *s->value);
    s->scratch = weft_allocate(3 * n, sizeof *s->scratch);
    s->z = weft_allocate(n, sizeof *s->z);
    s->right = weft_allocate(n, sizeof *s->right);
    weft_result result;
    if (!s->diagonal || !s->value || !s->scratch || !s->z || !s->right)
        result = weft_fail_memory("direct solve", n * 144 + blocks * 72);
    else
        result = weft_ldlt_create(matrix->rows, matrix->start, matrix->column, &s->ldlt);
    if (result.code == WEFT_OK)
        *made = s;
    else
        weft_direct_destroy(s);
    return result;
}

void weft_direct_destroy(weft_direct *s) {
    if (!s)
        return;
    weft_ldlt_destroy(s->ldlt);
    free(s->right);
    free(s->z);
    free(s->scratch);
    free(s->value);
    free(s->diagonal);
    free(s);
}

weft_result weft_direct_solve(weft_direct *s, const weft_bsr *matrix, const weft_filter *filter, const weft_work *work,
                              const weft_vec3 *b, weft_vec3 *x) {
    fill_values(matrix, filter, s);
    if (!weft_ldlt_factor(s->ldlt, matrix->start, matrix->column, s->diagonal, s->value))
        return weft_fail(WEFT_BAD_INPUT, "direct solver: the matrix is not positive definite");
    for (int32_t i = 0; i < matrix->rows; i++)
        s->z[i] = filter && filter->state[i] ? filter->change[i] : weft_vec3_make(0, 0, 0);
    weft_bsr_multiply(matrix, work, s->z, s->right);
    for (int32_t i = 0; i < matrix->rows; i++) {
        s->right[i] = weft_sub(b[i], s->right[i]);
        if (filter)
            s->right[i] = weft_filter_apply(filter, i, s->right[i]);
    }
    weft_ldlt_solve(s->ldlt, &s->right->x, &s->right->x, s->scratch);
    for (int32_t i = 0; i < matrix->rows; i++)
        x[i] = filter ? weft_filter_enforce(filter, i, s->right[i]) : s->right[i];
    return weft_ok();
}
