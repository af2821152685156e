#include "cloth/pair_rows.h"

#include <string.h>

#include "core/simd.h"

enum {
    SOME = 128,  /* blocks at a time: their data stays in the first-level cache */
    STRIDE = 8,  /* floats per difference: dx dy dz 0 of x, then of u */
    ENTRIES = 16 /* floats per block: xx xy xz xy, yy yz xz yz, zz and the product with u, s and c */
};

#define WEFT_KERNEL "cloth/pair_rows.inc"
#define WEFT_KERNEL_8_LANES
#include "core/simd_kernels.inc"

void weft_pair_laws_rows(weft_isa isa, const weft_pair_laws *laws, const weft_pair_rows *rows, float *block,
                         weft_pair_sum *sum) {
    WEFT_SIMD_RUN(isa, rows, laws, rows, block, sum);
}
