/* Assembly of a matrix whose elements have two vertices each. Each row is written once, by one thread. Every block is
 * computed twice, once for each of its rows. This costs less than clearing, scattering and summing over distant memory,
 * and it needs no ordering among threads. */
#include <string.h>

#include "core/parallel.h"
#include "solve/row_sink.h"

enum {
    BLOCKS = WEFT_SINK_BLOCKS,
    ROWS = WEFT_SINK_ROWS, /* most rows with that many blocks */
    ROW = 16,              /* relative cost of a row in parallel loops */
    PLACE = 3              /* relative cost of a vertex's x and u */
};

typedef struct context {
    const weft_assembly *a;
    const weft_row_pairs *pairs;
    const weft_equations_cloth *cloth;
    weft_place *place; /* x and u of all vertices */
} context;

/* Consecutive blocks and their rows. The first and last row may extend into the neighbouring pieces. */
typedef struct piece {
    int32_t slot, blocks; /* first slot, number of blocks */
    weft_pair_rows rows;
    int32_t start[ROWS + 1];
    weft_pair_sum sum[ROWS];
} piece;

/* Fills the next piece: it begins at `slot` in `row` and ends before row `end`. */
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

/* In: the sum of the first row's blocks in earlier pieces. Out: the partial sum of the last row. */
static void finish_piece(weft_row_sink *sink, piece *p, weft_pair_sum *begun) {
    const int32_t *start = sink->assembly->matrix->start;
    int32_t whole = p->rows.count;
    add_sum(&p->sum[0], begun);
    memset(begun, 0, sizeof *begun);
    if (start[sink->row + whole] > p->slot + p->blocks)
        *begun = p->sum[--whole];
    weft_row_sink_add(sink, p->sum, whole);
}

/* Expands pair blocks to full blocks, for a matrix that also has other elements. */
static void spread(const float *pair, int32_t count, float *to) {
    for (int32_t k = 0; k < count; k++, pair += WEFT_BSR_PAIRS, to += WEFT_BSR_FULL) {
        double block[9];
        weft_bsr_of_pair(pair, block);
        for (int m = 0; m < 9; m++)
            to[m] = (float)block[m];
    }
}

/* Assembles the rows up to `end`. */
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
        c->cloth->model->kernels->pair_rows(c->cloth->self, &p.rows, matrix->form == WEFT_BSR_PAIRS ? block : pair,
                                            p.sum);
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

size_t weft_assemble_scratch(const weft_cloth_rows *cloth_rows) {
    if (!cloth_rows->pairs && !cloth_rows->gather)
        return 0;
    return (size_t)cloth_rows->end * sizeof(weft_place);
}

void weft_assemble_rows(const weft_assembly *assembly, const weft_cloth_rows *cloth_rows) {
    const weft_work *work = assembly->system->work;
    context c = {assembly, cloth_rows->pairs, &assembly->system->equations->cloth[cloth_rows->cloth],
                 assembly->scratch};
    weft_parallel_heavy(work, cloth_rows->end - cloth_rows->begin, WEFT_BLOCK, PLACE, find_places, &c);
    weft_parallel_heavy(work, cloth_rows->end - cloth_rows->begin, WEFT_BLOCK, ROW, assemble_rows, &c);
}
