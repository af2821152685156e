/* Plan for assembling the rows of one cloth by gathering. Each row is written once. Elements are computed into a buffer
 * that stays in the cache, and a matrix block is the sum of its sources there. Rows are visited in an order that keeps
 * neighbours close. A block that an earlier row has already summed is read from the buffer and transposed. The plan
 * fixes which elements are computed when, and where everything lies in the buffer. It is built once per topology.
 *
 * Rows are divided into segments, one thread each. Elements across a border are computed on both sides, so that threads
 * need no ordering. A block is the same sum in the same order wherever it is computed. */
#ifndef WEFT_SOLVE_ROW_GATHER_H
#define WEFT_SOLVE_ROW_GATHER_H

#include "cloth/model_kernels.h"
#include "solve/bsr.h"
#include "solve/slots.h"

enum { WEFT_GATHER_ROWS = 64, WEFT_GATHER_AHEAD = 10 }; /* rows per chunk; later rows to prefetch */

/* Elements that are computed together. */
typedef struct weft_gather_batch {
    int32_t list, first, count; /* range of `element` */
    uint32_t place;             /* of their records in the buffer */
} weft_gather_batch;

/* Elements to compute, then rows to gather. */
typedef struct weft_gather_chunk {
    int32_t batch, row; /* first batch and row; the next chunk's are the end */
} weft_gather_chunk;

typedef struct weft_gather_segment {
    int32_t chunk;           /* first chunk */
    int32_t halo;            /* blocks of earlier rows that its first chunk computes for later use */
    size_t code, source, at; /* begin of its words in the arrays below */
} weft_gather_segment;

/* Places in the buffer count floats. The place of a tensor source is that of its weights. The tensor itself lies at the
 * preceding multiple of WEFT_TENSOR_FLOATS. */
typedef struct weft_row_gather {
    int32_t begin, end;           /* rows */
    int32_t segments;             /* number of segments; a final entry marks the end, likewise for chunks */
    weft_gather_segment *segment; /* (segments + 1) */
    weft_gather_chunk *chunk;
    weft_gather_batch *batch;
    int32_t *element;
    int32_t *row;     /* in the order of assembly (end - begin) */
    uint32_t *code;   /* per block: its place in the buffer, or WEFT_GATHER_WORD and the place where to keep it */
    uint32_t *source; /* places of the sources of summed blocks; plus 1 if the block must be transposed */
    uint32_t *at;     /* per row: how many products with u to add and to subtract, then their places */
    size_t room;      /* size of the buffer, floats */
    int natural;      /* 1: rows are assembled in matrix order */
} weft_row_gather;

/* A block to be summed: the number of block sources and of tensor sources. */
#define WEFT_GATHER_MADE    0x80000000U
#define WEFT_GATHER_NOWHERE 0xffffffffU
enum { WEFT_GATHER_COUNT = 15, WEFT_GATHER_MOST = (1 << WEFT_GATHER_COUNT) - 1 };
#define WEFT_GATHER_WORD(blocks, tensors)                                                                              \
    (WEFT_GATHER_MADE | (uint32_t)(blocks) | (uint32_t)(tensors) << WEFT_GATHER_COUNT)

/* *made is null if a block has too many sources or the buffer is too large. */
weft_result weft_row_gather_create(const weft_bsr *matrix, int32_t begin, int32_t end, const weft_elements *lists,
                                   weft_slots *const *slots, int32_t list_count, weft_row_gather **made);
void weft_row_gather_destroy(weft_row_gather *gather);

/* Floats of an element's record in the buffer. */
static inline int32_t weft_gather_record(const weft_elements *list) {
    int32_t pairs = list->arity * (list->arity - 1) / 2, some = (pairs + WEFT_TENSOR_PAIRS - 1) / WEFT_TENSOR_PAIRS;
    return list->tensor ? some * WEFT_TENSOR_FLOATS : pairs * WEFT_PAIR_FLOATS;
}

/* Sum of the blocks of a row, row-major, and stiffness times u at its vertex. */
typedef struct weft_gather_sum {
    double block[9], product[3];
} weft_gather_sum;

/* Read positions in a segment's plan. */
typedef struct weft_gather_state {
    const uint32_t *code, *source, *at;
} weft_gather_state;

/* row_gather_run.c: sums the halo blocks of a segment; sums the blocks of `count` rows. `place` has x, 0, u, 0 per
 * vertex. `row` also has the next 2 WEFT_GATHER_AHEAD rows, for prefetching. */
void weft_gather_halo(int32_t count, float *buffer, weft_gather_state *state);
void weft_gather_rows(const weft_bsr *matrix, const int32_t *row, int32_t count, float *buffer,
                      const double (*place)[8], weft_gather_state *state, weft_gather_sum *sum);

#endif
