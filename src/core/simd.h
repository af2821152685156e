/* The SIMD vocabulary of the engine: vector types, shuffles, and the choice of the instruction set.
 *
 * Vectors are the vector extensions of GCC and Clang. They work on every machine: where the processor has no registers
 * of that width the compiler splits them. Every operation is correctly rounded and done in the order written. There is
 * no fused multiply-add. All instruction sets therefore give the same bits.
 *
 * A kernel is an .inc file that core/simd_kernels.inc compiles once per instruction set. Only the portable code runs
 * without a check. Callers choose a variant by weft_simd_isa and call it by WEFT_SIMD_RUN.
 *
 * Pass vectors to functions by pointer, and declare those functions always_inline: by value they would have a different
 * ABI in each instruction set. The helpers below are macros because GCC splits the vectors of an inline function
 * before it inlines it into a function with wider registers. */
#ifndef WEFT_CORE_SIMD_H
#define WEFT_CORE_SIMD_H

#include <stdint.h>

/* ---- vector types ---- */

/* By element type and number of lanes. In memory they are aligned to their size. */
typedef float weft_f32x4 __attribute__((vector_size(16)));
typedef float weft_f32x8 __attribute__((vector_size(32)));
typedef float weft_f32x16 __attribute__((vector_size(64)));
typedef double weft_f64x2 __attribute__((vector_size(16)));
typedef double weft_f64x4 __attribute__((vector_size(32)));
typedef double weft_f64x8 __attribute__((vector_size(64)));
/* Comparisons give these: all bits of a lane are 1 where the comparison holds, else 0. */
typedef int32_t weft_i32x8 __attribute__((vector_size(32)));
typedef int32_t weft_i32x16 __attribute__((vector_size(64)));
typedef int64_t weft_i64x4 __attribute__((vector_size(32)));

/* For loads from and stores to arrays: aligned like one element only. */
typedef float weft_f32x4_u __attribute__((vector_size(16), aligned(4), may_alias));
typedef float weft_f32x8_u __attribute__((vector_size(32), aligned(4), may_alias));
typedef double weft_f64x2_u __attribute__((vector_size(16), aligned(8), may_alias));
typedef double weft_f64x4_u __attribute__((vector_size(32), aligned(8), may_alias));

/* The vector that starts at the element p points to, as an lvalue. */
#define WEFT_AT_F32X4(p) (*(weft_f32x4_u *)(p))
#define WEFT_AT_F32X8(p) (*(weft_f32x8_u *)(p))
#define WEFT_AT_F64X4(p) (*(weft_f64x4_u *)(p))

/* Broadcasts: `a` in every lane. `a` is evaluated once per lane. */
#define WEFT_SPLAT_F32X8(a) ((weft_f32x8){(a), (a), (a), (a), (a), (a), (a), (a)})
#define WEFT_SPLAT_F32X16(a)                                                                                           \
    ((weft_f32x16){(a), (a), (a), (a), (a), (a), (a), (a), (a), (a), (a), (a), (a), (a), (a), (a)})
#define WEFT_SPLAT_F64X4(a) ((weft_f64x4){(a), (a), (a), (a)})

/* ---- shuffles ---- */

/* The lanes of a, then those of b, by index. */
#define WEFT_SHUFFLE __builtin_shufflevector

/* Two vectors of four lanes as one of eight, and the halves of a vector of eight. */
#define WEFT_JOIN_F32X4(a, b) WEFT_SHUFFLE(a, b, 0, 1, 2, 3, 4, 5, 6, 7)
#define WEFT_LOW_F32X8(a)     WEFT_SHUFFLE(a, a, 0, 1, 2, 3)
#define WEFT_HIGH_F32X8(a)    WEFT_SHUFFLE(a, a, 4, 5, 6, 7)

/* The steps of a 4 x 4 transpose in each group of four lanes. LOW and HIGH interleave the first and the last two lanes
 * of each group; LOW_PAIRS and HIGH_PAIRS concatenate them. */
#define WEFT_INTERLEAVE_LOW_4(a, b)   WEFT_SHUFFLE(a, b, 0, 4, 1, 5)
#define WEFT_INTERLEAVE_HIGH_4(a, b)  WEFT_SHUFFLE(a, b, 2, 6, 3, 7)
#define WEFT_LOW_PAIRS_4(a, b)        WEFT_SHUFFLE(a, b, 0, 1, 4, 5)
#define WEFT_HIGH_PAIRS_4(a, b)       WEFT_SHUFFLE(a, b, 2, 3, 6, 7)
#define WEFT_INTERLEAVE_LOW_8(a, b)   WEFT_SHUFFLE(a, b, 0, 8, 1, 9, 4, 12, 5, 13)
#define WEFT_INTERLEAVE_HIGH_8(a, b)  WEFT_SHUFFLE(a, b, 2, 10, 3, 11, 6, 14, 7, 15)
#define WEFT_LOW_PAIRS_8(a, b)        WEFT_SHUFFLE(a, b, 0, 1, 8, 9, 4, 5, 12, 13)
#define WEFT_HIGH_PAIRS_8(a, b)       WEFT_SHUFFLE(a, b, 2, 3, 10, 11, 6, 7, 14, 15)
#define WEFT_INTERLEAVE_LOW_16(a, b)  WEFT_SHUFFLE(a, b, 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29)
#define WEFT_INTERLEAVE_HIGH_16(a, b) WEFT_SHUFFLE(a, b, 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31)
#define WEFT_LOW_PAIRS_16(a, b)       WEFT_SHUFFLE(a, b, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29)
#define WEFT_HIGH_PAIRS_16(a, b)      WEFT_SHUFFLE(a, b, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31)

/* Transposes in each group of four lanes: lane j of to[i] is lane i of from[j]. `from` and `to` are arrays of four
 * vectors of `lanes` floats, 4, 8 or 16. */
#define WEFT_TRANSPOSE(lanes, from, to) WEFT_TRANSPOSE_EXPANDED(lanes, from, to)
#define WEFT_TRANSPOSE_EXPANDED(lanes, from, to)                                                                       \
    do {                                                                                                               \
        const weft_f32x##lanes low01_ = WEFT_INTERLEAVE_LOW_##lanes((from)[0], (from)[1]);                             \
        const weft_f32x##lanes low23_ = WEFT_INTERLEAVE_LOW_##lanes((from)[2], (from)[3]);                             \
        const weft_f32x##lanes high01_ = WEFT_INTERLEAVE_HIGH_##lanes((from)[0], (from)[1]);                           \
        const weft_f32x##lanes high23_ = WEFT_INTERLEAVE_HIGH_##lanes((from)[2], (from)[3]);                           \
        (to)[0] = WEFT_LOW_PAIRS_##lanes(low01_, low23_);                                                              \
        (to)[1] = WEFT_HIGH_PAIRS_##lanes(low01_, low23_);                                                             \
        (to)[2] = WEFT_LOW_PAIRS_##lanes(high01_, high23_);                                                            \
        (to)[3] = WEFT_HIGH_PAIRS_##lanes(high01_, high23_);                                                           \
    } while (0)

/* Four points x y z in a row, in the vectors a, b and c, to their coordinates; and back. */
#define WEFT_SPLIT_XYZ_F64X4(a, b, c, x, y, z)                                                                         \
    do {                                                                                                               \
        const weft_f64x4 xy_ = WEFT_SHUFFLE(a, b, 0, 1, 6, 7), zx_ = WEFT_SHUFFLE(a, c, 2, 3, 4, 5);                   \
        const weft_f64x4 yz_ = WEFT_SHUFFLE(b, c, 0, 1, 6, 7);                                                         \
        (x) = WEFT_SHUFFLE(xy_, zx_, 0, 5, 2, 7);                                                                      \
        (y) = WEFT_SHUFFLE(xy_, yz_, 1, 4, 3, 6);                                                                      \
        (z) = WEFT_SHUFFLE(zx_, yz_, 0, 5, 2, 7);                                                                      \
    } while (0)
#define WEFT_JOIN_XYZ_F64X4(x, y, z, a, b, c)                                                                          \
    do {                                                                                                               \
        const weft_f64x4 xy_ = WEFT_SHUFFLE(x, y, 0, 4, 2, 6), zx_ = WEFT_SHUFFLE(z, x, 0, 5, 2, 7);                   \
        const weft_f64x4 yz_ = WEFT_SHUFFLE(y, z, 1, 5, 3, 7);                                                         \
        (a) = WEFT_SHUFFLE(xy_, zx_, 0, 1, 4, 5);                                                                      \
        (b) = WEFT_SHUFFLE(yz_, xy_, 0, 1, 6, 7);                                                                      \
        (c) = WEFT_SHUFFLE(zx_, yz_, 2, 3, 6, 7);                                                                      \
    } while (0)

/* Horizontal sums of four vectors: lane i of the result is the sum of the lanes of p_i, added as (0 + 1) + (2 + 3). */
#define WEFT_LANE_SUMS_F64X4(result, p0, p1, p2, p3)                                                                   \
    do {                                                                                                               \
        const weft_f64x4 s01_ = WEFT_SHUFFLE(p0, p1, 0, 4, 2, 6) + WEFT_SHUFFLE(p0, p1, 1, 5, 3, 7);                   \
        const weft_f64x4 s23_ = WEFT_SHUFFLE(p2, p3, 0, 4, 2, 6) + WEFT_SHUFFLE(p2, p3, 1, 5, 3, 7);                   \
        (result) = WEFT_SHUFFLE(s01_, s23_, 0, 1, 4, 5) + WEFT_SHUFFLE(s01_, s23_, 2, 3, 6, 7);                        \
    } while (0)
/* The same for an array of four weft_f32x8: ((0 + 1) + (2 + 3)) + ((4 + 5) + (6 + 7)), as a weft_f32x4. */
#define WEFT_LANE_SUMS_F32X8(result, p)                                                                                \
    do {                                                                                                               \
        const weft_f32x8 s01_ = WEFT_SHUFFLE((p)[0], (p)[1], 0, 8, 2, 10, 4, 12, 6, 14) +                              \
                                WEFT_SHUFFLE((p)[0], (p)[1], 1, 9, 3, 11, 5, 13, 7, 15);                               \
        const weft_f32x8 s23_ = WEFT_SHUFFLE((p)[2], (p)[3], 0, 8, 2, 10, 4, 12, 6, 14) +                              \
                                WEFT_SHUFFLE((p)[2], (p)[3], 1, 9, 3, 11, 5, 13, 7, 15);                               \
        const weft_f32x8 halves_ = WEFT_LOW_PAIRS_8(s01_, s23_) + WEFT_HIGH_PAIRS_8(s01_, s23_);                       \
        (result) = WEFT_LOW_F32X8(halves_) + WEFT_HIGH_F32X8(halves_);                                                 \
    } while (0)

/* ---- loops ---- */

/* Before a loop of a few constant rounds whose vectors should stay in registers. */
#if defined(__clang__)
#define WEFT_UNROLLED _Pragma("clang loop unroll(full)")
#else
#define WEFT_UNROLLED _Pragma("GCC unroll 8")
#endif

/* Prefetches p[i], which may lie beyond the end. Elements are mostly computed in order, so a later call will need what
 * lies a fixed distance ahead. */
#define WEFT_PREFETCH(p, i) __builtin_prefetch((const void *)((uintptr_t)(p) + (uintptr_t)(i) * sizeof *(p)), 0, 2)

/* Copies the next `lanes` of `count` elements. Repeats the last element when there are fewer elements than lanes. */
static inline void weft_simd_take(const int32_t *element, int32_t count, int lanes, int32_t *taken) {
    for (int lane = 0; lane < lanes; lane++)
        taken[lane] = element[lane < count ? lane : count - 1];
}

/* ---- instruction sets ---- */

/* In ascending order: a machine that runs one also runs those before it. */
typedef enum weft_isa {
    WEFT_ISA_PORTABLE,
    WEFT_ISA_AVX2,
    WEFT_ISA_AVX512 /* F, VL and DQ */
} weft_isa;

#if defined(__x86_64__) && defined(__GNUC__) && !defined(WEFT_PORTABLE)
#define WEFT_SIMD_X86 1
/* Function attributes. Such a function may only run where weft_simd_isa allows it. FMA stays off. */
#define WEFT_TARGET_AVX2   __attribute__((target("avx2")))
#define WEFT_TARGET_AVX512 __attribute__((target("avx2,avx512f,avx512vl,avx512dq")))
#endif

/* The best instruction set of this machine. Cheap: it tests bits that are read once at program start. */
static inline weft_isa weft_simd_isa(void) {
#ifdef WEFT_SIMD_X86
    if (!__builtin_cpu_supports("avx2"))
        return WEFT_ISA_PORTABLE;
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq")
               ? WEFT_ISA_AVX512
               : WEFT_ISA_AVX2;
#else
    return WEFT_ISA_PORTABLE;
#endif
}

/* Calls the variant of kernel `name` for `isa`. WEFT_SIMD_RUN_AVX2 is for kernels that have no variant for AVX-512.
 * WEFT_SIMD_PICK_AVX2 gives the variant of such a function or array. */
#ifdef WEFT_SIMD_X86
#define WEFT_SIMD_RUN(isa, name, ...)                                                                                  \
    ((isa) >= WEFT_ISA_AVX512 ? avx512_##name(__VA_ARGS__)                                                             \
     : (isa) >= WEFT_ISA_AVX2 ? avx2_##name(__VA_ARGS__)                                                               \
                              : portable_##name(__VA_ARGS__))
#define WEFT_SIMD_RUN_AVX2(isa, name, ...)                                                                             \
    ((isa) >= WEFT_ISA_AVX2 ? avx2_##name(__VA_ARGS__) : portable_##name(__VA_ARGS__))
#define WEFT_SIMD_PICK_AVX2(isa, name) ((isa) >= WEFT_ISA_AVX2 ? avx2_##name : portable_##name)
#else
#define WEFT_SIMD_RUN(isa, name, ...)      ((void)(isa), portable_##name(__VA_ARGS__))
#define WEFT_SIMD_RUN_AVX2(isa, name, ...) ((void)(isa), portable_##name(__VA_ARGS__))
#define WEFT_SIMD_PICK_AVX2(isa, name)     ((void)(isa), portable_##name)
#endif

#endif
