/* Rows of a matrix of pairs, each written once: every block is computed at both of its ends, which costs less than to
 * clear, add to, and sum up what is far apart in memory, and needs no order among threads. Where successive rows are
 * alike, as in grids, sixteen are made at a time; what that needs to know of vertices is kept for a window of them. */
#include <string.h>

#include "core/parallel.h"
#include "integrate/row_sink.h"
#include "integrate/window.h"
#include "weft/vec.h"

enum {
    BLOCKS = WEFT_OTHER_SLOTS, /* computed at a time: they stay in the nearest cache */
    ROWS = WEFT_SINK_ROWS,     /* of these blocks at most */
    ROW = 16,                  /* the weight of one in parallel loops */
    PLACE = 3,                 /* of finding where its vertex is */
    TASKS = 4,                 /* for each thread, of rows that are alike */
    REACHES = 8                /* rows of such a task at least, by those that its window begins with */
};

/* Where a vertex is and how far it is predicted to move: x, 0, u, 0. */
typedef double place[8];

typedef struct context {
    const weft_assembly *a;
    const weft_row_pairs *pairs;
    int32_t number; /* of the list */
    place *all;     /* of all vertices, where there are no runs */
    int32_t tasks;  /* of rows that are alike */
    float *window;  /* of each task */
} context;

static void find_place(const weft_assembly *a, int64_t i, double *to) {
    weft_vec3 x = a->x[i], u = {0, 0, 0};
    if (a->moved)
        u = weft_sub(weft_add_scaled(a->X[i], a->h, a->v[i]), x);
    to[0] = x.x, to[1] = x.y, to[2] = x.z, to[3] = 0;
    to[4] = u.x, to[5] = u.y, to[6] = u.z, to[7] = 0;
}

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
                               .place = (const place *)c->all,
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
        float *block = weft_lines_next(&sink->value, 0);
        next_piece(c, sink->row, end, slot, &p);
        weft_system_pairs(a->system, c->number, &p.rows, matrix->form == WEFT_BSR_PAIRS ? block : pair, p.sum);
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
        find_place(c->a, i, c->all[i]);
}

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
    place near[ROWS + BLOCKS];               /* of the rows, and of each block's column */
} gathered;

static void make_gathered(const context *c, gathered *g) {
    const weft_bsr *matrix = c->a->matrix;
    float block[4 * BLOCKS];
    weft_pair_sum sum[ROWS];
    const weft_pair_rows rows = {g->count, 0, g->start, g->element, g->column, (const place *)g->near, c->a->h};
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
    find_place(c->a, row, g->near[g->count]);
    for (int32_t k = 0; k < slots; k++) {
        g->element[at + k] = c->pairs->element[first - matrix->start[c->pairs->begin] + k];
        g->column[at + k] = ROWS + at + k;
        find_place(c->a, matrix->column[first + k], g->near[ROWS + at + k]);
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

static int has_runs(const weft_system *system, const weft_bsr *matrix, const weft_part *part) {
    return part->pairs->run_count > 0 && matrix->form == WEFT_BSR_PAIRS && weft_system_has_runs(system, part->first);
}

static int32_t task_count(const weft_system *system, const weft_row_pairs *pairs) {
    int32_t threads = system->work->threads, most = (pairs->end - pairs->begin) / (REACHES * pairs->reach);
    if (threads <= 1 || most <= 1)
        return 1;
    return most < TASKS * threads ? most : TASKS * threads;
}

size_t weft_assemble_scratch(const weft_system *system, const weft_bsr *matrix, const weft_part *part) {
    if (!part->pairs)
        return 0;
    if (!has_runs(system, matrix, part))
        return (size_t)part->end * sizeof(place);
    return (size_t)task_count(system, part->pairs) * weft_window_size(part->pairs->reach) * sizeof(float);
}

void weft_assemble_rows(const weft_assembly *assembly, const weft_part *part) {
    const weft_work *work = assembly->system->work;
    int64_t rows = part->end - part->begin;
    context c = {assembly, part->pairs, part->first, NULL, 0, NULL};
    if (has_runs(assembly->system, assembly->matrix, part)) {
        update_alike(&c, part->pairs);
        c.tasks = task_count(assembly->system, part->pairs);
        c.window = assembly->scratch;
        weft_parallel_heavy(work, c.tasks, 1, ROW * rows / c.tasks, assemble_runs, &c);
        return;
    }
    c.all = assembly->scratch;
    weft_parallel_heavy(work, rows, WEFT_BLOCK / 2, PLACE, find_places, &c);
    weft_parallel_heavy(work, rows, WEFT_BLOCK / 4, ROW, assemble_rows, &c);
}
