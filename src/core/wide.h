/* Elements eight at a time in single precision: each lane of a vector is one of them. As in lanes.h every operation is
 * a correctly rounded one in the order written, so that all instruction sets give the same bits; kernels are included
 * by lanes_sets.inc likewise. */
#ifndef WEFT_CORE_WIDE_H
#define WEFT_CORE_WIDE_H

#include "core/lanes.h"

enum { WIDE = 8 };

typedef float wide __attribute__((vector_size(4 * WIDE)));
typedef int32_t wide_bits __attribute__((vector_size(4 * WIDE)));
typedef float four __attribute__((vector_size(16)));
typedef float loose_wide __attribute__((vector_size(4 * WIDE), aligned(4), may_alias));
typedef float loose_four __attribute__((vector_size(16), aligned(4), may_alias));

typedef struct wide_vec {
    wide x, y, z;
} wide_vec;

#define ALL(a)                  ((wide){(float)(a), (float)(a), (float)(a), (float)(a), (float)(a), (float)(a), (float)(a), (float)(a)})
#define WIDE_SELECT(mask, a, b) ((wide)(((wide_bits)(a) & (mask)) | ((wide_bits)(b) & ~(mask))))
#define WIDE_WHERE(mask, a)     ((wide)((wide_bits)(a) & (mask))) /* else 0 */
#define WIDE_MAGNITUDE(a)       ((wide)((wide_bits)(a)&INT32_MAX))

/* Of two vectors of four: both. Of one of eight: its halves. */
#define JOIN(a, b) __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7)
#define FIRST(a)   __builtin_shufflevector(a, a, 0, 1, 2, 3)
#define SECOND(a)  __builtin_shufflevector(a, a, 4, 5, 6, 7)
/* The steps of turning rows of four into columns, in both halves. */
#define LOW(a, b)   __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13)
#define HIGH(a, b)  __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15)
#define EVENS(a, b) __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13)
#define ODDS(a, b)  __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15)

/* The same for four and sixteen. */
#define LOW_4(a, b)    __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define HIGH_4(a, b)   __builtin_shufflevector(a, b, 2, 6, 3, 7)
#define EVENS_4(a, b)  __builtin_shufflevector(a, b, 0, 1, 4, 5)
#define ODDS_4(a, b)   __builtin_shufflevector(a, b, 2, 3, 6, 7)
#define LOW_16(a, b)   __builtin_shufflevector(a, b, 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29)
#define HIGH_16(a, b)  __builtin_shufflevector(a, b, 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31)
#define EVENS_16(a, b) __builtin_shufflevector(a, b, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29)
#define ODDS_16(a, b)  __builtin_shufflevector(a, b, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31)
/* Of sixteen, the first and the last eight of each; of what they give, the first and the second four of each eight. */
#define FRONTS_16(a, b)  __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23)
#define BACKS_16(a, b)   __builtin_shufflevector(a, b, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31)
#define FIRSTS_16(a, b)  __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27)
#define SECONDS_16(a, b) __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31)

/* The difference of two vectors of eight doubles, as floats. */
#define WEFT_WIDE_DIFFERENCE(to, p, q)                                                                                 \
    do {                                                                                                               \
        for (int lane_ = 0; lane_ < WIDE; lane_++)                                                                     \
            (to)[lane_] = (float)((p)[lane_] - (q)[lane_]);                                                            \
    } while (0)
/* Adds four floats to four doubles. */
#define WEFT_WIDE_WIDEN(sum, from)                                                                                     \
    ((sum) += (lanes){(double)(from)[0], (double)(from)[1], (double)(from)[2], (double)(from)[3]})
#define WEFT_WIDE_AS_DOUBLES(to, a) ((to) = (lanes){(double)(a)[0], (double)(a)[1], (double)(a)[2], (double)(a)[3]})
#define WEFT_WIDE_ANY(mask)                                                                                            \
    (((mask)[0] | (mask)[1] | (mask)[2] | (mask)[3] | (mask)[4] | (mask)[5] | (mask)[6] | (mask)[7]) != 0)
#ifdef WEFT_LANES_X86
#define WEFT_WIDE_ROOTS(result, a)                                                                                     \
    do {                                                                                                               \
        const wide under = (a);                                                                                        \
        const __m128 low_ = _mm_sqrt_ps((__m128)FIRST(under)), high_ = _mm_sqrt_ps((__m128)SECOND(under));             \
        (result) = JOIN((four)low_, (four)high_);                                                                      \
    } while (0)
#define WEFT_WIDE_ROOTS_AVX2(result, a) ((result) = (wide)_mm256_sqrt_ps((__m256)(a)))
#define WEFT_WIDE_ANY_AVX2(mask)        (_mm256_movemask_ps((__m256)(mask)) != 0)
#define WEFT_WIDE_DIFFERENCE_AVX2(to, p, q)                                                                            \
    do {                                                                                                               \
        _mm_storeu_ps((to), _mm256_cvtpd_ps(_mm256_sub_pd(_mm256_loadu_pd(p), _mm256_loadu_pd(q))));                   \
        _mm_storeu_ps((to) + 4, _mm256_cvtpd_ps(_mm256_sub_pd(_mm256_loadu_pd((p) + 4), _mm256_loadu_pd((q) + 4))));   \
    } while (0)
#define WEFT_WIDE_DIFFERENCE_AVX512(to, p, q)                                                                          \
    _mm256_storeu_ps((to), _mm512_cvtpd_ps(_mm512_sub_pd(_mm512_loadu_pd(p), _mm512_loadu_pd(q))))
#define WEFT_WIDE_AS_DOUBLES_AVX2(to, a) ((to) = (lanes)_mm256_cvtps_pd((__m128)(a)))
#define WEFT_WIDE_WIDEN_AVX2(sum, from)  ((sum) += (lanes)_mm256_cvtps_pd(_mm_loadu_ps(from)))
#else
#define WEFT_WIDE_ROOTS(result, a)                                                                                     \
    do {                                                                                                               \
        const wide under = (a);                                                                                        \
        for (int lane_ = 0; lane_ < WIDE; lane_++)                                                                     \
            (result)[lane_] = sqrtf(under[lane_]);                                                                     \
    } while (0)
#endif

#endif
