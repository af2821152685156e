/* weft_bsr_rows and weft_bsr_rows_float for a matrix in the form of pairs. */
#ifndef WEFT_SOLVE_BSR_PAIRS_H
#define WEFT_SOLVE_BSR_PAIRS_H

#include "solve/bsr.h"

void weft_bsr_pairs(const weft_bsr *matrix, const weft_vec3 *x, weft_vec3 *y, int64_t begin, int64_t end);
void weft_bsr_pairs_float(const weft_bsr *matrix, const float *x4, weft_vec3 *y, int64_t begin, int64_t end);

#endif
