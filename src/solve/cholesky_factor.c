/* The multifrontal method: I. Duff, J. Reid, The multifrontal solution of indefinite sparse symmetric linear equations,
 * ACM TOMS 9, 1983. A front holds the columns of a supernode, and the contributions of its subtree to rows further up.
 * Eliminating the columns leaves an update, which is added to the parent's front. The factor stores the inverse of the
 * pivot block and the block below times that inverse, so that a solve has no recurrences.
 *
 * Threads share the subtrees of the tasks, one thread per subtree. The fronts of the supernodes above them are large,
 * so that threads share the work within each. The sums of an entry have the same order in every case. */
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "solve/cholesky.h"
#include "solve/cholesky_front.h"

/* Memory for a sequence of supernodes. */
typedef struct workspace {
    float *front, *inverse;   /* of the largest of them */
    int32_t *at;              /* row of each unknown in the current front (count) */
    int32_t *place, *run_end; /* of a child's update (tallest) */
    int32_t failed;           /* the node whose pivot is not positive, or -1 */
} workspace;

struct weft_fronts {
    int32_t workspaces;
    workspace *workspace; /* one per task, and the last for the nodes above the tasks; or one for all nodes */
    float **update;       /* of each node, until its parent has added it: lower triangle (stride x rows) */
    int32_t *child;       /* the last child of each node, or -1 */
    int32_t *before;      /* the child of the same parent before it, or -1 */
    void *floats, *numbers;
};

/* The matrix to factor. */
typedef struct entries {
    weft_cholesky *c;
    const weft_dense *dense;
    const int32_t *start, *column;
    const double *diagonal, *value;
} entries;

/* Rows of the front: the node's own columns, padded, then the rows below, padded. */
static int32_t height(const weft_supernode *s) { return s->pivot_stride + s->stride; }

/* ---- assembly of a front ---- */

static void add_entry(const workspace *b, int32_t stride, int32_t row, int32_t column, double value) {
    int32_t i = b->at[row], j = b->at[column];
    b->front[i >= j ? (int64_t)j * stride + i : (int64_t)i * stride + j] += (float)value;
}

/* Adds the entries of the matrix: each pair once, at the end that is eliminated first. */
static void add_matrix(const entries *e, const workspace *w, const weft_supernode *s) {
    const weft_cholesky *c = e->c;
    int32_t b = c->block, stride = height(s);
    for (int32_t p = s->first / b; p < (s->first + s->width) / b; p++) {
        int32_t v = c->vertex[p];
        for (int32_t i = 0; i < b; i++)
            for (int32_t j = 0; j <= i; j++)
                add_entry(w, stride, p * b + i, p * b + j, e->diagonal[((int64_t)v * b + i) * b + j]);
        for (int32_t k = e->start[v]; k < e->start[v + 1]; k++) {
            int32_t q = c->place[e->column[k]];
            if (q < p)
                continue;
            for (int32_t i = 0; i < b; i++)
                for (int32_t j = 0; j < b; j++)
                    add_entry(w, stride, p * b + i, q * b + j, e->value[((int64_t)k * b + i) * b + j]);
        }
    }
}

static void add_child(const entries *e, const workspace *b, const weft_front *front, int32_t node) {
    const weft_supernode *child = &e->c->node[node];
    const int32_t *row = e->c->row + child->row;
    for (int32_t i = child->rows - 1; i >= 0; i--) {
        b->place[i] = b->at[row[i]];
        b->run_end[i] = i + 1 < child->rows && b->place[i + 1] == b->place[i] + 1 ? b->run_end[i + 1] : i + 1;
    }
    const weft_front_update update = {e->c->fronts->update[node], child->rows, child->stride, b->place, b->run_end};
    weft_front_add(front, &update);
}

static void assemble(const entries *e, const workspace *b, const weft_front *front, int32_t node) {
    const weft_cholesky *c = e->c;
    const weft_supernode *s = &c->node[node];
    weft_front_clear(front);
    for (int32_t i = 0; i < s->width; i++)
        b->at[s->first + i] = i;
    for (int32_t i = s->width; i < s->pivot_stride; i++)
        b->front[(int64_t)i * front->stride + i] = 1;
    for (int32_t i = 0; i < s->rows; i++)
        b->at[c->row[s->row + i]] = s->pivot_stride + i;
    add_matrix(e, b, s);
    for (int32_t child = c->fronts->child[node]; child >= 0; child = c->fronts->before[child])
        add_child(e, b, front, child);
}

/* Writes the values of the node to where its offsets say. Returns 0 if a pivot is not positive. */
static int factor_node(const entries *e, workspace *b, const weft_work *work, int32_t node) {
    const weft_supernode *s = &e->c->node[node];
    const weft_front front = {e->dense, work, b->front, s->pivot_stride, height(s), b->inverse};
    assemble(e, b, &front, node);
    if (!weft_front_eliminate(&front)) {
        b->failed = node;
        return 0;
    }
    if (s->rows > 0)
        weft_front_take_update(&front, s->rows, e->c->fronts->update[node]);
    weft_front_take_factor(&front, s->width, e->c->value + s->pivot, e->c->value + s->below);
    return 1;
}

static void set_offsets(weft_supernode *s, int64_t pivot) {
    s->pivot = pivot;
    s->below = pivot + (int64_t)s->width * s->pivot_stride;
    s->shares = 0;
}

static weft_result refuse(const weft_cholesky *c, int32_t node) {
    return weft_fail(WEFT_BAD_INPUT, "the matrix is not positive definite near vertex %d",
                     c->vertex[c->node[node].first / c->block]);
}

/* ---- equal supernodes ---- */

/* Supernodes with values of their own, by the hash of these. */
typedef struct sharing {
    int32_t *known; /* -1: empty (mask + 1) */
    uint64_t mask;
} sharing;

static uint64_t hash(const float *value, int64_t count) {
    uint64_t sum = (uint64_t)count;
    for (int64_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, value + i, sizeof bits);
        sum = (sum ^ bits) * UINT64_C(0x9e3779b97f4a7c15);
        sum ^= sum >> 32;
    }
    return sum;
}

static int same_values(const float *value, const weft_supernode *a, const weft_supernode *b) {
    return a->width == b->width && a->stride == b->stride &&
           memcmp(value + a->pivot, value + b->pivot, (size_t)weft_supernode_size(a) * sizeof *value) == 0;
}

/* Replaces the values of the node, which are the last ones, by those of a node with equal values, if there is one. */
static void share(const sharing *known, weft_cholesky *c, int32_t node) {
    weft_supernode *s = &c->node[node];
    uint64_t at = hash(c->value + s->pivot, weft_supernode_size(s)) & known->mask;
    while (known->known[at] >= 0 && !same_values(c->value, &c->node[known->known[at]], s))
        at = (at + 1) & known->mask;
    s->shares = known->known[at] >= 0;
    if (s->shares) {
        s->pivot = c->node[known->known[at]].pivot;
        s->below = c->node[known->known[at]].below;
    } else {
        known->known[at] = node;
        c->stored_count += weft_supernode_size(s);
    }
}

/* ---- memory ---- */

static void free_fronts(weft_fronts *f) {
    if (!f)
        return;
    free(f->numbers);
    free(f->floats);
    free(f->update);
    free(f->workspace);
    free(f);
}

void weft_cholesky_free_fronts(weft_cholesky *c) {
    free_fronts(c->fronts);
    c->fronts = NULL;
}

static void link_children(const weft_cholesky *c, weft_fronts *f) {
    memset(f->child, 0xff, (size_t)c->node_count * sizeof *f->child);
    memset(f->before, 0xff, (size_t)c->node_count * sizeof *f->before);
    for (int32_t i = 0; i < c->node_count; i++) {
        int32_t parent = c->node[i].parent;
        if (parent >= 0) {
            f->before[i] = f->child[parent];
            f->child[parent] = i;
        }
    }
}

/* Places for the updates of the nodes [from, to), as offsets from `floats`. An update takes the place of those of the
 * node's children, which are the last ones: the nodes are in postorder. Returns the end. With `stays` every node has
 * a place of its own. */
static int64_t place_updates(const weft_cholesky *c, const weft_fronts *f, int32_t from, int32_t to, int stays,
                             int64_t floats, int64_t *offset) {
    int64_t end = floats, most = floats;
    for (int32_t i = from; i < to; i++) {
        for (int32_t child = f->child[i]; child >= 0 && !stays; child = f->before[child])
            end = offset[child] < end ? offset[child] : end;
        offset[i] = end;
        end += (int64_t)c->node[i].stride * c->node[i].rows;
        most = end > most ? end : most;
    }
    return most;
}

/* Enlarges the size of a front and of an inverse to those of the nodes [from, to). */
static void enlarge(const weft_cholesky *c, int32_t from, int32_t to, int64_t size[2]) {
    for (int32_t i = from; i < to; i++) {
        int64_t h = height(&c->node[i]), w = c->node[i].pivot_stride;
        size[0] = h * h > size[0] ? h * h : size[0];
        size[1] = w * w > size[1] ? w * w : size[1];
    }
}

/* Offsets of all floats; `front` has two per workspace. Returns their number. */
static int64_t lay_out(const weft_cholesky *c, const weft_fronts *f, int64_t (*front)[2], int64_t *update) {
    int64_t floats = 0;
    for (int32_t b = 0; b < f->workspaces; b++) {
        int64_t size[2] = {0, 0};
        if (f->workspaces == 1) {
            enlarge(c, 0, c->node_count, size);
            floats = place_updates(c, f, 0, c->node_count, 0, floats, update);
        } else if (b < c->task_count) {
            enlarge(c, c->task_start[2 * b], c->task_start[2 * b + 1], size);
            floats = place_updates(c, f, c->task_start[2 * b], c->task_start[2 * b + 1], 0, floats, update);
        } else {
            for (int32_t t = 0; t < c->task_count; t++) {
                enlarge(c, weft_cholesky_top_from(c, t), weft_cholesky_top_to(c, t), size);
                floats =
                    place_updates(c, f, weft_cholesky_top_from(c, t), weft_cholesky_top_to(c, t), 1, floats, update);
            }
        }
        for (int k = 0; k < 2; k++) {
            front[b][k] = floats;
            floats += size[k] + 16; /* a line apart */
        }
    }
    return floats;
}

static int fill_fronts(const weft_cholesky *c, weft_fronts *f) {
    size_t nodes = (size_t)c->node_count, workspaces = (size_t)f->workspaces;
    size_t each = (size_t)c->count + 2 * (size_t)c->tallest;
    int64_t(*front)[2] = weft_allocate(workspaces, sizeof *front), *update = weft_allocate(nodes, sizeof *update);
    f->numbers = weft_allocate(2 * nodes + workspaces * each, sizeof(int32_t));
    f->workspace = weft_allocate(workspaces, sizeof *f->workspace);
    f->update = weft_allocate(nodes, sizeof *f->update);
    int done = front && update && f->numbers && f->workspace && f->update;
    if (done) {
        f->child = f->numbers;
        f->before = f->child + nodes;
        link_children(c, f);
        f->floats = weft_allocate_large((size_t)lay_out(c, f, front, update), sizeof(float));
        done = f->floats != NULL;
    }
    for (size_t i = 0; done && i < nodes; i++)
        f->update[i] = (float *)f->floats + update[i];
    for (size_t b = 0; done && b < workspaces; b++) {
        int32_t *at = f->before + nodes + b * each;
        f->workspace[b] = (workspace){.front = (float *)f->floats + front[b][0],
                                      .inverse = (float *)f->floats + front[b][1],
                                      .at = at,
                                      .place = at + c->count,
                                      .run_end = at + c->count + c->tallest};
    }
    free(update);
    free(front);
    return done;
}

/* Memory for a factorisation, with a workspace per task or one for all; null without memory. */
static weft_fronts *fronts_for(weft_cholesky *c, int32_t workspaces) {
    if (c->fronts && c->fronts->workspaces == workspaces)
        return c->fronts;
    weft_cholesky_free_fronts(c);
    weft_fronts *made = weft_allocate(1, sizeof *made);
    if (!made)
        return NULL;
    made->workspaces = workspaces;
    if (!fill_fronts(c, made)) {
        free_fronts(made);
        return NULL;
    }
    c->fronts = made;
    return made;
}

static weft_result no_memory(const weft_cholesky *c) {
    return weft_fail_memory("fronts of a factor", (size_t)c->count * sizeof(int32_t));
}

/* ---- the whole ---- */

static weft_result factor_and_share(const entries *e, weft_fronts *fronts, const sharing *known) {
    weft_cholesky *c = e->c;
    const weft_work serial = {1, NULL};
    c->stored_count = 0;
    for (int32_t i = 0; i < c->node_count; i++) {
        set_offsets(&c->node[i], c->stored_count);
        if (!factor_node(e, fronts->workspace, &serial, i))
            return refuse(c, i);
        share(known, c, i);
    }
    return weft_ok();
}

weft_result weft_cholesky_factor(weft_cholesky *c, const int32_t *start, const int32_t *column, const double *diagonal,
                                 const double *value) {
    entries e = {c, weft_dense_choose(c->isa), start, column, diagonal, value};
    sharing known = {.mask = 1};
    while (known.mask < 2 * (uint64_t)c->node_count)
        known.mask *= 2;
    weft_fronts *fronts = fronts_for(c, 1);
    if (!fronts)
        return no_memory(c);
    known.known = weft_allocate(known.mask, sizeof *known.known);
    weft_result result = weft_fail_memory("a factor", (size_t)known.mask * sizeof *known.known);
    if (known.known) {
        memset(known.known, 0xff, known.mask-- * sizeof *known.known);
        result = factor_and_share(&e, fronts, &known);
    }
    free(known.known);
    weft_cholesky_free_fronts(c); /* they would be needed rarely */
    return result;
}

static void factor_tasks(void *context, int64_t begin, int64_t end) {
    const entries *e = context;
    const weft_cholesky *c = e->c;
    const weft_work serial = {1, NULL};
    for (int64_t t = begin; t < end; t++)
        for (int32_t i = c->task_start[2 * t]; i < c->task_start[2 * t + 1]; i++)
            if (!factor_node(e, &c->fronts->workspace[t], &serial, i))
                break;
}

static weft_result factor_top(const entries *e, const weft_work *work) {
    weft_cholesky *c = e->c;
    for (int32_t t = 0; t < c->task_count; t++)
        for (int32_t i = weft_cholesky_top_from(c, t); i < weft_cholesky_top_to(c, t); i++)
            if (!factor_node(e, &c->fronts->workspace[c->task_count], work, i))
                return refuse(c, i);
    return weft_ok();
}

weft_result weft_cholesky_refactor(weft_cholesky *c, const weft_work *work, const int32_t *start, const int32_t *column,
                                   const double *diagonal, const double *value) {
    enum { TASK_NS = 1000000 };
    entries e = {c, weft_dense_choose(c->isa), start, column, diagonal, value};
    const weft_fronts *fronts = fronts_for(c, c->task_count + 1);
    if (!fronts)
        return no_memory(c);
    c->stored_count = 0;
    for (int32_t i = 0; i < c->node_count; i++) {
        set_offsets(&c->node[i], c->stored_count);
        c->stored_count += weft_supernode_size(&c->node[i]);
    }
    for (int32_t t = 0; t < c->task_count; t++)
        fronts->workspace[t].failed = -1;
    weft_parallel_heavy(work, c->task_count, 1, TASK_NS, factor_tasks, &e);
    for (int32_t t = 0; t < c->task_count; t++)
        if (fronts->workspace[t].failed >= 0)
            return refuse(c, fronts->workspace[t].failed);
    return factor_top(&e, work);
}
