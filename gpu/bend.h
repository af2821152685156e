/* One bending element: the formulas of src/cloth/bending/hinge_force.c. */
#ifndef WEFT_GPU_BEND_H
#define WEFT_GPU_BEND_H

#include "cloth/device_elements.h"
#include "host_device.h"

/* The gradient of the measure and the measure minus its rest value, for hinges and springs. */
typedef struct gpu_measure {
    weft_vec3 of[4];
    double value;
} gpu_measure;

WEFT_HD void gpu_bend_normals(const weft_vec3 *p, weft_vec3 *normal) {
    weft_vec3 e = gpu_sub(p[1], p[0]);
    normal[0] = gpu_cross(e, gpu_sub(p[2], p[0]));
    normal[1] = gpu_cross(gpu_sub(p[3], p[0]), e);
}

WEFT_HD double gpu_bend_angle(const weft_vec3 *p) {
    weft_vec3 normal[2], e = gpu_unit(gpu_sub(p[1], p[0]));
    gpu_bend_normals(p, normal);
    weft_vec3 a = gpu_unit(normal[0]), b = gpu_unit(normal[1]);
    return atan2(gpu_dot(gpu_cross(b, a), e), gpu_dot(a, b));
}

WEFT_HD gpu_measure gpu_hinge_measure(const weft_device_bend *bend, const weft_vec3 *p) {
    const double whole_turn = 2 * 3.14159265358979323846;
    gpu_measure s;
    weft_vec3 normal[2], e = gpu_sub(p[1], p[0]);
    double squared = gpu_dot(e, e), length = sqrt(squared);
    s.value = remainder(gpu_bend_angle(p) - bend->rest, whole_turn);
    for (int k = 0; k < 4; k++)
        s.of[k] = gpu_vec(0, 0, 0);
    gpu_bend_normals(p, normal);
    for (int side = 0; side < 2; side++) {
        double size = gpu_dot(normal[side], normal[side]);
        if (!(size > bend->least[side]) || !(squared > 0))
            continue;
        weft_vec3 g = gpu_scale(length / size, normal[side]);
        double foot = gpu_dot(gpu_sub(p[2 + side], p[0]), e) / squared;
        s.of[2 + side] = g;
        s.of[0] = gpu_axpy(s.of[0], foot - 1, g);
        s.of[1] = gpu_axpy(s.of[1], -foot, g);
    }
    return s;
}

WEFT_HD gpu_measure gpu_distance_measure(const weft_device_bend *bend, const weft_vec3 *p) {
    gpu_measure s;
    weft_vec3 d = gpu_sub(p[3], p[2]);
    s.value = gpu_length(d) - bend->rest;
    s.of[0] = s.of[1] = gpu_vec(0, 0, 0);
    s.of[3] = gpu_unit(d);
    s.of[2] = gpu_scale(-1, s.of[3]);
    return s;
}

WEFT_HD gpu_measure gpu_bend_measure(const weft_device_bend *bend, int kind, const weft_vec3 *p) {
    return kind == WEFT_DEVICE_BEND_HINGE ? gpu_hinge_measure(bend, p) : gpu_distance_measure(bend, p);
}

/* The weighted sum of a linear element, from differences because far from the origin the sum of k leaves rounding
 * errors. */
WEFT_HD weft_vec3 gpu_bend_sum(const weft_device_bend *bend, const weft_vec3 *p) {
    weft_vec3 sum = gpu_scale(bend->k[1], gpu_sub(p[1], p[0]));
    for (int a = 2; a < WEFT_DEVICE_BEND_VERTICES; a++) /* unused vertices have the weight 0 */
        sum = gpu_axpy(sum, bend->k[a], gpu_sub(p[a], p[0]));
    return sum;
}

WEFT_HD weft_vec3 gpu_mean_normal(const weft_vec3 *p) {
    weft_vec3 normal[2];
    gpu_bend_normals(p, normal);
    return gpu_unit(gpu_add(gpu_unit(normal[0]), gpu_unit(normal[1])));
}

WEFT_HD double gpu_bend_energy(const weft_device_bend *bend, const weft_device_material *c, const weft_vec3 *p) {
    if (c->bending == WEFT_DEVICE_BEND_LINEAR) {
        weft_vec3 h = gpu_bend_sum(bend, p);
        return 0.5 * bend->stiffness * gpu_dot(h, h);
    }
    gpu_measure s = gpu_bend_measure(bend, c->bending, p);
    return 0.5 * bend->stiffness * s.value * s.value;
}

/* Forces on its vertices, N (arity). p and q: their positions and velocities. */
WEFT_HD void gpu_bend_force(const weft_device_bend *bend, const weft_device_material *c, const weft_vec3 *p,
                            const weft_vec3 *q, weft_vec3 *f) {
    if (c->bending == WEFT_DEVICE_BEND_LINEAR) {
        weft_vec3 total = gpu_bend_sum(bend, p);
        if (c->beta > 0) {
            weft_vec3 n = gpu_mean_normal(p);
            total = gpu_axpy(total, c->beta * gpu_dot(n, gpu_bend_sum(bend, q)), n);
        }
        for (int a = 0; a < WEFT_DEVICE_BEND_VERTICES; a++)
            f[a] = gpu_scale(-bend->stiffness * bend->k[a], total);
        return;
    }
    gpu_measure s = gpu_bend_measure(bend, c->bending, p);
    double rate = 0;
    for (int a = 0; a < 4; a++)
        rate += gpu_dot(s.of[a], q[a]);
    for (int a = 0; a < 4; a++)
        f[a] = gpu_scale(-bend->stiffness * (s.value + c->beta * rate), s.of[a]);
}

/* Linear elements: h^2 stiffness + h damping of a pair is k_a k_b times the tensor even 1 + m m^T. */
WEFT_HD void gpu_bend_tensor(const weft_device_bend *bend, const weft_device_material *c, double h, const weft_vec3 *p,
                             double *even, weft_vec3 *m) {
    weft_vec3 n = c->beta > 0 ? gpu_mean_normal(p) : gpu_vec(0, 0, 0);
    *even = h * h * bend->stiffness;
    *m = gpu_scale(sqrt(h * c->beta * bend->stiffness), n);
}

/* scale a b^T + unit times the identity, row-major */
WEFT_HD void gpu_outer(double scale, weft_vec3 a, weft_vec3 b, double unit, double *block) {
    for (int m = 0; m < 3; m++)
        for (int n = 0; n < 3; n++)
            block[3 * m + n] = scale * (&a.x)[m] * (&b.x)[n] + (m == n ? unit : 0);
}

/* Hinges and springs: stiffness and damping of the pairs 01 02 03 12 13 23 (6 x 9 each). */
WEFT_HD void gpu_bend_blocks(const weft_device_bend *bend, const weft_device_material *c, const weft_vec3 *p,
                             double *stiffness, double *damping) {
    gpu_measure s = gpu_bend_measure(bend, c->bending, p);
    for (int a = 0, pair = 0; a < 4; a++)
        for (int b = a + 1; b < 4; b++, pair++) {
            gpu_outer(bend->stiffness, s.of[a], s.of[b], 0, stiffness + 9 * pair);
            gpu_outer(c->beta * bend->stiffness, s.of[a], s.of[b], 0, damping + 9 * pair);
        }
    double length = s.value + bend->rest;
    if (c->bending != WEFT_DEVICE_BEND_SPRING || !(s.value > 0) || !(length > 0))
        return;
    double across = bend->stiffness * s.value / length, block[9];
    gpu_outer(across, s.of[3], s.of[3], -across, block);
    for (int m = 0; m < 9; m++)
        stiffness[9 * 5 + m] += block[m];
}

#endif
