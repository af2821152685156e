#include "model/pairs/pair_rows.h"

#include "core/wide.h"

enum {
    SOME = 128,  /* blocks at a time: what is known about them stays in the nearest cache */
    STRIDE = 8,  /* floats of a difference: of x, 0, of u, 0 */
    ENTRIES = 16 /* floats of a block that is made: xx xy xz xy, yy yz xz yz, zz and the product, s and c */
};

#define WEFT_LANES_KERNEL "model/pairs/pair_rows.inc"
#include "core/lanes_sets.inc"

void weft_pair_laws_rows(int isa, const weft_pair_laws *laws, const weft_pair_rows *rows, float *block,
                         weft_pair_sum *sum) {
    WEFT_LANES_RUN(isa, rows, laws, rows, block, sum);
}
