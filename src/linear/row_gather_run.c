#include "linear/row_gather.h"
#include "model/many.h"

/* Of the first eight numbers of a block: the transposed. Of a tensor: xx xy xz xy yy yz xz yz. */
#define TRANSPOSED(a) __builtin_shufflevector(a, a, 0, 3, 6, 1, 4, 7, 2, 5)
#define SPREAD_OUT(a) __builtin_shufflevector(a, a, 0, 1, 2, 1, 3, 4, 2, 4)
enum { UNIT = 4, MASK = WEFT_GATHER_MOST };

/* Fetches some lines behind what is used now, from the other end of the cache; beyond the end nothing happens. */
#define FETCH(from, bytes, lines)                                                                                      \
    do {                                                                                                               \
        for (int line_ = 0; line_ < (lines); line_++)                                                                  \
            __builtin_prefetch((const void *)((uintptr_t)(from) + (bytes) + 64 * (uintptr_t)line_), 0, 2);             \
    } while (0)
enum { FAR = 4096, NEARER = 1024 }; /* some ten rows of blocks, and of the plan */

/* A block that is kept for a later row, transposed, with its product with u there. It is written and read in halves of
 * 32 bytes: what is read differently soon after it was written has to wait for the cache. */
typedef struct kept {
    float first[8];
    double product[3], last; /* last: the ninth number of the block */
} kept;
_Static_assert(sizeof(kept) == 16 * sizeof(float), "four units");

#define WEFT_LANES_KERNEL "linear/row_gather_run.inc"
#include "model/many_sets.inc"

void weft_gather_halo(int32_t count, float *buffer, const double (*place)[8], weft_gather_state *state) {
    WEFT_LANES_RUN(weft_lanes_isa(), halo, count, buffer, place, state);
}

void weft_gather_rows(const weft_bsr *matrix, const int32_t *row, int32_t count, float *buffer,
                      const double (*place)[8], weft_gather_state *state, weft_gather_sum *sum) {
    WEFT_LANES_RUN(weft_lanes_isa(), rows, matrix, row, count, buffer, place, state, sum);
}
