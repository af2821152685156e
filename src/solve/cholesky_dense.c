#include "solve/cholesky_dense.h"

#include <math.h>
#include <string.h>

#include "core/simd.h"

enum { STREAMED = WEFT_DENSE_STREAMED, AHEAD = WEFT_DENSE_AHEAD };

#define WEFT_KERNEL "solve/cholesky_kernel.inc"
#define WEFT_KERNEL_NO_AVX512
#include "core/simd_kernels.inc"

const weft_dense *weft_dense_choose(weft_isa isa) { return WEFT_SIMD_PICK_AVX2(isa, dense); }
