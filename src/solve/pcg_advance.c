/* A lane per component: sums have the same order as with one component at a time. */
#include "solve/pcg_advance.h"

#include "core/simd_avx2.h"

static weft_vec3 step_to(const weft_advance *a, int64_t i, weft_vec3 r) {
    weft_vec3 z = weft_precond_local(a->precond, i, r);
    return a->filter ? weft_filter_apply(a->filter, i, z) : z;
}

static void add_product(weft_vec3 *sum, weft_vec3 a, weft_vec3 b) {
    sum->x += a.x * b.x;
    sum->y += a.y * b.y;
    sum->z += a.z * b.z;
}

static void portable_advance(const weft_advance *a, int64_t begin, int64_t end, double sum[2]) {
    int ready = weft_precond_can_follow(a->precond);
    weft_vec3 rr = {0, 0, 0}, rz = {0, 0, 0};
    for (int64_t i = begin; i < end; i++) {
        float *z4 = a->z4 + 4 * i;
        a->x[i] = weft_add_scaled(a->x[i], a->alpha, a->p[i]);
        weft_vec3 r = weft_add_scaled(a->r[i], -a->alpha, a->q[i]);
        a->r[i] = r;
        add_product(&rr, r, r);
        if (ready) {
            weft_vec3 z = step_to(a, i, r);
            z4[0] = (float)z.x, z4[1] = (float)z.y, z4[2] = (float)z.z, z4[3] = 0;
            add_product(&rz, r, weft_vec3_make((double)z4[0], (double)z4[1], (double)z4[2]));
        }
    }
    sum[0] = (rr.x + rr.y) + rr.z;
    sum[1] = (rz.x + rz.y) + rz.z;
}

static double portable_precondition(const weft_advance *a, int64_t begin, int64_t end) {
    weft_vec3 sum = {0, 0, 0};
    for (int64_t i = begin; i < end; i++) {
        float *z4 = a->z4 + 4 * i;
        weft_vec3 z = step_to(a, i, a->r[i]);
        z4[0] = (float)z.x, z4[1] = (float)z.y, z4[2] = (float)z.z, z4[3] = 0;
        add_product(&sum, a->r[i], weft_vec3_make((double)z4[0], (double)z4[1], (double)z4[2]));
    }
    return (sum.x + sum.y) + sum.z;
}

static double portable_turn(const weft_turn *t, int64_t begin, int64_t end) {
    weft_vec3 sum = {0, 0, 0};
    for (int64_t i = begin; i < end; i++) {
        const float *z = t->z4 + 4 * i;
        weft_vec3 q = t->filter && t->filter->state[i] ? weft_filter_apply(t->filter, i, t->q[i]) : t->q[i];
        t->q[i] = weft_add_scaled(q, t->beta, t->q_last[i]);
        t->p[i] = weft_add_scaled(weft_vec3_make((double)z[0], (double)z[1], (double)z[2]), t->beta, t->p[i]);
        add_product(&sum, t->p[i], t->q[i]);
    }
    return (sum.x + sum.y) + sum.z;
}

#ifdef WEFT_SIMD_X86

WEFT_INLINE_AVX2 double total(__m256d a) {
    double lane[4];
    _mm256_storeu_pd(lane, a);
    return (lane[0] + lane[1]) + lane[2];
}

/* The symmetric block m, xx xy xz yy yz zz, times r. */
WEFT_INLINE_AVX2 __m256d local_step(const float *m, __m256d r) {
    const __m128 low = _mm_loadu_ps(m), high = _mm_loadu_ps(m + 2);           /* xx xy xz yy, xz yy yz zz */
    const __m128 second = _mm_shuffle_ps(low, high, _MM_SHUFFLE(2, 2, 3, 1)); /* xy yy yz yz */
    const __m128 third = _mm_shuffle_ps(high, high, _MM_SHUFFLE(3, 3, 2, 0)); /* xz yz zz zz */
    const __m256d x = _mm256_mul_pd(_mm256_cvtps_pd(low), _mm256_permute4x64_pd(r, 0x00));
    const __m256d y = _mm256_mul_pd(_mm256_cvtps_pd(second), _mm256_permute4x64_pd(r, 0x55));
    const __m256d z = _mm256_mul_pd(_mm256_cvtps_pd(third), _mm256_permute4x64_pd(r, 0xaa));
    return _mm256_add_pd(_mm256_add_pd(x, y), z);
}

/* As floats, with 0 in the last lane. */
WEFT_INLINE_AVX2 __m128 rounded(__m256d z) { return _mm_blend_ps(_mm256_cvtpd_ps(z), _mm_setzero_ps(), 8); }

/* weft_coarse_at */
WEFT_INLINE_AVX2 __m256d coarse_step(const weft_coarse *c, int64_t i) {
    const int32_t *node = c->space.node + WEFT_COARSE_WIDTH * i;
    const float *weight = c->space.weight + WEFT_COARSE_WIDTH * i;
    const __m128 first = _mm_loadu_ps(c->shift + 4 * (int64_t)node[0]);
    __m128 sum = _mm_setzero_ps();
    WEFT_UNROLLED for (int32_t k = 1; k < WEFT_COARSE_WIDTH; k++) {
        const __m128 apart = _mm_sub_ps(_mm_loadu_ps(c->shift + 4 * (int64_t)node[k]), first);
        sum = _mm_add_ps(sum, _mm_mul_ps(_mm_set1_ps(weight[k]), apart));
    }
    return _mm256_cvtps_pd(_mm_add_ps(sum, first));
}

WEFT_TARGET_AVX2 static void avx2_advance(const weft_advance *a, int64_t begin, int64_t end, double sum[2]) {
    const int ready = weft_precond_can_follow(a->precond);
    const weft_coarse *coarse = a->precond->coarse;
    const float *inverse = a->precond->inverse;
    const uint8_t *state = a->filter ? a->filter->state : NULL;
    const weft_vec3 *p = a->p, *q = a->q;
    weft_vec3 *x = a->x, *r = a->r;
    const __m256d forth = _mm256_set1_pd(a->alpha), back = _mm256_set1_pd(-a->alpha);
    __m256d rr = _mm256_setzero_pd(), rz = rr;
    for (int64_t i = begin; i < end; i++) {
        const __m256d moved = _mm256_mul_pd(forth, weft_avx2_load_vec3(&p[i]));
        weft_avx2_store_vec3(&x[i], _mm256_add_pd(weft_avx2_load_vec3(&x[i]), moved));
        const __m256d left = _mm256_add_pd(weft_avx2_load_vec3(&r[i]), _mm256_mul_pd(back, weft_avx2_load_vec3(&q[i])));
        weft_avx2_store_vec3(&r[i], left);
        rr = _mm256_add_pd(rr, _mm256_mul_pd(left, left));
        if (!ready)
            continue;
        __m256d step = local_step(inverse + 6 * i, left);
        if (coarse)
            step = _mm256_add_pd(step, coarse_step(coarse, i));
        __m128 z = rounded(step);
        if (state && state[i]) {
            weft_vec3 held = step_to(a, i, r[i]);
            z = _mm_setr_ps((float)held.x, (float)held.y, (float)held.z, 0);
        }
        _mm_store_ps(a->z4 + 4 * i, z);
        rz = _mm256_add_pd(rz, _mm256_mul_pd(left, _mm256_cvtps_pd(z)));
    }
    sum[0] = total(rr);
    sum[1] = total(rz);
}

WEFT_TARGET_AVX2 static double avx2_precondition(const weft_advance *a, int64_t begin, int64_t end) {
    __m256d sum = _mm256_setzero_pd();
    for (int64_t i = begin; i < end; i++) {
        const __m256d r = weft_avx2_load_vec3(&a->r[i]);
        __m256d step = local_step(a->precond->inverse + 6 * i, r);
        if (a->precond->coarse)
            step = _mm256_add_pd(step, coarse_step(a->precond->coarse, i));
        else if (a->precond->far)
            step = _mm256_add_pd(step, weft_avx2_load_vec3(&a->precond->far[i]));
        __m128 z = rounded(step);
        if (a->filter && a->filter->state[i]) {
            weft_vec3 held = step_to(a, i, a->r[i]);
            z = _mm_setr_ps((float)held.x, (float)held.y, (float)held.z, 0);
        }
        _mm_store_ps(a->z4 + 4 * i, z);
        sum = _mm256_add_pd(sum, _mm256_mul_pd(r, _mm256_cvtps_pd(z)));
    }
    return total(sum);
}

WEFT_TARGET_AVX2 static double avx2_turn(const weft_turn *t, int64_t begin, int64_t end) {
    const __m256d beta = _mm256_set1_pd(t->beta);
    __m256d sum = _mm256_setzero_pd();
    for (int64_t i = begin; i < end; i++) {
        if (t->filter && t->filter->state[i])
            t->q[i] = weft_filter_apply(t->filter, i, t->q[i]);
        const __m256d z = weft_avx2_load_f32_aligned(t->z4 + 4 * i);
        const __m256d q =
            _mm256_add_pd(weft_avx2_load_vec3(&t->q[i]), _mm256_mul_pd(beta, weft_avx2_load_vec3(&t->q_last[i])));
        const __m256d p = _mm256_add_pd(z, _mm256_mul_pd(beta, weft_avx2_load_vec3(&t->p[i])));
        weft_avx2_store_vec3(&t->q[i], q);
        weft_avx2_store_vec3(&t->p[i], p);
        sum = _mm256_add_pd(sum, _mm256_mul_pd(p, q));
    }
    return total(sum);
}

#endif

void weft_pcg_advance(const weft_advance *a, weft_isa isa, int64_t begin, int64_t end, double sum[2]) {
    WEFT_SIMD_RUN_AVX2(isa, advance, a, begin, end, sum);
}

double weft_pcg_precondition(const weft_advance *a, weft_isa isa, int64_t begin, int64_t end) {
    return WEFT_SIMD_RUN_AVX2(isa, precondition, a, begin, end);
}

double weft_pcg_turn(const weft_turn *t, weft_isa isa, int64_t begin, int64_t end) {
    return WEFT_SIMD_RUN_AVX2(isa, turn, t, begin, end);
}
