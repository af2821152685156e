/* Elements four at a time: each lane of a vector is one element. Every operation is a correctly rounded one in the
 * order written, so that all instruction sets give the same bits. A kernel is an .inc file that is included once per
 * set with TARGET, NAME, ROOTS and NARROW defined, by lanes_sets.inc. Vectors go by pointer: by value they would
 * have another ABI in each set. */
#ifndef WEFT_MODEL_LANES_H
#define WEFT_MODEL_LANES_H

#include <math.h>
#include <string.h>

#include "weft/model.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define WEFT_LANES_X86 1
#include <immintrin.h>
#endif

enum { WEFT_LANES = 4 };

typedef double lanes __attribute__((vector_size(8 * WEFT_LANES)));
typedef int64_t lane_bits __attribute__((vector_size(8 * WEFT_LANES)));
typedef float float_lanes __attribute__((vector_size(4 * WEFT_LANES)));
typedef double loose_lanes __attribute__((vector_size(8 * WEFT_LANES), aligned(8), may_alias));
typedef float loose_float_lanes __attribute__((vector_size(4 * WEFT_LANES), aligned(4), may_alias));

typedef struct lane_vec {
    lanes x, y, z;
} lane_vec;

#define FILL(a)            ((lanes){(a), (a), (a), (a)})
#define SELECT(mask, a, b) ((lanes)(((lane_bits)(a) & (mask)) | ((lane_bits)(b) & ~(mask))))
#define WHERE(mask, a)     ((lanes)((lane_bits)(a) & (mask))) /* else 0 */
#define MAGNITUDE(a)       ((lanes)((lane_bits)(a)&INT64_MAX))
#define ANY(mask)          (((mask)[0] | (mask)[1] | (mask)[2] | (mask)[3]) != 0)

#define VEC(x, y, z)      ((lane_vec){(x), (y), (z)})
#define DOT(a, b)         ((a).x * (b).x + (a).y * (b).y + (a).z * (b).z)
#define PLUS(a, b)        VEC((a).x + (b).x, (a).y + (b).y, (a).z + (b).z)
#define MINUS(a, b)       VEC((a).x - (b).x, (a).y - (b).y, (a).z - (b).z)
#define TIMES(s, a)       VEC((s) * (a).x, (s) * (a).y, (s) * (a).z)
#define BLEND(s, a, t, b) VEC((s) * (a).x + (t) * (b).x, (s) * (a).y + (t) * (b).y, (s) * (a).z + (t) * (b).z)
#define CROSS(a, b)       VEC((a).y *(b).z - (a).z * (b).y, (a).z * (b).x - (a).x * (b).z, (a).x * (b).y - (a).y * (b).x)

/* p[i] for the four indices i. */
#define GATHER(p, i)    ((lanes){(p)[(i)[0]], (p)[(i)[1]], (p)[(i)[2]], (p)[(i)[3]]})
#define MEMBER(p, i, m) ((lanes){(p)[(i)[0]].m, (p)[(i)[1]].m, (p)[(i)[2]].m, (p)[(i)[3]].m})
/* x[b] - x[a] */
#define APART(v, a, b)                                                                                                 \
    VEC(MEMBER(v, b, x) - MEMBER(v, a, x), MEMBER(v, b, y) - MEMBER(v, a, y), MEMBER(v, b, z) - MEMBER(v, a, z))

/* The roots by two halves where the baseline has no wider one. */
#ifdef WEFT_LANES_X86
#define WEFT_LANES_ROOTS(result, a)                                                                                    \
    do {                                                                                                               \
        const lanes under = (a);                                                                                       \
        const __m128d low = _mm_sqrt_pd((__m128d){under[0], under[1]});                                                \
        const __m128d high = _mm_sqrt_pd((__m128d){under[2], under[3]});                                               \
        (result) = (lanes){low[0], low[1], high[0], high[1]};                                                          \
    } while (0)
#define WEFT_LANES_AVX2                  __attribute__((target("avx2")))
#define WEFT_LANES_AVX512                __attribute__((target("avx2,avx512f,avx512vl,avx512dq")))
#define WEFT_LANES_ROOTS_AVX2(result, a) ((result) = (lanes)_mm256_sqrt_pd((__m256d)(a)))
/* GCC 12 would convert by halves. */
#define WEFT_LANES_NARROW_AVX2(p, a) _mm_storeu_ps((p), _mm256_cvtpd_ps((__m256d)(a)))
#else
#define WEFT_LANES_ROOTS(result, a)                                                                                    \
    do {                                                                                                               \
        const lanes under = (a);                                                                                       \
        (result) = (lanes){sqrt(under[0]), sqrt(under[1]), sqrt(under[2]), sqrt(under[3])};                            \
    } while (0)
#endif
#define WEFT_LANES_NARROW(p, a)                                                                                        \
    do {                                                                                                               \
        const lanes wide = (a);                                                                                        \
        for (int lane_ = 0; lane_ < WEFT_LANES; lane_++)                                                               \
            (p)[lane_] = (float)wide[lane_];                                                                           \
    } while (0)

/* Calls the kernel `name` of an instruction set, see weft_lanes_isa. */
#ifdef WEFT_LANES_X86
#define WEFT_LANES_RUN(isa, name, ...)                                                                                 \
    ((isa) > 1 ? avx512_##name : (isa) > 0 ? avx2_##name : portable_##name)(__VA_ARGS__)
#else
#define WEFT_LANES_RUN(isa, name, ...) ((void)(isa), portable_##name(__VA_ARGS__))
#endif

/* Which of the kernels this machine runs: 0 portable, 1 AVX2, 2 AVX-512. */
static inline int weft_lanes_isa(void) {
#ifdef WEFT_LANES_X86
    if (__builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq"))
        return 2;
    return __builtin_cpu_supports("avx2") != 0;
#else
    return 0;
#endif
}

#endif
