/* Elements of two vertices by the rows of the matrix: which one each block is from, so that rows are written one after
 * the other instead of added to, each by the thread that has them. */
#ifndef WEFT_ASSEMBLY_ROW_PAIRS_H
#define WEFT_ASSEMBLY_ROW_PAIRS_H

#include "assembly/slots.h"
#include "linear/bsr.h"

/* Successive rows for kernels whose lanes are rows: their columns are successive ones in each slot. Whole, as in
 * the inner of a grid's line, a multiple of WEFT_RUN of them have all slots; else at most WEFT_RUN have some each.
 */
typedef struct weft_row_run {
    int32_t begin, end;
    int32_t slots;
    int32_t slot;    /* where its slots are in weft_row_pairs.away and .alike */
    int32_t element; /* where its elements are in weft_row_pairs.element, or in .spread */
    int32_t has;     /* where its rows are in weft_row_pairs.has; WEFT_NONE: whole */
} weft_row_run;

typedef struct weft_row_pairs {
    int32_t begin, end; /* the rows, to which nothing else adds blocks */
    int32_t *element;   /* of each block of these rows */
    int32_t run_count;  /* 0: rows are too different, or reach too far */
    weft_row_run *run;  /* all rows, in order (run_count) */
    int32_t reach;      /* the greatest distance of a column from a row */
    int32_t slot_count, some_count, spread_count;
    int32_t *away;    /* of each slot of a run: column less row (slot_count) */
    int32_t *alike;   /* likewise: see pair_alike of weft/model.h (slot_count) */
    uint32_t *has;    /* which slots each row has, of runs that are not whole (WEFT_RUN x some_count) */
    int32_t *spread;  /* elements of such runs, WEFT_NONE where a row has no block (spread_count) */
    uint32_t changes; /* for which `alike` is, see pair_changes; 0: none yet */
} weft_row_pairs;

/* Null when two elements are between the same vertices. Takes time that is proportional to the number of elements. */
weft_result weft_row_pairs_create(const weft_bsr *matrix, int32_t begin, int32_t end, const weft_elements *list,
                                  const weft_slots *slots, weft_row_pairs **made);
void weft_row_pairs_destroy(weft_row_pairs *pairs);

static inline const int32_t *weft_row_run_elements(const weft_row_pairs *pairs, const weft_row_run *run) {
    return (run->has == WEFT_NONE ? pairs->element : pairs->spread) + run->element;
}

/* row_runs.c */
weft_result weft_row_pairs_find_runs(const weft_bsr *matrix, weft_row_pairs *pairs);

#endif
