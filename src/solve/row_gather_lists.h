/* Data from which the plan of row_gather.h is built: row order, sources of the blocks, schedule of the elements. */
#ifndef WEFT_SOLVE_ROW_GATHER_LISTS_H
#define WEFT_SOLVE_ROW_GATHER_LISTS_H

#include "solve/row_gather.h"

/* A contribution of an element to a block, or to the product at a vertex. */
typedef struct weft_gather_source {
    int32_t element;
    uint8_t list;
    uint8_t first, second; /* local vertices of the pair; for a product: its vertex, twice */
    uint8_t turned;
} weft_gather_source;

typedef struct weft_gather_lists {
    const weft_bsr *matrix;
    const weft_elements *lists;
    weft_slots *const *slots;
    int32_t list_count, first, blocks, rows; /* first: index of the first block */
    weft_row_gather *g;
    int32_t per_segment, chunks; /* rows per segment; number of chunks */
    int32_t *position;           /* of each row in the assembly order (rows) */
    int32_t *twin;               /* transposed block of each block, or -1 (blocks) */
    int32_t *start;              /* sources of each block, stored at the row that comes first (blocks + 1) */
    weft_gather_source *sources;
    int32_t *corner_start; /* sources of the product of each row (rows + 1) */
    weft_gather_source *corners;
} weft_gather_lists;

/* row_gather_order.c: sets position, g->row and the numbers of segments and chunks. */
weft_result weft_gather_order_rows(weft_gather_lists *b);
/* row_gather_sources.c: sets twin and the sources of blocks and products. */
weft_result weft_gather_list_sources(weft_gather_lists *b);
/* row_gather_elements.c: sets chunks and batches. The `place` of a batch temporarily holds the last chunk that needs
 * it. */
weft_result weft_gather_order_elements(weft_gather_lists *b);

/* Segment borders are chunk borders. */
static inline int32_t weft_gather_chunk_of(int32_t position) { return position / WEFT_GATHER_ROWS; }

static inline int32_t weft_gather_segment_begin(const weft_gather_lists *b, int32_t segment) {
    int64_t p = (int64_t)segment * b->per_segment;
    return p < b->rows ? (int32_t)p : b->rows;
}

static inline const int32_t *weft_gather_vertices(const weft_elements *list, int32_t e) {
    return list->vertex + (size_t)e * (size_t)list->arity;
}

static inline int weft_gather_is_idle(const weft_elements *list, int32_t e, int32_t a) {
    return list->idle && list->idle[e] == a;
}

/* Prefix sum of counts that were stored one index later. */
static inline void weft_gather_add_up(int32_t *start, int32_t count) {
    for (int32_t k = 0; k < count; k++)
        start[k + 1] += start[k];
}

#endif
