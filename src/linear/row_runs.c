/* Runs of rows that are alike, for kernels whose lanes are rows. */
#include <stdlib.h>

#include "core/memory.h"
#include "linear/row_pairs.h"

enum { LONGEST = 32 * WEFT_RUN }; /* so that threads can share long ones */

/* The row behind those that are like the given one. */
static int32_t end_of_run(const weft_bsr *matrix, int32_t row, int32_t end) {
    int32_t first = matrix->start[row], slots = matrix->start[row + 1] - first, next = row + 1;
    if (slots < 1 || slots > WEFT_RUN_SLOTS)
        return next;
    for (; next < end && matrix->start[next + 1] - matrix->start[next] == slots; next++)
        for (int32_t k = 0; k < slots; k++)
            if (matrix->column[matrix->start[next] + k] - next != matrix->column[first + k] - row)
                return next;
    return next;
}

/* Adds rows to the runs that were found; to none when there is no room for them yet. */
static void add_run(weft_row_pairs *pairs, weft_row_run run) {
    if (run.begin == run.end)
        return;
    run.alike = pairs->alike_count;
    if (pairs->run)
        pairs->run[pairs->run_count] = run;
    pairs->run_count++;
    pairs->alike_count += run.slots;
}

static void add_long(weft_row_pairs *pairs, int32_t begin, int32_t end, int32_t slots) {
    while (begin < end) {
        int32_t stop = end - begin < LONGEST + WEFT_RUN ? end : begin + LONGEST;
        add_run(pairs, (weft_row_run){begin, stop, slots, 0});
        begin = stop;
    }
}

/* Returns how many rows are in runs; 0 when there is one that cannot be among the others. */
static int32_t find(const weft_bsr *matrix, weft_row_pairs *pairs) {
    int32_t others = pairs->begin, covered = 0;
    pairs->run_count = pairs->alike_count = pairs->reach = 0;
    for (int32_t row = pairs->begin, next; row < pairs->end; row = next) {
        int32_t first = matrix->start[row], slots = matrix->start[row + 1] - first;
        if (slots > WEFT_OTHER_SLOTS)
            return 0;
        next = end_of_run(matrix, row, pairs->end);
        if (next - row < WEFT_RUN)
            continue;
        add_run(pairs, (weft_row_run){others, row, 0, 0});
        add_long(pairs, row, next, slots);
        for (int32_t k = 0; k < slots; k++) {
            int32_t away = abs(matrix->column[first + k] - row);
            pairs->reach = away > pairs->reach ? away : pairs->reach;
        }
        covered += next - row;
        others = next;
    }
    add_run(pairs, (weft_row_run){others, pairs->end, 0, 0});
    return covered;
}

weft_result weft_row_pairs_find_runs(const weft_bsr *matrix, weft_row_pairs *pairs) {
    int32_t rows = pairs->end - pairs->begin, covered = find(matrix, pairs);
    if (covered == 0 || covered < rows / 2 || pairs->reach > rows / 4) {
        pairs->run_count = 0;
        return weft_ok();
    }
    pairs->run = weft_allocate((size_t)pairs->run_count, sizeof *pairs->run);
    pairs->alike = weft_allocate((size_t)pairs->alike_count, sizeof *pairs->alike);
    if (!pairs->run || !pairs->alike)
        return weft_fail_memory("assembly by rows", (size_t)pairs->run_count * sizeof *pairs->run);
    find(matrix, pairs);
    return weft_ok();
}
