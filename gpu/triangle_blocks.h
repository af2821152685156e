/* Second derivatives of one finite element, made positive semi-definite: the formulas of
 * src/cloth/corotational/triangle_hessian.c and triangle_green.c. */
#ifndef WEFT_GPU_TRIANGLE_BLOCKS_H
#define WEFT_GPU_TRIANGLE_BLOCKS_H

#include "triangle.h"

/* D^T C D, row-major 4x4; rows: row-major 3x4. */
WEFT_HD void gpu_material_stiffness(const weft_device_material *c, const double *rows, double *h) {
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            h[4 * i + j] = c->xx * rows[i] * rows[j] + c->yy * rows[4 + i] * rows[4 + j] +
                           c->xy * (rows[i] * rows[4 + j] + rows[4 + i] * rows[j]) + c->ss * rows[8 + i] * rows[8 + j];
}

WEFT_HD void gpu_add_yarn_curvature(const double *along, const double *shear, double s, double xy, double tension,
                                    double *h) {
    double squared = s * s + xy * xy, length = sqrt(squared), row[4];
    if (!(length > 0))
        return;
    for (int i = 0; i < 4; i++)
        row[i] = xy * along[i] - 0.5 * s * shear[i];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            h[4 * i + j] += tension / (squared * length) * row[i] * row[j];
}

WEFT_HD void gpu_add_rotation(const gpu_deformation *d, const double *stress, double *h) {
    double sx = stress[0], sy = stress[1], ss = stress[2], w[4], l[4], r[4];
    double kappa = (sy - sx) * d->xy + ss * (d->xx - d->yy);
    double work = sx * d->xx + sy * d->yy + 2 * ss * d->xy;
    w[0] = w[3] = 0;
    w[1] = 1 / d->trace;
    w[2] = -1 / d->trace;
    l[0] = ss;
    l[1] = -sx;
    l[2] = sy;
    l[3] = -ss;
    r[0] = r[3] = 1;
    r[1] = r[2] = 0;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            h[4 * i + j] +=
                -(w[i] * l[j] + l[i] * w[j]) - work * w[i] * w[j] + kappa / d->trace * (w[i] * r[j] + r[i] * w[j]);
}

/* xx xy yy of the part along the normal. */
WEFT_HD void gpu_normal_part(const gpu_deformation *d, const double *stress, double *h) {
    double x = d->trace - d->xx, y = d->trace - d->yy, o = -d->xy, j = d->squeeze, scale = 1 / (d->trace * j);
    double sx = stress[0], sy = stress[1], ss = stress[2];
    h[0] = scale * (j * sx + x * x * sx + 2 * x * o * ss + o * o * sy);
    h[1] = scale * (j * ss + x * o * sx + (x * y + o * o) * ss + o * y * sy);
    h[2] = scale * (j * sy + o * o * sx + 2 * o * y * ss + y * y * sy);
}

/* Sets the negative eigenvalues of xx xy yy to 0. */
WEFT_HD void gpu_clip_pair(double *h) {
    double mean = 0.5 * (h[0] + h[2]), half = 0.5 * (h[0] - h[2]), radius = sqrt(half * half + h[1] * h[1]);
    double low = mean - radius, high = mean + radius;
    if (low >= 0)
        return;
    if (high <= 0) {
        h[0] = h[1] = h[2] = 0;
        return;
    }
    double scale = high / (2 * radius);
    h[0] = scale * (radius + half);
    h[2] = scale * (radius - half);
    h[1] *= scale;
}

/* Whether elimination meets no negative pivot. */
WEFT_HD int gpu_is_positive(const double *h) {
    double m[16];
    for (int k = 0; k < 16; k++)
        m[k] = h[k];
    double least = 1e-12 * (fabs(m[0]) + fabs(m[5]) + fabs(m[10]) + fabs(m[15]));
    for (int k = 0; k < 4; k++) {
        if (!(m[5 * k] > least))
            return 0;
        for (int i = k + 1; i < 4; i++)
            for (int j = i; j < 4; j++)
                m[4 * i + j] -= m[4 * k + i] * m[4 * k + j] / m[5 * k];
    }
    return 1;
}

/* One Jacobi rotation that makes m[p][q] = 0. */
WEFT_HD void gpu_rotate(double *m, double *v, int p, int q) {
    double theta = (m[5 * q] - m[5 * p]) / (2 * m[4 * p + q]);
    double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
    double c = 1 / sqrt(t * t + 1), s = t * c;
    for (int k = 0; k < 4; k++) {
        double kp = m[4 * k + p], kq = m[4 * k + q];
        m[4 * k + p] = c * kp - s * kq;
        m[4 * k + q] = s * kp + c * kq;
    }
    for (int k = 0; k < 4; k++) {
        double pk = m[4 * p + k], qk = m[4 * q + k];
        m[4 * p + k] = c * pk - s * qk;
        m[4 * q + k] = s * pk + c * qk;
    }
    for (int k = 0; k < 4; k++) {
        double kp = v[4 * k + p], kq = v[4 * k + q];
        v[4 * k + p] = c * kp - s * kq;
        v[4 * k + q] = s * kp + c * kq;
    }
}

WEFT_HD double gpu_off_diagonal(const double *m) {
    double sum = 0;
    for (int p = 0; p < 4; p++)
        for (int q = p + 1; q < 4; q++)
            sum += m[4 * p + q] * m[4 * p + q];
    return sum;
}

/* Sets the negative eigenvalues of a symmetric 4x4 matrix to 0. */
WEFT_HD void gpu_clip_square(double *h) {
    const int sweeps = 12;
    double m[16], v[16], size, least;
    if (gpu_is_positive(h))
        return;
    for (int k = 0; k < 16; k++) {
        m[k] = h[k];
        v[k] = k % 5 == 0;
        h[k] = 0;
    }
    size = gpu_off_diagonal(m) + m[0] * m[0] + m[5] * m[5] + m[10] * m[10] + m[15] * m[15];
    least = 1e-20 * size;
    for (int sweep = 0; sweep < sweeps && gpu_off_diagonal(m) > least; sweep++)
        for (int p = 0; p < 4; p++)
            for (int q = p + 1; q < 4; q++)
                if (m[4 * p + q] * m[4 * p + q] > least / 12)
                    gpu_rotate(m, v, p, q);
    for (int k = 0; k < 4; k++)
        for (int i = 0; m[5 * k] > 0 && i < 4; i++)
            for (int j = 0; j < 4; j++)
                h[4 * i + j] += m[5 * k] * v[4 * i + k] * v[4 * j + k];
}

/* Gradients of the shape functions, row-major 3x2. */
WEFT_HD void gpu_shape_gradients(const weft_device_triangle *t, double *g) {
    g[0] = -(t->inverse[0] + t->inverse[2]);
    g[1] = -(t->inverse[1] + t->inverse[3]);
    for (int k = 0; k < 4; k++)
        g[2 + k] = t->inverse[k];
}

/* The block of corners a and b: G^T H G, rotated into world coordinates. */
WEFT_HD void gpu_world_block(const double *ga, const double *gb, const gpu_deformation *d, const double *plane,
                             const double *normal, double scale, double *block) {
    double local[9], half[9], q[9];
    for (int k = 0; k < 2; k++) {
        q[3 * k] = d->q[k].x;
        q[3 * k + 1] = d->q[k].y;
        q[3 * k + 2] = d->q[k].z;
    }
    q[6] = d->normal.x;
    q[7] = d->normal.y;
    q[8] = d->normal.z;
    for (int k = 0; k < 9; k++)
        local[k] = 0;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            double weight = scale * ga[i] * gb[j];
            for (int r = 0; r < 2; r++)
                for (int s = 0; s < 2; s++)
                    local[3 * r + s] += weight * plane[4 * (2 * i + r) + 2 * j + s];
            local[8] += weight * normal[i + j];
        }
    for (int r = 0; r < 3; r++)
        for (int s = 0; s < 3; s++)
            half[3 * r + s] = local[3 * r] * q[s] + local[3 * r + 1] * q[3 + s] + local[3 * r + 2] * q[6 + s];
    for (int r = 0; r < 3; r++)
        for (int s = 0; s < 3; s++)
            block[3 * r + s] = q[r] * half[s] + q[3 + r] * half[3 + s] + q[6 + r] * half[6 + s];
}

/* The 4x4 matrices of an element: stiffness in the plane, its normal part, and the rate of strain for damping. */
typedef struct gpu_triangle_hessian {
    gpu_deformation d;
    double plane[16], rate[16], normal[3];
} gpu_triangle_hessian;

WEFT_HD void gpu_strain_rows(const gpu_deformation *d, double *rows) {
    double xy = d->xy / d->trace;
    for (int k = 0; k < 12; k++)
        rows[k] = 0;
    rows[0] = rows[7] = 1;
    rows[1] = rows[6] = xy;
    rows[2] = rows[5] = -xy;
    rows[9] = 2 * d->yy / d->trace;
    rows[10] = 2 * d->xx / d->trace;
}

WEFT_HD void gpu_exact_hessian(const weft_device_material *c, const double *rows, const double *slope,
                               gpu_triangle_hessian *h) {
    double strain[3], own[3], stress[3];
    gpu_triangle_strain(c, &h->d, strain, own);
    for (int i = 0; i < 3; i++)
        stress[i] = slope[i] * own[0] + slope[3 + i] * own[1] + slope[6 + i] * own[2];
    for (int k = 0; k < 16; k++)
        h->plane[k] = h->rate[k];
    if (c->strain == WEFT_DEVICE_YARNS) {
        gpu_add_yarn_curvature(rows, rows + 8, h->d.xx, h->d.xy, own[0], h->plane);
        gpu_add_yarn_curvature(rows + 4, rows + 8, h->d.yy, h->d.xy, own[1], h->plane);
    }
    gpu_add_rotation(&h->d, stress, h->plane);
    gpu_normal_part(&h->d, stress, h->normal);
    gpu_clip_square(h->plane);
    gpu_clip_pair(h->normal);
}

WEFT_HD void gpu_corotated_hessian(const weft_device_triangle *t, const weft_device_material *c, const weft_vec3 *p,
                                   gpu_triangle_hessian *h) {
    double rows[12], gradient[12], slope[9];
    h->d = gpu_triangle_deform(t, p);
    gpu_strain_rows(&h->d, rows);
    gpu_triangle_slope(c, &h->d, slope);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++)
            gradient[4 * i + k] =
                slope[3 * i] * rows[k] + slope[3 * i + 1] * rows[4 + k] + slope[3 * i + 2] * rows[8 + k];
    gpu_material_stiffness(c, gradient, h->rate);
    if (!c->hessian_frozen) {
        gpu_exact_hessian(c, rows, slope, h);
        return;
    }
    for (int k = 0; k < 12; k++)
        rows[k] = k == 0 || k == 7 || k == 9 || k == 10;
    gpu_material_stiffness(c, rows, h->plane);
    h->normal[0] = h->normal[1] = h->normal[2] = 0;
}

/* scale sum_kl C_kl d_k e_l^T + unit times the identity; d and e: derivatives of Green's strain by two corners. */
WEFT_HD void gpu_green_block(const weft_device_material *c, double scale, const weft_vec3 *d, const weft_vec3 *e,
                             double unit, double *block) {
    for (int r = 0; r < 3; r++)
        for (int s = 0; s < 3; s++) {
            double d0 = (&d[0].x)[r], d1 = (&d[1].x)[r], d2 = (&d[2].x)[r];
            double e0 = (&e[0].x)[s], e1 = (&e[1].x)[s], e2 = (&e[2].x)[s];
            block[3 * r + s] =
                scale * (c->xx * d0 * e0 + c->xy * (d0 * e1 + d1 * e0) + c->yy * d1 * e1 + c->ss * d2 * e2) +
                (r == s ? unit : 0);
        }
}

WEFT_HD void gpu_green_blocks(const weft_device_triangle *t, const weft_device_material *c, const weft_vec3 *p,
                              double *stiffness, double *damping) {
    double g[6], strain[3], own[3], stress[3];
    weft_vec3 a, b, d[9];
    gpu_shape_gradients(t, g);
    gpu_triangle_columns(t, p, &a, &b);
    gpu_green_strain(c, a, b, strain, own);
    stress[0] = own[0];
    stress[1] = own[2];
    stress[2] = own[1];
    gpu_clip_pair(stress);
    for (int i = 0; i < 3; i++) {
        d[3 * i] = gpu_scale(g[2 * i], a);
        d[3 * i + 1] = gpu_scale(g[2 * i + 1], b);
        d[3 * i + 2] = gpu_add(gpu_scale(g[2 * i], b), gpu_scale(g[2 * i + 1], a));
    }
    for (int i = 0, pair = 0; i < 3; i++)
        for (int j = i + 1; j < 3; j++, pair++) {
            const double *gi = g + 2 * i, *gj = g + 2 * j;
            double unit =
                gi[0] * gj[0] * stress[0] + (gi[0] * gj[1] + gi[1] * gj[0]) * stress[1] + gi[1] * gj[1] * stress[2];
            gpu_green_block(c, t->area, d + 3 * i, d + 3 * j, t->area * unit, stiffness + 9 * pair);
            gpu_green_block(c, c->beta * t->area, d + 3 * i, d + 3 * j, 0, damping + 9 * pair);
        }
}

/* Stiffness, N/m, and damping, kg/s, of the corner pairs 01 02 12, row-major (3 x 9 each). */
WEFT_HD void gpu_triangle_blocks(const weft_device_triangle *t, const weft_device_material *c, const weft_vec3 *p,
                                 double *stiffness, double *damping) {
    const double nothing[3] = {0, 0, 0};
    double g[6];
    gpu_triangle_hessian h;
    if (c->strain == WEFT_DEVICE_GREEN) {
        gpu_green_blocks(t, c, p, stiffness, damping);
        return;
    }
    gpu_shape_gradients(t, g);
    gpu_corotated_hessian(t, c, p, &h);
    for (int a = 0, pair = 0; a < 3; a++)
        for (int b = a + 1; b < 3; b++, pair++) {
            gpu_world_block(g + 2 * a, g + 2 * b, &h.d, h.plane, h.normal, t->area, stiffness + 9 * pair);
            gpu_world_block(g + 2 * a, g + 2 * b, &h.d, h.rate, nothing, c->beta * t->area, damping + 9 * pair);
        }
}

#endif
