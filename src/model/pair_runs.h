/* Blocks of pairs in rows that are alike: the columns of successive rows are successive ones, as in a grid. Each lane
 * is a row, and sums of rows are sums of vectors. */
#ifndef WEFT_MODEL_PAIR_RUNS_H
#define WEFT_MODEL_PAIR_RUNS_H

#include "model/pair_rows.h"

/* As pair_run of weft/model.h, of springs: differences are rounded otherwise than those of pair_rows.h, so that a
 * stiffness that jumps at the rest length would be another at either end. isa as weft_lanes_isa tells. */
void weft_pair_laws_run(int isa, const weft_pair_laws *laws, const weft_pair_run *run, float *block, float *sum);

/* As pair_alike of weft/model.h. */
void weft_pair_laws_alike(const weft_pair_law *law, const int32_t *element, int32_t rows, int32_t slots,
                          int32_t *alike);

#endif
