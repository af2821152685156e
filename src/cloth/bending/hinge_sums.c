/* Bending blocks for the matrix of an implicit step, in single precision, one element per lane. Only the isometric
 * forms, whose stiffness is constant and isotropic. */
#include <string.h>

#include "cloth/bending/bending.h"
#include "core/simd.h"

#define WEFT_KERNEL "cloth/bending/hinge_sums.inc"
#include "core/simd_kernels.inc"

int weft_bending_sums(const weft_bending *b, weft_isa isa, const int32_t *element, int32_t count,
                      const double (*place)[8], double h, float *record) {
    if (!weft_bending_is_tensor(b))
        return 0;
    WEFT_SIMD_RUN(isa, sums, b, element, count, place, h, record);
    return 1;
}
