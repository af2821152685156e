/* Products with a matrix of full blocks: float blocks, sums in double. bsr_pairs.c has those for the form of pairs. A
 * row keeps nine sums, one per entry of a block, and finally adds them as (xx + xy) + xz and so on. The AVX2 kernel
 * keeps the same sums in three registers, so both give the same bits. A fused multiply-add would change them. */
#include "core/simd_avx2.h"
#include "solve/bsr.h"
#include "solve/bsr_pairs.h"

/* Multiplies x4 if it is not null, else x. */
static void rows_plain(const weft_bsr *matrix, const weft_vec3 *x, const float *x4, weft_vec3 *y, int64_t begin,
                       int64_t end) {
    const double *flat = (const double *)x;
    for (int64_t i = begin; i < end; i++) {
        double own[3], sum[9];
        for (int c = 0; c < 3; c++)
            own[c] = x4 ? (double)x4[4 * i + c] : flat[3 * i + c];
        for (int c = 0; c < 9; c++)
            sum[c] = (double)matrix->excess[9 * i + c] * own[c % 3];
        for (int32_t k = matrix->start[i]; k < matrix->start[i + 1]; k++) {
            const float *block = matrix->value + 9 * (size_t)k;
            int64_t j = matrix->column[k];
            double apart[3];
            for (int c = 0; c < 3; c++)
                apart[c] = (x4 ? (double)x4[4 * j + c] : flat[3 * j + c]) - own[c];
            for (int c = 0; c < 9; c++)
                sum[c] += (double)block[c] * apart[c % 3];
        }
        y[i].x = (sum[0] + sum[1]) + sum[2];
        y[i].y = (sum[3] + sum[4]) + sum[5];
        y[i].z = (sum[6] + sum[7]) + sum[8];
    }
}

static void portable_rows_double(const weft_bsr *matrix, const weft_vec3 *x, weft_vec3 *y, int64_t begin, int64_t end) {
    rows_plain(matrix, x, NULL, y, begin, end);
}

static void portable_rows_float(const weft_bsr *matrix, const float *x4, weft_vec3 *y, int64_t begin, int64_t end) {
    rows_plain(matrix, NULL, x4, y, begin, end);
}

#ifdef WEFT_SIMD_X86

/* Bytes of blocks to prefetch ahead, measured. The hardware prefetcher follows this stream too late. */
enum { AHEAD = 2048 };

#define LOAD_DOUBLE(x, i) weft_avx2_load_vec3(&(x)[i])
#define LOAD_FLOAT(x4, i) weft_avx2_load_f32_aligned((x4) + 4 * (int64_t)(i))

/* The fourth lane of the sums belongs to a neighbouring entry of the block. It is dropped here. */
WEFT_INLINE_AVX2 void store_sums(__m256d sx, __m256d sy, __m256d sz, weft_vec3 *y) {
    __m128d low = _mm_hadd_pd(_mm256_castpd256_pd128(sx), _mm256_castpd256_pd128(sy));
    __m128d high = _mm_unpacklo_pd(_mm256_extractf128_pd(sx, 1), _mm256_extractf128_pd(sy, 1));
    __m128d z = _mm_hadd_pd(_mm256_castpd256_pd128(sz), _mm256_castpd256_pd128(sz));
    _mm_storeu_pd(&y->x, _mm_add_pd(low, high));
    _mm_store_sd(&y->z, _mm_add_sd(z, _mm256_extractf128_pd(sz, 1)));
}

/* One body for vectors of doubles and of floats. `LOAD` gives the three components in the first lanes. */
#define ROWS(NAME, TYPE, LOAD)                                                                                         \
    WEFT_TARGET_AVX2 static void NAME(const weft_bsr *matrix, TYPE x, weft_vec3 *y, int64_t begin, int64_t end) {      \
        const int32_t *column = matrix->column;                                                                        \
        for (int64_t i = begin; i < end; i++) {                                                                        \
            const float *excess = matrix->excess + 9 * i;                                                              \
            const float *block = matrix->value + 9 * (size_t)matrix->start[i];                                         \
            __m256d own = LOAD(x, i);                                                                                  \
            __m256d sx = _mm256_mul_pd(weft_avx2_load_f32(excess), own);                                               \
            __m256d sy = _mm256_mul_pd(weft_avx2_load_f32(excess + 3), own);                                           \
            __m256d sz = _mm256_mul_pd(weft_avx2_load_f32(excess + 6), own);                                           \
            for (int32_t k = matrix->start[i]; k < matrix->start[i + 1]; k++, block += 9) {                            \
                _mm_prefetch((const char *)block + AHEAD, _MM_HINT_T0);                                                \
                __m256d apart = _mm256_sub_pd(LOAD(x, column[k]), own);                                                \
                sx = _mm256_add_pd(sx, _mm256_mul_pd(weft_avx2_load_f32(block), apart));                               \
                sy = _mm256_add_pd(sy, _mm256_mul_pd(weft_avx2_load_f32(block + 3), apart));                           \
                sz = _mm256_add_pd(sz, _mm256_mul_pd(weft_avx2_load_f32(block + 6), apart));                           \
            }                                                                                                          \
            store_sums(sx, sy, sz, &y[i]);                                                                             \
        }                                                                                                              \
    }

ROWS(avx2_rows_double, const weft_vec3 *, LOAD_DOUBLE)
ROWS(avx2_rows_float, const float *, LOAD_FLOAT)

#endif

void weft_bsr_rows(const weft_bsr *matrix, const weft_vec3 *x, weft_vec3 *y, int64_t begin, int64_t end) {
    if (matrix->form == WEFT_BSR_PAIRS)
        weft_bsr_pairs(matrix, x, y, begin, end);
    else
        WEFT_SIMD_RUN_AVX2(matrix->isa, rows_double, matrix, x, y, begin, end);
}

void weft_bsr_rows_float(const weft_bsr *matrix, const float *x4, weft_vec3 *y, int64_t begin, int64_t end) {
    if (matrix->form == WEFT_BSR_PAIRS)
        weft_bsr_pairs_float(matrix, x4, y, begin, end);
    else
        WEFT_SIMD_RUN_AVX2(matrix->isa, rows_float, matrix, x4, y, begin, end);
}

typedef struct product {
    const weft_bsr *matrix;
    const weft_vec3 *x;
    weft_vec3 *y;
} product;

static void product_rows(void *context, int64_t begin, int64_t end) {
    const product *p = context;
    weft_bsr_rows(p->matrix, p->x, p->y, begin, end);
}

void weft_bsr_multiply(const weft_bsr *matrix, const weft_work *work, const weft_vec3 *x, weft_vec3 *y) {
    product p = {matrix, x, y};
    weft_parallel_for(work, matrix->rows, WEFT_BLOCK, product_rows, &p);
}
