/* Energy, force and Hessian of one bending element: quadratic bending (Bergou et al. 2006) and hinges (Grinspun et al.
 * 2003), see bending.c.
 *
 * Damping is beta times the rate of the same measure, so a rigid rotation causes no force. This is the rate of the
 * dihedral angle or of the distance. For the isometric form it is the rate of k . x along the mean normal of the two
 * triangles. k . x is parallel to this normal as long as the triangles keep their shape. */
#include <math.h>
#include <string.h>

#include "cloth/bending/bending.h"
#include "core/elementary.h"
#include "weft/vec.h"

static const double PI = 3.14159265358979323846;

/* The gradient of the measure, one vector for each vertex, and the measure minus its rest value. */
typedef struct measure_gradient {
    weft_vec3 of[4];
    double value;
} measure_gradient;

static void normals_of(const weft_vec3 p[4], weft_vec3 normal[2]) {
    weft_vec3 e = weft_sub(p[1], p[0]);
    normal[0] = weft_cross(e, weft_sub(p[2], p[0]));
    normal[1] = weft_cross(weft_sub(p[3], p[0]), e);
}

double weft_bending_angle(const weft_vec3 p[4]) {
    weft_vec3 normal[2], e = weft_normalize(weft_sub(p[1], p[0]));
    normals_of(p, normal);
    weft_vec3 a = weft_normalize(normal[0]), b = weft_normalize(normal[1]);
    return weft_atan2(weft_dot(weft_cross(b, a), e), weft_dot(a, b));
}

/* If vertex 2 moves by d along the normal of its triangle, the angle changes by d divided by the height, |normal| /
 * |e|. The ends of the edge share the opposite motion, weighted by the foot of the height. */
static measure_gradient hinge_gradient(const weft_bend *bend, const weft_vec3 p[4]) {
    measure_gradient s = {.value = remainder(weft_bending_angle(p) - bend->rest, 2 * PI)};
    weft_vec3 normal[2], e = weft_sub(p[1], p[0]);
    double squared = weft_dot(e, e), length = sqrt(squared);
    normals_of(p, normal);
    for (int side = 0; side < 2; side++) {
        double size = weft_dot(normal[side], normal[side]);
        if (!(size > bend->least[side]) || !(squared > 0))
            continue;
        weft_vec3 g = weft_scale(length / size, normal[side]);
        double foot = weft_dot(weft_sub(p[2 + side], p[0]), e) / squared;
        s.of[2 + side] = g;
        s.of[0] = weft_add_scaled(s.of[0], foot - 1, g);
        s.of[1] = weft_add_scaled(s.of[1], -foot, g);
    }
    return s;
}

static measure_gradient spring_gradient(const weft_bend *bend, const weft_vec3 p[4]) {
    weft_vec3 d = weft_sub(p[3], p[2]);
    measure_gradient s = {.value = weft_length(d) - bend->rest};
    s.of[3] = weft_normalize(d);
    s.of[2] = weft_scale(-1, s.of[3]);
    return s;
}

static weft_vec3 weighted_sum(const weft_bend *bend, int arity, const weft_vec3 *p) {
    /* Differences, because far from the origin the sum of k, which is 0, would leave rounding errors. */
    weft_vec3 sum = weft_scale(bend->k[1], weft_sub(p[1], p[0]));
    for (int a = 2; a < arity; a++)
        sum = weft_add_scaled(sum, bend->k[a], weft_sub(p[a], p[0]));
    return sum;
}

static weft_vec3 mean_normal(const weft_vec3 p[4]) {
    weft_vec3 normal[2];
    normals_of(p, normal);
    return weft_normalize(weft_add(weft_normalize(normal[0]), weft_normalize(normal[1])));
}

static int is_linear(weft_bending_kind kind) { return kind == WEFT_BENDING_ISOMETRIC || kind == WEFT_BENDING_EDGES; }

static int is_constant(const weft_bending *b) { return is_linear(b->kind); }

static void gather(const weft_bending *b, int32_t i, const weft_vec3 *x, weft_vec3 p[WEFT_BEND_VERTICES]) {
    const int32_t *vertex = weft_bending_vertices(b, i);
    for (int a = 0; a < b->arity; a++)
        p[a] = x[vertex[a]];
}

static measure_gradient gradient_of(const weft_bending *b, int32_t i, const weft_vec3 p[4]) {
    return b->kind == WEFT_BENDING_HINGE ? hinge_gradient(&b->bend[i], p) : spring_gradient(&b->bend[i], p);
}

double weft_bend_energy(weft_bending_kind kind, const weft_bend *bend, int arity, const weft_vec3 *p) {
    if (is_linear(kind)) {
        weft_vec3 h = weighted_sum(bend, arity, p);
        return 0.5 * bend->stiffness * weft_dot(h, h);
    }
    measure_gradient s = kind == WEFT_BENDING_HINGE ? hinge_gradient(bend, p) : spring_gradient(bend, p);
    return 0.5 * bend->stiffness * s.value * s.value;
}

double weft_bending_energy(const weft_bending *bending, int32_t i, const weft_vec3 *x) {
    weft_vec3 p[WEFT_BEND_VERTICES];
    gather(bending, i, x, p);
    return weft_bend_energy(bending->kind, &bending->bend[i], bending->arity, p);
}

static void isometric_force(const weft_bending *b, int32_t i, const weft_vec3 *p, const weft_vec3 *q, weft_vec3 *f) {
    const weft_bend *bend = &b->bend[i];
    weft_vec3 total = weighted_sum(bend, b->arity, p);
    if (b->damping > 0) {
        weft_vec3 n = mean_normal(p);
        total = weft_add_scaled(total, b->damping * weft_dot(n, weighted_sum(bend, b->arity, q)), n);
    }
    for (int a = 0; a < b->arity; a++)
        f[a] = weft_scale(-bend->stiffness * bend->k[a], total);
}

void weft_bending_force(const weft_bending *bending, int32_t i, const weft_vec3 *x, const weft_vec3 *v, weft_vec3 *f) {
    weft_vec3 p[WEFT_BEND_VERTICES], q[WEFT_BEND_VERTICES];
    gather(bending, i, x, p);
    gather(bending, i, v, q);
    if (is_constant(bending)) {
        isometric_force(bending, i, p, q, f);
        return;
    }
    measure_gradient s = gradient_of(bending, i, p);
    double rate = 0;
    for (int a = 0; a < 4; a++)
        rate += weft_dot(s.of[a], q[a]);
    for (int a = 0; a < 4; a++)
        f[a] = weft_scale(-bending->bend[i].stiffness * (s.value + bending->damping * rate), s.of[a]);
}

/* block = scale a b^T + unit times the identity matrix */
static void fill(double *block, double scale, weft_vec3 a, weft_vec3 b, double unit) {
    const double r[3] = {a.x, a.y, a.z}, c[3] = {b.x, b.y, b.z};
    for (int m = 0; m < 3; m++)
        for (int n = 0; n < 3; n++)
            block[3 * m + n] = scale * r[m] * c[n] + (m == n ? unit : 0);
}

static void isometric_blocks(const weft_bending *b, int32_t i, const weft_vec3 *p, double *stiffness, double *damping) {
    const weft_bend *bend = &b->bend[i];
    weft_vec3 n = damping && b->damping > 0 ? mean_normal(p) : weft_vec3_make(0, 0, 0);
    for (int a = 0, pair = 0; a < b->arity; a++)
        for (int c = a + 1; c < b->arity; c++, pair++) {
            double k = bend->stiffness * bend->k[a] * bend->k[c];
            fill(stiffness + 9 * (size_t)pair, 0, n, n, k);
            if (damping)
                fill(damping + 9 * (size_t)pair, b->damping * k, n, n, 0);
        }
}

/* The tension of a stretched spring also acts across it, see spring_hessian.c. */
static void add_tension(const weft_bend *bend, const measure_gradient *s, double *stiffness) {
    double length = s->value + bend->rest;
    if (!(s->value > 0) || !(length > 0))
        return;
    double across = bend->stiffness * s->value / length, block[9];
    fill(block, across, s->of[3], s->of[3], -across);
    for (int m = 0; m < 9; m++)
        stiffness[9 * 5 + m] += block[m];
}

/* The Gauss-Newton part. The second derivative of the angle is left out, so the whole is positive semi-definite. */
void weft_bending_blocks(const weft_bending *bending, int32_t i, const weft_vec3 *x, double *stiffness,
                         double *damping) {
    const weft_bend *bend = &bending->bend[i];
    weft_vec3 p[WEFT_BEND_VERTICES];
    gather(bending, i, x, p);
    if (is_constant(bending)) {
        isometric_blocks(bending, i, p, stiffness, damping);
        return;
    }
    measure_gradient s = gradient_of(bending, i, p);
    for (int a = 0, pair = 0; a < 4; a++)
        for (int c = a + 1; c < 4; c++, pair++) {
            fill(stiffness + 9 * (size_t)pair, bend->stiffness, s.of[a], s.of[c], 0);
            if (damping)
                fill(damping + 9 * (size_t)pair, bending->damping * bend->stiffness, s.of[a], s.of[c], 0);
        }
    if (bending->kind == WEFT_BENDING_SPRINGS)
        add_tension(bend, &s, stiffness);
}

/* |k|_1 |k_a| bounds row a of k k^T. The derivatives of the angle at rest are k / |e|, and the stiffness contains
 * |e|^2. */
void weft_bending_bound(const weft_bending *bending, int32_t i, double bound[WEFT_BEND_VERTICES]) {
    const weft_bend *bend = &bending->bend[i];
    double k[WEFT_BEND_VERTICES] = {0, 0, 1, 1, 0}, stiffness = bend->stiffness, sum = 0;
    if (bending->kind != WEFT_BENDING_SPRINGS)
        memcpy(k, bend->k, sizeof k);
    if (bending->kind == WEFT_BENDING_HINGE) {
        weft_vec3 p[WEFT_BEND_VERTICES];
        gather(bending, i, bending->mesh->position, p);
        stiffness /= weft_dot(weft_sub(p[1], p[0]), weft_sub(p[1], p[0]));
    }
    for (int a = 0; a < bending->arity; a++)
        sum += fabs(k[a]);
    for (int a = 0; a < bending->arity; a++)
        bound[a] = stiffness * fabs(k[a]) * sum;
}
