/* Forces of the immediate-buckling model (Choi and Ko 2002, equations 1 to 11 and 13). q(s) is the square of the
 * inverse of sinc. Consider a beam of rigidity k_b and length L whose ends are l = s L apart. It bends into an arc of
 * curvature 2 sqrt(q) / L and energy 2 k_b q(s) / L. With the buckling load P = 12 k_b / L^2, its energy is P L q / 6
 * and its force P q' / 6. */
#include "cloth/buckling/buckling.h"

#include <string.h>

#include "weft/vec.h"

/* Added to squared lengths. Where a length is practically 0, the force becomes 0 instead of NaN. */
#define SMALLEST_SQUARE 1e-280

typedef struct force_context {
    const weft_buckling *buckling;
    const weft_vec3 *x, *v;
    weft_vec3 *f;
    int damped, along;
} force_context;

/* The force on the first end. The second end gets the opposite force. */
static inline weft_vec3 pair_force(const force_context *c, weft_interaction a, double viscous, weft_vec3 d,
                                   weft_vec3 e) {
    int bends;
    double squared = weft_dot(d, d) + SMALLEST_SQUARE, length = sqrt(squared);
    double coefficient = weft_buckling_tension(&c->buckling->sinc, a, length - a.rest, &bends) / length;
    if (!c->damped)
        return weft_scale(coefficient, d);
    if (c->along)
        return weft_scale(coefficient + viscous * (weft_dot(d, e) / squared), d);
    return weft_add_scaled(weft_scale(coefficient, d), viscous, e);
}

static void gather(const int32_t *vertex, int32_t count, const weft_vec3 *from, weft_vec3 *to) {
    for (int32_t i = 0; i < count; i++)
        to[i] = from[vertex[i]];
}

typedef struct block_data {
    weft_vec3 x[WEFT_SPRINGS_LOCAL], v[WEFT_SPRINGS_LOCAL], force[WEFT_SPRINGS_LOCAL];
} block_data;

static void add_pair_force(const force_context *c, block_data *at, int64_t i, int p, int q) {
    const weft_spring_layout *layout = &c->buckling->springs.layout;
    const float *slot = c->buckling->slot[i];
    weft_interaction a = {layout->rest[i], layout->stiffness[i], slot[0]};
    weft_vec3 e = c->damped ? weft_sub(at->v[q], at->v[p]) : weft_vec3_make(0, 0, 0);
    weft_vec3 pulled = pair_force(c, a, slot[1], weft_sub(at->x[q], at->x[p]), e);
    at->force[p] = weft_add(at->force[p], pulled);
    at->force[q] = weft_sub(at->force[q], pulled);
}

/* The slots of a block are stars of four interactions at one vertex, then pairs. The sums of the halo are discarded. */
static void block_forces(void *context, int64_t begin, int64_t end) {
    (void)end;
    const force_context *c = context;
    const weft_spring_layout *layout = &c->buckling->springs.layout;
    const weft_spring_block *block = &layout->block[begin / WEFT_SPRINGS_BLOCK];
    const int32_t *vertex = layout->vertex + block->vertex;
    block_data at;
    int32_t seen = block->owned + block->halo;
    gather(vertex, seen, c->x, at.x);
    if (c->damped)
        gather(vertex, seen, c->v, at.v);
    gather(vertex, block->owned, c->f, at.force);
    memset(at.force + block->owned, 0, (size_t)block->halo * sizeof *at.force);
    const uint16_t *offset = layout->offset + block->offset;
    int64_t slot = block->slot, pairs = slot + block->stars;
    for (; slot < pairs; offset += 5)
        for (int k = 1; k <= 4; k++)
            add_pair_force(c, &at, slot++, weft_springs_local(offset[0]), weft_springs_local(offset[k]));
    for (; slot < pairs + block->pairs; offset += 2)
        add_pair_force(c, &at, slot++, weft_springs_local(offset[0]), weft_springs_local(offset[1]));
    for (int32_t i = 0; i < block->owned; i++)
        c->f[vertex[i]] = at.force[i];
}

/* The interactions that did not fit into a block, in order. */
static void loose_forces(const force_context *c) {
    const weft_springs *s = &c->buckling->springs;
    for (int32_t i = 0; i < s->layout.loose_count; i++) {
        int32_t index = s->layout.loose[i], p = s->list.end[index][0], q = s->list.end[index][1];
        weft_vec3 e = c->damped ? weft_sub(c->v[q], c->v[p]) : weft_vec3_make(0, 0, 0);
        weft_interaction a = weft_buckling_at(c->buckling, index);
        weft_vec3 pulled = pair_force(c, a, weft_buckling_damping(s, a), weft_sub(c->x[q], c->x[p]), e);
        c->f[p] = weft_add(c->f[p], pulled);
        c->f[q] = weft_sub(c->f[q], pulled);
    }
}

void weft_buckling_force(const void *self, const weft_work *work, const weft_vec3 *x, const weft_vec3 *v,
                         weft_vec3 *f) {
    const weft_buckling *b = self;
    const weft_springs *s = &b->springs;
    force_context context = {.buckling = b, .x = x, .v = v, .f = f};
    context.damped = s->damping_constant > 0 || s->damping_time > 0;
    context.along = s->settings.damping_kind == WEFT_SPRINGS_ALONG;
    weft_parallel_for(work, s->mesh->vertex_count, WEFT_SPRINGS_BLOCK, block_forces, &context);
    loose_forces(&context);
}

typedef struct energy_context {
    const weft_buckling *buckling;
    const weft_vec3 *x;
} energy_context;

/* Integrates along the line c_b (l - L), the bending curve and, if the line is above the curve again, the line. */
double weft_buckling_beam_energy(const weft_sinc *sinc, weft_interaction a, const double curve[2], double length) {
    double s = length / a.rest, upper = fmax(s, curve[1]), middle = fmax(s, curve[0]);
    double energy = -0.5 * a.stiffness * a.rest * a.rest * (1 - upper) * (1 - upper);
    if (s < curve[1])
        energy += a.critical * a.rest / 6 * (weft_sinc_at(sinc->square, middle) - weft_sinc_at(sinc->square, curve[1]));
    if (s < curve[0])
        energy += -0.5 * a.stiffness * a.rest * a.rest * ((1 - s) * (1 - s) - (1 - middle) * (1 - middle));
    return energy;
}

static double block_energy(void *context, int64_t begin, int64_t end) {
    const energy_context *c = context;
    const weft_springs *s = &c->buckling->springs;
    double sum = 0;
    for (int32_t i = (int32_t)begin; i < (int32_t)end; i++) {
        weft_interaction a = weft_buckling_at(c->buckling, i);
        double length = weft_distance(c->x[s->list.end[i][0]], c->x[s->list.end[i][1]]), stretch = length - a.rest;
        if (a.stiffness >= 0)
            sum += stretch > 0 ? 0.5 * a.stiffness * stretch * stretch : 0;
        else if (stretch < 0 && a.critical > 0)
            sum += weft_buckling_beam_energy(&c->buckling->sinc, a, c->buckling->curve[i - s->list.first[WEFT_FLEXION]],
                                             length);
    }
    return sum;
}

double weft_buckling_energy(const void *self, const weft_work *work, const weft_vec3 *x) {
    const weft_buckling *b = self;
    energy_context context = {b, x};
    return weft_parallel_sum(work, b->springs.list.count, WEFT_BLOCK, block_energy, &context);
}
