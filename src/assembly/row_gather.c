#include "assembly/row_gather.h"

#include "assembly/row_gather_lists.h"
#include "core/memory.h"

/* Floats of a block that is kept: twelve, and what leaves tensors at multiples of sixteen. */
enum { KEPT_FLOATS = 16 };

/* A list that grows. */
typedef struct words {
    uint32_t *all;
    size_t count, room;
    int failed;
} words;

/* Things that are in the buffer until the end of a chunk. */
typedef struct tenants {
    uint32_t *spare; /* places that are free again (some) */
    int32_t count;
    int32_t *until;        /* the first of those that end with a chunk, or -1 (chunks) */
    int32_t *next;         /* the next of these */
    const uint32_t *place; /* of each, `stride` bytes apart */
    size_t stride;
    uint32_t floats; /* of one */
} tenants;

typedef struct builder {
    weft_gather_lists *known;
    uint32_t *place;       /* of the elements in the segment (all lists) */
    size_t *list_first;    /* where those of a list begin (list_count + 1) */
    uint32_t *block_place; /* (blocks) */
    tenants *tenants;      /* batches of each list, then blocks that are kept (list_count + 1) */
    size_t top;            /* floats in use */
    words code, source, at;
    int refused; /* a number too large for the plan */
} builder;

/* -- where everything is -- */

static uint32_t take_place(builder *b, tenants *t) {
    if (t->count > 0)
        return t->spare[--t->count];
    uint32_t place = (uint32_t)b->top; /* of a plan that is refused if it is more */
    b->top += t->floats;
    return place;
}

static void stay_until(tenants *t, int32_t chunk, int32_t who) {
    t->next[who] = t->until[chunk];
    t->until[chunk] = who;
}

static void leave(tenants *t, int32_t chunk) {
    for (int32_t who = t->until[chunk]; who >= 0; who = t->next[who])
        t->spare[t->count++] = *(const uint32_t *)((const char *)t->place + (size_t)who * t->stride);
    t->until[chunk] = -1;
}

static int take_tenants(tenants *t, size_t count, int32_t chunks, const uint32_t *place, size_t stride,
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

static void free_tenants(tenants *t) {
    free(t->spare);
    free(t->next);
    free(t->until);
}

static weft_result take_places(builder *b) {
    const weft_gather_lists *known = b->known;
    weft_gather_batch *batch = known->g->batch;
    size_t elements = 0, batches = (size_t)known->g->chunk[known->chunks].batch, blocks = (size_t)known->blocks;
    for (int32_t l = 0; l < known->list_count; l++)
        elements += (size_t)known->lists[l].count;
    b->place = weft_allocate(elements, sizeof *b->place);
    b->list_first = weft_allocate((size_t)known->list_count + 1, sizeof *b->list_first);
    b->tenants = weft_allocate((size_t)known->list_count + 1, sizeof *b->tenants);
    b->block_place = weft_allocate(blocks, sizeof *b->block_place);
    int ok = b->place && b->list_first && b->tenants && b->block_place;
    for (int32_t l = 0; ok && l < known->list_count; l++) {
        b->list_first[l + 1] = b->list_first[l] + (size_t)known->lists[l].count;
        ok = take_tenants(&b->tenants[l], batches, known->chunks, &batch->place, sizeof *batch,
                          weft_gather_record(&known->lists[l]) * WEFT_SUMS_MAX);
    }
    ok = ok && take_tenants(&b->tenants[known->list_count], blocks, known->chunks, b->block_place,
                            sizeof *b->block_place, KEPT_FLOATS);
    return ok ? weft_ok() : weft_fail_memory("assembly order", elements * sizeof *b->place);
}

/* -- the plan -- */

static void put(words *to, uint32_t word) {
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

/* Sources in the order of their lists and elements, blocks before tensors. */
static void put_made(builder *b, int32_t block, uint32_t keep) {
    uint32_t count[2] = {0, 0};
    for (int tensor = 0; tensor < 2; tensor++)
        for (int32_t k = b->known->start[block]; k < b->known->start[block + 1]; k++) {
            const weft_gather_source *s = &b->known->sources[k];
            const weft_elements *list = &b->known->lists[s->list];
            if ((list->tensor != 0) != tensor)
                continue;
            uint32_t word = place_of(b, s), pair = (uint32_t)pair_of(list->arity, s->first, s->second);
            if (tensor)
                word += pair / WEFT_TENSOR_PAIRS * WEFT_TENSOR_FLOATS + 8 + pair % WEFT_TENSOR_PAIRS;
            else
                word += WEFT_PAIR_FLOATS * pair + s->turned;
            put(&b->source, word);
            count[tensor]++;
        }
    b->refused |= count[0] > WEFT_GATHER_MOST || count[1] > WEFT_GATHER_MOST;
    put(&b->code, WEFT_GATHER_WORD(count[0], count[1]));
    put(&b->code, keep);
}

static uint32_t keep_block(builder *b, int32_t block, int32_t until) {
    tenants *kept = &b->tenants[b->known->list_count];
    b->block_place[block] = take_place(b, kept);
    stay_until(kept, weft_gather_chunk_of(until), block);
    return b->block_place[block];
}

/* The position of the row across from a block of the part. */
static int32_t across(const builder *b, int32_t block) {
    const weft_gather_lists *known = b->known;
    return known->position[known->matrix->column[known->first + block] - known->g->begin];
}

/* The blocks of the row at a position begin with the first of this and end before the second. */
static const int32_t *blocks_at(const builder *b, int32_t p) {
    return b->known->matrix->start + b->known->g->begin + b->known->g->row[p];
}

/* The blocks that rows of the segment have in common with rows before it. */
static int32_t put_halo(builder *b, int32_t begin, int32_t end) {
    const int32_t *twin = b->known->twin;
    int32_t count = 0;
    for (int32_t p = begin; p < end; p++)
        for (int32_t k = blocks_at(b, p)[0] - b->known->first; k < blocks_at(b, p)[1] - b->known->first; k++)
            if (twin[k] >= 0 && across(b, k) < begin) {
                put_made(b, twin[k], keep_block(b, twin[k], p));
                count++;
            }
    return count;
}

static void put_products(builder *b, int32_t i) {
    size_t head = b->at.count;
    uint32_t count[2] = {0, 0};
    put(&b->at, 0);
    for (int less = 0; less < 2; less++)
        for (int32_t k = b->known->corner_start[i]; k < b->known->corner_start[i + 1]; k++) {
            const weft_gather_source *s = &b->known->corners[k];
            if ((s->first == 0) != less)
                continue;
            uint32_t place = place_of(b, s) + WEFT_PAIR_FLOATS - 4; /* of the last four floats of a pair */
            int32_t last = less ? b->known->lists[s->list].arity - 1 : s->first;
            for (int32_t a = less ? 1 : s->first; a <= last; a++, count[less]++)
                put(&b->at, place + (uint32_t)(WEFT_PAIR_FLOATS * (a - 1)));
        }
    b->refused |= count[0] > UINT16_MAX || count[1] > UINT16_MAX;
    if (!b->at.failed)
        b->at.all[head] = count[0] | count[1] << 16;
}

static void put_row(builder *b, int32_t p, int32_t end) {
    const int32_t *twin = b->known->twin;
    for (int32_t k = blocks_at(b, p)[0] - b->known->first; k < blocks_at(b, p)[1] - b->known->first; k++) {
        int32_t q = across(b, k);
        if (q < p && twin[k] >= 0)
            put(&b->code, b->block_place[twin[k]]);
        else
            put_made(b, k, q > p && q < end && twin[k] >= 0 ? keep_block(b, k, q) : WEFT_GATHER_NOWHERE);
    }
    put_products(b, b->known->g->row[p]);
}

static void place_batches(builder *b, int32_t chunk) {
    for (int32_t k = b->known->g->chunk[chunk].batch; k < b->known->g->chunk[chunk + 1].batch; k++) {
        weft_gather_batch *batch = &b->known->g->batch[k];
        tenants *t = &b->tenants[batch->list];
        stay_until(t, (int32_t)batch->place, k);
        batch->place = take_place(b, t);
        for (int32_t e = 0; e < batch->count; e++)
            b->place[b->list_first[batch->list] + (size_t)b->known->g->element[batch->first + e]] =
                batch->place + (uint32_t)e * (t->floats / WEFT_SUMS_MAX);
    }
}

static void put_segment(builder *b, int32_t s) {
    weft_row_gather *g = b->known->g;
    int32_t begin = weft_gather_segment_begin(b->known, s), end = weft_gather_segment_begin(b->known, s + 1);
    int32_t first = weft_gather_chunk_of(begin);
    g->segment[s] = (weft_gather_segment){first, 0, b->code.count, b->source.count, b->at.count};
    b->top = 0;
    for (int32_t l = 0; l <= b->known->list_count; l++)
        b->tenants[l].count = 0;
    for (int32_t c = first; g->chunk[c].row < end; c++) {
        place_batches(b, c);
        if (c == first)
            g->segment[s].halo = put_halo(b, begin, end);
        for (int32_t p = g->chunk[c].row; p < g->chunk[c + 1].row; p++)
            put_row(b, p, end);
        for (int32_t l = 0; l <= b->known->list_count; l++)
            leave(&b->tenants[l], c);
    }
    g->room = b->top > g->room ? b->top : g->room;
}

static weft_result make_plan(builder *b) {
    weft_row_gather *g = b->known->g;
    g->segment = weft_allocate((size_t)g->segments + 1, sizeof *g->segment);
    if (!g->segment)
        return weft_fail_memory("assembly order", (size_t)g->segments * sizeof *g->segment);
    WEFT_TRY(take_places(b));
    reserve(&b->code, 2 * (size_t)b->known->blocks);
    reserve(&b->source, (size_t)b->known->start[b->known->blocks]);
    reserve(&b->at, (size_t)b->known->corner_start[b->known->rows] * 2 + (size_t)b->known->rows);
    for (int32_t s = 0; s < g->segments && !b->code.failed && !b->source.failed && !b->at.failed; s++)
        put_segment(b, s);
    g->segment[g->segments].chunk = b->known->chunks;
    b->refused |= g->room >= WEFT_GATHER_MADE;
    if (b->code.failed || b->source.failed || b->at.failed)
        return weft_fail_memory("assembly order", (b->code.room + b->source.room + b->at.room) * sizeof(uint32_t));
    return weft_ok();
}

static weft_result build(builder *b) {
    weft_gather_lists *known = b->known;
    size_t rows = (size_t)known->rows;
    known->position = weft_allocate(rows, sizeof *known->position);
    known->g->row = weft_allocate(rows, sizeof *known->g->row);
    if (!known->position || !known->g->row)
        return weft_fail_memory("assembly order", rows * sizeof *known->position);
    WEFT_TRY(weft_gather_order_rows(known));
    WEFT_TRY(weft_gather_list_sources(known));
    WEFT_TRY(weft_gather_order_elements(known));
    return make_plan(b);
}

static void free_builder(builder *b) {
    for (int32_t l = 0; b->tenants && l <= b->known->list_count; l++)
        free_tenants(&b->tenants[l]);
    free(b->tenants);
    free(b->block_place);
    free(b->list_first);
    free(b->place);
    free(b->known->corners);
    free(b->known->corner_start);
    free(b->known->sources);
    free(b->known->start);
    free(b->known->twin);
    free(b->known->position);
}

weft_result weft_row_gather_create(const weft_bsr *matrix, int32_t begin, int32_t end, const weft_elements *lists,
                                   weft_slots *const *slots, int32_t list_count, weft_row_gather **made) {
    *made = NULL;
    if (begin >= end || list_count > UINT8_MAX)
        return weft_ok();
    int32_t first = matrix->start[begin];
    weft_gather_lists known = {.matrix = matrix, .lists = lists, .slots = slots, .list_count = list_count};
    known.first = first;
    known.blocks = matrix->start[end] - first;
    known.rows = end - begin;
    builder b = {.known = &known};
    weft_row_gather *g = known.g = weft_allocate(1, sizeof *g);
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
