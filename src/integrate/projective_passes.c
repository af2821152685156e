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

void weft_projective_take_external(void *step, int32_t index, int32_t first, int32_t count, weft_vec3 *f) {
    const pass *c = step;
    part sum = {0};
    memcpy(c->external + first, f, (size_t)count * sizeof *f);
    for (int32_t i = 0; i < count; i++)
        if (!c->matrix->held[first + i]) {
            sum.force = weft_add(sum.force, f[i]);
            sum.mass += c->system->mass[first + i];
        }
    c->part[index] = sum;
}

static inline void put(float *to, weft_vec3 value) {
    to[0] = (float)value.x;
    to[1] = (float)value.y;
    to[2] = (float)value.z;
}

static inline weft_vec3 get(const float *from) {
    return (weft_vec3){(double)from[0], (double)from[1], (double)from[2]};
}

static const weft_vec3 NOWHERE = {0, 0, 0};

/* The next place to evaluate the forces at, and the way there from the last one. */
static weft_vec3 go_to(const pass *c, int64_t i, weft_vec3 x, part *sum) {
    weft_vec3 way = weft_sub(x, c->system->x[i]), s = c->matrix->held[i] ? NOWHERE : weft_sub(x, c->x[i]);
    double inertia = c->matrix->inertia[i], own = inertia * weft_dot(way, way);
    c->x[i] = x;
    if (c->s)
        put(c->s + 3 * i, s);
    sum->way += own;
    sum->pair += inertia * weft_dot(s, s);
    sum->peak = own > sum->peak ? own : sum->peak;
    return s;
}

static void guess_one(const pass *c, int64_t i, weft_vec3 *x, weft_vec3 *v) {
    const weft_system *system = c->system;
    *v = c->matrix->held[i] ? weft_scale(1 / c->dt, weft_sub(system->target[i], system->x[i]))
                            : weft_add_scaled(system->v[i], c->h, c->common);
    *x = weft_add_scaled(system->x[i], c->h, *v);
}

/* `ahead` is where the iterate is from where it would be without any forces. */
static void residual_one(const pass *c, int64_t i, weft_vec3 f, weft_vec3 s, weft_vec3 ahead) {
    double inertia = c->matrix->inertia[i];
    int held = c->matrix->held[i];
    weft_vec3 change = weft_sub(weft_scale(inertia, s), weft_sub(f, get(c->f + 3 * i)));
    if (c->s)
        put(c->change + 3 * i, held ? NOWHERE : change);
    put(c->f + 3 * i, held ? NOWHERE : f);
    if (c->external)
        put(c->r + 3 * i, held ? NOWHERE : weft_sub(weft_add(c->external[i], f), weft_scale(inertia, ahead)));
}

/* That the guess is ahead by the common acceleration saves reading where it is. */
static void take_one(const pass *c, int64_t i, weft_vec3 f, part *sum) {
    weft_vec3 x, v;
    guess_one(c, i, &x, &v);
    weft_vec3 s = go_to(c, i, x, sum);
    residual_one(c, i, f, s, weft_scale(c->h * c->h, c->common));
}

static void end_one(const pass *c, int64_t i, const float *increment, part *sum) {
    const weft_system *system = c->system;
    double more = 1 / c->theta, rate = 1 / (c->h * c->theta);
    if (c->matrix->held[i]) {
        weft_move_held(system, c->dt, (int32_t)i);
    } else {
        weft_vec3 guess = c->first ? weft_scale(c->h, weft_add_scaled(system->v[i], c->h, c->common))
                                   : weft_sub(c->x[i], system->x[i]);
        weft_vec3 way = weft_add(guess, get(increment));
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
#define NAME(name)    portable_##name
#define NARROW(to, a) (*(loose_narrow *)(to) = (narrow){(float)(a)[0], (float)(a)[1], (float)(a)[2], (float)(a)[3]})
#define WIDEN(to, p)  ((to) = (lanes){(double)(p)[0], (double)(p)[1], (double)(p)[2], (double)(p)[3]})
#include "integrate/projective_passes.inc"

#if defined(__x86_64__)
#define TARGET        __attribute__((target("avx2")))
#define NAME(name)    avx2_##name
#define NARROW(to, a) _mm_storeu_ps(to, _mm256_cvtpd_ps((__m256d)(a)))
#define WIDEN(to, p)  ((to) = (lanes)_mm256_cvtps_pd(_mm_loadu_ps(p)))
#include "integrate/projective_passes.inc"
#endif

#if defined(__x86_64__)
#define RUN(name, ...) (weft_has_avx2() ? avx2_##name(__VA_ARGS__) : portable_##name(__VA_ARGS__))
#else
#define RUN(name, ...) ((void)weft_has_avx2, portable_##name(__VA_ARGS__))
#endif

void weft_projective_place(void *step, int32_t first, int32_t count, weft_vec3 *x, weft_vec3 *v) {
    const pass *c = step;
    if (c->first) {
        RUN(place, c, first, count, x, v);
        return;
    }
    memcpy(x, c->x + first, (size_t)count * sizeof *x);
    memcpy(v, c->v + first, (size_t)count * sizeof *v);
}

void weft_projective_take_internal(void *step, int32_t index, int32_t first, int32_t count, weft_vec3 *f) {
    const pass *c = step;
    if (c->first) {
        RUN(take, c, first, count, f, &c->part[index]);
        return;
    }
    for (int32_t k = 0; k < count; k++) {
        const int64_t i = (int64_t)first + k;
        weft_vec3 s = c->s ? get(c->s + 3 * i) : NOWHERE;
        residual_one(c, i, f[k], s, weft_scale(c->h, weft_sub(c->v[i], c->system->v[i])));
    }
}

/* Whole lanes, of which those behind the last vertex are 0. */
static int64_t lanes_end(int64_t end) { return weft_secants_length(end); }

/* The solution of the block from `begin` on. Three floats of a vertex fit where its next place will be, and a block is
 * read whole before that is written. */
static float *solution(const pass *c, int64_t begin) {
    return c->z ? c->z + 3 * begin : (float *)(void *)(c->system->x_next + begin);
}

void weft_projective_arrange(void *step, int64_t begin, int64_t end) {
    const pass *c = step;
    float q[3 * WEFT_BLOCK + 8];
    const int32_t *place = c->matrix->cholesky->place;
    float *x = c->b, *y = x + c->stride, *z = y + c->stride;
    weft_secants_add(&c->less, c->r + 3 * begin, 3 * begin, lanes_end(end), q);
    for (int64_t i = begin; i < end; i++) {
        const float *from = q + 3 * (i - begin);
        const int32_t at = place[i];
        x[at] = from[0];
        y[at] = from[1];
        z[at] = from[2];
    }
}

void weft_projective_collect(void *step, int64_t begin, int64_t end) {
    const pass *c = step;
    const int32_t *place = c->matrix->cholesky->place;
    const float *x = c->b, *y = x + c->stride, *z = y + c->stride, times = c->part_of_b;
    float *const block = solution(c, begin), *to = block;
    for (int64_t i = begin; i < end; i++, to += 3) {
        const int32_t at = place[i];
        to[0] = times * x[at];
        to[1] = times * y[at];
        to[2] = times * z[at];
    }
    for (int64_t i = 3 * end; i < lanes_end(end); i++)
        *to++ = 0;
    if (c->secants->used > 0)
        weft_secants_products(c->secants, block, 3 * begin, lanes_end(end),
                              c->product + begin / WEFT_BLOCK * WEFT_SECANTS);
}

void weft_projective_move(void *step, int64_t begin, int64_t end) {
    const pass *c = step;
    float increment[3 * WEFT_BLOCK + 8];
    part sum = {0};
    weft_secants_add(&c->more, solution(c, begin), 3 * begin, lanes_end(end), increment);
    for (int64_t i = begin; i < end; i++) {
        weft_vec3 by = c->matrix->held[i] ? NOWHERE : get(increment + 3 * (i - begin));
        weft_vec3 x = weft_add(c->x[i], by);
        go_to(c, i, x, &sum);
        c->v[i] = weft_scale(1 / c->h, weft_sub(x, c->system->x[i]));
    }
    c->part[begin / WEFT_BLOCK] = sum;
}

void weft_projective_end(void *step, int64_t begin, int64_t end) {
    const pass *c = step;
    float increment[3 * WEFT_BLOCK + 8];
    part sum = {0};
    weft_secants_add(&c->more, solution(c, begin), 3 * begin, lanes_end(end), increment);
    if (c->first)
        sum = RUN(finish, c, begin, end, increment);
    else
        for (int64_t i = begin; i < end; i++)
            end_one(c, i, increment + 3 * (i - begin), &sum);
    sum.wild = !(sum.squares < WEFT_FARTHEST * WEFT_FARTHEST) && !(weft_sane(c->system->x_next + begin, end - begin) &&
                                                                   weft_sane(c->system->v_next + begin, end - begin));
    c->part[begin / WEFT_BLOCK] = sum;
}
