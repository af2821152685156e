/* Builds the plan by which rows are gathered (row_gather.h): the layout of the buffer and the word streams that
 * row_gather_run.c interprets. */
#include "solve/row_gather.h"

#include "core/memory.h"
#include "solve/row_gather_lists.h"

/* Floats of a buffered block: twelve, padded so that tensors stay at multiples of sixteen. */
enum { KEPT_FLOATS = 16 };

/* A growable array of words. */
typedef struct words {
    uint32_t *all;
    size_t count, room;
    int failed;
} words;

/* Buffer slots of one size. Each is occupied until the end of a chunk. */
typedef struct buffer_slots {
    uint32_t *spare; /* free slots (count) */
    int32_t count;
    int32_t *until;        /* first occupant that leaves at the end of a chunk, or -1 (chunks) */
    int32_t *next;         /* next occupant that leaves at the same time */
    const uint32_t *place; /* slot of each occupant, `stride` bytes apart */
    size_t stride;
    uint32_t floats; /* size of a slot */
} buffer_slots;

typedef struct builder {
    weft_gather_lists *data;
    uint32_t *place;            /* slot of each element in the current segment (all lists) */
    size_t *list_first;         /* first element of each list in `place` (list_count + 1) */
    uint32_t *block_place;      /* slot of each buffered block (blocks) */
    buffer_slots *buffer_slots; /* batches of each list, then buffered blocks (list_count + 1) */
    size_t top;                 /* floats in use */
    words code, source, at;
    int refused; /* 1: a number exceeds the range of the plan */
} builder;

/* -- buffer layout -- */

static uint32_t take_slot(builder *b, buffer_slots *t) {
    if (t->count > 0)
        return t->spare[--t->count];
    uint32_t place = (uint32_t)b->top; /* may overflow; the plan is then refused */
    b->top += t->floats;
    return place;
}

static void occupy_until(buffer_slots *t, int32_t chunk, int32_t occupant) {
    t->next[occupant] = t->until[chunk];
    t->until[chunk] = occupant;
}

static void release_slots(buffer_slots *t, int32_t chunk) {
    for (int32_t occupant = t->until[chunk]; occupant >= 0; occupant = t->next[occupant])
        t->spare[t->count++] = *(const uint32_t *)((const char *)t->place + (size_t)occupant * t->stride);
    t->until[chunk] = -1;
}

static int create_slots(buffer_slots *t, size_t count, int32_t chunks, const uint32_t *place, size_t stride,
                        int32_t floats) {
    t->spare = weft_allocate(count, sizeof *t->spare);
    t->next = weft_allocate(count, sizeof *t->next);
    t->until = malloc(((size_t)chunks + 1) * sizeof *t->until);
    t->place = place;
    t->stride = stride;
    t->floats = (uint32_t)floats;
    for (int32_t c = 0; t->until && c < chunks; c++)
        t->until[c] = -1;
    return t->spare && t->next && t->until;
}

static void free_slots(buffer_slots *t) {
    free(t->spare);
    free(t->next);
    free(t->until);
}

static weft_result allocate_slots(builder *b) {
    const weft_gather_lists *data = b->data;
    weft_gather_batch *batch = data->g->batch;
    size_t elements = 0, batches = (size_t)data->g->chunk[data->chunks].batch, blocks = (size_t)data->blocks;
    for (int32_t l = 0; l < data->list_count; l++)
        elements += (size_t)data->lists[l].count;
    b->place = weft_allocate(elements, sizeof *b->place);
    b->list_first = weft_allocate((size_t)data->list_count + 1, sizeof *b->list_first);
    b->buffer_slots = weft_allocate((size_t)data->list_count + 1, sizeof *b->buffer_slots);
    b->block_place = weft_allocate(blocks, sizeof *b->block_place);
    int ok = b->place && b->list_first && b->buffer_slots && b->block_place;
    for (int32_t l = 0; ok && l < data->list_count; l++) {
        b->list_first[l + 1] = b->list_first[l] + (size_t)data->lists[l].count;
        ok = create_slots(&b->buffer_slots[l], batches, data->chunks, &batch->place, sizeof *batch,
                          weft_gather_record(&data->lists[l]) * WEFT_SUMS_MAX);
    }
    ok = ok && create_slots(&b->buffer_slots[data->list_count], blocks, data->chunks, b->block_place,
                            sizeof *b->block_place, KEPT_FLOATS);
    return ok ? weft_ok() : weft_fail_memory("assembly order", elements * sizeof *b->place);
}

/* -- the plan -- */

static void emit(words *to, uint32_t word) {
    if (to->count == to->room) {
        size_t room = to->room > 0 ? to->room + to->room / 2 : 4096;
        uint32_t *more = realloc(to->all, room * sizeof *more);
        if (!more) {
            to->failed = 1;
            return;
        }
        to->all = more;
        to->room = room;
    }
    to->all[to->count++] = word;
}

/* Room for the words of a plan without blocks that segments share. */
static void reserve(words *to, size_t room) {
    to->all = malloc((room + 1) * sizeof *to->all);
    to->room = to->all ? room : 0;
    to->failed = !to->all;
}

static uint32_t place_of(const builder *b, const weft_gather_source *s) {
    return b->place[b->list_first[s->list] + (size_t)s->element];
}

static int32_t pair_of(int32_t arity, int32_t a, int32_t c) { return a * (2 * arity - a - 1) / 2 + c - a - 1; }

/* Emits a block to be summed. Its sources are sorted by list and element, blocks before tensors. */
static void emit_sum(builder *b, int32_t block, uint32_t keep) {
    uint32_t count[2] = {0, 0};
    for (int tensor = 0; tensor < 2; tensor++)
        for (int32_t k = b->data->start[block]; k < b->data->start[block + 1]; k++) {
            const weft_gather_source *s = &b->data->sources[k];
            const weft_elements *list = &b->data->lists[s->list];
            if ((list->tensor != 0) != tensor)
                continue;
            uint32_t word = place_of(b, s), pair = (uint32_t)pair_of(list->arity, s->first, s->second);
            if (tensor)
                word += pair / WEFT_TENSOR_PAIRS * WEFT_TENSOR_FLOATS + 8 + pair % WEFT_TENSOR_PAIRS;
            else
                word += WEFT_PAIR_FLOATS * pair + s->turned;
            emit(&b->source, word);
            count[tensor]++;
        }
    b->refused |= count[0] > WEFT_GATHER_MOST || count[1] > WEFT_GATHER_MOST;
    emit(&b->code, WEFT_GATHER_WORD(count[0], count[1]));
    emit(&b->code, keep);
}

static uint32_t keep_block(builder *b, int32_t block, int32_t until) {
    buffer_slots *kept = &b->buffer_slots[b->data->list_count];
    b->block_place[block] = take_slot(b, kept);
    occupy_until(kept, weft_gather_chunk_of(until), block);
    return b->block_place[block];
}

/* Position of the row with the index of the block's column. */
static int32_t row_of_column(const builder *b, int32_t block) {
    const weft_gather_lists *data = b->data;
    return data->position[data->matrix->column[data->first + block] - data->g->begin];
}

/* Pointer to the begin and end of the blocks of the row at position p. */
static const int32_t *blocks_at(const builder *b, int32_t p) {
    return b->data->matrix->start + b->data->g->begin + b->data->g->row[p];
}

/* Emits the blocks that rows of the segment share with rows of earlier segments. */
static int32_t emit_halo(builder *b, int32_t begin, int32_t end) {
    const int32_t *twin = b->data->twin;
    int32_t count = 0;
    for (int32_t p = begin; p < end; p++)
        for (int32_t k = blocks_at(b, p)[0] - b->data->first; k < blocks_at(b, p)[1] - b->data->first; k++)
            if (twin[k] >= 0 && row_of_column(b, k) < begin) {
                emit_sum(b, twin[k], keep_block(b, twin[k], p));
                count++;
            }
    return count;
}

static void emit_products(builder *b, int32_t i) {
    size_t head = b->at.count;
    uint32_t count[2] = {0, 0};
    emit(&b->at, 0);
    for (int less = 0; less < 2; less++)
        for (int32_t k = b->data->corner_start[i]; k < b->data->corner_start[i + 1]; k++) {
            const weft_gather_source *s = &b->data->corners[k];
            if ((s->first == 0) != less)
                continue;
            uint32_t place = place_of(b, s) + WEFT_PAIR_FLOATS - 4; /* the last four floats of a pair */
            int32_t last = less ? b->data->lists[s->list].arity - 1 : s->first;
            for (int32_t a = less ? 1 : s->first; a <= last; a++, count[less]++)
                emit(&b->at, place + (uint32_t)(WEFT_PAIR_FLOATS * (a - 1)));
        }
    b->refused |= count[0] > UINT16_MAX || count[1] > UINT16_MAX;
    if (!b->at.failed)
        b->at.all[head] = count[0] | count[1] << 16;
}

static void emit_row(builder *b, int32_t p, int32_t end) {
    const int32_t *twin = b->data->twin;
    for (int32_t k = blocks_at(b, p)[0] - b->data->first; k < blocks_at(b, p)[1] - b->data->first; k++) {
        int32_t q = row_of_column(b, k);
        if (q < p && twin[k] >= 0)
            emit(&b->code, b->block_place[twin[k]]);
        else
            emit_sum(b, k, q > p && q < end && twin[k] >= 0 ? keep_block(b, k, q) : WEFT_GATHER_NOWHERE);
    }
    emit_products(b, b->data->g->row[p]);
}

static void place_batches(builder *b, int32_t chunk) {
    for (int32_t k = b->data->g->chunk[chunk].batch; k < b->data->g->chunk[chunk + 1].batch; k++) {
        weft_gather_batch *batch = &b->data->g->batch[k];
        buffer_slots *t = &b->buffer_slots[batch->list];
        occupy_until(t, (int32_t)batch->place, k);
        batch->place = take_slot(b, t);
        for (int32_t e = 0; e < batch->count; e++)
            b->place[b->list_first[batch->list] + (size_t)b->data->g->element[batch->first + e]] =
                batch->place + (uint32_t)e * (t->floats / WEFT_SUMS_MAX);
    }
}

static void emit_segment(builder *b, int32_t s) {
    weft_row_gather *g = b->data->g;
    int32_t begin = weft_gather_segment_begin(b->data, s), end = weft_gather_segment_begin(b->data, s + 1);
    int32_t first = weft_gather_chunk_of(begin);
    g->segment[s] = (weft_gather_segment){first, 0, b->code.count, b->source.count, b->at.count};
    b->top = 0;
    for (int32_t l = 0; l <= b->data->list_count; l++)
        b->buffer_slots[l].count = 0;
    for (int32_t c = first; g->chunk[c].row < end; c++) {
        place_batches(b, c);
        if (c == first)
            g->segment[s].halo = emit_halo(b, begin, end);
        for (int32_t p = g->chunk[c].row; p < g->chunk[c + 1].row; p++)
            emit_row(b, p, end);
        for (int32_t l = 0; l <= b->data->list_count; l++)
            release_slots(&b->buffer_slots[l], c);
    }
    g->room = b->top > g->room ? b->top : g->room;
}

static weft_result make_plan(builder *b) {
    weft_row_gather *g = b->data->g;
    g->segment = weft_allocate((size_t)g->segments + 1, sizeof *g->segment);
    if (!g->segment)
        return weft_fail_memory("assembly order", (size_t)g->segments * sizeof *g->segment);
    WEFT_TRY(allocate_slots(b));
    reserve(&b->code, 2 * (size_t)b->data->blocks);
    reserve(&b->source, (size_t)b->data->start[b->data->blocks]);
    reserve(&b->at, (size_t)b->data->corner_start[b->data->rows] * 2 + (size_t)b->data->rows);
    for (int32_t s = 0; s < g->segments && !b->code.failed && !b->source.failed && !b->at.failed; s++)
        emit_segment(b, s);
    g->segment[g->segments].chunk = b->data->chunks;
    b->refused |= g->room >= WEFT_GATHER_MADE;
    if (b->code.failed || b->source.failed || b->at.failed)
        return weft_fail_memory("assembly order", (b->code.room + b->source.room + b->at.room) * sizeof(uint32_t));
    return weft_ok();
}

static weft_result build(builder *b) {
    weft_gather_lists *data = b->data;
    size_t rows = (size_t)data->rows;
    data->position = weft_allocate(rows, sizeof *data->position);
    data->g->row = weft_allocate(rows, sizeof *data->g->row);
    if (!data->position || !data->g->row)
        return weft_fail_memory("assembly order", rows * sizeof *data->position);
    WEFT_TRY(weft_gather_order_rows(data));
    WEFT_TRY(weft_gather_list_sources(data));
    WEFT_TRY(weft_gather_order_elements(data));
    return make_plan(b);
}

static void free_builder(builder *b) {
    for (int32_t l = 0; b->buffer_slots && l <= b->data->list_count; l++)
        free_slots(&b->buffer_slots[l]);
    free(b->buffer_slots);
    free(b->block_place);
    free(b->list_first);
    free(b->place);
    free(b->data->corners);
    free(b->data->corner_start);
    free(b->data->sources);
    free(b->data->start);
    free(b->data->twin);
    free(b->data->position);
}

weft_result weft_row_gather_create(const weft_bsr *matrix, int32_t begin, int32_t end, const weft_elements *lists,
                                   weft_slots *const *slots, int32_t list_count, weft_row_gather **made) {
    *made = NULL;
    if (begin >= end || list_count > UINT8_MAX)
        return weft_ok();
    int32_t first = matrix->start[begin];
    weft_gather_lists data = {.matrix = matrix, .lists = lists, .slots = slots, .list_count = list_count};
    data.first = first;
    data.blocks = matrix->start[end] - first;
    data.rows = end - begin;
    builder b = {.data = &data};
    weft_row_gather *g = data.g = weft_allocate(1, sizeof *g);
    if (!g)
        return weft_fail_memory("assembly order", sizeof *g);
    g->begin = begin;
    g->end = end;
    weft_result result = build(&b);
    free_builder(&b);
    g->code = b.code.all;
    g->source = b.source.all;
    g->at = b.at.all;
    if (result.code == WEFT_OK && !b.refused)
        *made = g;
    else
        weft_row_gather_destroy(g);
    return result;
}

void weft_row_gather_destroy(weft_row_gather *gather) {
    if (!gather)
        return;
    free(gather->at);
    free(gather->source);
    free(gather->code);
    free(gather->row);
    free(gather->element);
    free(gather->batch);
    free(gather->chunk);
    free(gather->segment);
    free(gather);
}
