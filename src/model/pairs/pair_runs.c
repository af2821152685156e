#include "model/pairs/pair_runs.h"

#include "core/wide.h"

#define WEFT_LANES_KERNEL "model/pairs/pair_runs.inc"
#include "core/lanes_sets.inc"

void weft_pair_laws_run(int isa, const weft_pair_laws *laws, const weft_pair_run *run, float *block, float *sum) {
    WEFT_LANES_RUN(isa, run, laws, run, block, sum);
}

static int same(const weft_pair_law *a, const weft_pair_law *b) {
    return a->rest == b->rest && a->stiffness == b->stiffness && a->critical == b->critical && a->damping == b->damping;
}

void weft_pair_laws_alike(const weft_pair_law *law, const int32_t *element, int32_t rows, int32_t slots,
                          int32_t *alike) {
    for (int32_t k = 0; k < slots; k++) {
        int32_t one = WEFT_NONE, guess = alike[k], row = 0;
        for (; row < rows; row++) {
            int32_t own = element[row * slots + k];
            one = one == WEFT_NONE ? own : one;
            if (own != WEFT_NONE && !same(&law[own], &law[one]))
                break;
        }
        if (row < rows || one == WEFT_NONE)
            alike[k] = WEFT_NONE;
        else if (guess == WEFT_NONE || !same(&law[guess], &law[one]))
            alike[k] = one;
    }
}
