/* Energy and forces of the whole cloth. Elements are computed in parallel, then summed per vertex in a fixed order. The
 * elements follow Bender and Deul (2013), see triangle_element.c. */
#include <math.h>

#include "cloth/corotational/corotational.h"
#include "core/elementary.h"
#include "core/memory.h"
#include "weft/vec.h"

typedef struct context {
    const weft_corotational *c;
    const weft_vec3 *x, *v;
    weft_vec3 *f;
    double *block;
    weft_strain *strain;
} context;

static void corners_of(const weft_corotational *c, int64_t t, const weft_vec3 *x, weft_vec3 p[3]) {
    for (int k = 0; k < 3; k++)
        p[k] = x[c->mesh->triangle[t][k]];
}

static int is_green(const weft_corotational *c) { return c->settings.strain == WEFT_STRAIN_GREEN; }

static double triangle_energy(void *data, int64_t begin, int64_t end) {
    const context *s = data;
    double sum = 0;
    if (!is_green(s->c))
        return weft_triangle_energies(s->c, weft_simd_isa(), s->x, begin, end);
    for (int64_t t = begin; t < end; t++) {
        weft_vec3 p[3];
        corners_of(s->c, t, s->x, p);
        sum += weft_green_energy(&s->c->triangle[t], &s->c->elasticity, p);
    }
    return sum;
}

double weft_corotational_facet_energy(const void *self, const weft_facet *facet) {
    const weft_corotational *c = self;
    weft_vec2 corner[3];
    weft_rest_of_facet(&c->settings, c->turn, c->rest, facet, corner);
    weft_triangle triangle = weft_triangle_make(corner);
    triangle.area *= (facet->stretch[0] + facet->stretch[1] + facet->stretch[2]) / 3;
    return is_green(c) ? weft_green_energy(&triangle, &c->elasticity, facet->x)
                       : weft_triangle_energy(&triangle, &c->elasticity, facet->x);
}

double weft_corotational_edge_energy(const void *self, const weft_facet *left, const weft_facet *right, int joined) {
    (void)joined;
    const weft_corotational *c = self;
    if (c->bending.kind == WEFT_BENDING_NONE || !right)
        return 0;
    weft_vec2 l[3], r[3];
    weft_rest_of_facet(&c->settings, c->turn, c->rest, left, l);
    weft_rest_of_facet(&c->settings, c->turn, c->rest, right, r);
    weft_vec3 rest[4] = {left->rest[0], left->rest[1], left->rest[2], right->rest[2]};
    weft_vec3 x[4] = {left->x[0], left->x[1], left->x[2], right->x[2]};
    weft_bend bend = weft_bend_make(c->bending.kind, c->fabric, rest, l, (const weft_vec2[]){r[1], r[0], r[2]});
    bend.stiffness *= 0.25 * (left->bend[0] + left->bend[1] + left->bend[2] + right->bend[2]);
    return weft_bend_energy(c->bending.kind, &bend, 4, x);
}

static double bending_energy(void *data, int64_t begin, int64_t end) {
    const context *s = data;
    return weft_bending_energies(&s->c->bending, weft_simd_isa(), s->x, begin, end);
}

double weft_corotational_energy(const void *self, const weft_work *work, const weft_vec3 *x) {
    context s = {.c = self, .x = x};
    return weft_parallel_sum(work, s.c->mesh->triangle_count, WEFT_BLOCK, triangle_energy, &s) +
           weft_parallel_sum(work, s.c->bending.count, WEFT_BLOCK, bending_energy, &s) +
           weft_notions_energy(&s.c->notions, x);
}

static void triangle_forces(void *data, int64_t begin, int64_t end) {
    const context *s = data;
    if (!is_green(s->c)) {
        weft_triangle_forces(s->c, weft_simd_isa(), s->x, s->v, begin, end);
        return;
    }
    for (int64_t t = begin; t < end; t++) {
        weft_vec3 p[3], v[3];
        corners_of(s->c, t, s->x, p);
        corners_of(s->c, t, s->v, v);
        weft_green_force(&s->c->triangle[t], &s->c->elasticity, s->c->beta, p, v, s->c->element_force + 3 * t);
    }
}

static void bending_forces(void *data, int64_t begin, int64_t end) {
    const context *s = data;
    weft_bending_forces(&s->c->bending, weft_simd_isa(), s->x, s->v, begin, end,
                        s->c->element_force + 3 * (int64_t)s->c->mesh->triangle_count);
}

static void sum_element_forces(void *data, int64_t begin, int64_t end) {
    const context *s = data;
    const weft_corotational *c = s->c;
    for (int64_t v = begin; v < end; v++) {
        weft_vec3 sum = weft_scale(-c->settings.alpha * c->mass[v], s->v[v]);
        for (int32_t k = c->force_start[v]; k < c->force_start[v + 1]; k++)
            sum = weft_add(sum, c->element_force[c->force_index[k]]);
        s->f[v] = weft_add(s->f[v], sum);
    }
}

void weft_corotational_force(const void *self, const weft_work *work, const weft_vec3 *x, const weft_vec3 *v,
                             weft_vec3 *f) {
    context s = {.c = self, .x = x, .v = v, .f = f};
    weft_parallel_for(work, s.c->mesh->triangle_count, WEFT_BLOCK, triangle_forces, &s);
    weft_parallel_for(work, s.c->bending.count, WEFT_BLOCK, bending_forces, &s);
    weft_parallel_for(work, s.c->mesh->vertex_count, WEFT_BLOCK, sum_element_forces, &s);
    weft_notions_force(&s.c->notions, x, v, f);
}

/* block (6 per vertex): xx xy xz yy yz zz; 0, 3 and 5 are the diagonal. */
static void add_damping(void *data, int64_t begin, int64_t end) {
    const context *s = data;
    for (int64_t v = begin; v < end; v++) {
        double d = s->c->settings.alpha * s->c->mass[v], *block = s->block + 6 * v;
        block[0] += d;
        block[3] += d;
        block[5] += d;
    }
}

void weft_corotational_vertex_damping(const void *self, const weft_work *work, const weft_vec3 *x, const weft_vec3 *v,
                                      double *block) {
    context s = {.c = self, .x = x, .v = v};
    s.block = block;
    if (s.c->settings.alpha > 0)
        weft_parallel_for(work, s.c->mesh->vertex_count, WEFT_BLOCK, add_damping, &s);
}

static void measure(void *data, int64_t begin, int64_t end) {
    const context *s = data;
    for (int64_t t = begin; t < end; t++) {
        weft_vec3 p[3];
        corners_of(s->c, t, s->x, p);
        weft_deformation d = weft_triangle_deform(&s->c->triangle[t], p);
        s->strain[t] = is_green(s->c) ? weft_green_strain(&s->c->triangle[t], &s->c->elasticity, p)
                                      : weft_triangle_strain(&s->c->elasticity, &d);
        for (int k = 0; k < 3; k++)
            s->strain[t].stress[k] *= weft_corotational_stretch(s->c, (int32_t)t);
    }
}

void weft_corotational_measure(const void *self, const weft_work *work, const weft_vec3 *x, weft_strain *strain) {
    context s = {.c = self, .x = x, .strain = strain};
    weft_parallel_for(work, s.c->mesh->triangle_count, WEFT_BLOCK, measure, &s);
}

/* Bound on the stiffness at rest. Let m be the larger of 2 E_s and the largest eigenvalue of the stretch part of C.
 * Block (a, b) of an element is at most m area |g_a||g_b|, with the gradients g of the shape functions. By Gershgorin,
 * its row sums bound the eigenvalues. */
static double bound_of_triangle(const weft_corotational *c, int32_t t, int k) {
    const weft_elasticity *e = &c->elasticity;
    double half = 0.5 * (e->xx - e->yy);
    double largest = fmax(0.5 * (e->xx + e->yy) + sqrt(half * half + e->xy * e->xy), 2 * e->ss);
    const double *i = c->triangle[t].inverse;
    double g[3] = {weft_hypot(i[0] + i[2], i[1] + i[3]), weft_hypot(i[0], i[1]), weft_hypot(i[2], i[3])};
    return largest * c->triangle[t].area * g[k] * (g[0] + g[1] + g[2]);
}

double weft_corotational_bound_at(const weft_corotational *c, int32_t v) {
    int32_t triangles = 3 * c->mesh->triangle_count;
    double sum = 0;
    for (int32_t k = c->force_start[v]; k < c->force_start[v + 1]; k++) {
        int32_t element_force = c->force_index[k];
        double bound[WEFT_BEND_VERTICES];
        if (element_force >= triangles)
            weft_bending_bound(&c->bending, (element_force - triangles) / c->bending.arity, bound);
        sum += element_force < triangles ? bound_of_triangle(c, element_force / 3, element_force % 3)
                                         : bound[(element_force - triangles) % c->bending.arity];
    }
    return sum;
}

void weft_corotational_bound(weft_corotational *c) {
    for (int32_t v = 0; v < c->mesh->vertex_count; v++)
        c->bound[v] = weft_corotational_bound_at(c, v);
    weft_notions_bound(&c->notions, c->bound);
}

/* As for springs, symplectic Euler is stable if omega^2 dt^2 + 2 d dt <= 4 with d = alpha + beta omega^2. This is dt <=
 * 2 / w with the returned w. */
double weft_corotational_highest_frequency(const void *self, const double *mass) {
    const weft_corotational *c = self;
    double stiffest = 0;
    for (int32_t v = 0; v < c->mesh->vertex_count; v++)
        stiffest = fmax(stiffest, c->bound[v] / mass[v]);
    double damped = c->settings.alpha + c->beta * stiffest;
    return 0.5 * (damped + sqrt(damped * damped + 4 * stiffest));
}
