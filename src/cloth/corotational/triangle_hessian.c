/* The Hessian of one triangle, with a positive semi-definite projection. In the frame of Q and the normal it splits
 * into two parts. Let u = (m11, m21, m12, m22) be the in-plane components of dF, w . u the rate of rotation (see
 * triangle_element.c) and s the stress. With l . u = s : (0 -1; 1 0) M, r . u = trace M and kappa = s : (0 -1; 1 0)
 * S, the parts are
 *   plane    D^T C D - (w l^T + l w^T) - (s : S) w w^T + (kappa / t) (w r^T + r w^T)
 *   normal   2 Y, where Y S + S Y = s:  Y = (J s + S* s S*) / (2 t J), S* = t - S, J = det S.
 * With the strain of the yarns, s is the derivative of the energy by S and D is that of the yarn strain. The plane part
 * then also contains the curvature of the yarn lengths L: stress / L^3 times the square of (S_xy D_1 - S_xx D_3 / 2).
 * In both parts the negative eigenvalues are set to zero, so the whole is positive semi-definite. `frozen` is the Q K_e
 * Q^T of Bender and Deul (2013): fixed rotations and no normal part. */
#include <math.h>
#include <string.h>

#include "cloth/corotational/corotational.h"
#include "weft/vec.h"

typedef double square[4][4];

static void strain_rows(const weft_deformation *d, double rows[3][4]) {
    double xy = d->xy / d->trace, x = 2 * d->xx / d->trace, y = 2 * d->yy / d->trace;
    const double full[3][4] = {{1, xy, -xy, 0}, {0, -xy, xy, 1}, {0, y, x, 0}};
    memcpy(rows, full, sizeof full);
}

/* D^T C D */
static void material_stiffness(const weft_elasticity *c, double rows[3][4], square h) {
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            h[i][j] = c->xx * rows[0][i] * rows[0][j] + c->yy * rows[1][i] * rows[1][j] +
                      c->xy * (rows[0][i] * rows[1][j] + rows[1][i] * rows[0][j]) + c->ss * rows[2][i] * rows[2][j];
}

static void add_yarn_curvature(const double along[4], const double shear[4], double s, double xy, double tension,
                               square h) {
    double squared = s * s + xy * xy, length = sqrt(squared), row[4];
    if (!(length > 0))
        return;
    for (int i = 0; i < 4; i++)
        row[i] = xy * along[i] - 0.5 * s * shear[i];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            h[i][j] += tension / (squared * length) * row[i] * row[j];
}

static void add_rotation(const weft_deformation *d, const double stress[3], square h) {
    double sx = stress[0], sy = stress[1], ss = stress[2];
    double kappa = (sy - sx) * d->xy + ss * (d->xx - d->yy);
    double work = sx * d->xx + sy * d->yy + 2 * ss * d->xy;
    const double w[4] = {0, 1 / d->trace, -1 / d->trace, 0}, l[4] = {ss, -sx, sy, -ss};
    double r[4] = {1, 0, 0, 1};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            h[i][j] +=
                -(w[i] * l[j] + l[i] * w[j]) - work * w[i] * w[j] + kappa / d->trace * (w[i] * r[j] + r[i] * w[j]);
}

/* xx xy yy of 2 Y */
static void normal_part(const weft_deformation *d, const double stress[3], double h[3]) {
    double x = d->trace - d->xx, y = d->trace - d->yy, o = -d->xy, j = d->squeeze, scale = 1 / (d->trace * j);
    double sx = stress[0], sy = stress[1], ss = stress[2];
    h[0] = scale * (j * sx + x * x * sx + 2 * x * o * ss + o * o * sy);
    h[1] = scale * (j * ss + x * o * sx + (x * y + o * o) * ss + o * y * sy);
    h[2] = scale * (j * sy + o * o * sx + 2 * o * y * ss + y * y * sy);
}

void weft_clip_pair(double h[3]) {
    double mean = 0.5 * (h[0] + h[2]), half = 0.5 * (h[0] - h[2]), radius = sqrt(half * half + h[1] * h[1]);
    double low = mean - radius, high = mean + radius;
    if (low >= 0)
        return;
    if (high <= 0) {
        h[0] = h[1] = h[2] = 0;
        return;
    }
    /* high times the projector onto its eigenvector */
    double scale = high / (2 * radius);
    h[0] = scale * (radius + half);
    h[2] = scale * (radius - half);
    h[1] *= scale;
}

/* Whether elimination meets no negative pivot. This is the common case: most triangles are in tension or hardly
 * strained. */
static int is_positive(const square h) {
    square m;
    memcpy(m, h, sizeof m);
    double floor = 1e-12 * (fabs(m[0][0]) + fabs(m[1][1]) + fabs(m[2][2]) + fabs(m[3][3]));
    for (int k = 0; k < 4; k++) {
        if (!(m[k][k] > floor))
            return 0;
        for (int i = k + 1; i < 4; i++)
            for (int j = i; j < 4; j++)
                m[i][j] -= m[k][i] * m[k][j] / m[k][k];
    }
    return 1;
}

/* One Jacobi rotation, m <- J^T m J and v <- v J, which makes m[p][q] = 0. */
static void rotate(square m, square v, int p, int q) {
    double theta = (m[q][q] - m[p][p]) / (2 * m[p][q]);
    double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
    double c = 1 / sqrt(t * t + 1), s = t * c;
    for (int k = 0; k < 4; k++) {
        double kp = m[k][p], kq = m[k][q];
        m[k][p] = c * kp - s * kq;
        m[k][q] = s * kp + c * kq;
    }
    for (int k = 0; k < 4; k++) {
        double pk = m[p][k], qk = m[q][k];
        m[p][k] = c * pk - s * qk;
        m[q][k] = s * pk + c * qk;
    }
    for (int k = 0; k < 4; k++) {
        double kp = v[k][p], kq = v[k][q];
        v[k][p] = c * kp - s * kq;
        v[k][q] = s * kp + c * kq;
    }
}

static double off_diagonal(const square m) {
    double sum = 0;
    for (int p = 0; p < 4; p++)
        for (int q = p + 1; q < 4; q++)
            sum += m[p][q] * m[p][q];
    return sum;
}

void weft_clip_square(square h) {
    if (is_positive(h))
        return;
    square m, v = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
    memcpy(m, h, sizeof m);
    double size = off_diagonal(m) + m[0][0] * m[0][0] + m[1][1] * m[1][1] + m[2][2] * m[2][2] + m[3][3] * m[3][3];
    double least = WEFT_CLIP_SMALL * size;
    for (int sweep = 0; sweep < WEFT_CLIP_SWEEPS && off_diagonal(m) > least; sweep++)
        for (int p = 0; p < 4; p++)
            for (int q = p + 1; q < 4; q++)
                if (m[p][q] * m[p][q] > least / 12)
                    rotate(m, v, p, q);
    memset(h, 0, sizeof(square));
    for (int k = 0; k < 4; k++)
        for (int i = 0; m[k][k] > 0 && i < 4; i++)
            for (int j = 0; j < 4; j++)
                h[i][j] += m[k][k] * v[i][k] * v[j][k];
}

/* Writes the blocks of the three pairs: G^T H G with the gradients of the shape functions, rotated into world
 * coordinates. */
static void write_blocks(const weft_triangle *t, const weft_deformation *d, const square plane, const double normal[3],
                         double scale, double *blocks) {
    const double g[3][2] = {{-(t->inverse[0] + t->inverse[2]), -(t->inverse[1] + t->inverse[3])},
                            {t->inverse[0], t->inverse[1]},
                            {t->inverse[2], t->inverse[3]}};
    const double q[3][3] = {
        {d->q[0].x, d->q[0].y, d->q[0].z}, {d->q[1].x, d->q[1].y, d->q[1].z}, {d->normal.x, d->normal.y, d->normal.z}};
    const double out[2][2] = {{normal[0], normal[1]}, {normal[1], normal[2]}};
    for (int a = 0, pair = 0; a < 3; a++)
        for (int b = a + 1; b < 3; b++, pair++) {
            double local[3][3] = {{0}}, half[3][3], *block = blocks + 9 * (size_t)pair;
            for (int i = 0; i < 2; i++)
                for (int j = 0; j < 2; j++) {
                    double weight = scale * g[a][i] * g[b][j];
                    for (int r = 0; r < 2; r++)
                        for (int s = 0; s < 2; s++)
                            local[r][s] += weight * plane[2 * i + r][2 * j + s];
                    local[2][2] += weight * out[i][j];
                }
            for (int r = 0; r < 3; r++)
                for (int s = 0; s < 3; s++)
                    half[r][s] = local[r][0] * q[0][s] + local[r][1] * q[1][s] + local[r][2] * q[2][s];
            for (int r = 0; r < 3; r++)
                for (int s = 0; s < 3; s++)
                    block[3 * r + s] = q[0][r] * half[0][s] + q[1][r] * half[1][s] + q[2][r] * half[2][s];
        }
}

void weft_triangle_blocks(const weft_triangle *t, const weft_elasticity *c, weft_rotation hessian, int raw, double beta,
                          const weft_vec3 p[3], double *stiffness, double *damping) {
    static const double NOTHING[3] = {0, 0, 0};
    weft_deformation d = weft_triangle_deform(t, p);
    double rows[3][4], strain_gradient[3][4], slope[3][3], normal[3] = {0, 0, 0};
    square rate, plane;
    strain_rows(&d, rows);
    weft_triangle_slope(c, &d, slope);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++)
            strain_gradient[i][k] = slope[i][0] * rows[0][k] + slope[i][1] * rows[1][k] + slope[i][2] * rows[2][k];
    material_stiffness(c, strain_gradient, rate);
    if (hessian == WEFT_ROTATION_FROZEN) {
        double frozen[3][4] = {{1, 0, 0, 0}, {0, 0, 0, 1}, {0, 1, 1, 0}};
        material_stiffness(c, frozen, plane);
    } else {
        weft_strain s = weft_triangle_strain(c, &d);
        double stress[3];
        for (int i = 0; i < 3; i++)
            stress[i] = slope[0][i] * s.stress[0] + slope[1][i] * s.stress[1] + slope[2][i] * s.stress[2];
        memcpy(plane, rate, sizeof plane);
        if (c->yarns) {
            add_yarn_curvature(rows[0], rows[2], d.xx, d.xy, s.stress[0], plane);
            add_yarn_curvature(rows[1], rows[2], d.yy, d.xy, s.stress[1], plane);
        }
        add_rotation(&d, stress, plane);
        normal_part(&d, stress, normal);
        if (!raw) {
            weft_clip_square(plane);
            weft_clip_pair(normal);
        }
    }
    write_blocks(t, &d, plane, normal, t->area, stiffness);
    if (damping)
        write_blocks(t, &d, rate, NOTHING, beta * t->area, damping);
}
