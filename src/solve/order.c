/* Automatic nested dissection: A. George, J. Liu, An automatic nested dissection algorithm for irregular finite element
 * problems, SIAM J. Numer. Anal. 15, 1978. A region is cut at one level of a breadth-first search from a peripheral
 * vertex: the narrowest level near the middle. The two sides come first in the order, the separator last. Each side is
 * cut recursively. */
#include "solve/order.h"

#include <stdlib.h>

#include "core/memory.h"

enum { DISSECTION_LEAF = 24 };

typedef struct region {
    int32_t begin, end; /* range of `node` */
} region;

typedef struct dissection {
    const int32_t *start, *column;
    int32_t *node;  /* the order under construction */
    int32_t *owner; /* region of a vertex, named by its begin; -1 once it is ordered */
    int32_t *level; /* of the last breadth-first search */
    int32_t *queue;
    int32_t *spare; /* scratch for rearranging a region */
    region *stack;
    int32_t depth;
    int32_t leaf; /* regions up to this size are not split */
} dissection;

/* Breadth-first search from `root` within its region. `queue` then holds the vertices by level. Returns how many were
 * reached. */
static int32_t search(dissection *d, region p, int32_t root, int32_t *levels) {
    for (int32_t k = p.begin; k < p.end; k++)
        d->level[d->node[k]] = -1;
    int32_t head = 0, tail = 0;
    d->queue[tail++] = root;
    d->level[root] = 0;
    while (head < tail) {
        int32_t i = d->queue[head++];
        for (int32_t k = d->start[i]; k < d->start[i + 1]; k++) {
            int32_t j = d->column[k];
            if (d->owner[j] == p.begin && d->level[j] < 0) {
                d->level[j] = d->level[i] + 1;
                d->queue[tail++] = j;
            }
        }
    }
    *levels = d->level[d->queue[tail - 1]] + 1;
    return tail;
}

/* Repeats the search from the last vertex reached, up to four times, while the number of levels grows. */
static int32_t search_from_afar(dissection *d, region p, int32_t *levels) {
    int32_t reached = search(d, p, d->node[p.begin], levels), before = 0;
    for (int k = 0; k < 4 && *levels > before; k++) {
        before = *levels;
        reached = search(d, p, d->queue[reached - 1], levels);
    }
    return reached;
}

/* The narrowest level that leaves at least a third on each side, otherwise the middle level. */
static int32_t narrowest_level(const dissection *d, int32_t reached) {
    int32_t best = d->level[d->queue[reached / 2]], width = reached + 1;
    for (int32_t k = 0; k < reached;) {
        int32_t first = k, level = d->level[d->queue[k]];
        while (k < reached && d->level[d->queue[k]] == level)
            k++;
        if (first >= reached / 3 && reached - k >= reached / 3 && k - first < width) {
            width = k - first;
            best = level;
        }
    }
    return best;
}

/* A vertex of the separating level without neighbours beyond it can stay on the near side. */
static int is_cut(const dissection *d, int32_t i, int32_t cut) {
    if (d->level[i] != cut)
        return 0;
    for (int32_t k = d->start[i]; k < d->start[i + 1]; k++)
        if (d->level[d->column[k]] == cut + 1 && d->owner[d->column[k]] == d->owner[i])
            return 1;
    return 0;
}

static void push(dissection *d, int32_t begin, int32_t end) {
    for (int32_t k = begin; k < end; k++)
        d->owner[d->node[k]] = end - begin > d->leaf ? begin : -1;
    if (end - begin > d->leaf)
        d->stack[d->depth++] = (region){begin, end};
}

/* Rearranges the region as near side, far side, separator. A disconnected region is split into reached and other
 * vertices. */
static void split(dissection *d, region p) {
    int32_t levels = 0, size = p.end - p.begin;
    int32_t reached = search_from_afar(d, p, &levels);
    int32_t cut = reached < size ? -1 : narrowest_level(d, reached);
    int32_t count[3] = {0, 0, 0};
    for (int pass = 0; pass < 2; pass++) {
        int32_t at[3] = {0, count[0], count[0] + count[1]};
        for (int32_t k = p.begin; k < p.end; k++) {
            int32_t i = d->node[k];
            int side = cut < 0 ? d->level[i] < 0 : is_cut(d, i, cut) ? 2 : d->level[i] > cut;
            if (pass == 0)
                count[side]++;
            else
                d->spare[at[side]++] = i;
        }
    }
    memcpy(d->node + p.begin, d->spare, (size_t)size * sizeof *d->node);
    for (int32_t k = p.end - count[2]; k < p.end; k++)
        d->owner[d->node[k]] = -1;
    if (count[0] == size || count[1] == size) { /* no separator: all vertices are connected to each other */
        for (int32_t k = p.begin; k < p.end; k++)
            d->owner[d->node[k]] = -1;
        return;
    }
    push(d, p.begin, p.begin + count[0]);
    push(d, p.begin + count[0], p.begin + count[0] + count[1]);
}

static void dissection_destroy(dissection *d) {
    free(d->stack);
    free(d->spare);
    free(d->queue);
    free(d->level);
    free(d->owner);
}

/* Returns 0 if memory is exhausted. */
static int dissection_create(dissection *d, int32_t rows) {
    size_t n = (size_t)rows;
    d->owner = weft_allocate(n, sizeof *d->owner);
    d->level = weft_allocate(n, sizeof *d->level);
    d->queue = weft_allocate(n, sizeof *d->queue);
    d->spare = weft_allocate(n, sizeof *d->spare);
    d->stack = weft_allocate(n / (size_t)d->leaf + 2, sizeof *d->stack);
    if (!d->owner || !d->level || !d->queue || !d->spare || !d->stack) {
        dissection_destroy(d);
        return 0;
    }
    for (int32_t i = 0; i < rows; i++)
        d->node[i] = i;
    return 1;
}

weft_result weft_order_dissect(int32_t rows, const int32_t *start, const int32_t *column, int32_t *order) {
    dissection d = {.start = start, .column = column, .leaf = DISSECTION_LEAF};
    d.node = order;
    if (!dissection_create(&d, rows))
        return weft_fail_memory("order of the unknowns", (size_t)rows * 20);
    push(&d, 0, rows);
    while (d.depth > 0)
        split(&d, d.stack[--d.depth]);
    dissection_destroy(&d);
    return weft_ok();
}

/* Splits a region in two in breadth-first order, so that both halves yield aggregates of nearly full size. A
 * disconnected region is split between its components unless that is too uneven. Returns the begin of the second half.
 */
static int32_t halve(dissection *d, region p) {
    int32_t levels = 0, size = p.end - p.begin;
    int32_t reached = search_from_afar(d, p, &levels), tail = reached;
    for (int32_t k = p.begin; k < p.end; k++)
        if (d->level[d->node[k]] < 0)
            d->queue[tail++] = d->node[k];
    memcpy(d->node + p.begin, d->queue, (size_t)size * sizeof *d->node);
    int between_pieces = reached < size && reached >= size / 4 && size - reached >= size / 4;
    int32_t clusters = (size + d->leaf - 1) / d->leaf;
    return p.begin + (between_pieces ? reached : (int32_t)((int64_t)size * (clusters / 2) / clusters));
}

weft_result weft_order_cluster(int32_t rows, const int32_t *start, const int32_t *column, int32_t largest,
                               int32_t *group, int32_t *groups) {
    dissection d = {.start = start, .column = column, .leaf = largest > 1 ? largest : 1};
    d.node = weft_allocate((size_t)rows, sizeof *d.node);
    if (!d.node)
        return weft_fail_memory("clusters", (size_t)rows * sizeof *d.node);
    if (!dissection_create(&d, rows)) {
        free(d.node);
        return weft_fail_memory("clusters", (size_t)rows * 20);
    }
    *groups = 0;
    d.stack[d.depth++] = (region){0, rows};
    while (d.depth > 0) {
        region p = d.stack[--d.depth];
        if (p.end - p.begin > d.leaf) {
            int32_t middle = halve(&d, p);
            for (int32_t k = middle; k < p.end; k++)
                d.owner[d.node[k]] = middle;
            d.stack[d.depth++] = (region){middle, p.end};
            d.stack[d.depth++] = (region){p.begin, middle};
            continue;
        }
        for (int32_t k = p.begin; k < p.end; k++) {
            group[d.node[k]] = *groups;
            d.owner[d.node[k]] = -1;
        }
        (*groups)++;
    }
    dissection_destroy(&d);
    free(d.node);
    return weft_ok();
}
