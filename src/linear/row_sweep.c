#include "linear/row_sweep.h"

#include <stdlib.h>

#include "core/memory.h"
#include "core/parallel.h"

enum {
    FEWEST_ROWS = 256,    /* of a segment */
    SEGMENTS_WANTED = 32, /* enough for threads, few enough borders */
    FEWEST_SEGMENTS = 4,  /* worth it */
    ROW = 16              /* the weight of one in parallel loops */
};

typedef struct span {
    int32_t low, high;
} span;

static span span_of(const weft_elements *list, int32_t e) {
    const int32_t *vertex = list->vertex + (size_t)e * (size_t)list->arity;
    span s = {vertex[0], vertex[0]};
    for (int32_t a = 1; a < list->arity; a++) {
        s.low = vertex[a] < s.low ? vertex[a] : s.low;
        s.high = vertex[a] > s.high ? vertex[a] : s.high;
    }
    return s;
}

static int32_t longest_span(const weft_elements *lists, int32_t list_count) {
    int32_t longest = 0;
    for (int32_t l = 0; l < list_count; l++)
        for (int32_t e = 0; e < lists[l].count; e++) {
            span s = span_of(&lists[l], e);
            longest = s.high - s.low > longest ? s.high - s.low : longest;
        }
    return longest;
}

/* Segments of more than two spans, so that elements across different borders share no row. */
static void choose_segments(weft_row_sweep *sweep, int32_t longest) {
    int64_t rows = sweep->end - sweep->begin, least = 2 * (int64_t)longest + 1;
    least = least < FEWEST_ROWS ? FEWEST_ROWS : least;
    least = least < rows / SEGMENTS_WANTED ? rows / SEGMENTS_WANTED : least;
    int64_t chunks = (rows + WEFT_ROW_SWEEP_CHUNK - 1) / WEFT_ROW_SWEEP_CHUNK;
    int64_t per_segment = (least + WEFT_ROW_SWEEP_CHUNK - 1) / WEFT_ROW_SWEEP_CHUNK;
    sweep->chunks = (int32_t)chunks;
    sweep->per_segment = (int32_t)per_segment;
    sweep->segments = (int32_t)(chunks / per_segment); /* what is left goes to the last one */
}

static int32_t chunk_of(const weft_row_sweep *sweep, int32_t row) {
    return (row - sweep->begin) / WEFT_ROW_SWEEP_CHUNK;
}

static int32_t segment_of(const weft_row_sweep *sweep, int32_t row) {
    int32_t s = chunk_of(sweep, row) / sweep->per_segment;
    return s < sweep->segments ? s : sweep->segments - 1;
}

static int32_t first_chunk(const weft_row_sweep *sweep, int32_t segment) {
    return segment < sweep->segments ? segment * sweep->per_segment : sweep->chunks;
}

static int32_t first_row(const weft_row_sweep *sweep, int32_t chunk) {
    int64_t row = sweep->begin + (int64_t)chunk * WEFT_ROW_SWEEP_CHUNK;
    return row < sweep->end ? (int32_t)row : sweep->end;
}

/* Notes how far an element goes; returns where it is counted: at its chunk, or beyond all chunks at its border. */
static int32_t place_of(weft_row_sweep *sweep, const weft_elements *list, int32_t e) {
    span s = span_of(list, e);
    int32_t segment = segment_of(sweep, s.low), chunk = chunk_of(sweep, s.low);
    if (segment_of(sweep, s.high) == segment) {
        if (s.high + 1 > sweep->reach[chunk])
            sweep->reach[chunk] = s.high + 1;
        return chunk;
    }
    int32_t *border = sweep->border[segment];
    border[0] = s.low < border[0] ? s.low : border[0];
    border[1] = s.high + 1 > border[1] ? s.high + 1 : border[1];
    return sweep->chunks + segment;
}

static weft_result order_list(weft_row_sweep *sweep, const weft_elements *list, weft_row_sweep_list *own) {
    size_t places = (size_t)sweep->chunks + (size_t)sweep->segments, count = (size_t)list->count;
    own->order = malloc((count + 1) * sizeof *own->order);
    own->inner = weft_allocate(places + 2, sizeof *own->inner);
    int32_t *place = malloc((count + 1) * sizeof *place);
    if (!own->order || !own->inner || !place) {
        free(place);
        return weft_fail_memory("assembly order", count * sizeof *own->order);
    }
    own->outer = own->inner + sweep->chunks;
    int32_t *fill = own->inner + 1;
    for (int32_t e = 0; e < list->count; e++) {
        place[e] = place_of(sweep, list, e);
        fill[place[e] + 1]++;
    }
    for (size_t p = 0; p < places; p++)
        fill[p + 1] += fill[p];
    for (int32_t e = 0; e < list->count; e++)
        own->order[fill[place[e]]++] = e;
    free(place);
    return weft_ok();
}

static weft_result fill(weft_row_sweep *sweep, const weft_elements *lists) {
    sweep->reach = weft_allocate((size_t)sweep->chunks, sizeof *sweep->reach);
    sweep->border = weft_allocate((size_t)sweep->segments, sizeof *sweep->border);
    sweep->list = weft_allocate((size_t)sweep->list_count, sizeof *sweep->list);
    if (!sweep->reach || !sweep->border || !sweep->list)
        return weft_fail_memory("assembly order", (size_t)sweep->chunks * sizeof *sweep->reach);
    for (int32_t c = 0; c < sweep->chunks; c++)
        sweep->reach[c] = first_row(sweep, c + 1);
    for (int32_t s = 0; s < sweep->segments; s++)
        sweep->border[s][0] = sweep->border[s][1] = first_row(sweep, first_chunk(sweep, s + 1));
    for (int32_t l = 0; l < sweep->list_count; l++)
        WEFT_TRY(order_list(sweep, &lists[l], &sweep->list[l]));
    return weft_ok();
}

weft_result weft_row_sweep_create(int32_t begin, int32_t end, const weft_elements *lists, int32_t list_count,
                                  weft_row_sweep **made) {
    *made = NULL;
    weft_row_sweep *sweep = weft_allocate(1, sizeof *sweep);
    if (!sweep)
        return weft_fail_memory("assembly order", sizeof *sweep);
    sweep->begin = begin;
    sweep->end = end;
    sweep->list_count = list_count;
    choose_segments(sweep, longest_span(lists, list_count));
    weft_result result = weft_ok();
    if (sweep->segments >= FEWEST_SEGMENTS) {
        result = fill(sweep, lists);
        if (result.code == WEFT_OK) {
            *made = sweep;
            return result;
        }
    }
    weft_row_sweep_destroy(sweep);
    return result;
}

void weft_row_sweep_destroy(weft_row_sweep *sweep) {
    if (!sweep)
        return;
    for (int32_t l = 0; sweep->list && l < sweep->list_count; l++) {
        free(sweep->list[l].order);
        free(sweep->list[l].inner);
    }
    free(sweep->list);
    free(sweep->border);
    free(sweep->reach);
    free(sweep);
}

typedef struct run {
    const weft_row_sweep *sweep;
    const weft_row_sweep_body *body;
} run;

static void run_segment(void *context, int64_t segment, int64_t next) {
    const run *r = context;
    const weft_row_sweep *sweep = r->sweep;
    const weft_row_sweep_body *body = r->body;
    for (int32_t s = (int32_t)segment; s < next; s++) {
        int32_t from = s > 0 ? sweep->border[s - 1][1] : sweep->begin, to = sweep->border[s][0];
        int32_t cleared = first_row(sweep, first_chunk(sweep, s));
        for (int32_t c = first_chunk(sweep, s); c < first_chunk(sweep, s + 1); c++) {
            int32_t begin = first_row(sweep, c), end = first_row(sweep, c + 1);
            if (sweep->reach[c] > cleared) {
                body->clear(body->context, cleared, sweep->reach[c]);
                cleared = sweep->reach[c];
            }
            for (int32_t l = 0; l < sweep->list_count; l++) {
                const weft_row_sweep_list *list = &sweep->list[l];
                body->add(body->context, l, list->order + list->inner[c], list->inner[c + 1] - list->inner[c]);
            }
            begin = begin > from ? begin : from;
            end = end < to ? end : to;
            if (begin < end)
                body->finish(body->context, begin, end);
        }
    }
}

static void run_border(void *context, int64_t border, int64_t next) {
    const run *r = context;
    const weft_row_sweep *sweep = r->sweep;
    const weft_row_sweep_body *body = r->body;
    for (int64_t s = border; s < next; s++) {
        for (int32_t l = 0; l < sweep->list_count; l++) {
            const weft_row_sweep_list *list = &sweep->list[l];
            body->add(body->context, l, list->order + list->outer[s], list->outer[s + 1] - list->outer[s]);
        }
        body->finish(body->context, sweep->border[s][0], sweep->border[s][1]);
    }
}

void weft_row_sweep_run(const weft_row_sweep *sweep, const weft_work *work, const weft_row_sweep_body *body) {
    run r = {sweep, body};
    int64_t weight = (int64_t)sweep->per_segment * WEFT_ROW_SWEEP_CHUNK * ROW;
    weft_parallel_heavy(work, sweep->segments, 1, weight, run_segment, &r);
    weft_parallel_heavy(work, sweep->segments - 1, 1, weight / 4, run_border, &r);
}
