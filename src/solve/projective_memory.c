/* Limited-memory BFGS: J. Nocedal, Updating quasi-Newton matrices with limited storage, Mathematics of Computation 35,
 * 1980. The initial matrix is constant, as in T. Liu, S. Bouaziz, L. Kavan, Quasi-Newton methods for real-time
 * simulation of hyperelastic materials, ACM TOG 36, 2017. Unlike there the pairs are kept from step to step. Cloth
 * continues its motion, so the constant matrix is too stiff along the moves of the last steps.
 *
 * The dot products of all pairs are stored, so that the two loops of the recursion run over numbers. The products with
 * a new pair and the residual are accumulated in the pass that computes these. */
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/simd.h"
#include "solve/projective.h"

#define ADD_FOUR(v) ((double)((v)[0] + (v)[2]) + (double)((v)[1] + (v)[3]))

#define WEFT_KERNEL "solve/projective_memory.inc"
#define WEFT_KERNEL_NO_AVX512
#include "core/simd_kernels.inc"

void weft_secants_meet(const weft_secants *m, const float *r, int64_t begin, int64_t end, double *sum) {
    const float *const *s = (const float *const *)m->s, *const *y = (const float *const *)m->y;
    WEFT_SIMD_RUN_AVX2(weft_simd_isa(), meet, s, y, weft_secants_filled(m), m->next, r, begin, end, sum);
}

void weft_secants_add(const weft_secants_sum *sum, const float *from, int64_t begin, int64_t end, float *to) {
    WEFT_SIMD_RUN_AVX2(weft_simd_isa(), combine, to, from, sum->vector, sum->factor, sum->count, begin, end);
}

void weft_secants_destroy(weft_secants *secants) {
    if (!secants)
        return;
    free(secants->memory);
    free(secants);
}

weft_result weft_secants_create(int64_t length, int32_t most, weft_secants **made) {
    *made = NULL;
    weft_secants *m = weft_allocate(1, sizeof *m);
    if (!m)
        return weft_fail_memory("secants", sizeof *m);
    m->length = length;
    m->most = most;
    size_t floats = 2 * (size_t)most * (size_t)length;
    m->memory = weft_allocate_large(floats, sizeof *m->memory);
    if (!m->memory) {
        weft_secants_destroy(m);
        return weft_fail_memory("secants", floats * sizeof *m->memory);
    }
    for (int32_t i = 0; i < most; i++) {
        m->s[i] = m->memory + 2 * i * length;
        m->y[i] = m->s[i] + length;
    }
    *made = m;
    return weft_ok();
}

/* Accepts the new pair, or drops it. The new pair may have overwritten the oldest one, which is then lost. */
static void keep(weft_secants *m, double least, const double *met) {
    const int32_t at = m->next, filled = weft_secants_filled(m);
    const double *row = met, *column = met + filled;
    if (!(row[at] > least) || !(row[at] < INFINITY)) {
        m->used = filled - 1;
        return;
    }
    for (int32_t k = 0; k < filled; k++) {
        m->product[at][k] = row[k];
        m->product[k][at] = column[k];
    }
    m->product[at][at] = row[at];
    m->next = (at + 1) % m->most;
    m->used = filled;
}

/* The index of the k-th youngest pair. */
static int32_t youngest(const weft_secants *m, int32_t k) { return (m->next - 1 - k + 2 * m->most) % m->most; }

void weft_secants_before(weft_secants *m, double least, const double *met, double *alpha, weft_secants_sum *less) {
    const double *with_r = met + 2 * (int64_t)weft_secants_filled(m);
    if (least < INFINITY)
        keep(m, least, met);
    else
        m->used = m->next = 0;
    less->count = m->used;
    for (int32_t k = 0; k < m->used; k++) {
        int32_t at = youngest(m, k);
        alpha[k] = with_r[at];
        for (int32_t j = 0; j < k; j++)
            alpha[k] -= alpha[j] * m->product[at][youngest(m, j)];
        alpha[k] /= m->product[at][at];
        less->factor[k] = (float)-alpha[k];
        less->vector[k] = m->y[at];
    }
}

void weft_secants_last(const weft_secants *m, const float *pair[2]) {
    pair[0] = m->s[youngest(m, 0)];
    pair[1] = m->y[youngest(m, 0)];
}

void weft_secants_changes(const weft_secants *m, const float **y) {
    for (int32_t k = 0; k < m->used; k++)
        y[k] = m->y[youngest(m, k)];
}

void weft_secants_after(const weft_secants *m, const double *product, const double *alpha, weft_secants_sum *more) {
    double factor[WEFT_SECANTS];
    more->count = m->used;
    for (int32_t k = m->used - 1; k >= 0; k--) {
        int32_t at = youngest(m, k);
        double beta = product[k];
        for (int32_t j = m->used - 1; j > k; j--)
            beta += factor[j] * m->product[youngest(m, j)][at];
        factor[k] = alpha[k] - beta / m->product[at][at];
        more->factor[k] = (float)factor[k];
        more->vector[k] = m->s[at];
    }
}
