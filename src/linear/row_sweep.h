/* Elements of some lists in the order of the rows that they add to, so that rows are cleared, added to and finished
 * while they are in the cache. Rows are cut into segments, each swept by one thread; elements across a border between
 * two of them follow, those of different borders at the same time. Which segments there are depends on the mesh only,
 * so sums are taken in the same order for any number of threads. */
#ifndef WEFT_LINEAR_ROW_SWEEP_H
#define WEFT_LINEAR_ROW_SWEEP_H

#include "linear/bsr.h"

enum { WEFT_ROW_SWEEP_CHUNK = 128 }; /* of a chunk */

typedef struct weft_row_sweep_list {
    int32_t *order; /* elements: by the chunk of their lowest row, then those across borders (count) */
    int32_t *inner; /* where those of a chunk begin (chunks + 1) */
    int32_t *outer; /* where those across the end of a segment begin (segments) */
} weft_row_sweep_list;

typedef struct weft_row_sweep {
    int32_t begin, end;   /* rows */
    int32_t chunks;       /* of WEFT_ROW_SWEEP_CHUNK rows, the last one of fewer */
    int32_t per_segment;  /* chunks */
    int32_t segments;     /* the last one may be shorter */
    int32_t *reach;       /* one more than the highest row of a chunk's elements (chunks) */
    int32_t (*border)[2]; /* rows that elements across the end of a segment add to: from, to (segments) */
    int32_t list_count;
    weft_row_sweep_list *list;
} weft_row_sweep;

/* Null when rows that elements join are so far apart that there would be hardly any segments. */
weft_result weft_row_sweep_create(int32_t begin, int32_t end, const weft_elements *lists, int32_t list_count,
                                  weft_row_sweep **made);
void weft_row_sweep_destroy(weft_row_sweep *sweep);

/* What is done to rows [begin, end), and with elements of a list. */
typedef struct weft_row_sweep_body {
    void (*clear)(void *context, int64_t begin, int64_t end);
    void (*add)(void *context, int32_t list, const int32_t *elements, int32_t count);
    void (*finish)(void *context, int64_t begin, int64_t end);
    void *context;
} weft_row_sweep_body;
void weft_row_sweep_run(const weft_row_sweep *sweep, const weft_work *work, const weft_row_sweep_body *body);

#endif
