#include "assembly/row_gather.h"
#include "core/many.h"

/* Of the first eight numbers of a block: the transposed. Of a tensor: xx xy xz xy yy yz xz yz. */
#define TRANSPOSED(a) __builtin_shufflevector(a, a, 0, 3, 6, 1, 4, 7, 2, 5)
#define REST(a)       __builtin_shufflevector(a, a, 5, 6, 6, 6)
#define SPREAD_OUT(a) __builtin_shufflevector(a, a, 0, 1, 2, 1, 3, 4, 2, 4)
enum { MASK = WEFT_GATHER_MOST };

/* Fetches some lines behind what is used now, from the other end of the cache; beyond the end nothing happens. */
#define FETCH(from, bytes, lines)                                                                                      \
    do {                                                                                                               \
        _Pragma("GCC unroll 8") for (int line_ = 0; line_ < (lines); line_++)                                          \
            __builtin_prefetch((const void *)((uintptr_t)(from) + (bytes) + 64 * (uintptr_t)line_), 0, 2);             \
    } while (0)
enum { NEARER = 1024 }; /* some ten rows of the plan */

#define WEFT_LANES_KERNEL "assembly/row_gather_run.inc"
#include "core/many_sets.inc"

void weft_gather_halo(int32_t count, float *buffer, weft_gather_state *state) {
    WEFT_LANES_RUN(weft_lanes_isa(), halo, count, buffer, state);
}

void weft_gather_rows(const weft_bsr *matrix, const int32_t *row, int32_t count, float *buffer,
                      const double (*place)[8], weft_gather_state *state, weft_gather_sum *sum) {
    WEFT_LANES_RUN(weft_lanes_isa(), rows, matrix, row, count, buffer, place, state, sum);
}
