/* Schedules the elements of a gathered assembly. Each is computed just before the first chunk of a segment that needs
 * it. */
#include "core/memory.h"
#include "solve/row_gather_lists.h"

/* Lifetime of an element in a segment: the chunk that computes it and the last chunk that needs it. */
typedef struct lifetime {
    int32_t element, list, from, until;
} lifetime;

typedef struct lifetimes {
    lifetime *all;
    size_t count;
} lifetimes;

/* The lowest and highest row position of an element, and the last position that needs it. Products are needed at all of
 * its vertices, a block at the first of its two rows. */
static void reach_of(const weft_gather_lists *b, int32_t l, int32_t e, int32_t *low, int32_t *high, int32_t *needed) {
    const weft_elements *list = &b->lists[l];
    int32_t second = -1;
    *low = INT32_MAX;
    *high = -1;
    for (int32_t a = 0; a < list->arity; a++) {
        int32_t p = b->position[weft_gather_vertices(list, e)[a] - b->g->begin];
        if (weft_gather_is_idle(list, e, a))
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

static void add_lifetimes(const weft_gather_lists *b, int32_t l, int32_t e, lifetimes *s) {
    int32_t low, high, needed;
    reach_of(b, l, e, &low, &high, &needed);
    for (int32_t segment = low / b->per_segment; segment <= high / b->per_segment; segment++, s->count++) {
        int32_t begin = weft_gather_segment_begin(b, segment), end = weft_gather_segment_begin(b, segment + 1);
        int32_t from = low > begin ? low : begin, until = needed < end ? needed : end - 1;
        if (s->all)
            s->all[s->count] =
                (lifetime){e, l, weft_gather_chunk_of(from), weft_gather_chunk_of(until > from ? until : from)};
    }
}

static void list_lifetimes(const weft_gather_lists *b, lifetimes *s) {
    s->count = 0;
    for (int32_t l = 0; l < b->list_count; l++)
        for (int32_t e = 0; e < b->lists[l].count; e++)
            add_lifetimes(b, l, e, s);
}

/* Stable counting sort by `until`, or by chunk and list. */
static void sort_lifetimes(const weft_gather_lists *b, const lifetime *from, size_t count, int by_until, int32_t *start,
                           lifetime *to) {
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
            weft_gather_add_up(start, (int32_t)keys);
    }
}

/* Batches elements whose lifetimes end together, so that their buffer space can be reused. */
static void make_batches(weft_gather_lists *b, const lifetime *all, size_t count) {
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

weft_result weft_gather_order_elements(weft_gather_lists *b) {
    weft_row_gather *g = b->g;
    lifetimes s = {NULL, 0};
    list_lifetimes(b, &s);
    size_t count = s.count, keys = (size_t)b->chunks * (size_t)(b->list_count > 0 ? b->list_count : 1);
    if (count > INT32_MAX)
        return weft_fail_memory("assembly order", count);
    lifetime *other = weft_allocate(count, sizeof *other);
    int32_t *start = weft_allocate(keys + 2, sizeof *start);
    s.all = weft_allocate(count, sizeof *s.all);
    g->element = weft_allocate(count, sizeof *g->element);
    g->chunk = weft_allocate((size_t)b->chunks + 1, sizeof *g->chunk);
    g->batch = weft_allocate(count / WEFT_SUMS_MAX + keys + 1, sizeof *g->batch);
    weft_result result = weft_ok();
    if (!other || !start || !s.all || !g->element || !g->chunk || !g->batch) {
        result = weft_fail_memory("assembly order", 2 * count * sizeof *other);
    } else {
        list_lifetimes(b, &s);
        sort_lifetimes(b, s.all, count, 1, start, other);
        sort_lifetimes(b, other, count, 0, start, s.all);
        make_batches(b, s.all, count);
        for (int32_t c = 0; c <= b->chunks; c++)
            g->chunk[c].row = c * WEFT_GATHER_ROWS < b->rows ? c * WEFT_GATHER_ROWS : b->rows;
        /* the elements of a batch stay until its last one is no longer needed */
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
