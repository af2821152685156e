/* Up-looking sparse L D L^T factorisation with 3x3 blocks: T. Davis, Algorithm 849: a concise sparse Cholesky
 * factorization package, ACM TOMS 31, 2005. Elimination tree and reach follow T. Davis, Direct Methods for Sparse
 * Linear Systems, 2006, chapter 4. */
#include "solve/ldlt.h"

#include <math.h>
#include <stdlib.h>

#include "core/memory.h"
#include "solve/order.h"

/* Finds the columns in which row k of L has blocks. They are stored in topological order at the end of `reach`; returns
 * their first index. */
static int32_t find_reach(weft_ldlt *l, const int32_t *start, const int32_t *column, int32_t k) {
    int32_t top = l->rows, i = l->order[k];
    l->mark[k] = k;
    for (int32_t e = start[i]; e < start[i + 1]; e++) {
        int32_t j = l->place[column[e]], length = 0;
        if (j >= k)
            continue;
        for (; l->mark[j] != k; j = l->parent[j]) {
            l->path[length++] = j;
            l->mark[j] = k;
        }
        while (length > 0)
            l->reach[--top] = l->path[--length];
    }
    return top;
}

/* Computes the elimination tree, with path compression in `path`. */
static void make_tree(weft_ldlt *l, const int32_t *start, const int32_t *column) {
    int32_t *ancestor = l->path;
    for (int32_t k = 0; k < l->rows; k++) {
        int32_t i = l->order[k];
        l->parent[k] = ancestor[k] = -1;
        for (int32_t e = start[i]; e < start[i + 1]; e++) {
            int32_t j = l->place[column[e]];
            while (j != -1 && j < k) {
                int32_t next = ancestor[j];
                ancestor[j] = k;
                if (next == -1)
                    l->parent[j] = k;
                j = next;
            }
        }
    }
}

static void clear_marks(weft_ldlt *l) {
    for (int32_t k = 0; k < l->rows; k++) {
        l->mark[k] = -1;
        l->filled[k] = 0;
    }
}

static weft_result make_columns(weft_ldlt *l, const int32_t *start, const int32_t *column) {
    clear_marks(l);
    for (int32_t k = 0; k < l->rows; k++)
        for (int32_t t = find_reach(l, start, column, k); t < l->rows; t++)
            l->filled[l->reach[t]]++;
    l->start[0] = 0;
    for (int32_t k = 0; k < l->rows; k++)
        l->start[k + 1] = l->start[k] + l->filled[k];
    size_t blocks = (size_t)l->start[l->rows];
    l->row = weft_allocate(blocks, sizeof *l->row);
    l->value = weft_allocate(9 * blocks, sizeof *l->value);
    return l->row && l->value ? weft_ok() : weft_fail_memory("direct factor", blocks * 76);
}

static weft_result analyse(weft_ldlt *l, const int32_t *start, const int32_t *column) {
    WEFT_TRY(weft_order_dissect(l->rows, start, column, l->order));
    for (int32_t k = 0; k < l->rows; k++)
        l->place[l->order[k]] = k;
    make_tree(l, start, column);
    return make_columns(l, start, column);
}

weft_result weft_ldlt_create(int32_t rows, const int32_t *start, const int32_t *column, weft_ldlt **made) {
    *made = NULL;
    weft_ldlt *l = weft_allocate(1, sizeof *l);
    if (!l)
        return weft_fail_memory("direct solver", sizeof *l);
    size_t n = (size_t)rows;
    l->rows = rows;
    l->order = weft_allocate(n, sizeof *l->order);
    l->place = weft_allocate(n, sizeof *l->place);
    l->parent = weft_allocate(n, sizeof *l->parent);
    l->start = weft_allocate(n + 1, sizeof *l->start);
    l->inverse = weft_allocate(9 * n, sizeof *l->inverse);
    l->mark = weft_allocate(n, sizeof *l->mark);
    l->path = weft_allocate(n, sizeof *l->path);
    l->reach = weft_allocate(n, sizeof *l->reach);
    l->filled = weft_allocate(n, sizeof *l->filled);
    l->column = weft_allocate(9 * n, sizeof *l->column);
    weft_result result;
    if (!l->order || !l->place || !l->parent || !l->start || !l->inverse || !l->mark || !l->path || !l->reach ||
        !l->filled || !l->column)
        result = weft_fail_memory("direct solver", n * 180);
    else
        result = analyse(l, start, column);
    if (result.code != WEFT_OK) {
        weft_ldlt_destroy(l);
        return result;
    }
    *made = l;
    return weft_ok();
}

void weft_ldlt_destroy(weft_ldlt *l) {
    if (!l)
        return;
    free(l->value);
    free(l->row);
    free(l->column);
    free(l->filled);
    free(l->reach);
    free(l->path);
    free(l->mark);
    free(l->inverse);
    free(l->start);
    free(l->parent);
    free(l->place);
    free(l->order);
    free(l);
}

/* c -= a b */
static inline void subtract_product(double *restrict c, const double *restrict a, const double *restrict b) {
    for (int r = 0; r < 3; r++)
        for (int k = 0; k < 3; k++)
            c[3 * r + k] -= a[3 * r] * b[k] + a[3 * r + 1] * b[3 + k] + a[3 * r + 2] * b[6 + k];
}

/* c = a^T b */
static inline void transposed_product(double *restrict c, const double *restrict a, const double *restrict b) {
    for (int r = 0; r < 3; r++)
        for (int k = 0; k < 3; k++)
            c[3 * r + k] = a[r] * b[k] + a[3 + r] * b[3 + k] + a[6 + r] * b[6 + k];
}

/* Inverts a symmetric block by its Cholesky factor. Returns 0 if it is not positive definite. */
static int invert_pivot(const double *a, double *inverse) {
    double p = a[0], q = p > 0 ? a[3] / p : 0, s = p > 0 ? a[6] / p : 0;
    double second = a[4] - q * a[3], mixed = a[7] - s * a[3];
    double t = second > 0 ? mixed / second : 0;
    double third = a[8] - s * a[6] - t * mixed;
    if (!(p > 0) || !(second > 0) || !(third > 0) || !isfinite(p + second + third))
        return 0;
    /* L^-1 = [1; -q 1; qt - s, -t, 1], inverse = L^-T D^-1 L^-1 */
    double u = q * t - s, i1 = 1 / p, i2 = 1 / second, i3 = 1 / third;
    inverse[0] = i1 + q * q * i2 + u * u * i3;
    inverse[1] = inverse[3] = -q * i2 - u * t * i3;
    inverse[2] = inverse[6] = u * i3;
    inverse[4] = i2 + t * t * i3;
    inverse[5] = inverse[7] = -t * i3;
    inverse[8] = i3;
    return isfinite(inverse[0] + inverse[4] + inverse[8]);
}

/* Computes row k of L from the rows before it. */
static int factor_row(weft_ldlt *l, const int32_t *start, const int32_t *column, const double *diagonal,
                      const double *value, int32_t k) {
    int32_t i = l->order[k];
    for (int32_t e = start[i]; e < start[i + 1]; e++) { /* upper triangle of column k of A: A_jk = A_kj^T */
        int32_t j = l->place[column[e]];
        if (j < k)
            for (int c = 0; c < 9; c++)
                l->column[9 * (size_t)j + 3 * (size_t)(c % 3) + (size_t)(c / 3)] = value[9 * (size_t)e + c];
    }
    double pivot[9];
    memcpy(pivot, diagonal + 9 * (size_t)i, sizeof pivot);
    for (int32_t t = find_reach(l, start, column, k); t < l->rows; t++) {
        int32_t j = l->reach[t];
        double y[9];
        memcpy(y, l->column + 9 * (size_t)j, sizeof y);
        memset(l->column + 9 * (size_t)j, 0, sizeof y);
        int64_t first = l->start[j], last = first + l->filled[j];
        for (int64_t e = first; e < last; e++)
            subtract_product(l->column + 9 * (size_t)l->row[e], l->value + 9 * e, y);
        transposed_product(l->value + 9 * last, y, l->inverse + 9 * (size_t)j);
        subtract_product(pivot, l->value + 9 * last, y);
        l->row[last] = k;
        l->filled[j]++;
    }
    return invert_pivot(pivot, l->inverse + 9 * (size_t)k);
}

int weft_ldlt_factor(weft_ldlt *l, const int32_t *start, const int32_t *column, const double *diagonal,
                     const double *value) {
    clear_marks(l);
    memset(l->column, 0, 9 * (size_t)l->rows * sizeof *l->column);
    for (int32_t k = 0; k < l->rows; k++)
        if (!factor_row(l, start, column, diagonal, value, k))
            return 0;
    return 1;
}

void weft_ldlt_solve(const weft_ldlt *l, const double *b, double *x, double *y) {
    for (int32_t k = 0; k < l->rows; k++)
        memcpy(y + 3 * (size_t)k, b + 3 * (size_t)l->order[k], 3 * sizeof *y);
    for (int32_t k = 0; k < l->rows; k++) {
        double u = y[3 * (size_t)k], v = y[3 * (size_t)k + 1], w = y[3 * (size_t)k + 2];
        for (int64_t e = l->start[k]; e < l->start[k + 1]; e++) {
            const double *a = l->value + 9 * e;
            double *t = y + 3 * (size_t)l->row[e];
            t[0] -= a[0] * u + a[1] * v + a[2] * w;
            t[1] -= a[3] * u + a[4] * v + a[5] * w;
            t[2] -= a[6] * u + a[7] * v + a[8] * w;
        }
    }
    for (int32_t k = l->rows - 1; k >= 0; k--) {
        double *t = y + 3 * (size_t)k;
        const double *d = l->inverse + 9 * (size_t)k;
        double u = d[0] * t[0] + d[1] * t[1] + d[2] * t[2];
        double v = d[3] * t[0] + d[4] * t[1] + d[5] * t[2];
        double w = d[6] * t[0] + d[7] * t[1] + d[8] * t[2];
        for (int64_t e = l->start[k]; e < l->start[k + 1]; e++) {
            const double *a = l->value + 9 * e, *s = y + 3 * (size_t)l->row[e];
            u -= a[0] * s[0] + a[3] * s[1] + a[6] * s[2];
            v -= a[1] * s[0] + a[4] * s[1] + a[7] * s[2];
            w -= a[2] * s[0] + a[5] * s[1] + a[8] * s[2];
        }
        t[0] = u;
        t[1] = v;
        t[2] = w;
    }
    for (int32_t k = 0; k < l->rows; k++)
        memcpy(x + 3 * (size_t)l->order[k], y + 3 * (size_t)k, 3 * sizeof *y);
}
