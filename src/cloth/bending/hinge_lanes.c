/* Energies and forces of many bending elements, four at a time where the weights are constant. */
#include "cloth/bending/bending.h"
#include "weft/vec.h"

#define WEFT_KERNEL "cloth/bending/hinge_lanes.inc"
#define WEFT_KERNEL_NO_AVX512
#include "core/simd_kernels.inc"

double weft_bending_energies(const weft_bending *b, weft_isa isa, const weft_vec3 *x, int64_t begin, int64_t end) {
    double sum = 0;
    if (weft_bending_is_tensor(b))
        return WEFT_SIMD_RUN_AVX2(isa, energies, b, x, begin, end);
    for (int64_t i = begin; i < end; i++)
        sum += weft_bending_energy(b, (int32_t)i, x);
    return sum;
}

void weft_bending_forces(const weft_bending *b, weft_isa isa, const weft_vec3 *x, const weft_vec3 *v, int64_t begin,
                         int64_t end, weft_vec3 *f) {
    if (weft_bending_is_tensor(b))
        WEFT_SIMD_RUN_AVX2(isa, forces, b, x, v, begin, end, f);
    else
        for (int64_t i = begin; i < end; i++)
            weft_bending_force(b, (int32_t)i, x, v, f + b->arity * i);
}
