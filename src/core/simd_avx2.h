/* Loads and stores shared by kernels that are written in AVX2 intrinsics. */
#ifndef WEFT_CORE_SIMD_AVX2_H
#define WEFT_CORE_SIMD_AVX2_H

#include "core/simd.h"
#include "weft/base.h"

#ifdef WEFT_SIMD_X86
#include <immintrin.h>

#define WEFT_INLINE_AVX2 WEFT_TARGET_AVX2 static inline __attribute__((always_inline))

/* Four floats as doubles; the second needs an address aligned to 16 bytes. */
WEFT_INLINE_AVX2 __m256d weft_avx2_load_f32(const float *p) { return _mm256_cvtps_pd(_mm_loadu_ps(p)); }
WEFT_INLINE_AVX2 __m256d weft_avx2_load_f32_aligned(const float *p) { return _mm256_cvtps_pd(_mm_load_ps(p)); }

/* x, y, z and 0. Reads and writes three doubles only. */
WEFT_INLINE_AVX2 __m256d weft_avx2_load_vec3(const weft_vec3 *p) {
    return _mm256_maskload_pd(&p->x, _mm256_setr_epi64x(-1, -1, -1, 0));
}
WEFT_INLINE_AVX2 void weft_avx2_store_vec3(weft_vec3 *p, __m256d a) {
    _mm_storeu_pd(&p->x, _mm256_castpd256_pd128(a));
    _mm_store_sd(&p->z, _mm256_extractf128_pd(a, 1));
}
#endif

#endif
