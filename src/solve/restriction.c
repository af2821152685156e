#include "solve/restriction.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

enum { WIDTH = WEFT_COARSE_WIDTH, MOST_SUMS = WIDTH * WEFT_BLOCK };

_Static_assert(WEFT_BLOCK <= 256, "rows of a block are counted in bytes");

#define WEFT_KERNEL "solve/restriction.inc"
#define WEFT_KERNEL_NO_AVX512
#include "core/simd_kernels.inc"

static int64_t block_count(const weft_coarse_space *space) { return (space->rows + WEFT_BLOCK - 1) / WEFT_BLOCK; }

/* The entries of the interpolation in a block of vertices. */
typedef struct entry_range {
    int64_t begin, end;
} entry_range;

static entry_range entries_of(const weft_coarse_space *space, int64_t block) {
    int64_t begin = block * WEFT_BLOCK, end = begin + WEFT_BLOCK;
    return (entry_range){WIDTH * begin, WIDTH * (end < space->rows ? end : space->rows)};
}

/* Numbers the nodes of a block in the order of their first entry. `at` (nodes) becomes their number, `node` their list,
 * `entries` how many entries each has. `at` must be -1 everywhere, as it is left by `forget`. Returns their count. */
static int32_t number_nodes(const weft_coarse_space *space, int64_t block, int32_t *at, int32_t *node,
                            int32_t *entries) {
    entry_range range = entries_of(space, block);
    int32_t count = 0;
    for (int64_t k = range.begin; k < range.end; k++) {
        if (space->weight[k] == 0)
            continue;
        int32_t *place = &at[space->node[k]];
        if (*place < 0) {
            *place = count;
            node[count] = space->node[k];
            entries[count++] = 0;
        }
        entries[*place]++;
    }
    return count;
}

static void forget(const int32_t *node, int32_t count, int32_t *at) {
    for (int32_t k = 0; k < count; k++)
        at[node[k]] = -1;
}

/* Counts sums and entries. */
static weft_result allocate_entries(const weft_coarse_space *space, int32_t *at, weft_restriction *t) {
    int32_t node[MOST_SUMS], entries[MOST_SUMS];
    int64_t blocks = block_count(space), total = 0;
    t->first = weft_allocate((size_t)blocks + 1, sizeof *t->first);
    if (!t->first)
        return weft_fail_memory("coarse level", (size_t)blocks * 4);
    for (int64_t b = 0; b < blocks; b++) {
        int32_t count = number_nodes(space, b, at, node, entries);
        t->first[b + 1] = t->first[b] + count;
        for (int32_t k = 0; k < count; k++)
            total += entries[k];
        forget(node, count, at);
    }
    size_t sums = (size_t)t->first[blocks];
    t->entry_start = weft_allocate(sums + 1, sizeof *t->entry_start);
    t->row = weft_allocate((size_t)total, sizeof *t->row);
    t->weight = weft_allocate((size_t)total, sizeof *t->weight);
    t->touch_start = weft_allocate((size_t)space->nodes + 2, sizeof *t->touch_start);
    t->touch = weft_allocate(sums, sizeof *t->touch);
    t->sum = weft_allocate_large(4 * sums, sizeof *t->sum);
    return t->entry_start && t->row && t->weight && t->touch_start && t->touch && t->sum
               ? weft_ok()
               : weft_fail_memory("coarse level", sums * 40 + (size_t)total * 5);
}

static void fill_block(const weft_coarse_space *space, int64_t block, int32_t *at, int32_t *node_of_sum,
                       weft_restriction *t) {
    int32_t entries[MOST_SUMS], next[MOST_SUMS], first = t->first[block];
    int32_t *node = node_of_sum + first, count = number_nodes(space, block, at, node, entries);
    entry_range range = entries_of(space, block);
    for (int32_t k = 0; k < count; k++) {
        next[k] = t->entry_start[first + k];
        t->entry_start[first + k + 1] = next[k] + entries[k];
    }
    for (int64_t k = range.begin; k < range.end; k++) {
        if (space->weight[k] == 0)
            continue;
        int32_t e = next[at[space->node[k]]]++;
        t->row[e] = (uint8_t)((k - range.begin) / WIDTH);
        t->weight[e] = space->weight[k];
    }
    forget(node, count, at);
}

static void list_touches(const int32_t *node_of_sum, int32_t sums, weft_restriction *t) {
    int32_t *next = t->touch_start + 1; /* start of each node, which advances to its end */
    for (int32_t s = 0; s < sums; s++)
        next[node_of_sum[s] + 1]++;
    for (int32_t k = 0; k < t->nodes; k++)
        next[k + 1] += next[k];
    for (int32_t s = 0; s < sums; s++)
        t->touch[next[node_of_sum[s]]++] = s;
}

weft_result weft_restriction_create(const weft_coarse_space *space, weft_restriction *made) {
    *made = (weft_restriction){.rows = space->rows, .nodes = space->nodes};
    int64_t blocks = block_count(space);
    int32_t *node_of_sum = NULL, *at = weft_allocate((size_t)space->nodes, sizeof *at);
    if (!at)
        return weft_fail_memory("coarse level", (size_t)space->nodes * 4);
    memset(at, 0xff, (size_t)space->nodes * sizeof *at);
    weft_result result = allocate_entries(space, at, made);
    if (result.code == WEFT_OK) {
        node_of_sum = weft_allocate((size_t)made->first[blocks], sizeof *node_of_sum);
        if (!node_of_sum)
            result = weft_fail_memory("coarse level", (size_t)made->first[blocks] * 4);
    }
    for (int64_t b = 0; result.code == WEFT_OK && b < blocks; b++)
        fill_block(space, b, at, node_of_sum, made);
    if (result.code == WEFT_OK)
        list_touches(node_of_sum, made->first[blocks], made);
    free(node_of_sum);
    free(at);
    return result;
}

void weft_restriction_free(weft_restriction *t) {
    void *arrays[] = {t->first, t->entry_start, t->row, t->weight, t->touch_start, t->touch, t->sum};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++)
        free(arrays[k]);
    *t = (weft_restriction){0};
}

void weft_restriction_sum(const weft_restriction *t, weft_isa isa, const weft_vec3 *v, int64_t begin, int64_t end) {
    const int32_t from = t->first[begin / WEFT_BLOCK], to = t->first[begin / WEFT_BLOCK + 1];
    weft_vec3 last[WEFT_BLOCK + 1];
    const weft_vec3 *block = v + begin;
    if (end == t->rows) { /* nothing may be read behind the last vertex */
        memcpy(last, block, (size_t)(end - begin) * sizeof *last);
        last[end - begin] = weft_vec3_make(0, 0, 0);
        block = last;
    }
    WEFT_SIMD_RUN_AVX2(isa, sum_block, t, block, from, to);
}
