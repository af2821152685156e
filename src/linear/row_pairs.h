/* Elements of two vertices by the rows of the matrix: which one each block is from, so that rows are written one after
 * the other instead of added to, each by the thread that has them. */
#ifndef WEFT_LINEAR_ROW_PAIRS_H
#define WEFT_LINEAR_ROW_PAIRS_H

#include "linear/bsr.h"

/* Rows whose columns are successive ones in each slot, as in the inner of a grid's line: at least WEFT_RUN; or others,
 * between such, of at most WEFT_OTHER_SLOTS. */
enum { WEFT_OTHER_SLOTS = 128 };
typedef struct weft_row_run {
    int32_t begin, end;
    int32_t slots; /* 0: others */
    int32_t alike; /* where its slots are in weft_row_pairs.alike */
} weft_row_run;

typedef struct weft_row_pairs {
    int32_t begin, end; /* the rows, to which nothing else adds blocks */
    int32_t *element;   /* of each block of these rows */
    int32_t run_count;  /* 0: too few rows are in runs, or they reach too far */
    weft_row_run *run;  /* all rows, in order (run_count) */
    int32_t reach;      /* the greatest distance of a column from a row, of runs */
    int32_t alike_count;
    int32_t *alike;   /* of each slot of a run: see pair_alike of weft/model.h (alike_count) */
    uint32_t changes; /* for which `alike` is, see pair_changes; 0: none yet */
} weft_row_pairs;

/* Null when two elements are between the same vertices. Takes time that is proportional to the number of elements. */
weft_result weft_row_pairs_create(const weft_bsr *matrix, int32_t begin, int32_t end, const weft_elements *list,
                                  const weft_slots *slots, weft_row_pairs **made);
void weft_row_pairs_destroy(weft_row_pairs *pairs);

/* row_runs.c */
weft_result weft_row_pairs_find_runs(const weft_bsr *matrix, weft_row_pairs *pairs);

#endif
