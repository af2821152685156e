/* Bending as an implicit step adds it up, many elements at a time in single precision: the isometric forms, whose
 * stiffness is constant and the same in all directions. */
#include "core/many.h"
#include "model/bending/bending.h"

#define WEFT_LANES_KERNEL "model/bending/bending_sums.inc"
#include "core/many_sets.inc"

int weft_bending_sums(const weft_bending *b, int isa, const int32_t *element, int32_t count, const double (*place)[8],
                      double h, float *record) {
    if (!weft_bending_is_tensor(b))
        return 0;
    WEFT_LANES_RUN(isa, sums, b, element, count, place, h, record);
    return 1;
}
