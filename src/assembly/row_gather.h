/* Rows of the matrix of a part's elements, each written once: elements leave their blocks in a buffer that stays in the
 * cache, and a block of the matrix is the sum of what it is made of there. Rows are gone through in an order in which
 * neighbours are near; what a row has in common with an earlier one is taken from the buffer as well, transposed. The
 * whole plan is made once per topology: which elements are computed when, and where everything is in the buffer.
 *
 * Rows are cut into segments, each made by one thread. Elements across a border are computed on both sides of it, so
 * that threads need no order; a block is the same sum in the same order wherever it is made. */
#ifndef WEFT_ASSEMBLY_ROW_GATHER_H
#define WEFT_ASSEMBLY_ROW_GATHER_H

#include "assembly/slots.h"
#include "linear/bsr.h"
#include "model/model_kernels.h"

enum { WEFT_GATHER_ROWS = 64, WEFT_GATHER_AHEAD = 10 }; /* rows of a chunk, and how many later ones are fetched */

/* Elements computed at a time. */
typedef struct weft_gather_batch {
    int32_t list, first, count; /* in `element` */
    uint32_t place;             /* of their records */
} weft_gather_batch;

/* Some elements, then rows. */
typedef struct weft_gather_chunk {
    int32_t batch, row; /* where it begins; where the next one does it ends */
} weft_gather_chunk;

typedef struct weft_gather_segment {
    int32_t chunk;           /* the first one */
    int32_t halo;            /* blocks of rows before, which its first chunk makes for its own */
    size_t code, source, at; /* where it begins in these */
} weft_gather_segment;

/* Places in the buffer are in floats. Those of sources that are tensors are those of the weights, from which the
 * tensor's own follows: it is where the last multiple of WEFT_TENSOR_FLOATS is. */
typedef struct weft_row_gather {
    int32_t begin, end;           /* rows */
    int32_t segments;             /* and one more at the end, as of chunks */
    weft_gather_segment *segment; /* (segments + 1) */
    weft_gather_chunk *chunk;
    weft_gather_batch *batch;
    int32_t *element;
    int32_t *row;   /* in the order in which they are made (end - begin) */
    uint32_t *code; /* for each block: where it is, or WEFT_GATHER_MADE, see row_gather.c, and where it is to be kept */
    uint32_t *source; /* places of what the blocks that are made consist of, one more for a block to be transposed */
    uint32_t *at;     /* for each row: how many products with u to add and to subtract, and where these are */
    size_t room;      /* of the buffer, in floats */
    int natural;      /* whether rows are made in their own order */
} weft_row_gather;

/* A block that is made: how many sources are blocks, and how many tensors. */
#define WEFT_GATHER_MADE    0x80000000U
#define WEFT_GATHER_NOWHERE 0xffffffffU
enum { WEFT_GATHER_COUNT = 15, WEFT_GATHER_MOST = (1 << WEFT_GATHER_COUNT) - 1 };
#define WEFT_GATHER_WORD(blocks, tensors)                                                                              \
    (WEFT_GATHER_MADE | (uint32_t)(blocks) | (uint32_t)(tensors) << WEFT_GATHER_COUNT)

/* Null when a block would have too many sources, or the buffer had no end. */
weft_result weft_row_gather_create(const weft_bsr *matrix, int32_t begin, int32_t end, const weft_elements *lists,
                                   weft_slots *const *slots, int32_t list_count, weft_row_gather **made);
void weft_row_gather_destroy(weft_row_gather *gather);

/* Floats of an element's record. */
static inline int32_t weft_gather_record(const weft_elements *list) {
    int32_t pairs = list->arity * (list->arity - 1) / 2, some = (pairs + WEFT_TENSOR_PAIRS - 1) / WEFT_TENSOR_PAIRS;
    return list->tensor ? some * WEFT_TENSOR_FLOATS : pairs * WEFT_PAIR_FLOATS;
}

/* What the blocks of a row add up to, row-major, and the stiffness times u there. */
typedef struct weft_gather_sum {
    double block[9], product[3];
} weft_gather_sum;

/* Where a segment's plan has come to. */
typedef struct weft_gather_state {
    const uint32_t *code, *source, *at;
} weft_gather_state;

/* row_gather_run.c: blocks of rows that are not the segment's own; the blocks of `count` rows and what they add up to.
 * `place` has x, 0, u, 0 of each vertex, `row` also the next 2 WEFT_GATHER_AHEAD rows, which are fetched. */
void weft_gather_halo(int32_t count, float *buffer, weft_gather_state *state);
void weft_gather_rows(const weft_bsr *matrix, const int32_t *row, int32_t count, float *buffer,
                      const double (*place)[8], weft_gather_state *state, weft_gather_sum *sum);

#endif
