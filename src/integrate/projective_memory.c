/* Limited-memory BFGS: J. Nocedal, Updating quasi-Newton matrices with limited storage, Mathematics of Computation 35,
 * 1980, about a constant matrix as in T. Liu, S. Bouaziz, L. Kavan, Quasi-Newton methods for real-time simulation of
 * hyperelastic materials, ACM TOG 36, 2017. Unlike there the pairs are kept from step to step: cloth moves on as it did
 * before, so the moves of the last steps are those along which the constant matrix is too stiff now.
 *
 * The products of all pairs are kept, so that the recursion's two loops run over numbers, and each vector is read once
 * before and once after the solve. */
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "integrate/projective.h"

enum { LANES = 8, BLOCK = 8192 };

typedef float vec __attribute__((vector_size(32)));
typedef float loose __attribute__((vector_size(32), aligned(4), may_alias));
#define LOAD(p)      (*(const loose *)(p))
#define STORE(p, v)  (*(loose *)(p) = (v))
#define ADD_LANES(v) ((double)(((v)[0] + (v)[4]) + ((v)[1] + (v)[5])) + (double)(((v)[2] + (v)[6]) + ((v)[3] + (v)[7])))

#define TARGET
#define NAME(name) portable_##name
#include "integrate/projective_kernel.inc"

#if defined(__x86_64__)
#define TARGET     __attribute__((target("avx2")))
#define NAME(name) avx2_##name
#include "integrate/projective_kernel.inc"
#endif

static void dots(const float *const *a, int32_t count, const float *x, int64_t begin, int64_t end, double *out) {
#if defined(__x86_64__)
    if (weft_has_avx2()) {
        avx2_dots(a, count, x, begin, end, out);
        return;
    }
#endif
    portable_dots(a, count, x, begin, end, out);
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
    m->memory = weft_allocate(floats, sizeof *m->memory);
    if (!m->memory) {
        weft_secants_destroy(m);
        return weft_fail_memory("secants", floats * sizeof *m->memory);
    }
    weft_large_pages(m->memory, floats * sizeof *m->memory);
    for (int32_t i = 0; i < most; i++) {
        m->s[i] = m->memory + 2 * i * length;
        m->y[i] = m->s[i] + length;
    }
    *made = m;
    return weft_ok();
}

/* All products that a new pair and a residual ask for, while a block of the vectors is in the cache. */
typedef struct meeting {
    const weft_secants *m;
    int32_t count, at;
    const float *r;
    double *part; /* of all pairs: y . s_at, s . y_at, s . r (blocks x 3 x count) */
} meeting;

static void meet_block(void *context, int64_t begin, int64_t end) {
    const meeting *p = context;
    const float *const *s = (const float *const *)p->m->s, *const *y = (const float *const *)p->m->y;
    double *part = p->part + begin / BLOCK * 3 * p->count;
    dots(y, p->count, s[p->at], begin, end, part);
    dots(s, p->count, y[p->at], begin, end, part + p->count);
    dots(s, p->count, p->r, begin, end, part + 2 * p->count);
}

/* Of all blocks, into `all`; zeros when memory is out, which the arena remembers. */
static void meet_all(meeting *p, const weft_work *work, double *all) {
    int64_t length = p->m->length, blocks = (length + BLOCK - 1) / BLOCK;
    int32_t each = 3 * p->count;
    memset(all, 0, (size_t)each * sizeof *all);
    p->part = weft_arena_take(work->arena, (size_t)(blocks * each + 1) * sizeof(double), "products of secants");
    if (!p->part)
        return;
    weft_parallel_for(work, length, BLOCK, meet_block, p);
    for (int64_t b = 0; b < blocks; b++)
        for (int32_t k = 0; k < each; k++)
            all[k] += p->part[b * each + k];
}

/* Products with the new pair and of all with r; without a new one that is kept, of the others, whose oldest may have
 * been overwritten. */
static void meet(weft_secants *m, const weft_work *work, double least, const float *r, double *with_r) {
    int32_t at = m->next, used = m->used < m->most ? m->used + 1 : m->most; /* the first `used` places are filled */
    double all[3 * WEFT_SECANTS], *row = all, *column = all + used;
    meeting p = {.m = m, .count = used, .at = at, .r = r};
    meet_all(&p, work, all);
    memcpy(with_r, all + 2 * used, (size_t)used * sizeof *with_r);
    if (!(row[at] > least) || !(row[at] < INFINITY)) {
        m->used = used - 1;
        return;
    }
    for (int32_t k = 0; k < used; k++) {
        m->product[at][k] = row[k];
        m->product[k][at] = column[k];
    }
    m->product[at][at] = row[at];
    m->next = (at + 1) % m->most;
    m->used = used;
}

/* The k-th youngest. */
static int32_t youngest(const weft_secants *m, int32_t k) { return (m->next - 1 - k + 2 * m->most) % m->most; }

void weft_secants_before(weft_secants *m, const weft_work *work, double least, const float *r, double *alpha,
                         weft_secants_sum *less) {
    double with_r[WEFT_SECANTS];
    if (least < INFINITY)
        meet(m, work, least, r, with_r);
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

void weft_secants_products(const weft_secants *m, const float *z, int64_t begin, int64_t end, double *product) {
    const float *y[WEFT_SECANTS];
    for (int32_t k = 0; k < m->used; k++)
        y[k] = m->y[youngest(m, k)] + begin;
    dots(y, m->used, z, 0, end - begin, product);
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
