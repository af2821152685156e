/* Solves with the factor. P is the inverse of a supernode's pivot block, and B is the block below times P. The forward
 * sweep goes up the tree: b_below -= B b. The backward sweep goes down the tree: b = P b - B^T x_below. */
#include <string.h>

#include "solve/cholesky.h"
#include "solve/cholesky_dense.h"

typedef struct sweep {
    const weft_cholesky *c;
    const weft_dense *dense;
    const weft_cholesky_ends *ends; /* for three right-hand sides; null: there is one */
    const weft_work *work;          /* of the supernodes above the tasks, for one right-hand side */
    float *b, *scratch;
    int each;    /* floats per unknown */
    int fetches; /* prefetches values: the factor is larger than the cache of a core */
    int expects; /* prefetches the vectors of `ends`, too */
} sweep;

static const int64_t NEAR = 6 << 20;  /* bytes of a factor that stays in cache from sweep to sweep, measured */
enum { AHEAD = 1280, FAR = 1 << 15 }; /* unknowns to prefetch ahead through `ends`; the least unknowns for that */

static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }
static int64_t task_scratch(const weft_cholesky *c) {
    return 3 * (int64_t)c->tallest + 4 * (int64_t)c->widest + 3 * larger(c->tallest, c->widest);
}

int64_t weft_cholesky_scratch(const weft_cholesky *cholesky) { return cholesky->task_count * task_scratch(cholesky); }

/* Progress of prefetching the values of the next nodes. */
typedef struct cursor {
    int32_t node;
    int64_t at, ahead; /* floats of the node, and of all prefetched values not used yet */
} cursor;

/* The number of leading values that a product does not prefetch itself. Shared values are still in cache. */
static int64_t float_count(const weft_supernode *s, int up) {
    if (s->shares)
        return 0;
    if ((int64_t)s->width * s->stride > WEFT_DENSE_STREAMED)
        return WEFT_DENSE_AHEAD * (int64_t)(up ? s->stride : s->pivot_stride);
    return (int64_t)s->width * (s->stride + (up ? 0 : s->pivot_stride));
}

/* Prefetches as many values as the current node has, some way ahead. A sweep reads each value once, in blocks too short
 * for the hardware prefetcher. Always inlined: GCC 12 considers a function that only prefetches to be without effect,
 * and drops its calls. */
static inline __attribute__((always_inline)) void fetch(const sweep *w, int32_t node, int up, cursor *next) {
    enum { MOST = 1 << 15, LEAST = 256, LINE = 16 };
    const int32_t on = up ? 1 : -1;
    if (!w->fetches)
        return;
    next->ahead -= float_count(&w->c->node[node], up);
    if ((next->node - node) * on <= 0)
        *next = (cursor){node + on, 0, 0};
    const int64_t size = weft_supernode_size(&w->c->node[node]);
    int64_t most = LEAST + (size < WEFT_DENSE_STREAMED ? size : WEFT_DENSE_STREAMED);
    while (most > 0 && next->ahead < MOST && next->node >= 0 && next->node < w->c->node_count) {
        const weft_supernode *s = &w->c->node[next->node];
        const int64_t count = float_count(s, up), end = next->at + most < count ? next->at + most : count;
        const float *from = w->c->value + (up ? s->below : s->pivot);
        for (int64_t i = next->at; i < end; i += LINE)
            __builtin_prefetch(from + i, 0, 2);
        most -= end - next->at + LINE;
        next->ahead += end - next->at;
        next->at = end < count ? end : 0;
        next->node += end < count ? 0 : on;
    }
}

/* Prefetches the right-hand sides, and their sources or destinations. */
static inline __attribute__((always_inline)) void expect(const sweep *w, int32_t node, int up) {
    if (!w->expects)
        return;
    const weft_supernode *s = &w->c->node[node];
    const int64_t begin = s->first + (up ? AHEAD : -AHEAD), end = begin + s->width;
    if (begin < 0 || end > w->c->count)
        return;
    for (int64_t i = begin; i < end; i += 4)
        __builtin_prefetch(w->b + 4 * i, 1, 2);
    w->ends->expect(w->ends->context, begin, end, up);
    const int32_t *rows = up ? w->c->target : w->c->row;
    const int64_t first = s->row + (up ? AHEAD : -AHEAD);
    for (int64_t i = first; i < first + s->rows && i >= 0 && i < w->c->row_count; i += 16)
        __builtin_prefetch(rows + i, 0, 2);
}

static void forward(const sweep *w, int32_t node, float *scratch) {
    const weft_supernode *s = &w->c->node[node];
    const int32_t *target = w->c->target + s->row;
    const float *below = w->c->value + s->below;
    if (s->rows == 0)
        return;
    if (w->ends) {
        w->dense->forward(below, s->stride, s->width, w->b + 4 * (int64_t)s->first, target, s->rows, w->b, scratch);
        return;
    }
    w->dense->product(below, s->stride, s->stride, s->width, w->b + s->first, scratch);
    for (int32_t i = 0; i < s->rows; i++)
        w->b[target[i]] -= scratch[i];
}

static void backward(const sweep *w, int32_t node, float *scratch) {
    const weft_supernode *s = &w->c->node[node];
    const float *pivot = w->c->value + s->pivot, *below = w->c->value + s->below;
    const int32_t *row = w->c->row + s->row;
    if (w->ends) {
        w->dense->backward(pivot, s->pivot_stride, below, s->stride, s->width, row, s->rows,
                           w->b + 4 * (int64_t)s->first, w->b, scratch);
        return;
    }
    float *part = scratch, *own = scratch + w->c->tallest;
    w->dense->product(pivot, s->pivot_stride, s->pivot_stride, s->width, w->b + s->first, own);
    for (int32_t i = 0; i < s->rows; i++)
        part[i] = w->b[row[i]];
    memset(part + s->rows, 0, (size_t)(s->stride - s->rows) * sizeof *part);
    if (s->rows > 0)
        w->dense->subtract_transposed(below, s->stride, s->stride, s->width, part, own);
    memcpy(w->b + s->first, own, (size_t)s->width * sizeof *own);
}

/* Tasks are scheduled as ranges of unknowns, so that small systems stay on one thread. */
static int32_t task_of(const sweep *w, int64_t begin) { return (int32_t)(begin * w->c->task_count / w->c->count); }

static int64_t first_of(const sweep *w, int32_t node) {
    return node < w->c->node_count ? w->c->node[node].first : w->c->count;
}

/* Loads the unknowns of the nodes [from, to). */
static void load(const sweep *w, int32_t from, int32_t to) {
    if (w->ends && from < to)
        w->ends->load(w->ends->context, first_of(w, from), first_of(w, to), w->b);
}

static void store(const sweep *w, int32_t task, int32_t from, int32_t to) {
    if (w->ends && from < to)
        w->ends->store(w->ends->context, task, first_of(w, from), first_of(w, to), w->b);
}

static void forward_nodes(const sweep *w, int32_t task, int32_t from, int32_t to, cursor *next) {
    for (int32_t node = from; node < to; node++) {
        fetch(w, node, 1, next);
        expect(w, node, 1);
        forward(w, node, w->scratch + task * task_scratch(w->c));
    }
}

static void backward_nodes(const sweep *w, int32_t task, int32_t from, int32_t to, cursor *next) {
    for (int32_t node = to - 1; node >= from; node--) {
        fetch(w, node, 0, next);
        expect(w, node, 0);
        backward(w, node, w->scratch + task * task_scratch(w->c));
    }
}

/* The end of the gap between clump k of a task and the next clump. */
static int32_t gap_end(const weft_cholesky *c, int32_t task, int32_t k) {
    return k + 1 < c->clump_start[task + 1] ? c->clump[2 * k + 2] : c->task_start[2 * task + 1];
}

static void forward_task(void *context, int64_t begin, int64_t end) {
    (void)end;
    const sweep *w = context;
    const weft_cholesky *c = w->c;
    int32_t t = task_of(w, begin);
    cursor next = {-1, 0, 0};
    int32_t border = c->border_start[t], size = c->border_start[t + 1] - border;
    memset(w->b + w->each * ((int64_t)c->count + border), 0, (size_t)(w->each * size) * sizeof(float));
    for (int32_t k = c->clump_start[t]; k < c->clump_start[t + 1]; k++) /* clumps add to the nodes in the gaps */
        load(w, c->clump[2 * k + 1], gap_end(c, t, k));
    for (int32_t k = c->clump_start[t]; k < c->clump_start[t + 1]; k++) {
        load(w, c->clump[2 * k], c->clump[2 * k + 1]);
        forward_nodes(w, t, c->clump[2 * k], gap_end(c, t, k), &next);
    }
}

static void backward_task(void *context, int64_t begin, int64_t end) {
    (void)end;
    const sweep *w = context;
    const weft_cholesky *c = w->c;
    int32_t t = task_of(w, begin);
    cursor next = {c->node_count, 0, 0};
    for (int32_t k = c->clump_start[t + 1] - 1; k >= c->clump_start[t]; k--) {
        const int32_t from = c->clump[2 * k], to = c->clump[2 * k + 1], gap = gap_end(c, t, k);
        backward_nodes(w, t, to, gap, &next);
        store(w, t, to, gap);
        backward_nodes(w, t, from, to, &next);
        store(w, t, from, to);
    }
}

static void run_tasks(sweep *w, const weft_work *work, weft_loop loop) {
    int64_t tasks = w->c->task_count, block = (w->c->count + tasks - 1) / tasks;
    weft_parallel_for(work, w->c->count, block, loop, w);
}

static void add_borders(const sweep *w) {
    for (int64_t i = 0; i < w->c->border_start[w->c->task_count]; i++)
        for (int side = 0; side < w->each; side++)
            w->b[w->each * (int64_t)w->c->border[i] + side] += w->b[w->each * (w->c->count + i) + side];
}

/* A large supernode, whose rows threads share. The loops count values, so that an item takes as long in every node. */
typedef struct node_sweep {
    const sweep *w;
    const weft_supernode *s;
    float *part, *own; /* what the rows below have, and the new values of the node's own rows */
} node_sweep;

enum { ROWS = 32 }; /* that a thread takes at once */

static void forward_rows(void *context, int64_t begin, int64_t end) {
    const node_sweep *n = context;
    const sweep *w = n->w;
    const weft_supernode *s = n->s;
    const int32_t from = (int32_t)(begin / s->width), to = (int32_t)(end / s->width);
    const int32_t *target = w->c->target + s->row;
    w->dense->product(w->c->value + s->below + from, s->stride, to - from, s->width, w->b + s->first, n->part + from);
    for (int32_t i = from; i < to && i < s->rows; i++)
        w->b[target[i]] -= n->part[i];
}

static void backward_rows(void *context, int64_t begin, int64_t end) {
    const node_sweep *n = context;
    const sweep *w = n->w;
    const weft_supernode *s = n->s;
    const int64_t each = s->width + s->stride;
    const int32_t from = (int32_t)(begin / each), to = (int32_t)(end / each);
    w->dense->product(w->c->value + s->pivot + from, s->pivot_stride, to - from, s->width, w->b + s->first,
                      n->own + from);
    if (s->rows > 0)
        w->dense->subtract_transposed(w->c->value + s->below + from * (int64_t)s->stride, s->stride, s->stride,
                                      (to < s->width ? to : s->width) - from, n->part, n->own + from);
}

static void forward_shared(const sweep *w, int32_t node) {
    const weft_supernode *s = &w->c->node[node];
    node_sweep n = {w, s, w->scratch, NULL};
    if (w->ends)
        forward(w, node, w->scratch);
    else
        weft_parallel_for(w->work, (int64_t)s->stride * s->width, (int64_t)ROWS * s->width, forward_rows, &n);
}

static void backward_shared(const sweep *w, int32_t node) {
    const weft_supernode *s = &w->c->node[node];
    node_sweep n = {w, s, w->scratch, w->scratch + w->c->tallest};
    const int64_t each = s->width + s->stride;
    if (w->ends) {
        backward(w, node, w->scratch);
        return;
    }
    for (int32_t i = 0; i < s->rows; i++)
        n.part[i] = w->b[w->c->row[s->row + i]];
    memset(n.part + s->rows, 0, (size_t)(s->stride - s->rows) * sizeof *n.part);
    weft_parallel_for(w->work, s->pivot_stride * each, ROWS * each, backward_rows, &n);
    memcpy(w->b + s->first, n.own, (size_t)s->width * sizeof *n.own);
}

static void sweep_top(const sweep *w) {
    const weft_cholesky *c = w->c;
    for (int32_t t = 0; t < c->task_count; t++)
        load(w, weft_cholesky_top_from(c, t), weft_cholesky_top_to(c, t));
    add_borders(w);
    for (int32_t t = 0; t < c->task_count; t++)
        for (int32_t node = weft_cholesky_top_from(c, t); node < weft_cholesky_top_to(c, t); node++)
            forward_shared(w, node);
    for (int32_t t = c->task_count - 1; t >= 0; t--) {
        for (int32_t node = weft_cholesky_top_to(c, t) - 1; node >= weft_cholesky_top_from(c, t); node--)
            backward_shared(w, node);
        store(w, c->task_count, weft_cholesky_top_from(c, t), weft_cholesky_top_to(c, t));
    }
}

static void run(sweep *w, const weft_work *work) {
    w->work = work;
    w->dense = weft_dense_choose(w->c->isa);
    w->fetches = w->c->stored_count * (int64_t)sizeof(float) > NEAR;
    w->expects = w->ends && w->ends->expect && w->c->count > FAR;
    run_tasks(w, work, forward_task);
    sweep_top(w);
    run_tasks(w, work, backward_task);
}

void weft_cholesky_solve(const weft_cholesky *cholesky, const weft_work *work, float *b, float *scratch) {
    sweep w = {.c = cholesky, .b = b, .scratch = scratch, .each = 1};
    run(&w, work);
}

void weft_cholesky_solve_three(const weft_cholesky *cholesky, const weft_work *work, const weft_cholesky_ends *ends,
                               float *b, float *scratch) {
    sweep w = {.c = cholesky, .ends = ends, .b = b, .scratch = scratch, .each = 4};
    run(&w, work);
}
