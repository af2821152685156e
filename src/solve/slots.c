/* Lock-free parallel assembly by graph colouring: chunks of one colour share no vertex. See C. Farhat, L. Crivelli, A
 * general approach to nonlinear FE computations on shared-memory multiprocessors, Comput. Methods Appl. Mech. Eng. 72,
 * 1989. Chunks instead of single elements keep neighbours together, so that their matrix blocks are still in the cache.
 */
#include "solve/slots.h"

#include <stdlib.h>

#include "core/memory.h"
#include "core/parallel.h"

/* Chunks are large because rows at their borders enter the cache twice. ELEMENT is the relative cost of an element. */
enum { CHUNKS_WANTED = 96, SMALLEST_CHUNK = 512, COLOURS = 64, ELEMENT = 16 };

/* Ordered vertex pairs by row: for k in [start[i], start[i + 1]) the column of the pair and the slot entry to fill.
 * Rows count from `first`, the lowest vertex of the list, so that the cost does not depend on the other cloths. */
typedef struct wanted {
    int32_t first, rows;          /* the range of the list's vertices */
    int32_t *start, *column, *at; /* at: slot of each column in the current row (rows) */
    int32_t **place;
} wanted;

static void count_pairs(const weft_elements *list, const wanted *w) {
    for (size_t k = 0; k < (size_t)list->count * (size_t)list->arity; k++)
        w->start[list->vertex[k] - w->first + 2] += list->arity - 1;
}

static void list_pairs(const weft_elements *list, weft_slots *slots, const wanted *w) {
    size_t at = 0;
    for (int32_t e = 0; e < list->count; e++) {
        const int32_t *vertex = list->vertex + (size_t)e * (size_t)list->arity;
        for (int32_t a = 0; a < list->arity; a++)
            for (int32_t b = a + 1; b < list->arity; b++, at++)
                for (int side = 0; side < 2; side++) {
                    int32_t k = w->start[vertex[side ? b : a] - w->first + 1]++;
                    w->column[k] = vertex[side ? a : b];
                    w->place[k] = &slots->slot[at][side];
                }
    }
}

/* Scatters the columns of one row at a time, so that no search is needed. */
static weft_result fill_slots(const weft_bsr *matrix, const wanted *w) {
    for (int32_t i = w->first; i < w->first + w->rows; i++) {
        const int32_t *wanted_start = w->start + (i - w->first);
        for (int32_t k = matrix->start[i]; k < matrix->start[i + 1]; k++)
            if (matrix->column[k] >= w->first && matrix->column[k] < w->first + w->rows)
                w->at[matrix->column[k] - w->first] = k;
        for (int32_t k = wanted_start[0]; k < wanted_start[1]; k++) {
            int32_t slot = w->at[w->column[k] - w->first];
            if (slot < matrix->start[i] || slot >= matrix->start[i + 1] || matrix->column[slot] != w->column[k])
                return weft_fail(WEFT_BAD_INPUT, "matrix: vertices %d and %d of an element have no block", (int)i,
                                 (int)w->column[k]);
            *w->place[k] = slot;
        }
    }
    return weft_ok();
}

static weft_result find_slots(const weft_bsr *matrix, const weft_elements *list, weft_slots *slots) {
    int32_t low = matrix->rows, high = -1;
    for (size_t k = 0; k < (size_t)list->count * (size_t)list->arity; k++) {
        int32_t v = list->vertex[k];
        if (v < 0 || v >= matrix->rows)
            return weft_fail(WEFT_BAD_INPUT, "matrix: vertices %d and %d of element %d have no block", (int)v, (int)v,
                             (int)(k / (size_t)list->arity));
        low = v < low ? v : low;
        high = v > high ? v : high;
    }
    if (high < low)
        return weft_ok();
    size_t pairs = 2 * (size_t)list->count * (size_t)slots->pairs, rows = (size_t)high - (size_t)low + 1;
    wanted w = {.first = low,
                .rows = (int32_t)rows,
                .start = weft_allocate(rows + 2, sizeof *w.start),
                .column = weft_allocate(pairs, sizeof *w.column),
                .at = weft_allocate(rows, sizeof *w.at),
                .place = weft_allocate(pairs, sizeof(int32_t *))};
    weft_result result = weft_fail_memory("assembly slots", pairs * (sizeof *w.column + sizeof(int32_t *)));
    if (w.start && w.column && w.at && w.place) {
        count_pairs(list, &w);
        for (size_t i = 0; i < rows; i++)
            w.start[i + 2] += w.start[i + 1];
        list_pairs(list, slots, &w);
        result = fill_slots(matrix, &w);
    }
    free(w.place);
    free(w.at);
    free(w.column);
    free(w.start);
    return result;
}

static int32_t lowest_vertex(const weft_elements *list, int32_t e) {
    const int32_t *vertex = list->vertex + (size_t)e * (size_t)list->arity;
    int32_t lowest = vertex[0];
    for (int32_t a = 1; a < list->arity; a++)
        lowest = vertex[a] < lowest ? vertex[a] : lowest;
    return lowest;
}

/* Counting sort by lowest vertex. `start` has rows + 1 zeroed entries. */
static void sort_elements(const weft_elements *list, int32_t rows, int32_t *start, int32_t *order) {
    for (int32_t e = 0; e < list->count; e++)
        start[lowest_vertex(list, e) + 1]++;
    for (int32_t i = 0; i < rows; i++)
        start[i + 1] += start[i];
    for (int32_t e = 0; e < list->count; e++)
        order[start[lowest_vertex(list, e)]++] = e;
}

/* `taken` has one bit per colour for each vertex. Returns COLOURS if no colour is free. */
static int32_t colour_chunk(const weft_elements *list, const int32_t *elements, int32_t count, uint64_t *taken) {
    uint64_t used = 0;
    for (int32_t k = 0; k < count; k++)
        for (int32_t a = 0; a < list->arity; a++)
            used |= taken[list->vertex[(size_t)elements[k] * (size_t)list->arity + (size_t)a]];
    int32_t colour = 0;
    while (colour < COLOURS && (used >> colour & 1))
        colour++;
    if (colour < COLOURS)
        for (int32_t k = 0; k < count; k++)
            for (int32_t a = 0; a < list->arity; a++)
                taken[list->vertex[(size_t)elements[k] * (size_t)list->arity + (size_t)a]] |= (uint64_t)1 << colour;
    return colour;
}

/* Sorts the chunks by colour. Only the last chunk may be incomplete, so it ends its colour. */
static void arrange(weft_slots *slots, const int32_t *sorted, const int32_t *colour, int32_t chunks) {
    int32_t at = 0;
    slots->colours = 0;
    for (int32_t c = 0; c <= COLOURS; c++) {
        int32_t first = at;
        for (int32_t k = 0; k < chunks; k++)
            if (colour[k] == c)
                for (int32_t e = k * slots->chunk; e < (k + 1) * slots->chunk && e < slots->count; e++)
                    slots->order[at++] = sorted[e];
        if (at > first) {
            slots->colour_start[slots->colours++] = first;
            slots->serial = c == COLOURS;
        }
    }
    slots->colour_start[slots->colours] = at;
}

weft_result weft_slots_colour(weft_slots *slots, const weft_bsr *matrix, const weft_elements *list) {
    free(slots->order);
    free(slots->colour_start);
    slots->order = weft_allocate((size_t)list->count, sizeof *slots->order);
    slots->colour_start = weft_allocate(COLOURS + 2, sizeof *slots->colour_start);
    int32_t chunk = list->count / CHUNKS_WANTED;
    slots->chunk = chunk < SMALLEST_CHUNK ? SMALLEST_CHUNK : chunk;
    int32_t chunks = (list->count + slots->chunk - 1) / slots->chunk;
    int32_t *start = weft_allocate((size_t)matrix->rows + 1, sizeof *start);
    int32_t *sorted = weft_allocate((size_t)list->count, sizeof *sorted);
    uint64_t *taken = weft_allocate((size_t)matrix->rows, sizeof *taken);
    int32_t *colour = weft_allocate((size_t)chunks, sizeof *colour);
    weft_result result = weft_ok();
    if (!start || !sorted || !taken || !colour || !slots->order || !slots->colour_start) {
        result = weft_fail_memory("assembly order", (size_t)matrix->rows * 12 + (size_t)list->count * 4);
    } else {
        sort_elements(list, matrix->rows, start, sorted);
        for (int32_t k = 0; k < chunks; k++) {
            int32_t first = k * slots->chunk;
            int32_t count = list->count - first < slots->chunk ? list->count - first : slots->chunk;
            colour[k] = colour_chunk(list, sorted + first, count, taken);
        }
        arrange(slots, sorted, colour, chunks);
    }
    free(colour);
    free(taken);
    free(sorted);
    free(start);
    return result;
}

weft_result weft_slots_create(const weft_bsr *matrix, const weft_elements *list, weft_slots **made) {
    *made = NULL;
    weft_slots *slots = weft_allocate(1, sizeof *slots);
    if (!slots)
        return weft_fail_memory("assembly slots", sizeof *slots);
    slots->count = list->count;
    slots->pairs = list->arity * (list->arity - 1) / 2;
    size_t pairs = (size_t)list->count * (size_t)slots->pairs;
    slots->slot = weft_allocate(pairs, sizeof *slots->slot);
    weft_result result;
    if (!slots->slot)
        result = weft_fail_memory("assembly slots", pairs * sizeof *slots->slot);
    else
        result = find_slots(matrix, list, slots);
    if (result.code != WEFT_OK) {
        weft_slots_destroy(slots);
        return result;
    }
    *made = slots;
    return weft_ok();
}

/* Shifts the slots of unchanged elements with their rows; searches the others. */
static weft_result follow_slots(const weft_slots *slots, const weft_bsr *matrix, const weft_elements *list,
                                const int32_t *moved, int32_t (*slot)[2]) {
    for (int32_t e = 0; e < list->count; e++) {
        const int32_t *vertex = list->vertex + (size_t)e * (size_t)list->arity;
        int32_t was = list->same ? e : list->from[e];
        const int32_t(*old)[2] = NULL;
        if (was != WEFT_NONE)
            old = (const int32_t(*)[2])slots->slot + (size_t)was * (size_t)slots->pairs;
        for (int32_t a = 0, p = 0; a < list->arity; a++)
            for (int32_t b = a + 1; b < list->arity; b++, p++, slot++) {
                int32_t i = vertex[a], j = vertex[b];
                (*slot)[0] = old && moved[i] != WEFT_BSR_NEW ? old[p][0] + moved[i] : weft_bsr_slot(matrix, i, j);
                (*slot)[1] = old && moved[j] != WEFT_BSR_NEW ? old[p][1] + moved[j] : weft_bsr_slot(matrix, j, i);
                if ((*slot)[0] < 0 || (*slot)[1] < 0)
                    return weft_fail(WEFT_BAD_INPUT, "matrix: vertices %d and %d of element %d have no block", (int)i,
                                     (int)j, (int)e);
            }
    }
    return weft_ok();
}

weft_result weft_slots_update(weft_slots *slots, const weft_bsr *matrix, const weft_elements *list,
                              const int32_t *moved) {
    size_t count = (size_t)list->count, pairs = count * (size_t)slots->pairs;
    int32_t(*slot)[2] = malloc((pairs + 1) * sizeof *slot);
    weft_result result = slot ? weft_ok() : weft_fail_memory("assembly slots", pairs * sizeof *slot);
    if (result.code == WEFT_OK && (list->from || list->same))
        result = follow_slots(slots, matrix, list, moved, slot);
    if (result.code != WEFT_OK) {
        free(slot);
        return result;
    }
    free(slots->slot);
    slots->slot = slot;
    slots->colours = 0; /* the colouring is outdated */
    slots->count = list->count;
    return list->from || list->same ? weft_ok() : find_slots(matrix, list, slots);
}

void weft_slots_destroy(weft_slots *slots) {
    if (!slots)
        return;
    free(slots->colour_start);
    free(slots->order);
    free(slots->slot);
    free(slots);
}

typedef struct run {
    const int32_t *order;
    weft_slots_visit visit;
    void *context;
} run;

static void run_chunk(void *context, int64_t begin, int64_t end) {
    const run *r = context;
    r->visit(r->context, r->order + begin, (int32_t)(end - begin));
}

void weft_slots_run(const weft_slots *slots, const weft_work *work, weft_slots_visit visit, void *context) {
    for (int32_t c = 0; c < slots->colours; c++) {
        run r = {slots->order + slots->colour_start[c], visit, context};
        int64_t count = slots->colour_start[c + 1] - slots->colour_start[c];
        if (slots->serial && c == slots->colours - 1)
            run_chunk(&r, 0, count);
        else
            weft_parallel_heavy(work, count, slots->chunk, ELEMENT, run_chunk, &r);
    }
}
