/* What a plan to gather rows is made from: the order of rows, what blocks consist of, which elements are computed when;
 * see row_gather.h. */
#ifndef WEFT_ASSEMBLY_ROW_GATHER_LISTS_H
#define WEFT_ASSEMBLY_ROW_GATHER_LISTS_H

#include "assembly/row_gather.h"

/* One of the things that a block, or the product at a vertex, is made of. */
typedef struct weft_gather_source {
    int32_t element;
    uint8_t list;
    uint8_t first, second; /* vertices of the pair; of a product: its vertex */
    uint8_t turned;
} weft_gather_source;

typedef struct weft_gather_lists {
    const weft_bsr *matrix;
    const weft_elements *lists;
    weft_slots *const *slots;
    int32_t list_count, first, blocks, rows; /* first: the number of the first block */
    weft_row_gather *g;
    int32_t per_segment, chunks; /* rows of a segment; all chunks */
    int32_t *position;           /* of each row in the order (rows) */
    int32_t *twin;               /* of each block the transposed one, or -1 (blocks) */
    int32_t *start;              /* of the sources of each block whose row comes first (blocks + 1) */
    weft_gather_source *sources;
    int32_t *corner_start; /* of the products of each row (rows + 1) */
    weft_gather_source *corners;
} weft_gather_lists;

/* row_gather_order.c: position, g->row, and how many segments and chunks there are. */
weft_result weft_gather_order_rows(weft_gather_lists *b);
/* row_gather_sources.c: twin and the sources of blocks and products. */
weft_result weft_gather_list_sources(weft_gather_lists *b);
/* row_gather_elements.c: chunks and batches. Instead of its place a batch has the last chunk that needs it. */
weft_result weft_gather_order_elements(weft_gather_lists *b);

/* Segments end where chunks do. */
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

/* Sums of counts that were taken one place further. */
static inline void weft_gather_add_up(int32_t *start, int32_t count) {
    for (int32_t k = 0; k < count; k++)
        start[k + 1] += start[k];
}

#endif
