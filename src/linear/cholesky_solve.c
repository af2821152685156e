/* Solves with the factor. With P the inverse of a supernode's pivot block and B the block below times P: forward
 * b_below -= B b, up the tree; then b = P b - B^T x_below, down the tree. */
#include <string.h>

#include "linear/cholesky.h"
#include "linear/cholesky_dense.h"

typedef struct sweep {
    const weft_cholesky *c;
    const weft_dense *dense;
    float *b, *scratch;
    int64_t length;
    int sides;
    int fetches; /* values ahead: the factor is larger than the cache of a core */
} sweep;

static const int64_t NEAR = 1 << 21; /* bytes of the factor that a core's own cache is good for */

/* For each side the rows below, and the own columns with what products write beyond them. */
static int64_t side_scratch(const weft_cholesky *c) { return c->tallest + c->widest; }
static int64_t task_scratch(const weft_cholesky *c) { return WEFT_CHOLESKY_SIDES * side_scratch(c); }

int64_t weft_cholesky_scratch(const weft_cholesky *cholesky) { return cholesky->task_count * task_scratch(cholesky); }

/* Asks for the values of a node while the one before it is worked on: they are read once a sweep, in blocks too short
 * for the processor to see them coming. Measured out of cache, with 256 x 256 vertices: a quarter less for a step.
 * Shared values are near from the last time, and of large blocks the first part is enough. Inlined, because gcc 12
 * takes a function that only fetches for one without effect and drops its calls. */
static inline __attribute__((always_inline)) void fetch(const sweep *w, int32_t node, int up) {
    if (!w->fetches || node < 0 || node >= w->c->node_count)
        return;
    enum { MOST = 1 << 14 };
    const weft_supernode *s = &w->c->node[node];
    if (s->shares)
        return;
    const float *from = w->c->value + (up ? s->below : s->pivot);
    int64_t count = (int64_t)s->width * (s->stride + (up ? 0 : s->pivot_stride));
    count = count < MOST ? count : MOST;
    for (int64_t i = 0; i < count; i += 16)
        __builtin_prefetch(from + i, 0, 2);
}

static void forward(const sweep *w, int32_t node, float *scratch) {
    const weft_supernode *s = &w->c->node[node];
    const int32_t *target = w->c->target + s->row;
    if (s->rows == 0)
        return;
    int64_t gap = side_scratch(w->c);
    w->dense->product(w->c->value + s->below, s->stride, s->width, w->b + s->first, w->length, scratch, gap, w->sides);
    for (int side = 0; side < w->sides; side++) {
        float *b = w->b + side * w->length;
        const float *part = scratch + side * gap;
        for (int32_t i = 0; i < s->rows; i++)
            b[target[i]] -= part[i];
    }
}

static void gather(const sweep *w, const weft_supernode *s, float *below, int64_t gap) {
    const int32_t *row = w->c->row + s->row;
    for (int side = 0; side < w->sides; side++) {
        const float *b = w->b + side * w->length;
        float *part = below + side * gap;
        for (int32_t i = 0; i < s->rows; i++)
            part[i] = b[row[i]];
        for (int32_t i = s->rows; i < s->stride; i++)
            part[i] = 0;
    }
}

static void backward(const sweep *w, int32_t node, float *scratch) {
    const weft_supernode *s = &w->c->node[node];
    const float *value = w->c->value;
    int64_t gap = side_scratch(w->c);
    float *below = scratch, *own = scratch + w->c->tallest;
    w->dense->product(value + s->pivot, s->pivot_stride, s->width, w->b + s->first, w->length, own, gap, w->sides);
    if (s->rows > 0) {
        gather(w, s, below, gap);
        w->dense->subtract_transposed(value + s->below, s->stride, s->width, below, gap, own, gap, w->sides);
    }
    for (int side = 0; side < w->sides; side++)
        memcpy(w->b + side * w->length + s->first, own + side * gap, (size_t)s->width * sizeof *own);
}

/* Tasks are handed out as ranges of unknowns, so that small systems stay on one thread. */
static int32_t task_of(const sweep *w, int64_t begin) { return (int32_t)(begin * w->c->task_count / w->c->count); }

static void forward_task(void *context, int64_t begin, int64_t end) {
    (void)end;
    const sweep *w = context;
    int32_t t = task_of(w, begin);
    int32_t border = w->c->border_start[t], size = w->c->border_start[t + 1] - border;
    for (int p = 0; p < w->sides; p++)
        memset(w->b + p * w->length + w->c->count + border, 0, (size_t)size * sizeof(float));
    for (int32_t node = w->c->task_start[2 * t]; node < w->c->task_start[2 * t + 1]; node++) {
        fetch(w, node + 1, 1);
        forward(w, node, w->scratch + t * task_scratch(w->c));
    }
}

static void backward_task(void *context, int64_t begin, int64_t end) {
    (void)end;
    const sweep *w = context;
    int32_t t = task_of(w, begin);
    for (int32_t node = w->c->task_start[2 * t + 1] - 1; node >= w->c->task_start[2 * t]; node--) {
        fetch(w, node - 1, 0);
        backward(w, node, w->scratch + t * task_scratch(w->c));
    }
}

static void run_tasks(sweep *w, const weft_work *work, weft_body body) {
    int64_t tasks = w->c->task_count, block = (w->c->count + tasks - 1) / tasks;
    weft_parallel_for(work, w->c->count, block, body, w);
}

static void add_borders(const sweep *w) {
    for (int p = 0; p < w->sides; p++) {
        float *b = w->b + p * w->length;
        for (int32_t i = 0; i < w->c->border_start[w->c->task_count]; i++)
            b[w->c->border[i]] += b[w->c->count + i];
    }
}

/* The nodes above the tasks: those between their ranges. */
static void sweep_top(const sweep *w, int up) {
    const weft_cholesky *c = w->c;
    int32_t task = up ? 0 : c->task_count - 1;
    for (int32_t k = 0; k < c->node_count; k++) {
        int32_t node = up ? k : c->node_count - 1 - k;
        if (task >= 0 && task < c->task_count &&
            node == (up ? c->task_start[2 * task] : c->task_start[2 * task + 1] - 1)) {
            k += c->task_start[2 * task + 1] - c->task_start[2 * task] - 1;
            task += up ? 1 : -1;
            continue;
        }
        if (up)
            forward(w, node, w->scratch);
        else
            backward(w, node, w->scratch);
    }
}

void weft_cholesky_solve(const weft_cholesky *cholesky, const weft_work *work, int sides, float *b, float *scratch) {
    int fetches = cholesky->stored_count * (int64_t)sizeof(float) > NEAR;
    sweep w = {cholesky, weft_dense_choose(cholesky->portable), b, scratch, weft_cholesky_length(cholesky), sides,
               fetches};
    run_tasks(&w, work, forward_task);
    add_borders(&w);
    sweep_top(&w, 1);
    sweep_top(&w, 0);
    run_tasks(&w, work, backward_task);
}
