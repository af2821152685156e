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

static int has_avx2(void) {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2") != 0;
#else
    return 0;
#endif
}

static void dots(const float *const *a, int32_t count, const float *x, int64_t begin, int64_t end, double *out) {
#if defined(__x86_64__)
    if (has_avx2()) {
        avx2_dots(a, count, x, begin, end, out);
        return;
    }
#endif
    portable_dots(a, count, x, begin, end, out);
}

static void combine(float *y, const float *const *a, const float *c, int32_t count, int64_t begin, int64_t end) {
#if defined(__x86_64__)
    if (has_avx2()) {
        avx2_combine(y, a, c, count, begin, end);
        return;
    }
#endif
    portable_combine(y, a, c, count, begin, end);
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

/* -- products and sums over blocks -- */

typedef struct pass {
    const float *const *a;
    int32_t count;
    const float *x;
    float *y;
    float c[WEFT_SECANTS];
    double *part; /* (blocks x count) */
} pass;

static void dots_block(void *context, int64_t begin, int64_t end) {
    const pass *p = context;
    dots(p->a, p->count, p->x, begin, end, p->part + begin / BLOCK * p->count);
}

static void combine_block(void *context, int64_t begin, int64_t end) {
    const pass *p = context;
    combine(p->y, p->a, p->c, p->count, begin, end);
}

/* out_k = a_k . x; zeros when memory is out, which the arena remembers. */
static void products(const weft_secants *m, const weft_work *work, float *const *a, int32_t count, const float *x,
                     double *out) {
    int64_t blocks = (m->length + BLOCK - 1) / BLOCK;
    memset(out, 0, (size_t)count * sizeof *out);
    pass p = {.a = (const float *const *)a, .count = count, .x = x};
    p.part = weft_arena_take(work->arena, (size_t)(blocks * count + 1) * sizeof(double), "products of secants");
    if (!p.part)
        return;
    weft_parallel_for(work, m->length, BLOCK, dots_block, &p);
    for (int64_t b = 0; b < blocks; b++)
        for (int32_t k = 0; k < count; k++)
            out[k] += p.part[b * count + k];
}

static void add(const weft_secants *m, const weft_work *work, float *const *a, int32_t count, const double *c,
                float *y) {
    pass p = {.a = (const float *const *)a, .count = count, .y = y};
    for (int32_t k = 0; k < count; k++)
        p.c[k] = (float)c[k];
    weft_parallel_for(work, m->length, BLOCK, combine_block, &p);
}

void weft_secants_keep(weft_secants *m, const weft_work *work, double least) {
    int32_t at = m->next, used = m->used < m->most ? m->used + 1 : m->most;
    double row[WEFT_SECANTS], column[WEFT_SECANTS];
    products(m, work, m->y, used, m->s[at], row);
    if (!(row[at] > least) || !(row[at] < INFINITY))
        return;
    products(m, work, m->s, used, m->y[at], column);
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

void weft_secants_before(const weft_secants *m, const weft_work *work, float *r, double *alpha) {
    double less[WEFT_SECANTS];
    if (m->used == 0)
        return;
    products(m, work, m->s, m->used, r, alpha);
    for (int32_t k = 0; k < m->used; k++) {
        int32_t at = youngest(m, k);
        for (int32_t j = 0; j < k; j++)
            alpha[at] -= alpha[youngest(m, j)] * m->product[at][youngest(m, j)];
        alpha[at] /= m->product[at][at];
        less[at] = -alpha[at];
    }
    add(m, work, m->y, m->used, less, r);
}

void weft_secants_after(const weft_secants *m, const weft_work *work, float *z, const double *alpha) {
    double beta[WEFT_SECANTS], more[WEFT_SECANTS];
    if (m->used == 0)
        return;
    products(m, work, m->y, m->used, z, beta);
    for (int32_t k = m->used - 1; k >= 0; k--) {
        int32_t at = youngest(m, k);
        for (int32_t j = m->used - 1; j > k; j--)
            beta[at] += more[youngest(m, j)] * m->product[youngest(m, j)][at];
        more[at] = alpha[at] - beta[at] / m->product[at][at];
    }
    add(m, work, m->s, m->used, more, z);
}
