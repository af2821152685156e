#include "linear/cholesky_dense.h"

#include <math.h>
#include <string.h>

enum { LANES = WEFT_DENSE_LANES, PANEL = 8, STREAMED = WEFT_DENSE_STREAMED, AHEAD = WEFT_DENSE_AHEAD };

/* GCC's and Clang's vectors: eight floats, on every machine. */
typedef float vec __attribute__((vector_size(32)));
typedef float loose __attribute__((vector_size(32), aligned(4), may_alias));
#define FILL(a)     ((vec){(a), (a), (a), (a), (a), (a), (a), (a)})
#define LOAD(p)     (*(const loose *)(p))
#define STORE(p, v) (*(loose *)(p) = (v))
#define SHUFFLE     __builtin_shufflevector
/* Three sides of an unknown and one float more. */
typedef float quad __attribute__((vector_size(16)));
typedef float loose_quad __attribute__((vector_size(16), aligned(4), may_alias));
#define QUAD(p)    (*(loose_quad *)(p))
#define LOW(a)     SHUFFLE(a, a, 0, 1, 2, 3)
#define HIGH(a)    SHUFFLE(a, a, 4, 5, 6, 7)
#define JOIN(a, b) SHUFFLE(a, b, 0, 1, 2, 3, 4, 5, 6, 7)

/* Before loops of a few constant rounds, whose sums are to stay in registers. */
#if defined(__clang__)
#define UNROLLED _Pragma("clang loop unroll(full)")
#else
#define UNROLLED _Pragma("GCC unroll 8")
#endif

#define TARGET
#define NAME(name) portable_##name
#include "linear/cholesky_kernel.inc"

#if defined(__x86_64__)
#define TARGET     __attribute__((target("avx2")))
#define NAME(name) avx2_##name
#include "linear/cholesky_kernel.inc"
#endif

const weft_dense *weft_dense_choose(int portable) {
    static const weft_dense PORTABLE = {portable_product,  portable_subtract_transposed, portable_forward,
                                        portable_backward, portable_eliminate,           portable_invert};
#if defined(__x86_64__)
    static const weft_dense AVX2 = {avx2_product,  avx2_subtract_transposed, avx2_forward,
                                    avx2_backward, avx2_eliminate,           avx2_invert};
    if (!portable && __builtin_cpu_supports("avx2"))
        return &AVX2;
#endif
    (void)portable;
    return &PORTABLE;
}
