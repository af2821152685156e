/* Rows of a matrix of pairs, each written once: every block is computed at both of its ends, which costs less than to
 * clear, add to, and sum up what is far apart in memory, and needs no order among threads. */
#include <string.h>

#include "assembly/row_sink.h"
#include "core/parallel.h"

enum {
    BLOCKS = WEFT_SINK_BLOCKS,
    ROWS = WEFT_SINK_ROWS, /* of these blocks at most */
    ROW = 16,              /* the weight of one in parallel loops */
    PLACE = 3              /* of finding where its vertex is */
};

typedef struct context {
    const weft_assembly *a;
    const weft_row_pairs *pairs;
    int32_t number;    /* of the list */
    weft_place *place; /* of all vertices */
} context;

/* Some blocks, and the rows that they are of; the first and the last of these may have others before and after. */
typedef struct piece {
    int32_t slot, blocks; /* the first, and how many */
    weft_pair_rows rows;
    int32_t start[ROWS + 1];
    weft_pair_sum sum[ROWS];
} piece;

/* The next piece from `slot` on, in the given row, before the row `end`. */
static void next_piece(const context *c, int32_t row, int32_t end, int32_t slot, piece *p) {
    const weft_assembly *a = c->a;
    const int32_t *start = a->matrix->start;
    int32_t rows = 0, blocks = 0;
    p->start[0] = 0;
    while (rows < ROWS && blocks < BLOCKS && row + rows < end) {
        int32_t stop = start[row + rows + 1] - slot;
        blocks = stop < BLOCKS ? stop : BLOCKS;
        p->start[++rows] = blocks;
    }
    p->slot = slot;
    p->blocks = blocks;
    p->rows = (weft_pair_rows){.count = rows,
                               .first = row,
                               .start = p->start,
                               .element = c->pairs->element + (slot - start[c->pairs->begin]),
                               .column = a->matrix->column + slot,
                               .place = (const weft_place *)c->place,
                               .h = a->h};
}

static void add_sum(weft_pair_sum *to, const weft_pair_sum *s) {
    for (int k = 0; k < 8; k++)
        to->first[k] += s->first[k];
    for (int k = 0; k < 4; k++)
        to->last[k] += s->last[k];
}

/* `begun`: the sum of the first row's blocks in pieces before; then that of the last one's. */
static void finish_piece(weft_row_sink *sink, piece *p, weft_pair_sum *begun) {
    const int32_t *start = sink->assembly->matrix->start;
    int32_t whole = p->rows.count;
    add_sum(&p->sum[0], begun);
    memset(begun, 0, sizeof *begun);
    if (start[sink->row + whole] > p->slot + p->blocks)
        *begun = p->sum[--whole];
    weft_row_sink_add(sink, p->sum, whole);
}

/* Blocks beside others that are not of pairs. */
static void spread(const float *pair, int32_t count, float *to) {
    for (int32_t k = 0; k < count; k++, pair += WEFT_BSR_PAIRS, to += WEFT_BSR_FULL) {
        double block[9];
        weft_bsr_of_pair(pair, block);
        for (int m = 0; m < 9; m++)
            to[m] = (float)block[m];
    }
}

/* Rows up to `end`. */
static void add_rows(const context *c, int32_t end, weft_row_sink *sink) {
    const weft_assembly *a = c->a;
    const weft_bsr *matrix = a->matrix;
    int32_t slot = matrix->start[sink->row];
    float pair[WEFT_BSR_PAIRS * BLOCKS];
    weft_pair_sum begun;
    piece p;
    memset(&begun, 0, sizeof begun);
    while (sink->row < end) {
        float *block = weft_lines_next(&sink->value);
        next_piece(c, sink->row, end, slot, &p);
        weft_system_pair_rows(a->system, c->number, &p.rows, matrix->form == WEFT_BSR_PAIRS ? block : pair, p.sum);
        if (matrix->form != WEFT_BSR_PAIRS)
            spread(pair, p.blocks, block);
        weft_lines_add(&sink->value, (int32_t)matrix->form * p.blocks);
        finish_piece(sink, &p, &begun);
        slot += p.blocks;
    }
}

static void assemble_rows(void *given, int64_t begin, int64_t end) {
    const context *c = given;
    weft_row_sink sink;
    weft_row_sink_begin(&sink, c->a, c->pairs->begin + (int32_t)begin);
    add_rows(c, c->pairs->begin + (int32_t)end, &sink);
    weft_row_sink_end(&sink);
    weft_lines_fence();
}

static void find_places(void *given, int64_t begin, int64_t end) {
    const context *c = given;
    for (int64_t i = c->pairs->begin + begin; i < c->pairs->begin + end; i++)
        weft_place_find(c->a, i, c->place[i]);
}

size_t weft_assemble_scratch(const weft_cloth_rows *part) {
    if (!part->pairs && !part->gather)
        return 0;
    return (size_t)part->end * sizeof(weft_place);
}

void weft_assemble_rows(const weft_assembly *assembly, const weft_cloth_rows *part) {
    const weft_work *work = assembly->system->work;
    context c = {assembly, part->pairs, part->first, assembly->scratch};
    weft_parallel_heavy(work, part->end - part->begin, WEFT_BLOCK / 2, PLACE, find_places, &c);
    weft_parallel_heavy(work, part->end - part->begin, WEFT_BLOCK / 4, ROW, assemble_rows, &c);
}
