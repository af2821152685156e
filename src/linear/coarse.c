/* Coarse-space correction on aggregates, added to the block-Jacobi preconditioner.
 *
 * R. Nicolaides, Deflation of conjugate gradients with applications to boundary value problems, SIAM J. Numer. Anal.
 * 24, 1987; as an additive level in J. Mandel, Balancing domain decomposition, Comm. Numer. Methods Eng. 9, 1993.
 *
 * In one step a disturbance of a stiff sheet spreads over sqrt(k dt^2 / m) edges, on fine meshes over the whole sheet.
 * Block-Jacobi carries information across one edge per iteration. If the mean motion of aggregates is solved exactly,
 * the iteration count grows slowly with the mesh. Iterations to 10^-4 on hanging sheets (see also `weft bench
 * implicit`):
 *
 *   preconditioner                           100 x 100   300 x 300
 *   block-Jacobi                                   603        1828
 *   two-level                                       65         136
 *   SSOR, sequential sweeps                        219
 *   incomplete Cholesky, sequential sweeps         129
 *   SSOR, ranges of 1024 rows                      282
 *   incomplete Cholesky, ranges of 1024 rows       196 */
#include "linear/coarse.h"

#include <stdlib.h>

#include "core/memory.h"
#include "linear/coupling.h"
#include "linear/order.h"

/* Vertices per aggregate. Small aggregates need fewer iterations but a costlier direct solve. Total time is flat around
 * these values. */
enum { SMALLEST_AGGREGATE = 16, LARGEST_AGGREGATE = 64, AGGREGATES_WANTED = 1000 };

static void list_members(weft_coarse *c) {
    for (int32_t i = 0; i < c->rows; i++)
        c->member_start[c->group[i] + 1]++;
    for (int32_t g = 0; g < c->groups; g++)
        c->member_start[g + 1] += c->member_start[g];
    for (int32_t i = 0; i < c->rows; i++) /* each start advances to its end, which is the next start */
        c->member[c->member_start[c->group[i]]++] = i;
    for (int32_t g = c->groups; g > 0; g--)
        c->member_start[g] = c->member_start[g - 1];
    c->member_start[0] = 0;
}

/* Writes the aggregates adjacent to g to `found`, ascending, and returns their number. `mark` is scratch (groups). */
static int32_t find_touching(const weft_coarse *c, const weft_bsr *matrix, int32_t g, int32_t *mark, int32_t *found) {
    int32_t count = 0;
    mark[g] = g + 1;
    for (int32_t m = c->member_start[g]; m < c->member_start[g + 1]; m++)
        for (int32_t k = matrix->start[c->member[m]]; k < matrix->start[c->member[m] + 1]; k++) {
            int32_t other = c->group[matrix->column[k]];
            if (mark[other] == g + 1)
                continue;
            mark[other] = g + 1;
            int32_t at = count++;
            for (; at > 0 && found[at - 1] > other; at--)
                found[at] = found[at - 1];
            found[at] = other;
        }
    return count;
}

static weft_result make_structure(weft_coarse *c, const weft_bsr *matrix) {
    int32_t *mark = weft_allocate((size_t)c->groups, sizeof *mark);
    int32_t *found = weft_allocate((size_t)c->groups, sizeof *found);
    weft_result result = weft_ok();
    if (!mark || !found) {
        result = weft_fail_memory("coarse level", (size_t)c->groups * 8);
        goto done;
    }
    for (int32_t g = 0; g < c->groups; g++)
        c->start[g + 1] = c->start[g] + find_touching(c, matrix, g, mark, found);
    size_t blocks = (size_t)c->start[c->groups];
    c->column = weft_allocate(blocks, sizeof *c->column);
    c->value = weft_allocate(9 * blocks, sizeof *c->value);
    if (!c->column || !c->value) {
        result = weft_fail_memory("coarse level", blocks * 76);
        goto done;
    }
    memset(mark, 0, (size_t)c->groups * sizeof *mark);
    for (int32_t g = 0; g < c->groups; g++)
        find_touching(c, matrix, g, mark, c->column + c->start[g]);
done:
    free(found);
    free(mark);
    return result;
}

static weft_result make_groups(weft_coarse *c, const weft_bsr *matrix) {
    size_t n = (size_t)matrix->rows;
    c->group = weft_allocate(n, sizeof *c->group);
    c->member = weft_allocate(n, sizeof *c->member);
    if (!c->group || !c->member)
        return weft_fail_memory("coarse level", n * 8);
    int32_t size = matrix->rows / AGGREGATES_WANTED;
    size = size < SMALLEST_AGGREGATE ? SMALLEST_AGGREGATE : size > LARGEST_AGGREGATE ? LARGEST_AGGREGATE : size;
    return weft_order_cluster(matrix->rows, matrix->start, matrix->column, size, c->group, &c->groups);
}

static weft_result fill(weft_coarse *c, const weft_bsr *matrix) {
    WEFT_TRY(make_groups(c, matrix));
    size_t m = (size_t)c->groups;
    c->member_start = weft_allocate(m + 1, sizeof *c->member_start);
    c->start = weft_allocate(m + 1, sizeof *c->start);
    c->diagonal = weft_allocate(9 * m, sizeof *c->diagonal);
    c->right = weft_allocate(m, sizeof *c->right);
    c->shift = weft_allocate(m, sizeof *c->shift);
    c->scratch = weft_allocate(3 * m, sizeof *c->scratch);
    if (!c->member_start || !c->start || !c->diagonal || !c->right || !c->shift || !c->scratch)
        return weft_fail_memory("coarse level", m * 152);
    list_members(c);
    WEFT_TRY(make_structure(c, matrix));
    return weft_ldlt_create(c->groups, c->start, c->column, &c->ldlt);
}

weft_result weft_coarse_create(const weft_bsr *matrix, weft_coarse **made) {
    *made = NULL;
    weft_coarse *c = weft_allocate(1, sizeof *c);
    if (!c)
        return weft_fail_memory("coarse level", sizeof *c);
    c->rows = matrix->rows;
    weft_result result = fill(c, matrix);
    if (result.code != WEFT_OK) {
        weft_coarse_destroy(c);
        return result;
    }
    *made = c;
    return weft_ok();
}

void weft_coarse_destroy(weft_coarse *c) {
    if (!c)
        return;
    weft_ldlt_destroy(c->ldlt);
    free(c->scratch);
    free(c->shift);
    free(c->right);
    free(c->diagonal);
    free(c->start);
    free(c->member_start);
    free(c->value);
    free(c->column);
    free(c->member);
    free(c->group);
    free(c);
}

/* The parallel loop runs over vertices, so that it knows the amount of work. A block of vertices maps to its share of
 * the aggregates. */
static int32_t first_group(const weft_coarse *c, int64_t vertex) { return (int32_t)(vertex * c->groups / c->rows); }

typedef struct update_context {
    weft_coarse *coarse;
    const weft_bsr *matrix;
    const weft_filter *filter;
} update_context;

static double *coarse_block(const weft_coarse *c, int32_t g, int32_t other) {
    int32_t k = c->start[g];
    while (c->column[k] != other)
        k++;
    return c->value + 9 * (size_t)k;
}

/* sum += sign S_i a S_j; a null pointer means the identity. */
static void add_block(double *sum, double sign, const double *left, const double block[9], const double *right) {
    double half[9];
    memcpy(half, block, sizeof half);
    for (int r = 0; right && r < 3; r++)
        for (int c = 0; c < 3; c++)
            half[3 * r + c] =
                block[3 * r] * right[c] + block[3 * r + 1] * right[3 + c] + block[3 * r + 2] * right[6 + c];
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
            double entry = half[3 * r + c];
            if (left)
                entry = left[3 * r] * half[c] + left[3 * r + 1] * half[3 + c] + left[3 * r + 2] * half[6 + c];
            sum[3 * r + c] += sign * entry;
        }
}

/* Adds vertex i to P^T A P with P_i = S_i. The term x_i^T A_ij (x_j - x_i) vanishes inside an aggregate if both ends
 * are free. */
static void add_vertex(const update_context *u, int32_t g, int32_t i) {
    const weft_coarse *c = u->coarse;
    const weft_bsr *a = u->matrix;
    double own[9], other[9], block[9];
    int held = u->filter && u->filter->state[i];
    if (held)
        weft_filter_matrix(u->filter, i, own);
    double *diagonal = c->diagonal + 9 * (size_t)g;
    for (int m = 0; m < 9; m++)
        block[m] = (double)a->excess[9 * (size_t)i + (size_t)m];
    add_block(diagonal, 1, held ? own : NULL, block, held ? own : NULL);
    for (int32_t k = a->start[i]; k < a->start[i + 1]; k++) {
        int32_t j = a->column[k], h = c->group[j];
        int other_held = u->filter && u->filter->state[j];
        if (h == g && !held && !other_held)
            continue;
        if (other_held)
            weft_filter_matrix(u->filter, j, other);
        weft_bsr_block(a, k, block);
        add_block(h == g ? diagonal : coarse_block(c, g, h), 1, held ? own : NULL, block, other_held ? other : NULL);
        add_block(diagonal, -1, held ? own : NULL, block, held ? own : NULL);
    }
}

/* If all vertices of an aggregate are constrained in some direction, its block is singular. A small multiple of the
 * identity makes it factorable. The filter removes the resulting component. */
static void regularise_diagonal(double *a) {
    double size = a[0] + a[4] + a[8], shift = size > 0 ? 1e-10 * size : 1;
    for (int r = 0; r < 3; r++) {
        for (int k = 0; k < r; k++)
            a[3 * r + k] = a[3 * k + r] = 0.5 * (a[3 * r + k] + a[3 * k + r]);
        a[4 * r] += shift;
    }
}

static void update_groups(void *context, int64_t begin, int64_t end) {
    const update_context *u = context;
    const weft_coarse *c = u->coarse;
    for (int32_t g = first_group(c, begin); g < first_group(c, end); g++) {
        memset(c->diagonal + 9 * (size_t)g, 0, 9 * sizeof *c->diagonal);
        memset(c->value + 9 * (size_t)c->start[g], 0, 9 * sizeof *c->value * (size_t)(c->start[g + 1] - c->start[g]));
        for (int32_t m = c->member_start[g]; m < c->member_start[g + 1]; m++)
            add_vertex(u, g, c->member[m]);
        regularise_diagonal(c->diagonal + 9 * (size_t)g);
    }
}

/* The sum of a coupling term's weights over aggregate g, filtered. */
static void gather_weights(const update_context *u, const weft_term *term, int32_t g, double sum[9]) {
    memset(sum, 0, 9 * sizeof *sum);
    for (int i = 0; i < 4; i++) {
        int32_t vertex = term->vertex[i];
        if (term->weight[i] == 0 || u->coarse->group[vertex] != g)
            continue;
        double own[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
        if (u->filter && u->filter->state[vertex])
            weft_filter_matrix(u->filter, vertex, own);
        for (int m = 0; m < 9; m++)
            sum[m] += term->weight[i] * own[m];
    }
}

/* Adds P^T J^T P J P to the diagonal. The aggregates joined by a term need not be adjacent, so there may be no block
 * for it. With m aggregates, m times each diagonal contribution is an upper bound of the whole term. */
static void add_term(const update_context *u, const weft_term *term) {
    int32_t group[4];
    int count = 0;
    for (int i = 0; i < 4; i++) {
        int known = term->weight[i] == 0;
        for (int k = 0; k < count; k++)
            known |= group[k] == u->coarse->group[term->vertex[i]];
        if (!known)
            group[count++] = u->coarse->group[term->vertex[i]];
    }
    const double n[3] = {term->normal.x, term->normal.y, term->normal.z};
    double block[9], weights[9];
    for (int m = 0; m < 9; m++)
        block[m] = (term->stiffness - term->across) * n[m / 3] * n[m % 3] + (m % 4 == 0 ? term->across : 0);
    for (int k = 0; k < count; k++) {
        gather_weights(u, term, group[k], weights);
        add_block(u->coarse->diagonal + 9 * (size_t)group[k], count, weights, block, weights);
    }
}

void weft_coarse_update(weft_coarse *c, const weft_bsr *matrix, const weft_filter *filter, const weft_work *work) {
    update_context u = {c, matrix, filter};
    weft_parallel_for(work, c->rows, WEFT_BLOCK, update_groups, &u);
    for (int32_t k = 0; matrix->coupling && k < matrix->coupling->count; k++)
        add_term(&u, &matrix->coupling->term[k]);
    c->usable = weft_ldlt_factor(c->ldlt, c->start, c->column, c->diagonal, c->value);
    if (!c->usable)
        memset(c->shift, 0, (size_t)c->groups * sizeof *c->shift);
}

typedef struct restrict_context {
    const weft_coarse *coarse;
    const weft_vec3 *r;
} restrict_context;

static void restrict_groups(void *context, int64_t begin, int64_t end) {
    const restrict_context *t = context;
    const weft_coarse *c = t->coarse;
    for (int32_t g = first_group(c, begin); g < first_group(c, end); g++) {
        weft_vec3 sum = {0, 0, 0};
        for (int32_t m = c->member_start[g]; m < c->member_start[g + 1]; m++)
            sum = weft_add(sum, t->r[c->member[m]]);
        c->right[g] = sum;
    }
}

void weft_coarse_solve(weft_coarse *c, const weft_work *work, const weft_vec3 *r) {
    if (!c->usable)
        return;
    restrict_context t = {c, r};
    weft_parallel_for(work, c->rows, WEFT_BLOCK, restrict_groups, &t);
    weft_ldlt_solve(c->ldlt, (const double *)c->right, (double *)c->shift, c->scratch);
}
