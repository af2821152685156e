#include "linear/row_gather.h"

#include <limits.h>

#include "core/memory.h"

enum {
    SEGMENT_SPANS = 10, /* rows of a segment at least, in spans: what a border costs is half a span or so */
    SEGMENTS_MOST = 32, /* enough for threads */
    SEGMENTS_ENOUGH = 4,
    FEW_ROWS = 4096, /* any order of these will do */
    KEPT_FLOATS = 16 /* of a block that is kept: twelve, and what leaves tensors at multiples of sixteen */
};

/* One of the things that a block, or the product at a vertex, is made of. */
typedef struct source {
    int32_t element;
    uint8_t list;
    uint8_t first, second; /* vertices of the pair; of a product: its vertex */
    uint8_t turned;
} source;

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
    const weft_bsr *matrix;
    const weft_elements *lists;
    weft_slots *const *slots;
    int32_t list_count, first, blocks, rows;
    weft_row_gather *g;
    int32_t *position; /* of each row in the order */
    int32_t *twin;     /* of each block the transposed one, or -1 (blocks) */
    int32_t *start;    /* of the sources of each block whose row comes first (blocks + 1) */
    source *sources;
    int32_t *corner_start; /* of the products of each row (rows + 1) */
    source *corners;
    int32_t per_segment, chunks;
    uint32_t *place;       /* of the elements in the segment (all lists) */
    size_t *list_first;    /* where those of a list begin (list_count + 1) */
    uint32_t *block_place; /* (blocks) */
    tenants *batches;      /* of each list */
    tenants kept;          /* blocks */
    size_t top;            /* floats in use */
    words code, source, at;
    int refused; /* a number too large for the plan */
} builder;

/* -- the order of rows -- */

static int32_t span_of(const weft_bsr *m, int32_t begin, int32_t end, const int32_t *position) {
    int32_t longest = 1;
    for (int32_t i = begin; i < end; i++)
        for (int32_t k = m->start[i]; k < m->start[i + 1]; k++) {
            int32_t a = i - begin, b = m->column[k] - begin, d = position ? position[b] - position[a] : b - a;
            longest = d > longest ? d : longest;
        }
    return longest;
}

/* All rows that `from` is joined to, by their distance; returns how many. `seen` gets `mark`. */
static int32_t go_around(const weft_bsr *m, int32_t begin, int32_t from, uint8_t mark, uint8_t *seen, int32_t *queue) {
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

/* Cuthill and McKee: by the distance from a row at the end. */
static weft_result order_by_distance(builder *b) {
    uint8_t *seen = weft_allocate((size_t)b->rows, 1);
    if (!seen)
        return weft_fail_memory("assembly order", (size_t)b->rows);
    int32_t count = 0;
    for (int32_t i = 0; i < b->rows; i++)
        if (!seen[i]) {
            int32_t found = go_around(b->matrix, b->g->begin, i, 1, seen, b->g->row + count);
            int32_t far = b->g->row[count + found - 1];
            count += go_around(b->matrix, b->g->begin, far, 2, seen, b->g->row + count);
        }
    free(seen);
    for (int32_t p = 0; p < b->rows; p++)
        b->position[b->g->row[p]] = p;
    return weft_ok();
}

static weft_result choose_order(builder *b) {
    int32_t span = span_of(b->matrix, b->g->begin, b->g->end, NULL);
    /* rows of their own order are found by the processor ahead of their turn; others take more than twice as long */
    b->g->natural = b->rows < FEW_ROWS || (int64_t)span * span < 16 * (int64_t)b->rows ||
                    (int64_t)SEGMENTS_ENOUGH * SEGMENT_SPANS * span <= b->rows;
    for (int32_t i = 0; i < b->rows; i++)
        b->g->row[i] = b->position[i] = i;
    if (!b->g->natural) {
        WEFT_TRY(order_by_distance(b));
        span = span_of(b->matrix, b->g->begin, b->g->end, b->position);
    }
    int64_t segments = b->rows / ((int64_t)SEGMENT_SPANS * span);
    segments = segments > SEGMENTS_MOST ? SEGMENTS_MOST : segments < 2 ? 1 : segments / 2 * 2;
    int64_t per = (b->rows + segments - 1) / segments;
    per = (per + WEFT_GATHER_ROWS - 1) / WEFT_GATHER_ROWS * WEFT_GATHER_ROWS;
    b->per_segment = (int32_t)per;
    b->g->segments = (int32_t)((b->rows + per - 1) / per);
    b->chunks = (b->rows + WEFT_GATHER_ROWS - 1) / WEFT_GATHER_ROWS;
    return weft_ok();
}

/* Segments end where chunks do. */
static int32_t chunk_of(int32_t position) { return position / WEFT_GATHER_ROWS; }

static int32_t segment_begin(const builder *b, int32_t segment) {
    int64_t p = (int64_t)segment * b->per_segment;
    return p < b->rows ? (int32_t)p : b->rows;
}

/* -- what blocks and products are made of -- */

static const int32_t *vertices_of(const weft_elements *list, int32_t e) {
    return list->vertex + (size_t)e * (size_t)list->arity;
}

static int is_idle(const weft_elements *list, int32_t e, int32_t a) { return list->idle && list->idle[e] == a; }

/* Counts the sources of blocks, or notes them. In line, as plans are made again at every change of the mesh. */
static inline __attribute__((always_inline)) void each_pair(builder *b, int notes) {
    for (int32_t l = 0; l < b->list_count; l++) {
        const weft_elements *list = &b->lists[l];
        const int32_t(*slot)[2] = (const int32_t(*)[2])b->slots[l]->slot;
        for (int32_t e = 0; e < list->count; e++) {
            const int32_t *v = vertices_of(list, e);
            for (int32_t p = 0; p < list->arity; p++)
                for (int32_t q = p + 1; q < list->arity; q++, slot++) {
                    if (is_idle(list, e, p) || is_idle(list, e, q))
                        continue;
                    /* the block whose row comes first; the element may have it transposed */
                    int turned = b->position[v[p] - b->g->begin] > b->position[v[q] - b->g->begin];
                    int32_t block = (*slot)[turned] - b->first, other = (*slot)[!turned] - b->first;
                    if (notes) {
                        b->sources[b->start[block]++] =
                            (source){e, (uint8_t)l, (uint8_t)p, (uint8_t)q, (uint8_t)turned};
                        continue;
                    }
                    b->twin[block] = other;
                    b->twin[other] = block;
                    b->start[block + 1]++;
                }
        }
    }
}

static void count_corners(builder *b) {
    for (int32_t l = 0; l < b->list_count; l++)
        for (int32_t e = 0; e < b->lists[l].count && !b->lists[l].tensor; e++)
            for (int32_t a = 0; a < b->lists[l].arity; a++)
                b->corner_start[vertices_of(&b->lists[l], e)[a] - b->g->begin + 1] += !is_idle(&b->lists[l], e, a);
}

static void note_corners(builder *b) {
    for (int32_t l = 0; l < b->list_count; l++)
        for (int32_t e = 0; e < b->lists[l].count && !b->lists[l].tensor; e++)
            for (int32_t a = 0; a < b->lists[l].arity; a++) {
                int32_t i = vertices_of(&b->lists[l], e)[a] - b->g->begin;
                if (!is_idle(&b->lists[l], e, a))
                    b->corners[b->corner_start[i]++] = (source){e, (uint8_t)l, (uint8_t)a, (uint8_t)a, 0};
            }
}

/* Sums of counts that were taken one place further; filling moves each start to the next one's. */
static void add_up(int32_t *start, int32_t count) {
    for (int32_t k = 0; k < count; k++)
        start[k + 1] += start[k];
}

static void move_back(int32_t *start, int32_t count) {
    for (int32_t k = count; k > 0; k--)
        start[k] = start[k - 1];
    start[0] = 0;
}

static weft_result list_sources(builder *b) {
    size_t blocks = (size_t)b->blocks, rows = (size_t)b->rows;
    b->twin = malloc((blocks + 1) * sizeof *b->twin);
    b->start = weft_allocate(blocks + 2, sizeof *b->start);
    b->corner_start = weft_allocate(rows + 2, sizeof *b->corner_start);
    if (!b->twin || !b->start || !b->corner_start)
        return weft_fail_memory("assembly order", blocks * 8 + rows * 4);
    for (size_t k = 0; k < blocks; k++)
        b->twin[k] = -1;
    each_pair(b, 0);
    count_corners(b);
    add_up(b->start, b->blocks);
    add_up(b->corner_start, b->rows);
    b->sources = weft_allocate((size_t)b->start[b->blocks], sizeof *b->sources);
    b->corners = weft_allocate((size_t)b->corner_start[b->rows], sizeof *b->corners);
    if (!b->sources || !b->corners)
        return weft_fail_memory("assembly order", (size_t)b->start[b->blocks] * sizeof *b->sources);
    each_pair(b, 1);
    note_corners(b);
    move_back(b->start, b->blocks);
    move_back(b->corner_start, b->rows);
    return weft_ok();
}

/* -- which elements are computed when -- */

/* An element in a segment: the chunk before whose rows it is computed, and the last one that needs it. */
typedef struct stay {
    int32_t element, list, from, until;
} stay;

typedef struct stays {
    stay *all;
    size_t count, room;
} stays;

/* The lowest and the highest of the rows that take part, and the last one whose blocks need the element: products are
 * needed at all of its vertices, a block at the first of its two rows. */
static void reach_of(const builder *b, int32_t l, int32_t e, int32_t *low, int32_t *high, int32_t *needed) {
    const weft_elements *list = &b->lists[l];
    int32_t second = -1;
    *low = INT32_MAX;
    *high = -1;
    for (int32_t a = 0; a < list->arity; a++) {
        int32_t p = b->position[vertices_of(list, e)[a] - b->g->begin];
        if (is_idle(list, e, a))
            continue;
        *low = p < *low ? p : *low;
        if (p > *high) {
            second = *high;
            *high = p;
        } else if (p > second) {
            second = p;
        }
    }
    *needed = list->tensor ? second : *high;
}

static void note_stays(const builder *b, int32_t l, int32_t e, stays *s) {
    int32_t low, high, needed;
    reach_of(b, l, e, &low, &high, &needed);
    for (int32_t segment = low / b->per_segment; segment <= high / b->per_segment; segment++, s->count++) {
        int32_t begin = segment_begin(b, segment), end = segment_begin(b, segment + 1);
        int32_t from = low > begin ? low : begin, until = needed < end ? needed : end - 1;
        if (s->all)
            s->all[s->count] = (stay){e, l, chunk_of(from), chunk_of(until > from ? until : from)};
    }
}

static void list_stays(const builder *b, stays *s) {
    s->count = 0;
    for (int32_t l = 0; l < b->list_count; l++)
        for (int32_t e = 0; e < b->lists[l].count; e++)
            note_stays(b, l, e, s);
}

/* Counting sort by `until`, or by chunk and list; both keep the order of equals. */
static void sort_stays(const builder *b, const stay *from, size_t count, int by_until, int32_t *start, stay *to) {
    size_t keys = (size_t)b->chunks * (size_t)(by_until ? 1 : b->list_count);
    memset(start, 0, (keys + 1) * sizeof *start);
    for (int pass = 0; pass < 2; pass++) {
        for (size_t k = 0; k < count; k++) {
            size_t key =
                by_until ? (size_t)from[k].until : (size_t)from[k].from * (size_t)b->list_count + (size_t)from[k].list;
            if (pass == 0)
                start[key + 1]++;
            else
                to[start[key]++] = from[k];
        }
        if (pass == 0)
            add_up(start, (int32_t)keys);
    }
}

/* Those that leave together are computed together, so that their place can be used again. */
static void make_batches(builder *b, const stay *all, size_t count) {
    weft_row_gather *g = b->g;
    int32_t made = 0, chunk = 0;
    for (size_t k = 0; k < count; k++) {
        weft_gather_batch *last = made > 0 ? &g->batch[made - 1] : NULL;
        g->element[k] = all[k].element;
        for (; chunk <= all[k].from; chunk++)
            g->chunk[chunk].batch = made;
        if (last && g->chunk[all[k].from].batch < made && last->list == all[k].list && last->count < WEFT_SUMS_MAX)
            last->count++;
        else
            g->batch[made++] = (weft_gather_batch){all[k].list, (int32_t)k, 1, 0};
    }
    for (; chunk <= b->chunks; chunk++)
        g->chunk[chunk].batch = made;
}

static weft_result order_elements(builder *b) {
    weft_row_gather *g = b->g;
    stays s = {NULL, 0, 0};
    list_stays(b, &s);
    size_t count = s.count, keys = (size_t)b->chunks * (size_t)(b->list_count > 0 ? b->list_count : 1);
    if (count > INT32_MAX)
        return weft_fail_memory("assembly order", count);
    stay *other = weft_allocate(count, sizeof *other);
    int32_t *start = weft_allocate(keys + 2, sizeof *start);
    s.all = weft_allocate(count, sizeof *s.all);
    g->element = weft_allocate(count, sizeof *g->element);
    g->chunk = weft_allocate((size_t)b->chunks + 1, sizeof *g->chunk);
    g->batch = weft_allocate(count / WEFT_SUMS_MAX + keys + 1, sizeof *g->batch);
    weft_result result = weft_ok();
    if (!other || !start || !s.all || !g->element || !g->chunk || !g->batch) {
        result = weft_fail_memory("assembly order", 2 * count * sizeof *other);
    } else {
        list_stays(b, &s);
        sort_stays(b, s.all, count, 1, start, other);
        sort_stays(b, other, count, 0, start, s.all);
        make_batches(b, s.all, count);
        for (int32_t c = 0; c <= b->chunks; c++)
            g->chunk[c].row = c * WEFT_GATHER_ROWS < b->rows ? c * WEFT_GATHER_ROWS : b->rows;
        /* `until` of the elements of a batch is that of its last one */
        for (int32_t k = 0; k < g->chunk[b->chunks].batch; k++) {
            weft_gather_batch *batch = &g->batch[k];
            batch->place = (uint32_t)s.all[batch->first + batch->count - 1].until;
        }
    }
    free(s.all);
    free(start);
    free(other);
    return result;
}

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
    size_t elements = 0;
    int32_t batches = b->g->chunk[b->chunks].batch;
    b->list_first = weft_allocate((size_t)b->list_count + 1, sizeof *b->list_first);
    b->batches = weft_allocate((size_t)b->list_count, sizeof *b->batches);
    b->block_place = weft_allocate((size_t)b->blocks, sizeof *b->block_place);
    int ok = b->list_first && b->batches && b->block_place;
    for (int32_t l = 0; ok && l < b->list_count; l++) {
        b->list_first[l] = elements;
        elements += (size_t)b->lists[l].count;
        ok = take_tenants(&b->batches[l], (size_t)batches, b->chunks, b->g->batch ? &b->g->batch[0].place : NULL,
                          sizeof *b->g->batch, weft_gather_record(&b->lists[l]) * WEFT_SUMS_MAX);
    }
    ok =
        ok && take_tenants(&b->kept, (size_t)b->blocks, b->chunks, b->block_place, sizeof *b->block_place, KEPT_FLOATS);
    b->place = weft_allocate(elements, sizeof *b->place);
    return ok && b->place ? weft_ok() : weft_fail_memory("assembly order", elements * sizeof *b->place);
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

static uint32_t place_of(const builder *b, const source *s) {
    return b->place[b->list_first[s->list] + (size_t)s->element];
}

static int32_t pair_of(int32_t arity, int32_t a, int32_t c) { return a * (2 * arity - a - 1) / 2 + c - a - 1; }

/* Sources in the order of their lists and elements, blocks before tensors. */
static void put_made(builder *b, int32_t block, uint32_t keep) {
    uint32_t count[2] = {0, 0};
    for (int tensor = 0; tensor < 2; tensor++)
        for (int32_t k = b->start[block]; k < b->start[block + 1]; k++) {
            const source *s = &b->sources[k];
            const weft_elements *list = &b->lists[s->list];
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
    b->block_place[block] = take_place(b, &b->kept);
    stay_until(&b->kept, chunk_of(until), block);
    return b->block_place[block];
}

/* The blocks that rows of the segment have in common with rows before it. */
static int32_t put_halo(builder *b, int32_t begin, int32_t end) {
    int32_t count = 0;
    for (int32_t p = begin; p < end; p++) {
        int32_t i = b->g->begin + b->g->row[p];
        for (int32_t k = b->matrix->start[i] - b->first; k < b->matrix->start[i + 1] - b->first; k++) {
            if (b->twin[k] < 0 || b->position[b->matrix->column[b->first + k] - b->g->begin] >= begin)
                continue;
            put_made(b, b->twin[k], keep_block(b, b->twin[k], p));
            count++;
        }
    }
    return count;
}

static void put_products(builder *b, int32_t i) {
    size_t head = b->at.count;
    uint32_t count[2] = {0, 0};
    put(&b->at, 0);
    for (int less = 0; less < 2; less++)
        for (int32_t k = b->corner_start[i]; k < b->corner_start[i + 1]; k++) {
            const source *s = &b->corners[k];
            if ((s->first == 0) != less)
                continue;
            uint32_t place = place_of(b, s) + WEFT_PAIR_FLOATS - 4; /* of the last four floats of a pair */
            int32_t last = less ? b->lists[s->list].arity - 1 : s->first;
            for (int32_t a = less ? 1 : s->first; a <= last; a++, count[less]++)
                put(&b->at, place + (uint32_t)(WEFT_PAIR_FLOATS * (a - 1)));
        }
    b->refused |= count[0] > UINT16_MAX || count[1] > UINT16_MAX;
    if (!b->at.failed)
        b->at.all[head] = count[0] | count[1] << 16;
}

static void put_row(builder *b, int32_t p, int32_t end) {
    int32_t i = b->g->begin + b->g->row[p];
    for (int32_t k = b->matrix->start[i] - b->first; k < b->matrix->start[i + 1] - b->first; k++) {
        int32_t q = b->position[b->matrix->column[b->first + k] - b->g->begin];
        if (q < p && b->twin[k] >= 0)
            put(&b->code, b->block_place[b->twin[k]]);
        else
            put_made(b, k, q > p && q < end && b->twin[k] >= 0 ? keep_block(b, k, q) : WEFT_GATHER_NOWHERE);
    }
    put_products(b, b->g->row[p]);
}

static void place_batches(builder *b, int32_t chunk) {
    for (int32_t k = b->g->chunk[chunk].batch; k < b->g->chunk[chunk + 1].batch; k++) {
        weft_gather_batch *batch = &b->g->batch[k];
        tenants *t = &b->batches[batch->list];
        stay_until(t, (int32_t)batch->place, k);
        batch->place = take_place(b, t);
        for (int32_t e = 0; e < batch->count; e++)
            b->place[b->list_first[batch->list] + (size_t)b->g->element[batch->first + e]] =
                batch->place + (uint32_t)e * (t->floats / WEFT_SUMS_MAX);
    }
}

static void put_segment(builder *b, int32_t s) {
    weft_row_gather *g = b->g;
    int32_t begin = segment_begin(b, s), end = segment_begin(b, s + 1), first = chunk_of(begin);
    g->segment[s] = (weft_gather_segment){first, 0, b->code.count, b->source.count, b->at.count};
    b->top = 0;
    b->kept.count = 0;
    for (int32_t l = 0; l < b->list_count; l++)
        b->batches[l].count = 0;
    for (int32_t c = first; g->chunk[c].row < end; c++) {
        place_batches(b, c);
        if (c == first)
            g->segment[s].halo = put_halo(b, begin, end);
        for (int32_t p = g->chunk[c].row; p < g->chunk[c + 1].row; p++)
            put_row(b, p, end);
        for (int32_t l = 0; l < b->list_count; l++)
            leave(&b->batches[l], c);
        leave(&b->kept, c);
    }
    g->room = b->top > g->room ? b->top : g->room;
}

static weft_result make_plan(builder *b) {
    weft_row_gather *g = b->g;
    g->segment = weft_allocate((size_t)g->segments + 1, sizeof *g->segment);
    if (!g->segment)
        return weft_fail_memory("assembly order", (size_t)g->segments * sizeof *g->segment);
    WEFT_TRY(take_places(b));
    for (int32_t s = 0; s < g->segments; s++)
        put_segment(b, s);
    g->segment[g->segments].chunk = b->chunks;
    b->refused |= g->room >= WEFT_GATHER_MADE;
    if (b->code.failed || b->source.failed || b->at.failed)
        return weft_fail_memory("assembly order", (b->code.room + b->source.room + b->at.room) * sizeof(uint32_t));
    return weft_ok();
}

static weft_result build(builder *b) {
    size_t rows = (size_t)b->rows;
    b->position = weft_allocate(rows, sizeof *b->position);
    b->g->row = weft_allocate(rows, sizeof *b->g->row);
    if (!b->position || !b->g->row)
        return weft_fail_memory("assembly order", rows * sizeof *b->position);
    WEFT_TRY(choose_order(b));
    WEFT_TRY(list_sources(b));
    WEFT_TRY(order_elements(b));
    return make_plan(b);
}

static void free_builder(builder *b) {
    for (int32_t l = 0; b->batches && l < b->list_count; l++)
        free_tenants(&b->batches[l]);
    free_tenants(&b->kept);
    free(b->batches);
    free(b->block_place);
    free(b->list_first);
    free(b->place);
    free(b->corners);
    free(b->corner_start);
    free(b->sources);
    free(b->start);
    free(b->twin);
    free(b->position);
}

weft_result weft_row_gather_create(const weft_bsr *matrix, int32_t begin, int32_t end, const weft_elements *lists,
                                   weft_slots *const *slots, int32_t list_count, weft_row_gather **made) {
    *made = NULL;
    if (begin >= end || list_count > UINT8_MAX)
        return weft_ok();
    builder b = {.matrix = matrix, .lists = lists, .slots = slots, .list_count = list_count, .rows = end - begin};
    b.first = matrix->start[begin];
    b.blocks = matrix->start[end] - b.first;
    b.g = weft_allocate(1, sizeof *b.g);
    if (!b.g)
        return weft_fail_memory("assembly order", sizeof *b.g);
    b.g->begin = begin;
    b.g->end = end;
    weft_result result = build(&b);
    free_builder(&b);
    b.g->code = b.code.all;
    b.g->source = b.source.all;
    b.g->at = b.at.all;
    if (result.code == WEFT_OK && !b.refused)
        *made = b.g;
    else
        weft_row_gather_destroy(b.g);
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
