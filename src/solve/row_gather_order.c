/* Order in which rows are gathered: matrix order if its bandwidth is small, otherwise breadth-first from a peripheral
 * row. See E. Cuthill, J. McKee, Reducing the bandwidth of sparse symmetric matrices, 1969. */
#include "core/memory.h"
#include "solve/row_gather_lists.h"

enum {
    SEGMENT_BANDWIDTHS = 10, /* least rows per segment, in bandwidths: a border costs about half a bandwidth */
    SEGMENTS_MOST = 32,      /* enough for all threads */
    SEGMENTS_ENOUGH = 4,
    FEW_ROWS = 4096 /* any order is good enough below this */
};

static int32_t bandwidth_of(const weft_bsr *m, int32_t begin, int32_t end, const int32_t *position) {
    int32_t longest = 1;
    for (int32_t i = begin; i < end; i++)
        for (int32_t k = m->start[i]; k < m->start[i + 1]; k++) {
            int32_t a = i - begin, b = m->column[k] - begin, d = position ? position[b] - position[a] : b - a;
            longest = d > longest ? d : longest;
        }
    return longest;
}

/* Lists all rows connected to `from` by increasing distance; returns their number. Sets `seen` to `mark`. */
static int32_t breadth_first(const weft_bsr *m, int32_t begin, int32_t from, uint8_t mark, uint8_t *seen,
                             int32_t *queue) {
    int32_t count = 0;
    seen[from] = mark;
    queue[count++] = from;
    for (int32_t at = 0; at < count; at++) {
        int32_t i = begin + queue[at];
        for (int32_t k = m->start[i]; k < m->start[i + 1]; k++) {
            int32_t j = m->column[k] - begin;
            if (seen[j] != mark) {
                seen[j] = mark;
                queue[count++] = j;
            }
        }
    }
    return count;
}

static weft_result order_by_distance(weft_gather_lists *b) {
    uint8_t *seen = weft_allocate((size_t)b->rows, 1);
    if (!seen)
        return weft_fail_memory("assembly order", (size_t)b->rows);
    int32_t count = 0;
    for (int32_t i = 0; i < b->rows; i++)
        if (!seen[i]) {
            int32_t found = breadth_first(b->matrix, b->g->begin, i, 1, seen, b->g->row + count);
            int32_t far = b->g->row[count + found - 1];
            count += breadth_first(b->matrix, b->g->begin, far, 2, seen, b->g->row + count);
        }
    free(seen);
    for (int32_t p = 0; p < b->rows; p++)
        b->position[b->g->row[p]] = p;
    return weft_ok();
}

weft_result weft_gather_order_rows(weft_gather_lists *b) {
    int32_t bandwidth = bandwidth_of(b->matrix, b->g->begin, b->g->end, NULL);
    /* the hardware prefetches rows in matrix order; other orders take more than twice as long */
    b->g->natural = b->rows < FEW_ROWS || (int64_t)bandwidth * bandwidth < 16 * (int64_t)b->rows ||
                    (int64_t)SEGMENTS_ENOUGH * SEGMENT_BANDWIDTHS * bandwidth <= b->rows;
    for (int32_t i = 0; i < b->rows; i++)
        b->g->row[i] = b->position[i] = i;
    if (!b->g->natural) {
        WEFT_TRY(order_by_distance(b));
        bandwidth = bandwidth_of(b->matrix, b->g->begin, b->g->end, b->position);
    }
    int64_t segments = b->rows / ((int64_t)SEGMENT_BANDWIDTHS * bandwidth);
    segments = segments > SEGMENTS_MOST ? SEGMENTS_MOST : segments < 2 ? 1 : segments / 2 * 2;
    int64_t per = (b->rows + segments - 1) / segments;
    per = (per + WEFT_GATHER_ROWS - 1) / WEFT_GATHER_ROWS * WEFT_GATHER_ROWS;
    b->per_segment = (int32_t)per;
    b->g->segments = (int32_t)((b->rows + per - 1) / per);
    b->chunks = (b->rows + WEFT_GATHER_ROWS - 1) / WEFT_GATHER_ROWS;
    return weft_ok();
}
