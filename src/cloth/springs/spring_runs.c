/* The order of springs inside a block of a grid or of a grid-like mesh. A run joins consecutive vertices to consecutive
 * vertices. Four springs of a run load their ends and add their forces as whole vectors. The vertices of the block,
 * including its halo, are ranked by their order in memory, which on a grid is row by row. */
#include <string.h>

#include "cloth/springs/springs.h"
#include "core/memory.h"
#include "weft/sort.h"

typedef struct ranked_vertex {
    int32_t vertex;
    uint16_t index; /* index among the block's vertices */
} ranked_vertex;

static int compare_vertices(const void *a, const void *b) {
    const ranked_vertex *p = a, *q = b;
    return (p->vertex > q->vertex) - (p->vertex < q->vertex);
}

/* Fills the block's rows, and the rank[i] in them of each vertex i of the block. */
static void fill_rows(weft_spring_block *block, weft_spring_layout *layout, uint16_t *rank) {
    ranked_vertex ranked[WEFT_SPRINGS_LOCAL];
    const int32_t *vertex = layout->vertex + block->vertex;
    int32_t count = block->owned + block->halo;
    for (int32_t i = 0; i < count; i++)
        ranked[i] = (ranked_vertex){vertex[i], (uint16_t)i};
    weft_sort(ranked, (size_t)count, sizeof *ranked, compare_vertices);
    weft_spring_row *row = layout->row + block->row - 1;
    for (int32_t i = 0; i < count; i++) {
        int own = ranked[i].index < block->owned;
        rank[ranked[i].index] = (uint16_t)i;
        if (i == 0 || ranked[i].vertex != row->vertex + row->count ||
            (own && row->owned > 0 && row->own + row->owned < row->count)) {
            *++row = (weft_spring_row){.vertex = ranked[i].vertex, .local = (uint16_t)i};
            block->row_count++;
        }
        row->count++;
        row->owned += own;
        row->own += !own && row->owned == 0;
    }
}

/* Sorts springs by lower end: packer->adjacent[start[a] .. start[a + 1]). */
static void sort_by_lower_end(weft_spring_packer *packer, const weft_local_spring *springs, int32_t count,
                              int32_t vertices, const uint16_t *rank, int32_t *start) {
    memset(start, 0, (size_t)(vertices + 2) * sizeof *start);
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t i = 0; i < count; i++) {
            int32_t a = rank[springs[i].end[0]], b = rank[springs[i].end[1]], lower = a < b ? a : b;
            if (pass == 0)
                start[lower + 2]++;
            else
                packer->adjacent[start[lower + 1]++] = i;
        }
        for (int32_t v = 0; v < vertices && pass == 0; v++)
            start[v + 2] += start[v + 1];
    }
}

typedef struct run_search {
    weft_spring_packer *packer;
    const weft_local_spring *springs;
    const uint16_t *rank;
    const int32_t *start;
    int32_t vertices;
} run_search;

static int32_t rank_distance(const run_search *s, int32_t spring) {
    int32_t a = s->rank[s->springs[spring].end[0]], b = s->rank[s->springs[spring].end[1]];
    return a < b ? b - a : a - b;
}

/* Takes a free spring from a to a + distance. Returns WEFT_NONE if there is none. */
static int32_t take_spring(const run_search *s, int32_t a, int32_t distance) {
    if (a >= s->vertices)
        return WEFT_NONE;
    for (int32_t n = s->start[a]; n < s->start[a + 1]; n++) {
        int32_t spring = s->packer->adjacent[n];
        if (s->packer->taken[spring] || rank_distance(s, spring) != distance)
            continue;
        s->packer->taken[spring] = 1;
        return spring;
    }
    return WEFT_NONE;
}

/* The smallest rank distance of the free springs that start at the four vertices from `first` on, or 0 without any. */
static int32_t least_distance(const run_search *s, int32_t first) {
    int32_t end = first + WEFT_SPRINGS_LANES < s->vertices ? first + WEFT_SPRINGS_LANES : s->vertices, least = 0;
    for (int32_t n = s->start[first]; n < s->start[end]; n++) {
        int32_t spring = s->packer->adjacent[n], distance = s->packer->taken[spring] ? 0 : rank_distance(s, spring);
        if (distance > 0 && (least == 0 || distance < least))
            least = distance;
    }
    return least;
}

int64_t weft_springs_pack_runs(weft_spring_packer *packer, const weft_local_spring *springs, int32_t count,
                               weft_spring_block *block, weft_spring_layout *layout) {
    uint16_t rank[WEFT_SPRINGS_LOCAL], *begin = layout->offset + block->offset, *offset = begin;
    int32_t start[WEFT_SPRINGS_LOCAL + 2], *slot = layout->spring + block->slot, distance;
    run_search search = {packer, springs, rank, start, block->owned + block->halo};
    const int64_t most = weft_springs_run_slots(count);
    memset(packer->taken, 0, (size_t)count);
    fill_rows(block, layout, rank);
    sort_by_lower_end(packer, springs, count, search.vertices, rank, start);
    for (int32_t first = 0; first < search.vertices; first += WEFT_SPRINGS_LANES) {
        uint16_t *groups = offset++;
        for (*groups = 0; (distance = least_distance(&search, first)) > 0; ++*groups) {
            if (block->runs == most) {
                block->runs = block->row_count = 0;
                return 0;
            }
            *offset++ = (uint16_t)(first + distance);
            for (int32_t lane = 0; lane < WEFT_SPRINGS_LANES; lane++) {
                int32_t spring = take_spring(&search, first + lane, distance);
                slot[block->runs++] = spring == WEFT_NONE ? WEFT_NONE : springs[spring].spring;
            }
        }
    }
    return block->runs > 0 ? offset - begin : 0;
}
