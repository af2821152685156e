/* Runs of rows for kernels whose lanes are rows. */
#include <stdlib.h>
#include <string.h>

#include "assembly/row_pairs.h"
#include "core/memory.h"

enum {
    LONGEST = 32 * WEFT_RUN, /* so that threads can share long ones */
    WASTE = 2                /* lanes to compute for each block at most; else rows by themselves are faster */
};

/* Columns less their rows, ascending. */
typedef struct pattern {
    int32_t slots, away[WEFT_RUN_SLOTS];
} pattern;

/* Adds those of a row; whether there is room for them. */
static int unite(const weft_bsr *matrix, int32_t row, pattern *p) {
    const pattern old = *p;
    int32_t at = matrix->start[row], end = matrix->start[row + 1];
    p->slots = 0;
    for (int32_t k = 0; k < old.slots || at < end;) {
        int32_t own = at < end ? matrix->column[at] - row : INT32_MAX, before = k < old.slots ? old.away[k] : INT32_MAX;
        if (p->slots == WEFT_RUN_SLOTS) {
            *p = old;
            return 0;
        }
        p->away[p->slots++] = own < before ? own : before;
        at += own <= before;
        k += before <= own;
    }
    return 1;
}

static int has_pattern(const weft_bsr *matrix, int32_t row, const pattern *p) {
    int32_t first = matrix->start[row];
    if (matrix->start[row + 1] - first != p->slots)
        return 0;
    for (int32_t k = 0; k < p->slots; k++)
        if (matrix->column[first + k] - row != p->away[k])
            return 0;
    return 1;
}

/* The row behind a run from the given one on, and what its rows have together; that row itself when it has too much. */
static int32_t end_of_run(const weft_bsr *matrix, int32_t row, int32_t end, pattern *p, int *whole) {
    int32_t next = row + 1;
    p->slots = 0;
    *whole = 0;
    if (!unite(matrix, row, p))
        return row;
    while (next < end && next < row + LONGEST && has_pattern(matrix, next, p))
        next++;
    *whole = next - row >= WEFT_RUN;
    if (*whole)
        return row + (next - row) / WEFT_RUN * WEFT_RUN;
    while (next < end && next < row + WEFT_RUN && unite(matrix, next, p))
        next++;
    return next;
}

/* Which slots each row has, and the elements of these. */
static void spread(const weft_bsr *matrix, weft_row_pairs *pairs, const weft_row_run *run) {
    uint32_t *has = pairs->has + run->has;
    int32_t *to = pairs->spread + run->element, first = matrix->start[pairs->begin];
    memset(has, 0, WEFT_RUN * sizeof *has);
    for (int32_t row = run->begin; row < run->begin + WEFT_RUN; row++, has++) {
        int32_t at = row < run->end ? matrix->start[row] : 0, end = row < run->end ? matrix->start[row + 1] : 0;
        for (int32_t k = 0; k < run->slots; k++, to++) {
            int own = at < end && matrix->column[at] - row == pairs->away[run->slot + k];
            *has |= (uint32_t)own << k;
            *to = own ? pairs->element[at++ - first] : WEFT_NONE;
        }
    }
}

/* Adds one to the runs; to none when there is no room for them yet. */
static void add_run(const weft_bsr *matrix, weft_row_pairs *pairs, weft_row_run run, const pattern *p) {
    int whole = run.has == WEFT_NONE;
    if (pairs->run) {
        pairs->run[pairs->run_count] = run;
        memcpy(pairs->away + run.slot, p->away, (size_t)p->slots * sizeof *p->away);
        if (!whole)
            spread(matrix, pairs, &run);
    }
    pairs->run_count++;
    pairs->slot_count += p->slots;
    pairs->some_count += !whole;
    pairs->spread_count += whole ? 0 : WEFT_RUN * p->slots;
}

/* Returns how many lanes are computed; -1 when there is a row that has too many blocks. */
static int64_t find(const weft_bsr *matrix, weft_row_pairs *pairs) {
    int64_t lanes = 0;
    pairs->run_count = pairs->slot_count = pairs->some_count = pairs->spread_count = pairs->reach = 0;
    for (int32_t row = pairs->begin, next; row < pairs->end; row = next) {
        pattern p;
        int whole;
        next = end_of_run(matrix, row, pairs->end, &p, &whole);
        if (next == row)
            return -1;
        const weft_row_run run = {.begin = row,
                                  .end = next,
                                  .slots = p.slots,
                                  .slot = pairs->slot_count,
                                  .element =
                                      whole ? matrix->start[row] - matrix->start[pairs->begin] : pairs->spread_count,
                                  .has = whole ? WEFT_NONE : WEFT_RUN * pairs->some_count};
        add_run(matrix, pairs, run, &p);
        for (int32_t k = 0; k < p.slots; k++)
            pairs->reach = abs(p.away[k]) > pairs->reach ? abs(p.away[k]) : pairs->reach;
        lanes += (int64_t)p.slots * (whole ? next - row : WEFT_RUN);
    }
    return lanes;
}

weft_result weft_row_pairs_find_runs(const weft_bsr *matrix, weft_row_pairs *pairs) {
    int32_t rows = pairs->end - pairs->begin;
    int64_t blocks = matrix->start[pairs->end] - matrix->start[pairs->begin], lanes = find(matrix, pairs);
    if (lanes <= 0 || lanes > WASTE * blocks || pairs->reach > rows / 4) {
        pairs->run_count = 0;
        return weft_ok();
    }
    size_t slots = (size_t)pairs->slot_count, some = (size_t)pairs->some_count * WEFT_RUN;
    pairs->run = weft_allocate((size_t)pairs->run_count, sizeof *pairs->run);
    pairs->away = weft_allocate(slots, sizeof *pairs->away);
    pairs->alike = weft_allocate(slots, sizeof *pairs->alike);
    pairs->has = weft_allocate(some, sizeof *pairs->has);
    pairs->spread = weft_allocate((size_t)pairs->spread_count, sizeof *pairs->spread);
    if (!pairs->run || !pairs->away || !pairs->alike || !pairs->has || !pairs->spread)
        return weft_fail_memory("assembly by rows", (size_t)pairs->run_count * sizeof *pairs->run);
    find(matrix, pairs);
    return weft_ok();
}
