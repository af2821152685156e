/* Elements many at a time in single precision: each lane of a vector is one of them. Sixteen lanes where the processor
 * has vectors of that size, which also hides how long roots and divisions take; eight elsewhere. As in lanes.h every
 * operation is a correctly rounded one in the order written, so that all instruction sets give the same bits. A kernel
 * is an .inc file that is included once per set by many_sets.inc, with TARGET, NAME, MANY and the types of its vectors
 * defined. In memory the numbers of one element stand together. */
#ifndef WEFT_CORE_MANY_H
#define WEFT_CORE_MANY_H

#include "core/wide.h"

enum { MANY_MOST = 16 };

typedef float wide16 __attribute__((vector_size(64)));
typedef int32_t wide16_bits __attribute__((vector_size(64)));
typedef float loose_wide16 __attribute__((vector_size(64), aligned(4), may_alias));
typedef struct wide16_vec {
    wide16 x, y, z;
} wide16_vec;

#define MANY_EACH(a)            (((many){0}) + (float)(a))
#define MANY_SELECT(mask, a, b) ((many)(((many_bits)(a) & (mask)) | ((many_bits)(b) & ~(mask))))
#define MANY_WHERE(mask, a)     ((many)((many_bits)(a) & (mask))) /* else 0 */
#define MANY_MAGNITUDE(a)       ((many)((many_bits)(a)&INT32_MAX))

#define MANY_VEC(a, b, c)      ((many_vec){(a), (b), (c)})
#define MANY_PLUS(a, b)        MANY_VEC((a).x + (b).x, (a).y + (b).y, (a).z + (b).z)
#define MANY_TIMES(s, a)       MANY_VEC((s) * (a).x, (s) * (a).y, (s) * (a).z)
#define MANY_BLEND(s, a, t, b) MANY_VEC((s) * (a).x + (t) * (b).x, (s) * (a).y + (t) * (b).y, (s) * (a).z + (t) * (b).z)
#define MANY_CROSS(a, b)                                                                                               \
    MANY_VEC((a).y *(b).z - (a).z * (b).y, (a).z * (b).x - (a).x * (b).z, (a).x * (b).y - (a).y * (b).x)

/* The first four of the numbers of two vertices, their difference. */
#define WEFT_WIDE_NEAR(to, p, q)                                                                                       \
    do {                                                                                                               \
        for (int lane_ = 0; lane_ < 4; lane_++)                                                                        \
            (to)[lane_] = (float)((p)[lane_] - (q)[lane_]);                                                            \
    } while (0)
#ifdef WEFT_LANES_X86
#define WEFT_WIDE_NEAR_AVX2(to, p, q)                                                                                  \
    _mm_storeu_ps((to), _mm256_cvtpd_ps(_mm256_sub_pd(_mm256_loadu_pd(p), _mm256_loadu_pd(q))))
#define WEFT_WIDE16_ROOTS(result, a) ((result) = (wide16)_mm512_sqrt_ps((__m512)(a)))
#define WEFT_WIDE16_ANY(mask)        (_mm512_test_epi32_mask((__m512i)(mask), (__m512i)(mask)) != 0)
#endif

/* Fetches p[i], which may be beyond the end: elements are mostly computed in their order, so that the next call will
 * need what is that much further. */
#define MANY_FETCH(p, i) __builtin_prefetch((const void *)((uintptr_t)(p) + (uintptr_t)(i) * sizeof *(p)), 0, 2)

/* The last element is repeated where there are fewer than lanes. */
static inline void many_take(const int32_t *element, int32_t count, int many, int32_t *taken) {
    for (int lane = 0; lane < many; lane++)
        taken[lane] = element[lane < count ? lane : count - 1];
}

#endif
