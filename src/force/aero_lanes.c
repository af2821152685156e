/* Drag and lift of many triangles, four at a time. */
#include <math.h>

#include "core/simd.h"
#include "force/aero.h"
#include "weft/vec.h"

#define WEFT_KERNEL "force/aero_lanes.inc"
#define WEFT_KERNEL_NO_AVX512
#include "core/simd_kernels.inc"

void weft_aero_triangle_forces(const weft_aero *aero, int64_t begin, int64_t end, weft_vec3 *force) {
    WEFT_SIMD_RUN_AVX2(aero->isa, forces, aero, begin, end, force);
}

void weft_aero_triangle_blocks(const weft_aero *aero, int64_t begin, int64_t end, double *block) {
    WEFT_SIMD_RUN_AVX2(aero->isa, blocks, aero, begin, end, block);
}
