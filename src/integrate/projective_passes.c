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
typedef weft_projective_cloth part;

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

/* Before loops of a few constant rounds, whose values are to stay in registers. */
#if defined(__clang__)
#define UNROLLED _Pragma("clang loop unroll(full)")
#else
#define UNROLLED _Pragma("GCC unroll 8")
#endif

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

static void take_again(const pass *c, int32_t first, int32_t count, const weft_vec3 *f) {
    for (int32_t k = 0; k < count; k++) {
        const int64_t i = (int64_t)first + k;
        weft_vec3 s = c->s ? get(c->s + 3 * i) : NOWHERE;
        residual_one(c, i, f[k], s, weft_scale(c->h, weft_sub(c->v[i], c->system->v[i])));
    }
}

void weft_projective_take_internal(void *step, int32_t index, int32_t first, int32_t count, weft_vec3 *f) {
    const pass *c = step;
    if (c->first)
        RUN(take, c, first, count, f, &c->part[index]);
    else
        take_again(c, first, count, f);
    if (c->s)
        weft_secants_meet(c->secants, c->r, 3 * (int64_t)first, 3 * ((int64_t)first + count),
                          c->met + 3 * (int64_t)index * weft_secants_filled(c->secants));
}

/* Whole lanes, of which those behind the last vertex are 0. */
static int64_t lanes_end(int64_t end) { return weft_secants_length(end); }

/* Where the solution is: that of vertex i at z + 3 (i + (i & blocks)). Without an array of its own three floats of each
 * vertex of a block are at the beginning of where its next places will be: a block is read whole before those are
 * written. */
typedef struct solution {
    float *z;
    int64_t blocks;
} solution;

static inline solution solution_of(const pass *c) {
    return c->z ? (solution){c->z, 0} : (solution){(float *)(void *)c->system->x_next, -(int64_t)WEFT_BLOCK};
}

static inline float *at_vertex(solution s, int64_t i) { return s.z + 3 * (i + (i & s.blocks)); }

/* -- the ends of the solve: four floats of a vertex at a time, of which the last is the next one's -- */

typedef float quad __attribute__((vector_size(16)));
typedef float loose_quad __attribute__((vector_size(16), aligned(4), may_alias));
#define QUAD(p) (*(loose_quad *)(p))

/* With `count` known to the compiler for the usual numbers of pairs. */
static inline __attribute__((always_inline)) void load_some(const pass *c, int64_t begin, int64_t end, int32_t count,
                                                            float *b) {
    const int32_t *vertex = c->matrix->cholesky->vertex;
    const float *y[WEFT_SECANTS], *const r = c->r;
    float factor[WEFT_SECANTS];
    for (int32_t j = 0; j < count; j++) {
        y[j] = c->less.vector[j];
        factor[j] = c->less.factor[j];
    }
    for (int64_t k = begin; k < end; k++) {
        const int64_t at = 3 * (int64_t)vertex[k];
        quad q = QUAD(r + at);
        UNROLLED
        for (int32_t j = 0; j < count; j++)
            q += QUAD(y[j] + at) * factor[j];
        QUAD(b + 4 * k) = q;
    }
}

void weft_projective_load(void *step, int64_t begin, int64_t end, float *b) {
    const pass *c = step;
    if (c->less.count == 2)
        load_some(c, begin, end, 2, b);
    else
        load_some(c, begin, end, c->less.count, b);
}

static inline __attribute__((always_inline)) void store_some(const pass *c, int64_t begin, int64_t end, int32_t count,
                                                             const float *b, double *product) {
    const int32_t *vertex = c->matrix->cholesky->vertex;
    const float *y[WEFT_SECANTS], times = c->part_of_b;
    const quad none = {0, 0, 0, 0};
    const solution to = solution_of(c);
    quad sum[WEFT_SECANTS];
    weft_secants_changes(c->secants, y);
    UNROLLED
    for (int32_t j = 0; j < count; j++)
        sum[j] = none;
    for (int64_t k = begin; k < end; k++) {
        const int64_t i = vertex[k];
        const quad scaled = QUAD(b + 4 * k) * times, z = SHUFFLE(scaled, none, 0, 1, 2, 4);
        memcpy(at_vertex(to, i), &z, 3 * sizeof(float));
        UNROLLED
        for (int32_t j = 0; j < count; j++)
            sum[j] += z * QUAD(y[j] + 3 * i);
    }
    UNROLLED
    for (int32_t j = 0; j < count; j++)
        product[j] += (double)(sum[j][0] + sum[j][2]) + (double)sum[j][1];
}

void weft_projective_store(void *step, int32_t task, int64_t begin, int64_t end, const float *b) {
    const pass *c = step;
    double *product = c->product + (int64_t)task * WEFT_SECANTS;
    if (c->secants->used == 2)
        store_some(c, begin, end, 2, b, product);
    else
        store_some(c, begin, end, c->secants->used, b, product);
}

/* Only of some vertices, whose lines are also those of the others. */
void weft_projective_expect(void *step, int64_t begin, int64_t end, int up) {
    const pass *c = step;
    const int32_t *vertex = c->matrix->some, *start = c->matrix->some_start, count = c->less.count;
    const solution z = solution_of(c);
    for (int64_t k = start[begin / WEFT_PROJECTIVE_GROUP]; k < start[end / WEFT_PROJECTIVE_GROUP]; k++) {
        const int64_t i = vertex[k];
        if (up)
            __builtin_prefetch(c->r + 3 * i, 0, 2);
        else
            __builtin_prefetch(at_vertex(z, i), 1, 2);
        for (int32_t j = 0; j < count; j++)
            __builtin_prefetch(c->less.vector[j] + 3 * i, 0, 2);
    }
}

void weft_projective_move(void *step, int64_t begin, int64_t end) {
    const pass *c = step;
    float increment[3 * WEFT_BLOCK + 8];
    part sum = {0};
    weft_secants_add(&c->more, at_vertex(solution_of(c), begin), 3 * begin, lanes_end(end), increment);
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
    weft_secants_add(&c->more, at_vertex(solution_of(c), begin), 3 * begin, lanes_end(end), increment);
    if (c->first)
        sum = RUN(finish, c, begin, end, increment);
    else
        for (int64_t i = begin; i < end; i++)
            end_one(c, i, increment + 3 * (i - begin), &sum);
    sum.wild = !(sum.squares < WEFT_FARTHEST * WEFT_FARTHEST) && !(weft_sane(c->system->x_next + begin, end - begin) &&
                                                                   weft_sane(c->system->v_next + begin, end - begin));
    c->part[begin / WEFT_BLOCK] = sum;
}
