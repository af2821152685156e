/* Smoothed aggregates: a coarse space for any mesh, without coordinates.
 *
 * P. Vanek, J. Mandel, M. Brezina, Algebraic multigrid by smoothed aggregation for second and fourth order elliptic
 * problems, Computing 56, 1996. The vertices are cut into compact aggregates. Each aggregate is a node, whose weight is
 * 1 on its vertices and 0 elsewhere. A few averages over neighbours turn these steps into overlapping hats. Weights of
 * a vertex still add up to 1, so translations are exact. The matrix is not used for smoothing as in the paper, because
 * its anisotropy changes from step to step.
 *
 * lab/bench/notes/linear-solvers.md compares other choices. Bilinear hats on rest coordinates need as many iterations
 * with as many nodes, but do not fit closed, torn and refined meshes. */
#include "solve/coarse_space.h"

#include "core/memory.h"
#include "solve/order.h"

/* Most vertices per aggregate. Small aggregates need fewer iterations but a costlier coarse solve. */
enum { AGGREGATE = 24 };
/* WIDTH: nodes per vertex in the end. KEPT: while smoothing. MOST: that an average can have. */
enum { SWEEPS = 4, WIDTH = WEFT_COARSE_WIDTH, KEPT = 8, MOST = 64 };

/* The nodes of one vertex and their weights. */
typedef struct mixture {
    int32_t count, node[MOST];
    float weight[MOST];
} mixture;

static void add_node(mixture *m, int32_t node, float weight) {
    int32_t at = 0;
    while (at < m->count && m->node[at] != node)
        at++;
    if (at == MOST)
        return;
    if (at == m->count) {
        m->node[at] = node;
        m->weight[at] = 0;
        m->count++;
    }
    m->weight[at] += weight;
}

static int comes_first(const mixture *m, int32_t a, int32_t b) {
    return m->weight[a] > m->weight[b] || (m->weight[a] == m->weight[b] && m->node[a] < m->node[b]);
}

/* Keeps the `most` largest weights, largest first, and scales them to the sum 1. */
static void keep_largest(mixture *m, int32_t most) {
    float sum = 0;
    for (int32_t k = 0; k < most && k < m->count; k++) {
        int32_t best = k;
        for (int32_t other = k + 1; other < m->count; other++)
            best = comes_first(m, other, best) ? other : best;
        int32_t node = m->node[k];
        float weight = m->weight[k];
        m->node[k] = m->node[best];
        m->weight[k] = m->weight[best];
        m->node[best] = node;
        m->weight[best] = weight;
        sum += m->weight[k];
    }
    m->count = m->count < most ? m->count : most;
    for (int32_t k = 0; k < m->count; k++)
        m->weight[k] /= sum;
}

/* Weights of all vertices in rows of KEPT; a weight of 0 ends a row. */
typedef struct weights {
    int32_t *node;
    float *weight;
} weights;

static void add_row(mixture *m, const weights *w, int32_t i) {
    for (size_t k = KEPT * (size_t)i; k < KEPT * ((size_t)i + 1) && w->weight[k] > 0; k++)
        add_node(m, w->node[k], w->weight[k]);
}

static void store_row(const mixture *m, const weights *w, int32_t i) {
    for (int32_t k = 0; k < KEPT; k++) {
        w->node[KEPT * (size_t)i + (size_t)k] = m->node[k < m->count ? k : 0];
        w->weight[KEPT * (size_t)i + (size_t)k] = k < m->count ? m->weight[k] : 0;
    }
}

/* to = the averages of `from` over each vertex and its neighbours */
static void smooth(const weft_bsr *matrix, const weights *from, const weights *to) {
    for (int32_t i = 0; i < matrix->rows; i++) {
        mixture m;
        m.count = 0;
        add_row(&m, from, i);
        for (int32_t e = matrix->start[i]; e < matrix->start[i + 1]; e++)
            add_row(&m, from, matrix->column[e]);
        keep_largest(&m, KEPT);
        store_row(&m, to, i);
    }
}

/* Rounds the weights to multiples of STEP, so that they add up to 1 without rounding errors. */
static void store_weights(const mixture *m, weft_coarse_space *s, int32_t i) {
    static const float STEP = 1.0F / 65536;
    float rest = 1;
    for (int32_t k = WIDTH - 1; k >= 0; k--) {
        size_t at = WIDTH * (size_t)i + (size_t)k;
        float steps = k < m->count ? (float)(int32_t)(m->weight[k] / STEP) : 0;
        s->node[at] = m->node[k < m->count ? k : 0];
        s->weight[at] = k > 0 ? steps * STEP : rest;
        rest -= s->weight[at];
    }
}

static void fill_space(const weft_bsr *matrix, weft_coarse_space *s, weights now, weights next) {
    for (int32_t i = 0; i < s->rows; i++)
        store_row(&(mixture){1, {s->group[i]}, {1}}, &now, i);
    for (int k = 0; k < SWEEPS; k++) {
        smooth(matrix, &now, &next);
        weights swap = now;
        now = next;
        next = swap;
    }
    for (int32_t i = 0; i < s->rows; i++) {
        mixture m;
        m.count = 0;
        add_row(&m, &now, i);
        keep_largest(&m, WIDTH);
        store_weights(&m, s, i);
    }
}

weft_result weft_coarse_space_create(const weft_bsr *matrix, weft_coarse_space *s) {
    size_t n = (size_t)matrix->rows;
    *s = (weft_coarse_space){.rows = matrix->rows};
    s->group = weft_allocate(n, sizeof *s->group);
    s->node = weft_allocate(WIDTH * n, sizeof *s->node);
    s->weight = weft_allocate(WIDTH * n, sizeof *s->weight);
    if (!s->group || !s->node || !s->weight)
        return weft_fail_memory("coarse level", n * (4 + 8 * WIDTH));
    WEFT_TRY(weft_order_cluster(matrix->rows, matrix->start, matrix->column, AGGREGATE, s->group, &s->nodes));
    weights now = {weft_allocate(KEPT * n, sizeof *now.node), weft_allocate(KEPT * n, sizeof *now.weight)};
    weights next = {weft_allocate(KEPT * n, sizeof *next.node), weft_allocate(KEPT * n, sizeof *next.weight)};
    weft_result result = weft_ok();
    if (now.node && now.weight && next.node && next.weight)
        fill_space(matrix, s, now, next);
    else
        result = weft_fail_memory("coarse level", n * 16 * KEPT);
    free(next.weight);
    free(next.node);
    free(now.weight);
    free(now.node);
    return result;
}

void weft_coarse_space_free(weft_coarse_space *s) {
    free(s->weight);
    free(s->node);
    free(s->group);
}
