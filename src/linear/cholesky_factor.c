/* The multifrontal method: I. Duff, J. Reid, The multifrontal solution of indefinite sparse symmetric linear equations,
 * ACM TOMS 9, 1983. A front holds the columns of a supernode, and the contributions of its subtree to rows further up.
 * Eliminating the columns leaves an update, which is added to the parent's front. The factor stores the inverse of the
 * pivot block and the block below times that inverse, so that a solve has no recurrences. */
#include <string.h>

#include "core/memory.h"
#include "linear/cholesky.h"
#include "linear/cholesky_dense.h"

typedef struct fronts {
    const weft_cholesky *c;
    const weft_dense *dense;
    const int32_t *start, *column;
    const double *diagonal, *value;
    float *front, *inverse, *unit; /* of the largest supernode */
    float **update;                /* per node, until its parent has added it: lower triangle (stride x stride) */
    int32_t *at;                   /* row of each unknown in the current front (count) */
    int32_t *child, *sibling;
    int32_t *known; /* hash table of nodes with their own values; -1: empty (known_mask + 1) */
    uint64_t known_mask;
} fronts;

/* Rows of the front: the node's own columns, padded, then the rows below, padded. */
static int32_t height(const weft_supernode *s) { return s->pivot_stride + s->stride; }

static void add_entry(const fronts *f, int32_t stride, int32_t row, int32_t column, double value) {
    int32_t i = f->at[row], j = f->at[column];
    f->front[i >= j ? (int64_t)j * stride + i : (int64_t)i * stride + j] += (float)value;
}

/* Adds the entries of the matrix: each pair once, at the end that is eliminated first. */
static void add_matrix(const fronts *f, const weft_supernode *s) {
    const weft_cholesky *c = f->c;
    int32_t b = c->block, stride = height(s);
    for (int32_t p = s->first / b; p < (s->first + s->width) / b; p++) {
        int32_t v = c->vertex[p];
        for (int32_t i = 0; i < b; i++)
            for (int32_t j = 0; j <= i; j++)
                add_entry(f, stride, p * b + i, p * b + j, f->diagonal[((int64_t)v * b + i) * b + j]);
        for (int32_t e = f->start[v]; e < f->start[v + 1]; e++) {
            int32_t q = c->place[f->column[e]];
            if (q < p)
                continue;
            for (int32_t i = 0; i < b; i++)
                for (int32_t j = 0; j < b; j++)
                    add_entry(f, stride, p * b + i, q * b + j, f->value[((int64_t)e * b + i) * b + j]);
        }
    }
}

static void add_child(const fronts *f, const weft_supernode *s, int32_t node) {
    const weft_supernode *child = &f->c->node[node];
    const int32_t *row = f->c->row + child->row;
    int32_t stride = height(s);
    for (int32_t j = 0; j < child->rows; j++) {
        const float *from = f->update[node] + (int64_t)j * child->stride;
        float *to = f->front + (int64_t)f->at[row[j]] * stride;
        for (int32_t i = j; i < child->rows; i++)
            to[f->at[row[i]]] += from[i];
    }
}

static void assemble(fronts *f, int32_t node) {
    const weft_supernode *s = &f->c->node[node];
    int32_t stride = height(s);
    memset(f->front, 0, (size_t)stride * (size_t)stride * sizeof *f->front);
    for (int32_t i = 0; i < s->width; i++)
        f->at[s->first + i] = i;
    for (int32_t i = s->width; i < s->pivot_stride; i++)
        f->front[(int64_t)i * stride + i] = 1;
    for (int32_t i = 0; i < s->rows; i++)
        f->at[f->c->row[s->row + i]] = s->pivot_stride + i;
    add_matrix(f, s);
    for (int32_t child = f->child[node]; child >= 0; child = f->sibling[child]) {
        add_child(f, s, child);
        free(f->update[child]);
        f->update[child] = NULL;
    }
}

static int keep_update(fronts *f, int32_t node) {
    const weft_supernode *s = &f->c->node[node];
    if (s->rows == 0)
        return 1;
    f->update[node] = weft_allocate((size_t)s->stride * (size_t)s->rows, sizeof(float));
    if (!f->update[node])
        return 0;
    for (int32_t j = 0; j < s->rows; j++)
        memcpy(f->update[node] + (int64_t)j * s->stride,
               f->front + (int64_t)(s->pivot_stride + j) * height(s) + s->pivot_stride,
               (size_t)s->stride * sizeof(float));
    return 1;
}

/* Stores L^-T L^-1, with L the factor of the pivot block, and the block below. The front holds that block times L^-T;
 * here it is multiplied by L^-1. */
static void keep_inverse(fronts *f, const weft_supernode *s, float *value) {
    int32_t stride = height(s), width = s->pivot_stride;
    for (int32_t k = 1; k < width; k++)
        memset(f->front + (int64_t)k * stride, 0, (size_t)k * sizeof(float));
    f->dense->invert(f->front, stride, width, f->inverse);
    float *pivot = value + s->pivot;
    memset(pivot, 0, (size_t)width * (size_t)s->width * sizeof *pivot);
    for (int32_t j = 0; j < s->width; j++) {
        float *column = pivot + (int64_t)j * width;
        f->dense->subtract_transposed(f->inverse, width, s->width, f->inverse + (int64_t)j * width, column);
        for (int32_t i = 0; i < s->width; i++)
            column[i] = -column[i];
    }
    if (s->rows == 0)
        return;
    for (int32_t k = 0; k < width; k++)
        memcpy(f->unit + (int64_t)k * s->stride, f->front + (int64_t)k * stride + width,
               (size_t)s->stride * sizeof(float));
    for (int32_t j = 0; j < s->width; j++) /* L^-1 is 0 above j */
        f->dense->product(f->unit + (int64_t)j * s->stride, s->stride, width - j, f->inverse + (int64_t)j * width + j,
                          value + s->below + (int64_t)j * s->stride);
}

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
static void share(fronts *f, weft_cholesky *c, int32_t node) {
    weft_supernode *s = &c->node[node];
    uint64_t at = hash(c->value + s->pivot, weft_supernode_size(s)) & f->known_mask;
    while (f->known[at] >= 0 && !same_values(c->value, &c->node[f->known[at]], s))
        at = (at + 1) & f->known_mask;
    s->shares = f->known[at] >= 0;
    if (s->shares) {
        s->pivot = c->node[f->known[at]].pivot;
        s->below = c->node[f->known[at]].below;
    } else {
        f->known[at] = node;
        c->stored_count += weft_supernode_size(s);
    }
}

static weft_result factor_node(fronts *f, weft_cholesky *c, int32_t node) {
    weft_supernode *s = &c->node[node];
    assemble(f, node);
    if (!f->dense->eliminate(f->front, s->pivot_stride, height(s)))
        return weft_fail(WEFT_BAD_INPUT, "the matrix is not positive definite near vertex %d",
                         f->c->vertex[s->first / f->c->block]);
    if (!keep_update(f, node))
        return weft_fail_memory("a front", (size_t)s->stride * (size_t)s->rows * sizeof(float));
    s->pivot = c->stored_count;
    s->below = s->pivot + (int64_t)s->width * s->pivot_stride;
    keep_inverse(f, s, c->value);
    share(f, c, node);
    return weft_ok();
}

static int allocate(fronts *f) {
    const weft_cholesky *c = f->c;
    size_t front = 0, inverse = 0, unit = 0, nodes = (size_t)c->node_count;
    for (int32_t i = 0; i < c->node_count; i++) {
        const weft_supernode *s = &c->node[i];
        size_t h = (size_t)height(s), w = (size_t)s->pivot_stride;
        front = h * h > front ? h * h : front;
        inverse = w * w > inverse ? w * w : inverse;
        unit = w * (size_t)s->stride > unit ? w * (size_t)s->stride : unit;
    }
    for (f->known_mask = 1; f->known_mask < 2 * nodes; f->known_mask *= 2)
        continue;
    f->known = weft_allocate(f->known_mask--, sizeof *f->known);
    return f->known && (f->front = weft_allocate(front, sizeof(float))) &&
           (f->inverse = weft_allocate(inverse, sizeof(float))) && (f->unit = weft_allocate(unit, sizeof(float))) &&
           (f->update = weft_allocate(nodes, sizeof(float *))) &&
           (f->at = weft_allocate((size_t)c->count, sizeof *f->at)) &&
           (f->child = weft_allocate(nodes, sizeof *f->child)) &&
           (f->sibling = weft_allocate(nodes, sizeof *f->sibling));
}

static void release(fronts *f) {
    for (int32_t i = 0; f->update && i < f->c->node_count; i++)
        free(f->update[i]);
    free(f->known);
    free(f->sibling);
    free(f->child);
    free(f->at);
    free(f->update);
    free(f->unit);
    free(f->inverse);
    free(f->front);
}

static weft_result factor_nodes(fronts *f, weft_cholesky *c) {
    memset(f->child, 0xff, (size_t)c->node_count * sizeof *f->child);
    memset(f->known, 0xff, (f->known_mask + 1) * sizeof *f->known);
    c->stored_count = 0;
    for (int32_t i = 0; i < c->node_count; i++) {
        int32_t parent = c->node[i].parent;
        WEFT_TRY(factor_node(f, c, i));
        if (parent >= 0) {
            f->sibling[i] = f->child[parent];
            f->child[parent] = i;
        }
    }
    return weft_ok();
}

weft_result weft_cholesky_factor(weft_cholesky *cholesky, const int32_t *start, const int32_t *column,
                                 const double *diagonal, const double *value) {
    fronts f = {.c = cholesky,
                .dense = weft_dense_choose(cholesky->isa),
                .start = start,
                .column = column,
                .diagonal = diagonal,
                .value = value};
    weft_result result = weft_fail_memory("fronts of a factor", (size_t)cholesky->count * sizeof(int32_t));
    if (allocate(&f))
        result = factor_nodes(&f, cholesky);
    release(&f);
    return result;
}
