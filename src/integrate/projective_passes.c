/* The passes of a projective step over the vertices. Each has a plain form for one vertex and, for the step with one
 * iteration, another for four free vertices at a time; both round alike, but for the order of sums. */
#include <math.h>
#include <string.h>

#include "core/sane.h"
#include "integrate/integrate.h"
#include "integrate/projective.h"
#include "weft/vec.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

typedef weft_projective_step pass;
typedef weft_projective_part part;

void weft_projective_take_external(void *step, int32_t first, int32_t count, weft_vec3 *f) {
    const pass *c = step;
    part sum = {0};
    memcpy(c->external + first, f, (size_t)count * sizeof *f);
    for (int32_t i = 0; i < count; i++)
        if (!c->matrix->held[first + i]) {
            sum.force = weft_add(sum.force, f[i]);
            sum.mass += c->system->mass[first + i];
        }
    c->part[first / WEFT_BLOCK] = sum;
}

static inline void put(float *side, int64_t stride, int32_t at, weft_vec3 value) {
    side[at] = (float)value.x;
    side[stride + at] = (float)value.y;
    side[2 * stride + at] = (float)value.z;
}

static inline weft_vec3 get(const float *side, int64_t stride, int32_t at) {
    return (weft_vec3){(double)side[at], (double)side[stride + at], (double)side[2 * stride + at]};
}

static const weft_vec3 NOWHERE = {0, 0, 0};

/* The next place to evaluate the forces at, and the way there from the last one. */
static void go_to(const pass *c, int64_t i, weft_vec3 x, weft_vec3 v, part *sum) {
    weft_vec3 way = weft_sub(x, c->system->x[i]), s = c->matrix->held[i] ? NOWHERE : weft_sub(x, c->x[i]);
    double inertia = c->matrix->inertia[i], own = inertia * weft_dot(way, way);
    c->v[i] = v;
    c->x[i] = x;
    if (c->s)
        put(c->s, c->stride, c->matrix->cholesky->place[i], s);
    sum->way += own;
    sum->pair += inertia * weft_dot(s, s);
    sum->peak = own > sum->peak ? own : sum->peak;
}

static void guess_one(const pass *c, int64_t i, part *sum) {
    const weft_system *system = c->system;
    weft_vec3 v = c->matrix->held[i] ? weft_scale(1 / c->dt, weft_sub(system->target[i], system->x[i]))
                                     : weft_add_scaled(system->v[i], c->h, c->common);
    go_to(c, i, weft_add_scaled(system->x[i], c->h, v), v, sum);
}

/* That the guess is ahead by the common acceleration saves reading where it is. */
static void residual_one(const pass *c, int32_t i, weft_vec3 f) {
    int32_t at = c->matrix->cholesky->place[i];
    double inertia = c->matrix->inertia[i];
    weft_vec3 ahead =
        c->first ? weft_scale(c->h * c->h, c->common) : weft_scale(c->h, weft_sub(c->v[i], c->system->v[i]));
    weft_vec3 r = weft_sub(weft_add(c->external[i], f), weft_scale(inertia, ahead));
    weft_vec3 change = weft_sub(f, c->f[i]);
    int held = c->matrix->held[i];
    put(c->r, c->stride, at, held ? NOWHERE : r);
    if (c->s)
        put(c->change, c->stride, at, held ? NOWHERE : weft_sub(weft_scale(inertia, get(c->s, c->stride, at)), change));
    c->f[i] = f;
}

static void end_one(const pass *c, int64_t i, part *sum) {
    const weft_system *system = c->system;
    double more = 1 / c->theta, rate = 1 / (c->h * c->theta);
    if (c->matrix->held[i]) {
        weft_move_held(system, c->dt, (int32_t)i);
    } else {
        weft_vec3 guess = c->first ? weft_scale(c->h, weft_add_scaled(system->v[i], c->h, c->common))
                                   : weft_sub(c->x[i], system->x[i]);
        weft_vec3 way = weft_add(guess, get(c->r, c->stride, c->matrix->cholesky->place[i]));
        double own = c->matrix->inertia[i] * weft_dot(way, way);
        system->x_next[i] = weft_add_scaled(system->x[i], more, way);
        system->v_next[i] = weft_add_scaled(weft_scale(1 - more, system->v[i]), rate, way);
        sum->way += own;
        sum->peak = own > sum->peak ? own : sum->peak;
    }
    sum->squares += weft_dot(system->x_next[i], system->x_next[i]) + weft_dot(system->v_next[i], system->v_next[i]);
}

/* -- four at a time -- */

/* GCC's and Clang's vectors: four doubles, on every machine. */
typedef double lanes __attribute__((vector_size(32)));
typedef int64_t lane_bits __attribute__((vector_size(32)));
typedef float narrow __attribute__((vector_size(16)));
typedef double loose __attribute__((vector_size(32), aligned(8), may_alias));
typedef float loose_narrow __attribute__((vector_size(16), aligned(4), may_alias));
#define SHUFFLE  __builtin_shufflevector
#define ZERO     ((lanes){0, 0, 0, 0})
#define TOTAL(a) (((a)[0] + (a)[2]) + ((a)[1] + (a)[3]))
/* A vector for each of four vertices. */
#define REPEAT(a)                                                                                                      \
    {                                                                                                                  \
        {(a).x, (a).y, (a).z, (a).x}, {(a).y, (a).z, (a).x, (a).y}, { (a).z, (a).x, (a).y, (a).z }                     \
    }

static inline int any_held(const pass *c, int64_t i) {
    uint32_t four;
    memcpy(&four, c->matrix->held + i, sizeof four);
    return four != 0;
}

#define TARGET
#define NAME(name)            portable_##name
#define NARROW(to, a)         (*(loose_narrow *)(to) = (narrow){(float)(a)[0], (float)(a)[1], (float)(a)[2], (float)(a)[3]})
#define WIDEN(to, a, b, c, d) ((to) = (lanes){(double)(a), (double)(b), (double)(c), (double)(d)})
#include "integrate/projective_passes.inc"

#if defined(__x86_64__)
#define TARGET                __attribute__((target("avx2")))
#define NAME(name)            avx2_##name
#define NARROW(to, a)         _mm_storeu_ps(to, _mm256_cvtpd_ps((__m256d)(a)))
#define WIDEN(to, a, b, c, d) ((to) = (lanes)_mm256_cvtps_pd(_mm_set_ps(d, c, b, a)))
#include "integrate/projective_passes.inc"
#endif

#if defined(__x86_64__)
#define RUN(name, ...) (weft_has_avx2() ? avx2_##name(__VA_ARGS__) : portable_##name(__VA_ARGS__))
#else
#define RUN(name, ...) ((void)weft_has_avx2, portable_##name(__VA_ARGS__))
#endif

void weft_projective_take_internal(void *step, int32_t first, int32_t count, weft_vec3 *f) {
    const pass *c = step;
    if (c->first) {
        RUN(residual, c, first, count, f);
        return;
    }
    for (int32_t k = 0; k < count; k++)
        residual_one(c, first + k, f[k]);
}

void weft_projective_guess(void *step, int64_t begin, int64_t end) {
    const pass *c = step;
    c->part[begin / WEFT_BLOCK] = RUN(guess, c, begin, end);
}

void weft_projective_move(void *step, int64_t begin, int64_t end) {
    const pass *c = step;
    part sum = {0};
    for (int64_t i = begin; i < end; i++) {
        weft_vec3 by = c->matrix->held[i] ? NOWHERE : get(c->r, c->stride, c->matrix->cholesky->place[i]);
        weft_vec3 x = weft_add(c->x[i], by);
        go_to(c, i, x, weft_scale(1 / c->h, weft_sub(x, c->system->x[i])), &sum);
    }
    c->part[begin / WEFT_BLOCK] = sum;
}

void weft_projective_end(void *step, int64_t begin, int64_t end) {
    const pass *c = step;
    part sum = {0};
    if (c->first)
        sum = RUN(finish, c, begin, end);
    else
        for (int64_t i = begin; i < end; i++)
            end_one(c, i, &sum);
    sum.wild = !(sum.squares < WEFT_FARTHEST * WEFT_FARTHEST) && !(weft_sane(c->system->x_next + begin, end - begin) &&
                                                                   weft_sane(c->system->v_next + begin, end - begin));
    c->part[begin / WEFT_BLOCK] = sum;
}
