#include "assembly/window.h"

#include "weft/vec.h"

#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__)
#define WEFT_WINDOW_AVX2 __attribute__((target("avx2")))
#include <immintrin.h>
#endif

enum { AHEAD = 64 }; /* vertices to fetch ahead: a page begins before the processor foresees it */

static int32_t length(int32_t reach) {
    int32_t least = 2 * reach + 4 * WEFT_RUN, length = WEFT_TILE;
    while (length < least)
        length *= 2;
    return length;
}

size_t weft_window_size(int32_t reach) {
    return (size_t)(length(reach) / WEFT_TILE) * (WEFT_TILE_ROWS * WEFT_TILE_ROW);
}

weft_pair_window weft_window_in(float *memory, int32_t reach) { return (weft_pair_window){memory, length(reach) - 1}; }

static void split(double number, float *to) {
    to[0] = (float)number;
    to[WEFT_TILE_ROW] = (float)(number - (double)to[0]);
}

static void fill_plain(const weft_assembly *a, int32_t begin, int32_t end, float *to) {
    for (int32_t i = begin; i < end; i++, to++) {
        weft_vec3 x = a->x[i], u = {0, 0, 0};
        if (a->moved)
            u = weft_sub(weft_add_scaled(a->X[i], a->h, a->v[i]), x);
        const double number[6] = {x.x, x.y, x.z, u.x, u.y, u.z};
        for (int k = 0; k < 6; k++)
            split(number[k], to + 2 * k * WEFT_TILE_ROW);
    }
}

#ifdef WEFT_WINDOW_AVX2
/* x y z of four vertices. */
WEFT_WINDOW_AVX2 static inline void turn(__m128 a, __m128 b, __m128 c, float *to) {
    const __m128 x = _mm_shuffle_ps(b, c, _MM_SHUFFLE(1, 1, 2, 2)), z = _mm_shuffle_ps(a, b, _MM_SHUFFLE(1, 1, 2, 2));
    const __m128 y0 = _mm_shuffle_ps(a, b, _MM_SHUFFLE(0, 0, 1, 1)), y2 = _mm_shuffle_ps(b, c, _MM_SHUFFLE(2, 2, 3, 3));
    _mm_storeu_ps(to, _mm_shuffle_ps(a, x, _MM_SHUFFLE(2, 0, 3, 0)));
    _mm_storeu_ps(to + 2 * WEFT_TILE_ROW, _mm_shuffle_ps(y0, y2, _MM_SHUFFLE(2, 0, 2, 0)));
    _mm_storeu_ps(to + 4 * WEFT_TILE_ROW, _mm_shuffle_ps(z, c, _MM_SHUFFLE(3, 0, 2, 0)));
}

WEFT_WINDOW_AVX2 static inline void split_four(const __m256d number[3], float *to) {
    __m128 high[3], low[3];
#pragma GCC unroll 3
    for (int k = 0; k < 3; k++) {
        high[k] = _mm256_cvtpd_ps(number[k]);
        low[k] = _mm256_cvtpd_ps(_mm256_sub_pd(number[k], _mm256_cvtps_pd(high[k])));
    }
    turn(high[0], high[1], high[2], to);
    turn(low[0], low[1], low[2], to + WEFT_TILE_ROW);
}

WEFT_WINDOW_AVX2 static void fill_wide(const weft_assembly *a, int32_t begin, int32_t end, float *to) {
    const __m256d h = _mm256_set1_pd(a->h);
    for (int32_t i = begin; i < end; i += 4, to += 4) {
        const double *x = &a->x[i].x, *v = &a->v[i].x, *X = &a->X[i].x;
        __m256d at[3], u[3];
#pragma GCC unroll 3
        for (int k = 0; k < 3; k++) {
            at[k] = _mm256_loadu_pd(x + 4 * k);
            u[k] = _mm256_setzero_pd();
            if (a->moved)
                u[k] = _mm256_sub_pd(
                    _mm256_add_pd(_mm256_loadu_pd(X + 4 * k), _mm256_mul_pd(h, _mm256_loadu_pd(v + 4 * k))), at[k]);
        }
        split_four(at, to);
        split_four(u, to + 6 * WEFT_TILE_ROW);
    }
}
#endif

/* Inline, because GCC 12 drops calls of a function that does nothing but fetch. */
static inline __attribute__((always_inline)) void fetch(const weft_vec3 *vector) {
    for (size_t k = 0; k < WEFT_RUN * sizeof *vector; k += 64)
        __builtin_prefetch((const char *)(vector + AHEAD) + k);
}

static void fill(const weft_assembly *a, int32_t begin, int32_t end, float *to) {
#ifdef WEFT_WINDOW_AVX2
    if (end - begin == WEFT_RUN && __builtin_cpu_supports("avx2")) {
        fill_wide(a, begin, end, to);
        return;
    }
#endif
    fill_plain(a, begin, end, to);
}

void weft_window_fill(const weft_assembly *assembly, const weft_pair_window *window, int32_t begin, int32_t end) {
    for (int32_t i = begin; i < end; i += WEFT_RUN) {
        int32_t stop = end - i < WEFT_RUN ? end : i + WEFT_RUN;
        float *to = (float *)weft_window_at(window, i), *again = (float *)weft_window_at(window, i - 1) + 1;
        if (assembly->system->count - i >= AHEAD + WEFT_RUN) {
            fetch(assembly->x + i);
            fetch(assembly->v + i);
            fetch(assembly->X + i);
        }
        fill(assembly, i, stop, to);
        for (int k = 0; k < WEFT_TILE_ROWS && i % WEFT_TILE == 0; k++)
            memcpy(again + k * WEFT_TILE_ROW, to + k * WEFT_TILE_ROW, WEFT_RUN * sizeof *to);
    }
}
