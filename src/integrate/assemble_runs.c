/* Rows that are alike, as in grids, sixteen at a time: each lane of a vector is a row. Where vertices are is kept for a
 * window of them, which stays in the cache. */
#include <string.h>

#include "core/parallel.h"
#include "integrate/row_sink.h"
#include "integrate/window.h"

enum {
    BLOCKS = WEFT_OTHER_SLOTS, /* of rows between runs, computed at a time */
    ROWS = WEFT_SINK_ROWS,     /* of these blocks at most */
    ROW = 16,                  /* the weight of one in parallel loops */
    TASKS = 4,                 /* for each thread */
    REACHES = 3                /* rows of a task at least, by those that its window begins with */
};

typedef struct context {
    const weft_assembly *a;
    const weft_row_pairs *pairs;
    int32_t number; /* of the list */
    int32_t tasks;
    float *window; /* of each task */
} context;

/* The window of a task, and the vertex up to which it is filled. */
typedef struct view {
    weft_pair_window window;
    int32_t filled;
} view;

/* Fetches what will be asked for of the rows behind a run. Inline, because GCC 12 drops calls of a function that does
 * nothing but fetch. */
static inline __attribute__((always_inline)) void fetch_others(const context *c, int32_t row, int32_t slot) {
    enum { BYTES = 256 };
    const char *start = (const char *)(c->a->matrix->start + row),
               *column = (const char *)(c->a->matrix->column + slot);
    const char *element = (const char *)(c->pairs->element + (slot - c->a->matrix->start[c->pairs->begin]));
    __builtin_prefetch(start);
    for (int k = 0; k < BYTES; k += 64) {
        __builtin_prefetch(column + k);
        __builtin_prefetch(element + k);
    }
}

static void fill_window(const context *c, int32_t row, view *v) {
    int32_t ahead = (row + c->pairs->reach + 2 * WEFT_RUN - 1) / WEFT_RUN * WEFT_RUN;
    ahead = ahead < c->pairs->end ? ahead : c->pairs->end;
    if (v->filled >= ahead)
        return;
    weft_window_fill(c->a, &v->window, v->filled, ahead);
    v->filled = ahead;
}

/* Rows of a run; the last ones may go once more with some before them. */
static void add_run(const context *c, const weft_row_run *run, view *v, weft_row_sink *sink) {
    const weft_assembly *a = c->a;
    int32_t slot = a->matrix->start[run->begin], away[WEFT_RUN_SLOTS];
    const int32_t *element = c->pairs->element + (slot - a->matrix->start[c->pairs->begin]);
    float sum[12 * WEFT_RUN];
    weft_pair_run rows = {.slots = run->slots,
                          .away = away,
                          .alike = c->pairs->alike + run->alike,
                          .window = v->window,
                          .moved = a->moved,
                          .h = a->h};
    fetch_others(c, run->end, slot + run->slots * (run->end - run->begin));
    for (int32_t k = 0; k < run->slots; k++)
        away[k] = a->matrix->column[slot + k] - run->begin;
    for (int32_t row = run->begin; row < run->end; row += WEFT_RUN) {
        rows.first = row < run->end - WEFT_RUN ? row : run->end - WEFT_RUN;
        rows.element = element + run->slots * (rows.first - run->begin);
        int32_t again = run->slots * (row - rows.first);
        fill_window(c, rows.first, v);
        weft_system_pair_run(a->system, c->number, &rows, weft_lines_next(&sink->value, 4 * (size_t)again), sum);
        weft_row_sink_add_run(sink, rows.first, sum);
        weft_lines_add(&sink->value, 4 * (run->slots * WEFT_RUN - again));
    }
}

/* Rows between runs, some of which are made together. */
typedef struct gathered {
    int32_t count, row[ROWS];
    int32_t start[ROWS + 1];
    int32_t element[BLOCKS], column[BLOCKS]; /* columns: into `near` */
    weft_place near[ROWS + BLOCKS];          /* of the rows, and of each block's column */
} gathered;

static void make_gathered(const context *c, gathered *g) {
    const weft_bsr *matrix = c->a->matrix;
    float block[4 * BLOCKS];
    weft_pair_sum sum[ROWS];
    const weft_pair_rows rows = {g->count, 0, g->start, g->element, g->column, (const weft_place *)g->near, c->a->h};
    weft_system_pairs(c->a->system, c->number, &rows, block, sum);
    for (int32_t k = 0; k < g->count; k++) {
        size_t floats = 4 * (size_t)(g->start[k + 1] - g->start[k]);
        memcpy(matrix->value + 4 * (size_t)matrix->start[g->row[k]], block + 4 * g->start[k], floats * sizeof *block);
        weft_row_put(c->a, g->row[k], &sum[k]);
    }
    g->count = 0;
}

static void gather(const context *c, int32_t row, gathered *g) {
    const weft_bsr *matrix = c->a->matrix;
    int32_t first = matrix->start[row], slots = matrix->start[row + 1] - first;
    if (g->count == ROWS || g->start[g->count] + slots > BLOCKS)
        make_gathered(c, g);
    int32_t at = g->start[g->count];
    weft_place_find(c->a, row, g->near[g->count]);
    for (int32_t k = 0; k < slots; k++) {
        g->element[at + k] = c->pairs->element[first - matrix->start[c->pairs->begin] + k];
        g->column[at + k] = ROWS + at + k;
        weft_place_find(c->a, matrix->column[first + k], g->near[ROWS + at + k]);
    }
    g->row[g->count++] = row;
    g->start[g->count] = at + slots;
}

/* The first run of a task: one that begins at its part of the rows or behind that. */
static int32_t first_run(const context *c, int64_t task) {
    const weft_row_pairs *pairs = c->pairs;
    int64_t row = pairs->begin + (pairs->end - pairs->begin) * task / c->tasks;
    int32_t low = 0, high = pairs->run_count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (pairs->run[middle].begin < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void assemble_runs(void *given, int64_t task, int64_t end) {
    const context *c = given;
    const weft_row_pairs *pairs = c->pairs;
    int32_t reach = pairs->reach, first = first_run(c, task), last = first_run(c, end);
    if (first == last)
        return;
    int32_t from = pairs->run[first].begin - reach;
    view v = {weft_window_in(c->window + (size_t)task * weft_window_size(reach), reach), 0};
    weft_row_sink sink;
    gathered others;
    others.count = others.start[0] = 0;
    v.filled = (from > pairs->begin ? from : pairs->begin) / WEFT_RUN * WEFT_RUN;
    for (const weft_row_run *run = &pairs->run[first]; run < &pairs->run[last]; run++) {
        for (int32_t row = run->begin; row < run->end && run->slots == 0; row++)
            gather(c, row, &others);
        if (run->slots == 0)
            continue;
        weft_row_sink_begin(&sink, c->a, run->begin);
        add_run(c, run, &v, &sink);
        weft_row_sink_end(&sink);
    }
    make_gathered(c, &others);
    weft_lines_fence();
}

/* Which slots of runs have elements that are alike; one element stands for as many runs as it can. */
static void update_alike(const context *c, weft_row_pairs *pairs) {
    const weft_system *system = c->a->system;
    uint32_t changes = weft_system_pair_changes(system, c->number);
    const int32_t *start = c->a->matrix->start;
    const weft_row_run *before = NULL;
    if (pairs->changes == changes)
        return;
    for (int32_t i = 0; i < pairs->run_count; i++) {
        const weft_row_run *run = &pairs->run[i];
        int32_t *alike = pairs->alike + run->alike;
        if (run->slots == 0)
            continue;
        for (int32_t k = 0; k < run->slots; k++)
            alike[k] = before && before->slots == run->slots ? pairs->alike[before->alike + k] : WEFT_NONE;
        weft_system_pair_alike(system, c->number, pairs->element + (start[run->begin] - start[pairs->begin]),
                               run->end - run->begin, run->slots, alike);
        before = run;
    }
    pairs->changes = changes;
}

int weft_assembles_runs(const weft_system *system, const weft_bsr *matrix, const weft_part *part) {
    return part->pairs->run_count > 0 && matrix->form == WEFT_BSR_PAIRS && weft_system_has_runs(system, part->first);
}

static int32_t task_count(const weft_system *system, const weft_row_pairs *pairs) {
    int32_t threads = system->work->threads, most = (pairs->end - pairs->begin) / (REACHES * pairs->reach);
    if (threads <= 1 || most <= 1)
        return 1;
    return most < TASKS * threads ? most : TASKS * threads;
}

size_t weft_assemble_runs_scratch(const weft_system *system, const weft_part *part) {
    return (size_t)task_count(system, part->pairs) * weft_window_size(part->pairs->reach) * sizeof(float);
}

void weft_assemble_runs(const weft_assembly *assembly, const weft_part *part) {
    const weft_system *system = assembly->system;
    int32_t tasks = task_count(system, part->pairs);
    context c = {assembly, part->pairs, part->first, tasks, assembly->scratch};
    update_alike(&c, part->pairs);
    weft_parallel_heavy(system->work, tasks, 1, ROW * (int64_t)(part->end - part->begin) / tasks, assemble_runs, &c);
}
