/* One finite element: strain, energy, force. The formulas are those of src/cloth/corotational/triangle_element.c
 * and triangle_green.c, which derive them. test_cuda_elements holds both together. */
#ifndef WEFT_GPU_TRIANGLE_H
#define WEFT_GPU_TRIANGLE_H

#include "cloth/device_elements.h"
#include "host_device.h"

/* Polar decomposition F = Q S of the deformation gradient. */
typedef struct gpu_deformation {
    weft_vec3 q[2], normal;
    double xx, xy, yy, trace, squeeze;
} gpu_deformation;

/* Any unit vector orthogonal to a. */
WEFT_HD weft_vec3 gpu_across(weft_vec3 a) {
    double x = fabs(a.x), y = fabs(a.y), z = fabs(a.z);
    int first = x <= y && x <= z, second = !first && y <= z;
    return gpu_unit(gpu_cross(a, gpu_vec(first, second, !first && !second)));
}

/* Columns of F, or of its rate if p holds velocities. */
WEFT_HD void gpu_triangle_columns(const weft_device_triangle *t, const weft_vec3 *p, weft_vec3 *a, weft_vec3 *b) {
    weft_vec3 e = gpu_sub(p[1], p[0]), f = gpu_sub(p[2], p[0]);
    *a = gpu_add(gpu_scale(t->inverse[0], e), gpu_scale(t->inverse[2], f));
    *b = gpu_add(gpu_scale(t->inverse[1], e), gpu_scale(t->inverse[3], f));
}

WEFT_HD gpu_deformation gpu_triangle_deform(const weft_device_triangle *t, const weft_vec3 *p) {
    const double collapsed = 1e-12, point = 1e-60;
    gpu_deformation d;
    weft_vec3 a, b, n;
    d.q[0] = d.q[1] = d.normal = gpu_vec(0, 0, 0);
    d.xx = d.xy = d.yy = 0;
    d.trace = d.squeeze = 1;
    gpu_triangle_columns(t, p, &a, &b);
    double aa = gpu_dot(a, a), bb = gpu_dot(b, b), mean = 0.5 * (aa + bb);
    if (!(mean > point))
        return d;
    n = gpu_cross(a, b);
    double j = gpu_length(n);
    d.normal = j > collapsed * mean ? gpu_scale(1 / j, n) : gpu_across(aa >= bb ? a : b);
    d.trace = sqrt(aa + bb + 2 * j);
    double scale = 1 / d.trace;
    d.q[0] = gpu_scale(scale, gpu_add(a, gpu_cross(b, d.normal)));
    d.q[1] = gpu_scale(scale, gpu_add(b, gpu_cross(d.normal, a)));
    d.xx = scale * (aa + j);
    d.yy = scale * (bb + j);
    d.xy = scale * gpu_dot(a, b);
    d.squeeze = gpu_max(j, 1e-9 * mean);
    return d;
}

WEFT_HD void gpu_elastic_stress(const weft_device_material *c, const double *strain, double *stress) {
    stress[0] = c->xx * strain[0] + c->xy * strain[1];
    stress[1] = c->xy * strain[0] + c->yy * strain[1];
    stress[2] = c->ss * strain[2];
}

/* Strain of weft, warp and shear, and its stress. */
WEFT_HD void gpu_triangle_strain(const weft_device_material *c, const gpu_deformation *d, double *strain,
                                 double *stress) {
    strain[0] = d->xx - 1;
    strain[1] = d->yy - 1;
    strain[2] = 2 * d->xy;
    if (c->strain == WEFT_DEVICE_YARNS) {
        strain[0] = sqrt(d->xx * d->xx + d->xy * d->xy) - 1;
        strain[1] = sqrt(d->yy * d->yy + d->xy * d->xy) - 1;
    }
    gpu_elastic_stress(c, strain, stress);
}

/* Derivative of the strain by (S_xx, S_yy, 2 S_xy), row-major. */
WEFT_HD void gpu_triangle_slope(const weft_device_material *c, const gpu_deformation *d, double *slope) {
    double along[2];
    along[0] = d->xx;
    along[1] = d->yy;
    for (int k = 0; k < 9; k++)
        slope[k] = k % 4 == 0;
    for (int k = 0; k < 2 && c->strain == WEFT_DEVICE_YARNS; k++) {
        double length = sqrt(along[k] * along[k] + d->xy * d->xy);
        if (!(length > 0))
            continue;
        slope[3 * k + k] = along[k] / length;
        slope[3 * k + 2] = 0.5 * d->xy / length;
    }
}

WEFT_HD void gpu_green_strain(const weft_device_material *c, weft_vec3 a, weft_vec3 b, double *strain, double *stress) {
    strain[0] = 0.5 * (gpu_dot(a, a) - 1);
    strain[1] = 0.5 * (gpu_dot(b, b) - 1);
    strain[2] = gpu_dot(a, b);
    gpu_elastic_stress(c, strain, stress);
}

WEFT_HD double gpu_triangle_energy(const weft_device_triangle *t, const weft_device_material *c, const weft_vec3 *p) {
    double strain[3], stress[3];
    if (c->strain == WEFT_DEVICE_GREEN) {
        weft_vec3 a, b;
        gpu_triangle_columns(t, p, &a, &b);
        gpu_green_strain(c, a, b, strain, stress);
    } else {
        gpu_deformation d = gpu_triangle_deform(t, p);
        gpu_triangle_strain(c, &d, strain, stress);
    }
    return 0.5 * t->area * (strain[0] * stress[0] + strain[1] * stress[1] + strain[2] * stress[2]);
}

/* Adds beta C times the rate of the strain. */
WEFT_HD void gpu_triangle_viscous(const weft_device_triangle *t, const weft_device_material *c,
                                  const gpu_deformation *d, const double *slope, const weft_vec3 *v, double *stress) {
    weft_vec3 a, b;
    double viscous[3], own[3], rate[3];
    gpu_triangle_columns(t, v, &a, &b);
    double turn = (gpu_dot(d->q[1], a) - gpu_dot(d->q[0], b)) / d->trace;
    rate[0] = gpu_dot(d->q[0], a) + turn * d->xy;
    rate[1] = gpu_dot(d->q[1], b) - turn * d->xy;
    rate[2] = gpu_dot(d->q[1], a) + gpu_dot(d->q[0], b) + turn * (d->yy - d->xx);
    for (int i = 0; i < 3; i++)
        own[i] = slope[3 * i] * rate[0] + slope[3 * i + 1] * rate[1] + slope[3 * i + 2] * rate[2];
    gpu_elastic_stress(c, own, viscous);
    for (int i = 0; i < 3; i++)
        stress[i] += c->beta * viscous[i];
}

/* Forces on the corners from those on the columns of F. */
WEFT_HD void gpu_corner_forces(const weft_device_triangle *t, weft_vec3 a, weft_vec3 b, weft_vec3 *f) {
    f[1] = gpu_add(gpu_scale(t->inverse[0], a), gpu_scale(t->inverse[1], b));
    f[2] = gpu_add(gpu_scale(t->inverse[2], a), gpu_scale(t->inverse[3], b));
    f[0] = gpu_scale(-1, gpu_add(f[1], f[2]));
}

WEFT_HD void gpu_green_force(const weft_device_triangle *t, const weft_device_material *c, const weft_vec3 *p,
                             const weft_vec3 *v, weft_vec3 *f) {
    weft_vec3 a, b, da, db;
    double strain[3], stress[3], rate[3], viscous[3];
    gpu_triangle_columns(t, p, &a, &b);
    gpu_green_strain(c, a, b, strain, stress);
    if (c->beta > 0) {
        gpu_triangle_columns(t, v, &da, &db);
        rate[0] = gpu_dot(a, da);
        rate[1] = gpu_dot(b, db);
        rate[2] = gpu_dot(a, db) + gpu_dot(b, da);
        gpu_elastic_stress(c, rate, viscous);
        for (int i = 0; i < 3; i++)
            stress[i] += c->beta * viscous[i];
    }
    weft_vec3 on_a = gpu_scale(-t->area, gpu_add(gpu_scale(stress[0], a), gpu_scale(stress[2], b)));
    weft_vec3 on_b = gpu_scale(-t->area, gpu_add(gpu_scale(stress[2], a), gpu_scale(stress[1], b)));
    gpu_corner_forces(t, on_a, on_b, f);
}

/* Forces on the three corners, N. p and v: positions and velocities of the corners. */
WEFT_HD void gpu_triangle_force(const weft_device_triangle *t, const weft_device_material *c, const weft_vec3 *p,
                                const weft_vec3 *v, weft_vec3 *f) {
    if (c->strain == WEFT_DEVICE_GREEN) {
        gpu_green_force(t, c, p, v, f);
        return;
    }
    gpu_deformation d = gpu_triangle_deform(t, p);
    double strain[3], own[3], slope[9], stress[3], m[4];
    gpu_triangle_strain(c, &d, strain, own);
    gpu_triangle_slope(c, &d, slope);
    if (c->beta > 0)
        gpu_triangle_viscous(t, c, &d, slope, v, own);
    for (int i = 0; i < 3; i++)
        stress[i] = slope[i] * own[0] + slope[3 + i] * own[1] + slope[6 + i] * own[2];
    double skew = (stress[0] - stress[1]) * d.xy / d.trace, shear = 2 * stress[2] / d.trace;
    m[0] = stress[0];
    m[1] = shear * d.yy + skew;
    m[2] = shear * d.xx - skew;
    m[3] = stress[1];
    if (c->force_frozen)
        m[1] = m[2] = stress[2];
    weft_vec3 a = gpu_add(gpu_scale(-t->area * m[0], d.q[0]), gpu_scale(-t->area * m[1], d.q[1]));
    weft_vec3 b = gpu_add(gpu_scale(-t->area * m[2], d.q[0]), gpu_scale(-t->area * m[3], d.q[1]));
    gpu_corner_forces(t, a, b, f);
}

#endif
