#include "model/pair_sums.h"

#include "model/lanes.h"

#define WEFT_LANES_KERNEL "model/pair_sums.inc"
#include "model/lanes_sets.inc"

/* The last pair is repeated where there are fewer than lanes; the law's numbers are 0 there. */
static void take_ends(const int32_t (*end)[2], const int32_t *element, int32_t count, weft_pairs *pairs) {
    int32_t padded = (count + WEFT_LANES - 1) / WEFT_LANES * WEFT_LANES;
    pairs->count = count;
    for (int32_t i = 0; i < padded; i++) {
        const int32_t *own = end[element[i < count ? i : count - 1]];
        pairs->end[0][i] = own[0];
        pairs->end[1][i] = own[1];
        if (i >= count)
            pairs->along[i] = pairs->across[i] = pairs->damping_along[i] = pairs->damping_across[i] = 0;
    }
}

void weft_pairs_measure(int isa, const int32_t (*end)[2], const int32_t *element, int32_t count, const weft_vec3 *x,
                        weft_pairs *pairs) {
    take_ends(end, element, count, pairs);
    WEFT_LANES_RUN(isa, measure, pairs, x);
}

int weft_pairs_sums(int isa, const weft_pairs *pairs, double h, float *sum, const weft_vec3 *u, double *product) {
    WEFT_LANES_RUN(isa, sums, pairs, h, sum, u, product);
    return 6;
}
