/* Values of the coarse level: the Galerkin product P^T A P, its factor and the correction. */
#include "solve/coarse.h"

#include <stdalign.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "solve/coupling.h"

int32_t weft_coarse_slot(const weft_coarse *c, int32_t i, int32_t j) {
    int32_t low = c->start[i], high = c->start[i + 1];
    if (low == high || j < c->column[low] || j > c->column[high - 1]) /* nodes of another cloth, most often */
        return -1;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (c->column[middle] < j)
            low = middle + 1;
        else
            high = middle;
    }
    return i != j && low < c->start[i + 1] && c->column[low] == j ? low : -1;
}

typedef struct update_context {
    weft_coarse *coarse;
    const weft_bsr *matrix;
    const weft_filter *filter;
} update_context;

/* sum += w a */
static inline void add_block(double *restrict sum, double w, const double *restrict a) {
    for (int m = 0; m < 9; m++)
        sum[m] += w * a[m];
}

static void multiply(const double *a, const double *b, double *product) {
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            product[3 * r + c] = a[3 * r] * b[c] + a[3 * r + 1] * b[3 + c] + a[3 * r + 2] * b[6 + c];
}

static int is_held(const weft_filter *filter, int32_t i) { return filter && filter->state[i]; }

/* block S_i */
static void filter_right(const weft_filter *filter, int32_t i, double *block) {
    double s[9], product[9];
    weft_filter_matrix(filter, i, s);
    multiply(block, s, product);
    memcpy(block, product, sizeof product);
}

/* S_i block */
static void filter_left(const weft_filter *filter, int32_t i, double *block) {
    double s[9], product[9];
    weft_filter_matrix(filter, i, s);
    multiply(s, block, product);
    memcpy(block, product, sizeof product);
}

static void load_pair(const weft_bsr *matrix, int32_t k, double *block) {
    weft_bsr_block(matrix, k, block);
    block[9] = block[10] = block[11] = 0;
}

enum { WIDTH = WEFT_COARSE_WIDTH, BLOCK = WEFT_COARSE_BLOCK };

/* A row of A P: a block for each colour, and which of them are not 0. */
typedef struct row_sums {
    alignas(64) double sum[WEFT_COARSE_COLOURS][BLOCK];
    uint64_t touched[WEFT_COARSE_COLOURS / 64];
} row_sums;

#define WEFT_KERNEL "solve/coarse_product.inc"
#define WEFT_KERNEL_NO_AVX512
#include "core/simd_kernels.inc"

static void update_bundles(void *context, int64_t begin, int64_t end) {
    const update_context *u = context;
    const weft_coarse_parts *parts = &u->coarse->parts;
    row_sums row = {0};
    for (int64_t b = begin; b < end; b++) {
        int32_t from = WEFT_COARSE_BUNDLE * (int32_t)b, to = from + WEFT_COARSE_BUNDLE;
        double *sum = parts->sum + BLOCK * parts->start[b];
        memset(sum, 0, BLOCK * sizeof *sum * (size_t)(parts->start[b + 1] - parts->start[b]));
        for (int32_t g = from; g < to && g < u->coarse->space.nodes; g++)
            WEFT_SIMD_RUN_AVX2(u->matrix->isa, update_group, u, g, &row, sum);
    }
}

static void gather_entry(const weft_coarse_parts *parts, int64_t entry, double *block) {
    memset(block, 0, 9 * sizeof *block);
    for (int64_t k = parts->from_start[entry]; k < parts->from_start[entry + 1]; k++)
        add_block(block, 1, parts->sum + BLOCK * parts->from[k]);
}

static void gather_nodes(void *context, int64_t begin, int64_t end) {
    const weft_coarse *c = context;
    for (int64_t node = begin; node < end; node++) {
        gather_entry(&c->parts, c->start[node] + node, c->diagonal + 9 * node);
        for (int64_t k = c->start[node]; k < c->start[node + 1]; k++)
            gather_entry(&c->parts, k + node + 1, c->value + 9 * k);
    }
}

/* A small multiple of the identity makes a block factorable whose vertices are all constrained, and guards against the
 * rounding of the factor, which is float. */
static void regularise_diagonal(double *a) {
    double size = a[0] + a[4] + a[8], shift = size > 0 ? 1e-8 * size : 1;
    for (int r = 0; r < 3; r++) {
        for (int k = 0; k < r; k++)
            a[3 * r + k] = a[3 * k + r] = 0.5 * (a[3 * r + k] + a[3 * k + r]);
        a[4 * r] += shift;
    }
}

static void regularise_nodes(void *context, int64_t begin, int64_t end) {
    const weft_coarse *c = context;
    for (int64_t k = begin; k < end; k++)
        regularise_diagonal(c->diagonal + 9 * k);
}

/* Adds P^T J^T Q J P. A contact may join nodes without a block in the matrix. Their block is replaced by its absolute
 * value on the diagonals of both, which is an upper bound of the term. */
static void add_term(const update_context *u, const weft_term *term) {
    enum { MOST = 32 };
    const weft_coarse *c = u->coarse;
    const weft_coarse_space *s = &c->space;
    int32_t node[MOST], count = 0;
    double weight[MOST], block[9];
    for (int i = 0; i < 4; i++) {
        int32_t vertex = term->vertex[i];
        if (term->weight[i] == 0 || (u->filter && u->filter->state[vertex] == 3))
            continue;
        for (int32_t k = WIDTH * vertex; k < WIDTH * (vertex + 1); k++) {
            int32_t at = 0;
            while (at < count && node[at] != s->node[k])
                at++;
            if (at == MOST)
                continue;
            if (at == count) {
                node[count] = s->node[k];
                weight[count++] = 0;
            }
            weight[at] += term->weight[i] * (double)s->weight[k];
        }
    }
    const double n[3] = {term->normal.x, term->normal.y, term->normal.z};
    const double t[3] = {term->slide.x, term->slide.y, term->slide.z};
    for (int m = 0; m < 9; m++)
        block[m] = (term->stiffness - term->across) * n[m / 3] * n[m % 3] - term->across * t[m / 3] * t[m % 3] +
                   (m % 4 == 0 ? term->across : 0);
    for (int a = 0; a < count; a++) {
        add_block(c->diagonal + 9 * (int64_t)node[a], weight[a] * weight[a], block);
        for (int b = 0; b < count; b++) {
            int32_t slot = a == b ? -1 : weft_coarse_slot(c, node[a], node[b]);
            double w = weight[a] * weight[b];
            if (slot >= 0)
                add_block(c->value + 9 * (int64_t)slot, w, block);
            else if (a != b)
                add_block(c->diagonal + 9 * (int64_t)node[a], w < 0 ? -w : w, block);
        }
    }
}

void weft_coarse_update(weft_coarse *c, const weft_bsr *matrix, const weft_filter *filter, const weft_work *work) {
    enum { BUNDLE_NS = 20000 };
    if (!c->factor && !c->inner)
        return;
    update_context u = {c, matrix, filter};
    weft_parallel_heavy(work, c->parts.bundles, 1, BUNDLE_NS, update_bundles, &u);
    weft_parallel_for(work, c->space.nodes, WEFT_BLOCK / 16, gather_nodes, c);
    for (int32_t k = 0; matrix->coupling && k < matrix->coupling->count; k++)
        add_term(&u, &matrix->coupling->term[k]);
    weft_parallel_for(work, c->space.nodes, WEFT_BLOCK, regularise_nodes, c);
    if (c->inner) {
        c->usable = 1;
        weft_coarse_inner_update(c, work);
        return;
    }
    c->usable = weft_cholesky_refactor(c->factor, work, c->start, c->column, c->diagonal, c->value).code == WEFT_OK;
    if (!c->usable)
        memset(c->shift, 0, 4 * (size_t)c->space.nodes * sizeof *c->shift);
}

typedef struct restrict_context {
    const weft_coarse *coarse;
    const weft_vec3 *r;
} restrict_context;

static void restrict_rows(void *context, int64_t begin, int64_t end) {
    const restrict_context *t = context;
    weft_coarse_restrict(t->coarse, t->r, begin, end);
}

typedef struct gather_context {
    const weft_coarse *coarse;
    double before, factor; /* the new residual is `before` times the last plus `factor` times the sums */
} gather_context;

/* The right-hand side of the coarse system. */
static void gather_residual(void *context, int64_t begin, int64_t end) {
    const gather_context *t = context;
    const weft_coarse *c = t->coarse;
    for (int64_t node = begin; node < end; node++) {
        weft_vec3 sum = weft_scale(t->factor, weft_restriction_at(&c->restriction, node));
        c->residual[node] = weft_add_scaled(sum, t->before, c->residual[node]);
        if (c->inner)
            continue;
        float *b = c->right + 3 * (int64_t)c->factor->place[node];
        b[0] = (float)c->residual[node].x;
        b[1] = (float)c->residual[node].y;
        b[2] = (float)c->residual[node].z;
    }
}

static void copy_solution(void *context, int64_t begin, int64_t end) {
    const weft_coarse *c = context;
    for (int64_t node = begin; node < end; node++)
        memcpy(c->shift + 4 * node, c->right + 3 * (int64_t)c->factor->place[node], 3 * sizeof *c->shift);
}

static void solve_gathered(weft_coarse *c, const weft_work *work, gather_context *t) {
    weft_parallel_for(work, c->space.nodes, WEFT_BLOCK / 4, gather_residual, t);
    if (c->inner) {
        weft_coarse_inner_solve(c, work);
        return;
    }
    weft_cholesky_solve(c->factor, work, c->right, c->scratch);
    weft_parallel_for(work, c->space.nodes, WEFT_BLOCK, copy_solution, c);
}

void weft_coarse_restrict(const weft_coarse *c, const weft_vec3 *v, int64_t begin, int64_t end) {
    if (c->usable)
        weft_restriction_sum(&c->restriction, c->isa, v, begin, end);
}

void weft_coarse_solve(weft_coarse *c, const weft_work *work, const weft_vec3 *r) {
    if (!c->usable)
        return;
    restrict_context t = {c, r};
    gather_context sums = {c, 0, 1};
    memset(c->residual, 0, (size_t)c->space.nodes * sizeof *c->residual); /* it may not be finite */
    weft_parallel_for(work, c->space.rows, WEFT_BLOCK, restrict_rows, &t);
    solve_gathered(c, work, &sums);
}

void weft_coarse_follow(weft_coarse *c, const weft_work *work, double alpha) {
    gather_context sums = {c, 1, -alpha};
    if (c->usable)
        solve_gathered(c, work, &sums);
}
