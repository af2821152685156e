/* Blocks of pairs in successive rows whose columns are successive ones, as in a grid. Each lane is a row, and sums of
 * rows are sums of vectors. Both ends of a pair take the same difference but for its sign, and so decide alike whether
 * it resists: the matrix is symmetric to the last bit. */
#ifndef WEFT_MODEL_PAIRS_PAIR_RUNS_H
#define WEFT_MODEL_PAIRS_PAIR_RUNS_H

#include "model/pairs/pair_rows.h"

/* As pair_run of weft/model.h; isa as weft_lanes_isa tells. */
void weft_pair_laws_run(int isa, const weft_pair_laws *laws, const weft_pair_run *run, float *block, float *sum);

/* As pair_alike of weft/model.h. */
void weft_pair_laws_alike(const weft_pair_law *law, const int32_t *element, int32_t rows, int32_t slots,
                          int32_t *alike);

#endif
