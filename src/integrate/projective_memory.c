/* Limited-memory BFGS: J. Nocedal, Updating quasi-Newton matrices with limited storage, Mathematics of Computation 35,
 * 1980, about a constant matrix as in T. Liu, S. Bouaziz, L. Kavan, Quasi-Newton methods for real-time simulation of
 * hyperelastic materials, ACM TOG 36, 2017. Unlike there the pairs are kept from step to step: cloth moves on as it did
 * before, so the moves of the last steps are those along which the constant matrix is too stiff now.
 *
 * The products of all pairs are kept, so that the recursion's two loops run over numbers; those with a new pair and the
 * residual are summed up where these are made. */
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "integrate/projective.h"

enum { LANES = 8 };

typedef float vec __attribute__((vector_size(32)));
typedef float loose __attribute__((vector_size(32), aligned(4), may_alias));
#define LOAD(p)     (*(const loose *)(p))
#define STORE(p, v) (*(loose *)(p) = (v))
typedef float quad __attribute__((vector_size(16)));
typedef float loose_quad __attribute__((vector_size(16), aligned(4), may_alias));
#define QUAD(p)     (*(const loose_quad *)(p))
#define ADD_FOUR(v) ((double)((v)[0] + (v)[2]) + (double)((v)[1] + (v)[3]))

/* Before loops of a few constant rounds, whose sums are to stay in registers. */
#if defined(__clang__)
#define UNROLLED _Pragma("clang loop unroll(full)")
#else
#define UNROLLED _Pragma("GCC unroll 8")
#endif

#define TARGET
#define NAME(name) portable_##name
#include "integrate/projective_kernel.inc"

#if defined(__x86_64__)
#define TARGET     __attribute__((target("avx2")))
#define NAME(name) avx2_##name
#include "integrate/projective_kernel.inc"
#endif

void weft_secants_meet(const weft_secants *m, const float *r, int64_t begin, int64_t end, double *sum) {
    const float *const *s = (const float *const *)m->s, *const *y = (const float *const *)m->y;
#if defined(__x86_64__)
    if (weft_has_avx2()) {
        avx2_meet(s, y, weft_secants_filled(m), m->next, r, begin, end, sum);
        return;
    }
#endif
    portable_meet(s, y, weft_secants_filled(m), m->next, r, begin, end, sum);
}

void weft_secants_add(const weft_secants_sum *sum, const float *from, int64_t begin, int64_t end, float *to) {
#if defined(__x86_64__)
    if (weft_has_avx2()) {
        avx2_combine(to, from, sum->vector, sum->factor, sum->count, begin, end);
        return;
    }
#endif
    portable_combine(to, from, sum->vector, sum->factor, sum->count, begin, end);
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

/* Keeps the new pair, or without it the others, whose oldest may have been overwritten. */
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

/* The k-th youngest. */
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
