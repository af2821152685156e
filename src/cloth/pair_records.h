/* Converts the blocks of an element from double to the records that element_sums of cloth/model_kernels.h writes. */
#ifndef WEFT_CLOTH_PAIR_RECORDS_H
#define WEFT_CLOTH_PAIR_RECORDS_H

#include "cloth/model_kernels.h"
#include "weft/model.h"

/* For one element: u of its vertices (arity), blocks of its pairs (pairs x 9), record (pairs x WEFT_PAIR_FLOATS). */
void weft_pair_records(int arity, const weft_vec3 *u, double h, const double *stiffness, const double *damping,
                       float *record);

#endif
