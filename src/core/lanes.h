/* Several elements at a time: each lane of a vector is one of them. Every operation is a correctly rounded one in the
 * order written, so that all instruction sets give the same bits. A kernel is an .inc file that is included once per
 * set with TARGET, NAME and the operations of wide.h defined, by lanes_sets.inc. Vectors go by pointer: by value they
 * would have another ABI in each set. */
#ifndef WEFT_CORE_LANES_H
#define WEFT_CORE_LANES_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__)
#define WEFT_LANES_X86 1
#include <immintrin.h>
#endif

enum { WEFT_LANES = 4 };

typedef double lanes __attribute__((vector_size(8 * WEFT_LANES)));
typedef double loose_lanes __attribute__((vector_size(8 * WEFT_LANES), aligned(8), may_alias));

#define DOT(a, b) ((a).x * (b).x + (a).y * (b).y + (a).z * (b).z)

#ifdef WEFT_LANES_X86
#define WEFT_LANES_AVX2   __attribute__((target("avx2")))
#define WEFT_LANES_AVX512 __attribute__((target("avx2,avx512f,avx512vl,avx512dq")))
#endif

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
