/* The passes of a projective step over the vertices. Each has a plain form for one vertex. For steps with one iteration
 * there is also a form for four free vertices at a time. Both round alike, except for the order of sums. */
#include <math.h>
#include <string.h>

#include "core/sane.h"
#include "core/simd.h"
#include "solve/projective.h"
#include "solve/schemes.h"
#include "weft/vec.h"

typedef weft_projective_step pass;
typedef weft_projective_sums part;

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

/* Moves vertex i to x, the next point at which forces are evaluated. Returns the move from the previous point. */
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

/* `ahead` is the iterate minus the position without any forces. */
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

/* At the guess `ahead` follows from the common acceleration, so the position need not be read. */
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

#define ZERO     ((weft_f64x4){0, 0, 0, 0})
#define TOTAL(a) (((a)[0] + (a)[2]) + ((a)[1] + (a)[3]))
/* The same vector in space for each of four vertices. */
#define REPEAT(a)                                                                                                      \
    {                                                                                                                  \
        {(a).x, (a).y, (a).z, (a).x}, {(a).y, (a).z, (a).x, (a).y}, { (a).z, (a).x, (a).y, (a).z }                     \
    }

static inline int any_held(const pass *c, int64_t i) {
    uint32_t four;
    memcpy(&four, c->matrix->held + i, sizeof four);
    return four != 0;
}

#define WEFT_KERNEL "solve/projective_passes.inc"
#define WEFT_KERNEL_NO_AVX512
#include "core/simd_kernels.inc"

void weft_projective_place(void *step, int32_t first, int32_t count, weft_vec3 *x, weft_vec3 *v) {
    const pass *c = step;
    if (c->first) {
        WEFT_SIMD_RUN_AVX2(weft_simd_isa(), place, c, first, count, x, v);
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
        WEFT_SIMD_RUN_AVX2(weft_simd_isa(), take, c, first, count, f, &c->part[index]);
    else
        take_again(c, first, count, f);
    if (c->s)
        weft_secants_meet(c->secants, c->r, 3 * (int64_t)first, 3 * ((int64_t)first + count),
                          c->met + 3 * (int64_t)index * weft_secants_filled(c->secants));
}

/* Rounded up to whole vectors, whose lanes beyond the last vertex are 0. */
static int64_t lanes_end(int64_t end) { return weft_secants_length(end); }

/* The storage of the solution: that of vertex i is at z + 3 (i + (i & blocks)). Without its own array, the solution of
 * a block is at the start of the block in x_next. A block is read whole before its next positions are written. */
typedef struct solution {
    float *z;
    int64_t blocks;
} solution;

static inline solution solution_of(const pass *c) {
    return c->z ? (solution){c->z, 0} : (solution){(float *)(void *)c->system->x_next, -(int64_t)WEFT_STREAM_BLOCK};
}

static inline float *at_vertex(solution s, int64_t i) { return s.z + 3 * (i + (i & s.blocks)); }

/* -- load and store of the solve: four floats per vertex, of which the last belongs to the next vertex -- */

/* `count` is a constant for the usual number of pairs. */
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
        weft_f32x4 q = WEFT_AT_F32X4(r + at);
        WEFT_UNROLLED
        for (int32_t j = 0; j < count; j++)
            q += WEFT_AT_F32X4(y[j] + at) * factor[j];
        WEFT_AT_F32X4(b + 4 * k) = q;
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
    const weft_f32x4 none = {0, 0, 0, 0};
    const solution to = solution_of(c);
    weft_f32x4 sum[WEFT_SECANTS];
    weft_secants_changes(c->secants, y);
    WEFT_UNROLLED
    for (int32_t j = 0; j < count; j++)
        sum[j] = none;
    for (int64_t k = begin; k < end; k++) {
        const int64_t i = vertex[k];
        const weft_f32x4 scaled = WEFT_AT_F32X4(b + 4 * k) * times, z = WEFT_SHUFFLE(scaled, none, 0, 1, 2, 4);
        memcpy(at_vertex(to, i), &z, 3 * sizeof(float));
        WEFT_UNROLLED
        for (int32_t j = 0; j < count; j++)
            sum[j] += z * WEFT_AT_F32X4(y[j] + 3 * i);
    }
    WEFT_UNROLLED
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

/* Prefetches for some vertices only: their cache lines also hold the others. */
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
    float increment[3 * WEFT_STREAM_BLOCK + 8];
    part sum = {0};
    weft_secants_add(&c->more, at_vertex(solution_of(c), begin), 3 * begin, lanes_end(end), increment);
    for (int64_t i = begin; i < end; i++) {
        weft_vec3 by = c->matrix->held[i] ? NOWHERE : get(increment + 3 * (i - begin));
        weft_vec3 x = weft_add(c->x[i], by);
        go_to(c, i, x, &sum);
        c->v[i] = weft_scale(1 / c->h, weft_sub(x, c->system->x[i]));
    }
    c->part[begin / WEFT_STREAM_BLOCK] = sum;
}

void weft_projective_end(void *step, int64_t begin, int64_t end) {
    const pass *c = step;
    float increment[3 * WEFT_STREAM_BLOCK + 8];
    part sum = {0};
    weft_secants_add(&c->more, at_vertex(solution_of(c), begin), 3 * begin, lanes_end(end), increment);
    if (c->first)
        sum = WEFT_SIMD_RUN_AVX2(weft_simd_isa(), finish, c, begin, end, increment);
    else
        for (int64_t i = begin; i < end; i++)
            end_one(c, i, increment + 3 * (i - begin), &sum);
    sum.wild = !(sum.squares < WEFT_FARTHEST * WEFT_FARTHEST) && !(weft_sane(c->system->x_next + begin, end - begin) &&
                                                                   weft_sane(c->system->v_next + begin, end - begin));
    c->part[begin / WEFT_STREAM_BLOCK] = sum;
}
