#include "core/simd.h"
#include "solve/row_gather.h"

#include <string.h>

/* The first eight entries of a 3 x 3 block, transposed. */
#define TRANSPOSED(a) WEFT_SHUFFLE(a, a, 0, 3, 6, 1, 4, 7, 2, 5)
/* A tensor xx xy xz yy yz zz k as a block: its first eight entries xx xy xz xy yy yz xz yz, then zz k k k. */
#define SPREAD_OUT(a) WEFT_SHUFFLE(a, a, 0, 1, 2, 1, 3, 4, 2, 4)
#define REST(a)       WEFT_SHUFFLE(a, a, 5, 6, 6, 6)
enum { MASK = WEFT_GATHER_MOST };

/* Prefetches some cache lines `bytes` behind `from` into the second-level cache. Harmless beyond the end. */
#define FETCH(from, bytes, lines)                                                                                      \
    do {                                                                                                               \
        _Pragma("GCC unroll 8") for (int line_ = 0; line_ < (lines); line_++)                                          \
            __builtin_prefetch((const void *)((uintptr_t)(from) + (bytes) + 64 * (uintptr_t)line_), 0, 2);             \
    } while (0)
enum { NEARER = 1024 }; /* about ten rows of the plan */

#define WEFT_KERNEL "solve/row_gather_run.inc"
#include "core/simd_kernels.inc"

void weft_gather_halo(int32_t count, float *buffer, weft_gather_state *state) {
    WEFT_SIMD_RUN(weft_simd_isa(), halo, count, buffer, state);
}

void weft_gather_rows(const weft_bsr *matrix, const int32_t *row, int32_t count, float *buffer,
                      const double (*place)[8], weft_gather_state *state, weft_gather_sum *sum) {
    WEFT_SIMD_RUN(weft_simd_isa(), rows, matrix, row, count, buffer, place, state, sum);
}
