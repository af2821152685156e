/* Products with a matrix of pairs: y_i = E_i x_i - sum_j (s (s . d) + c d) with d = x_j - x_i. Blocks are float, sums
 * double. Each component has four sums, which start with the three products of E_i and with 0. The blocks of a row are
 * added to them in turn, as SUM says. The final sum is (0 + 1) + (2 + 3). These are the four lanes of a vector. There
 * is no fused multiply-add, so all variants give the same bits.
 *
 * With 12 to 16 blocks per row the kernel is compute-bound. Each block needs 7 conversions and 20 operations, of which
 * 11 are additions. Conversions and additions share two of the processor's four ports. In cache, for a row of 12
 * blocks:
 *
 *   variant                                          ns per row
 *   a lane per component                             17.5
 *   a lane per block, without gathering ahead        17.4
 *   a lane per block, gathered a row ahead, AVX2     14.2
 *   the same, AVX-512                                13.9
 *   full blocks (bsr_multiply.c)                     14.7
 *   tried: eight blocks per vector                   16.1
 *   tried: two rows per vector                       17.5
 *   tried: one more pipeline stage                   14.3
 *   fused multiply-add, which changes the bits       12.7
 */
#include "solve/bsr_pairs.h"

#include "core/simd_avx2.h"

/* The sums to which the blocks 0, 1, 2 and 3 of four are added. */
static const int SUM[4] = {0, 2, 1, 3};

/* Multiplies x4 if `floats`, else x. */
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

static void portable_rows_double(const weft_bsr *matrix, const weft_vec3 *x, weft_vec3 *y, int64_t begin, int64_t end) {
    rows_plain(matrix, 0, x, NULL, y, begin, end);
}

static void portable_rows_float(const weft_bsr *matrix, const float *x4, weft_vec3 *y, int64_t begin, int64_t end) {
    rows_plain(matrix, 1, NULL, x4, y, begin, end);
}

#ifdef WEFT_SIMD_X86

enum {
    AHEAD = 2048,  /* bytes of blocks to prefetch ahead, measured */
    GATHERED = 64, /* the longest row that is gathered, blocks */
};

/* ---- a lane per component: for vectors of doubles and for long rows ---- */

#define LOAD_DOUBLE(x, i) weft_avx2_load_vec3(&(x)[i])
#define LOAD_FLOAT(x4, i) weft_avx2_load_f32_aligned((x4) + 4 * (int64_t)(i))

WEFT_INLINE_AVX2 void add_block(const float *block, __m256d d, __m256d *sum) {
    const __m256d s = weft_avx2_load_f32(block), c = _mm256_permute4x64_pd(s, 0xff);
    __m256d t = _mm256_mul_pd(s, d); /* the fourth lane of d is 0 */
    t = _mm256_add_pd(t, _mm256_permute_pd(t, 5));
    t = _mm256_add_pd(t, _mm256_permute4x64_pd(t, 0x4e));
    *sum = _mm256_sub_pd(*sum, _mm256_add_pd(_mm256_mul_pd(t, s), _mm256_mul_pd(c, d)));
}

/* One body for vectors of doubles and of floats. `LOAD` gives three components and 0. E is symmetric, so its rows serve
 * as columns. */
#define ROWS(NAME, TYPE, LOAD)                                                                                         \
    WEFT_TARGET_AVX2 static void NAME(const weft_bsr *matrix, TYPE x, weft_vec3 *y, int64_t begin, int64_t end) {      \
        for (int64_t i = begin; i < end; i++) {                                                                        \
            const float *excess = matrix->excess + 9 * i;                                                              \
            const int32_t *column = matrix->column + matrix->start[i];                                                 \
            const float *block = matrix->value + WEFT_BSR_PAIRS * (size_t)matrix->start[i];                            \
            const __m256d own = LOAD(x, i);                                                                            \
            __m256d sum[4] = {_mm256_mul_pd(weft_avx2_load_f32(excess), _mm256_permute4x64_pd(own, 0x00)),             \
                              _mm256_mul_pd(weft_avx2_load_f32(excess + 3), _mm256_permute4x64_pd(own, 0x55)),         \
                              _mm256_mul_pd(weft_avx2_load_f32(excess + 6), _mm256_permute4x64_pd(own, 0xaa)),         \
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
            weft_avx2_store_vec3(&y[i], whole);                                                                        \
        }                                                                                                              \
    }

ROWS(avx2_rows_double, const weft_vec3 *, LOAD_DOUBLE)
ROWS(long_rows_float, const float *, LOAD_FLOAT)

/* ---- a lane per block, four blocks at a time ---- */

typedef struct three {
    __m256d x, y, z;
} three;

WEFT_INLINE_AVX2 __m128 at(const float *x4, int64_t i) { return _mm_load_ps(x4 + 4 * i); }

WEFT_INLINE_AVX2 __m256 join(__m128 a, __m128 b) { return _mm256_insertf128_ps(_mm256_castps128_ps256(a), b, 1); }

WEFT_INLINE_AVX2 three excess_of(const float *excess, __m256d x) {
    const __m256d none = _mm256_setzero_pd();
    return (three){_mm256_blend_pd(_mm256_mul_pd(weft_avx2_load_f32(excess), x), none, 8),
                   _mm256_blend_pd(_mm256_mul_pd(weft_avx2_load_f32(excess + 3), x), none, 8),
                   _mm256_blend_pd(_mm256_mul_pd(weft_avx2_load_f32(excess + 6), x), none, 8)};
}

WEFT_INLINE_AVX2 void store_three(const three *sum, weft_vec3 *y) {
    const __m256d xy = _mm256_hadd_pd(sum->x, sum->y), z = _mm256_hadd_pd(sum->z, sum->z);
    _mm_storeu_pd(&y->x, _mm_add_pd(_mm256_castpd256_pd128(xy), _mm256_extractf128_pd(xy, 1)));
    _mm_store_sd(&y->z, _mm_add_sd(_mm256_castpd256_pd128(z), _mm256_extractf128_pd(z, 1)));
}

#define WEFT_KERNEL "solve/bsr_pairs.inc"
#define WEFT_KERNEL_NO_PORTABLE
#include "core/simd_kernels.inc"

#endif

void weft_bsr_pairs(const weft_bsr *matrix, const weft_vec3 *x, weft_vec3 *y, int64_t begin, int64_t end) {
    WEFT_SIMD_RUN_AVX2(matrix->isa, rows_double, matrix, x, y, begin, end);
}

void weft_bsr_pairs_float(const weft_bsr *matrix, const float *x4, weft_vec3 *y, int64_t begin, int64_t end) {
    WEFT_SIMD_RUN(matrix->isa, rows_float, matrix, x4, y, begin, end);
}
