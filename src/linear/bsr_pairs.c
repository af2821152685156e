/* Products with a matrix of pairs: y_i = E_i x_i - sum_j (s (s . d) + c d) with d = x_j - x_i, float blocks, sums in
 * double. A row's blocks go round four sums for each component, which begin with the three products of E_i and with 0,
 * and are added as (first + third) + (second + fourth): that is what four lanes of a vector give. No fused
 * multiply-add, so all variants give the same bits.
 *
 * With 12 to 16 blocks a row operations decide, not bytes: 7 numbers of each block are converted and 11 of its 20
 * operations are sums, and both share two of the processor's four pipes. Measured in the cache, ns a row of 12: by
 * blocks 17.5, by fours as they come 17.4, gathered a row ahead 14.2 (AVX2) and 13.9 (AVX-512); full blocks 14.7. Tried
 * without gain: eight blocks a vector 16.1, two rows a vector 17.5, one more stage of a pipeline 14.3. Fused
 * multiply-adds would give 12.7, and other bits where there are none. */
#include "linear/bsr_pairs.h"

#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__)
#define WEFT_PAIRS_X86 1
#include <immintrin.h>
#endif

/* Which sum takes the blocks 0, 1, 2, 3 of four. */
static const int SUM[4] = {0, 2, 1, 3};

/* Of the vector x, or of x4 where it is of floats. */
static void rows_plain(const weft_bsr *matrix, int floats, const weft_vec3 *x, const float *x4, weft_vec3 *y,
                       int64_t begin, int64_t end) {
    const double *flat = (const double *)x;
    for (int64_t i = begin; i < end; i++) {
        double own[3], sum[3][4];
        for (int c = 0; c < 3; c++)
            own[c] = floats ? (double)x4[4 * i + c] : flat[3 * i + c];
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 4; c++)
                sum[r][c] = c < 3 ? (double)matrix->excess[9 * i + 3 * r + c] * own[c] : 0;
        for (int32_t k = matrix->start[i]; k < matrix->start[i + 1]; k++) {
            const float *s = matrix->value + WEFT_BSR_PAIRS * (size_t)k;
            int64_t j = matrix->column[k];
            int to = SUM[(k - matrix->start[i]) % 4];
            double d[3];
            for (int c = 0; c < 3; c++)
                d[c] = (floats ? (double)x4[4 * j + c] : flat[3 * j + c]) - own[c];
            double t = ((double)s[0] * d[0] + (double)s[1] * d[1]) + (double)s[2] * d[2];
            for (int c = 0; c < 3; c++)
                sum[c][to] -= t * (double)s[c] + (double)s[3] * d[c];
        }
        y[i].x = (sum[0][0] + sum[0][1]) + (sum[0][2] + sum[0][3]);
        y[i].y = (sum[1][0] + sum[1][1]) + (sum[1][2] + sum[1][3]);
        y[i].z = (sum[2][0] + sum[2][1]) + (sum[2][2] + sum[2][3]);
    }
}

#ifdef WEFT_PAIRS_X86

enum {
    AHEAD = 2048,  /* bytes of blocks to fetch ahead, measured */
    GATHERED = 64, /* blocks of a row at most that are gathered */
};

#define AVX2   __attribute__((target("avx2")))
#define AVX512 __attribute__((target("avx2,avx512f,avx512vl")))
#define INLINE static inline __attribute__((always_inline))

AVX2 INLINE __m256d load_row(const float *row) { return _mm256_cvtps_pd(_mm_loadu_ps(row)); }

AVX2 INLINE __m256d load_double(const weft_vec3 *x, int64_t i) {
    return _mm256_maskload_pd(&x[i].x, _mm256_setr_epi64x(-1, -1, -1, 0));
}

AVX2 INLINE __m256d load_float(const float *x4, int64_t i) { return _mm256_cvtps_pd(_mm_load_ps(x4 + 4 * i)); }

/* ---- by blocks: a lane for each component ---- */

AVX2 INLINE void add_block(const float *block, __m256d d, __m256d *sum) {
    const __m256d s = load_row(block), c = _mm256_permute4x64_pd(s, 0xff);
    __m256d t = _mm256_mul_pd(s, d); /* d has nothing in its fourth lane */
    t = _mm256_add_pd(t, _mm256_permute_pd(t, 5));
    t = _mm256_add_pd(t, _mm256_permute4x64_pd(t, 0x4e));
    *sum = _mm256_sub_pd(*sum, _mm256_add_pd(_mm256_mul_pd(t, s), _mm256_mul_pd(c, d)));
}

/* One body for both kinds of vector; `LOAD` gives three components and 0. E is symmetric: its rows are its columns. */
#define ROWS(NAME, TYPE, LOAD)                                                                                         \
    AVX2 static void NAME(const weft_bsr *matrix, TYPE x, weft_vec3 *y, int64_t begin, int64_t end) {                  \
        for (int64_t i = begin; i < end; i++) {                                                                        \
            const float *excess = matrix->excess + 9 * i;                                                              \
            const int32_t *column = matrix->column + matrix->start[i];                                                 \
            const float *block = matrix->value + WEFT_BSR_PAIRS * (size_t)matrix->start[i];                            \
            const __m256d own = LOAD(x, i);                                                                            \
            __m256d sum[4] = {_mm256_mul_pd(load_row(excess), _mm256_permute4x64_pd(own, 0x00)),                       \
                              _mm256_mul_pd(load_row(excess + 3), _mm256_permute4x64_pd(own, 0x55)),                   \
                              _mm256_mul_pd(load_row(excess + 6), _mm256_permute4x64_pd(own, 0xaa)),                   \
                              _mm256_setzero_pd()};                                                                    \
            int32_t count = matrix->start[i + 1] - matrix->start[i], k = 0;                                            \
            for (; k + 4 <= count; k += 4, block += 4 * WEFT_BSR_PAIRS) {                                              \
                _mm_prefetch((const char *)block + AHEAD, _MM_HINT_T0);                                                \
                add_block(block, _mm256_sub_pd(LOAD(x, column[k]), own), &sum[0]);                                     \
                add_block(block + 4, _mm256_sub_pd(LOAD(x, column[k + 1]), own), &sum[2]);                             \
                add_block(block + 8, _mm256_sub_pd(LOAD(x, column[k + 2]), own), &sum[1]);                             \
                add_block(block + 12, _mm256_sub_pd(LOAD(x, column[k + 3]), own), &sum[3]);                            \
            }                                                                                                          \
            for (int rest = 0; k < count; k++, rest++, block += WEFT_BSR_PAIRS)                                        \
                add_block(block, _mm256_sub_pd(LOAD(x, column[k]), own), &sum[SUM[rest]]);                             \
            const __m256d whole = _mm256_add_pd(_mm256_add_pd(sum[0], sum[1]), _mm256_add_pd(sum[2], sum[3]));         \
            _mm_storeu_pd(&y[i].x, _mm256_castpd256_pd128(whole));                                                     \
            _mm_store_sd(&y[i].z, _mm256_extractf128_pd(whole, 1));                                                    \
        }                                                                                                              \
    }

ROWS(rows_double, const weft_vec3 *, load_double)
ROWS(rows_float, const float *, load_float)

/* ---- by fours: a lane for each block ---- */

typedef struct three {
    __m256d x, y, z;
} three;

AVX2 INLINE __m128 at(const float *x4, int64_t i) { return _mm_load_ps(x4 + 4 * i); }

AVX2 INLINE __m256 join(__m128 a, __m128 b) { return _mm256_insertf128_ps(_mm256_castps128_ps256(a), b, 1); }

AVX2 INLINE three excess_of(const float *excess, __m256d x) {
    const __m256d none = _mm256_setzero_pd();
    return (three){_mm256_blend_pd(_mm256_mul_pd(load_row(excess), x), none, 8),
                   _mm256_blend_pd(_mm256_mul_pd(load_row(excess + 3), x), none, 8),
                   _mm256_blend_pd(_mm256_mul_pd(load_row(excess + 6), x), none, 8)};
}

AVX2 INLINE void store_three(const three *sum, weft_vec3 *y) {
    const __m256d xy = _mm256_hadd_pd(sum->x, sum->y), z = _mm256_hadd_pd(sum->z, sum->z);
    _mm_storeu_pd(&y->x, _mm_add_pd(_mm256_castpd256_pd128(xy), _mm256_extractf128_pd(xy, 1)));
    _mm_store_sd(&y->z, _mm_add_sd(_mm256_castpd256_pd128(z), _mm256_extractf128_pd(z, 1)));
}

/* Of the first and second, and the third and fourth, of four rows of four: columns, as SUM numbers them. */
AVX2 INLINE void turn_avx2(__m256 a, __m256 b, float *to) {
    const __m256d low = _mm256_castps_pd(_mm256_unpacklo_ps(a, b)), high = _mm256_castps_pd(_mm256_unpackhi_ps(a, b));
    _mm256_store_ps(to, _mm256_castpd_ps(_mm256_permute4x64_pd(low, 0xd8)));
    _mm256_store_ps(to + 8, _mm256_castpd_ps(_mm256_permute4x64_pd(high, 0xd8)));
}

AVX512 INLINE void turn_avx512(__m256 a, __m256 b, float *to) {
    _mm256_store_ps(to, _mm256_permutex2var_ps(a, _mm256_setr_epi32(0, 8, 4, 12, 1, 9, 5, 13), b));
    _mm256_store_ps(to + 8, _mm256_permutex2var_ps(a, _mm256_setr_epi32(2, 10, 6, 14, 3, 11, 7, 15), b));
}

#define NAME(name) avx2_##name
#define TARGET     AVX2
#define TURN       turn_avx2
#include "linear/bsr_pairs.inc"
#undef NAME
#undef TARGET
#undef TURN
#define NAME(name) avx512_##name
#define TARGET     AVX512
#define TURN       turn_avx512
#include "linear/bsr_pairs.inc"

#endif

void weft_bsr_pairs(const weft_bsr *matrix, const weft_vec3 *x, weft_vec3 *y, int64_t begin, int64_t end) {
#ifdef WEFT_PAIRS_X86
    if (matrix->wide) {
        rows_double(matrix, x, y, begin, end);
        return;
    }
#endif
    rows_plain(matrix, 0, x, NULL, y, begin, end);
}

void weft_bsr_pairs_float(const weft_bsr *matrix, const float *x4, weft_vec3 *y, int64_t begin, int64_t end) {
#ifdef WEFT_PAIRS_X86
    if (matrix->wide) {
        (matrix->longest > GATHERED ? rows_float
         : matrix->wide > 1         ? avx512_rows
                                    : avx2_rows)(matrix, x4, y, begin, end);
        return;
    }
#endif
    rows_plain(matrix, 1, NULL, x4, y, begin, end);
}
