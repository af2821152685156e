/* Rows sixteen at a time: each lane of a vector is a row, and the columns of successive rows are successive ones, as in
 * grids. Rows at the ends of a grid's lines go with the others, without the slots that they lack: their blocks have the
 * same bits at both ends, whatever is rounded. Where vertices are is kept for a window of them, which stays in the
 * cache. */
#include <string.h>

#include "assembly/row_sink.h"
#include "assembly/window.h"
#include "core/parallel.h"

enum {
    ROW = 16,    /* the weight of one in parallel loops */
    TASKS = 4,   /* for each thread */
    REACHES = 3, /* rows of a task at least, by those that its window begins with */
    MORE = 12    /* likewise where there is a task for each thread already */
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

/* All columns of WEFT_RUN rows from the given one on. */
static void fill_window(const context *c, int32_t row, view *v) {
    int32_t ahead = (row + c->pairs->reach + 2 * WEFT_RUN - 1) / WEFT_RUN * WEFT_RUN;
    ahead = ahead < c->pairs->end ? ahead : c->pairs->end;
    if (v->filled >= ahead)
        return;
    weft_window_fill(c->a, &v->window, v->filled, ahead);
    v->filled = ahead;
}

/* Copies the blocks of a row that it has; returns where the next ones belong. */
static float *copy_some(const float *block, uint32_t has, float *to) {
    typedef float four __attribute__((vector_size(16), aligned(4), may_alias));
    for (; has; has &= has - 1, to += 4)
        *(four *)to = *(const four *)(block + (size_t)4 * (size_t)__builtin_ctz(has));
    return to;
}

/* Copies what rows have; returns how many blocks that is. */
static int32_t close_up(const weft_row_run *run, const uint32_t *has, const float *block, float *to) {
    const uint32_t all = (run->slots < WEFT_RUN_SLOTS ? 1U << run->slots : 0) - 1;
    const size_t width = 4 * (size_t)run->slots;
    const float *first = to;
    for (int32_t row = 0, next = 0, rows = run->end - run->begin; row < rows; row = next) {
        while (next < rows && has[next] == all)
            next++;
        size_t whole = width * (size_t)(next - row);
        memcpy(to, block + width * (size_t)row, whole * sizeof *to);
        to += whole;
        for (; next < rows && has[next] != all; next++)
            to = copy_some(block + width * (size_t)next, has[next], to);
    }
    return (int32_t)((to - first) / 4);
}

static void add_run(const context *c, const weft_row_run *run, view *v, weft_row_sink *sink) {
    const weft_assembly *a = c->a;
    const weft_row_pairs *pairs = c->pairs;
    float sum[WEFT_RUN_SUMS * WEFT_RUN], block[4 * WEFT_RUN * WEFT_RUN_SLOTS];
    weft_pair_run rows = {.slots = run->slots,
                          .away = pairs->away + run->slot,
                          .alike = pairs->alike + run->slot,
                          .element = weft_row_run_elements(pairs, run),
                          .has = run->has == WEFT_NONE ? NULL : pairs->has + run->has,
                          .window = v->window,
                          .moved = a->moved,
                          .h = a->h};
    for (rows.first = run->begin; rows.first < run->end; rows.first += WEFT_RUN) {
        int32_t count = run->slots * WEFT_RUN, left = run->end - rows.first;
        float *to = weft_lines_next(&sink->value);
        fill_window(c, rows.first, v);
        weft_system_pair_run(a->system, c->number, &rows, rows.has ? block : to, sum);
        if (rows.has)
            count = close_up(run, rows.has, block, to);
        weft_lines_add(&sink->value, 4 * count);
        weft_row_sink_add_run(sink, sum, left < WEFT_RUN ? left : WEFT_RUN);
        rows.element += run->slots * WEFT_RUN;
    }
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
    float *window = c->window + (size_t)task * weft_window_size(reach);
    view v = {weft_window_in(window, reach), (from > pairs->begin ? from : pairs->begin) / WEFT_RUN * WEFT_RUN};
    weft_row_sink sink;
    /* lanes without a column compute with what is there, and must find numbers */
    memset(window, 0, weft_window_size(reach) * sizeof *window);
    weft_row_sink_begin(&sink, c->a, pairs->run[first].begin);
    for (const weft_row_run *run = &pairs->run[first]; run < &pairs->run[last]; run++)
        add_run(c, run, &v, &sink);
    weft_row_sink_end(&sink);
    weft_lines_fence();
}

/* Which slots of runs have elements that are alike; one element stands for as many runs as it can. */
static void update_alike(const context *c, weft_row_pairs *pairs) {
    const weft_system *system = c->a->system;
    uint32_t changes = weft_system_pair_changes(system, c->number);
    const weft_row_run *before = NULL;
    if (pairs->changes == changes)
        return;
    for (int32_t i = 0; i < pairs->run_count; i++) {
        const weft_row_run *run = &pairs->run[i];
        int32_t *alike = pairs->alike + run->slot;
        for (int32_t k = 0; k < run->slots; k++)
            alike[k] = before && before->slots == run->slots ? pairs->alike[before->slot + k] : WEFT_NONE;
        weft_system_pair_alike(system, c->number, weft_row_run_elements(pairs, run), run->end - run->begin, run->slots,
                               alike);
        before = run;
    }
    pairs->changes = changes;
}

int weft_assembles_runs(const weft_system *system, const weft_bsr *matrix, const weft_cloth_rows *part) {
    return part->pairs->run_count > 0 && matrix->form == WEFT_BSR_PAIRS && weft_system_has_runs(system, part->first);
}

static int32_t task_count(const weft_system *system, const weft_row_pairs *pairs) {
    int32_t threads = system->work->threads, reaches = (pairs->end - pairs->begin) / pairs->reach;
    int32_t each = reaches / (MORE * threads), tasks = threads * (each < 1 ? 1 : each > TASKS ? TASKS : each);
    int32_t most = reaches / REACHES;
    if (threads <= 1 || most <= 1)
        return 1;
    return most < tasks ? most : tasks;
}

size_t weft_assemble_runs_scratch(const weft_system *system, const weft_cloth_rows *part) {
    return (size_t)task_count(system, part->pairs) * weft_window_size(part->pairs->reach) * sizeof(float);
}

void weft_assemble_runs(const weft_assembly *assembly, const weft_cloth_rows *part) {
    const weft_system *system = assembly->system;
    int32_t tasks = task_count(system, part->pairs);
    context c = {assembly, part->pairs, part->first, tasks, assembly->scratch};
    update_alike(&c, part->pairs);
    weft_parallel_heavy(system->work, tasks, 1, ROW * (int64_t)(part->end - part->begin) / tasks, assemble_runs, &c);
}
