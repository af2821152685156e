/* One orthotropic triangle in a corotated frame: O. Etzmuss, M. Keckeisen, W. Strasser, "A fast finite element solution
 * for cloth modelling", Pacific Graphics 2003; J. Bender, C. Deul, "Adaptive cloth simulation using corotational finite
 * elements", Computers & Graphics 2013, section 4.2; Trendafilov (2021), chapter 3.
 *
 * The element's plane follows its normal. The 2D polar decomposition R S of T S^-1 in these papers is therefore that of
 * the 3x2 deformation gradient F = Q S, with Q = P^T R. Let a, b be the columns of F, J = |a x b| and n = a x b / J. In
 * closed form,
 *   t = trace S = sqrt(|a|^2 + |b|^2 + 2 J),  S = (F^T F + J) / t,  Q = (a + b x n, b + n x a) / t.
 * No matrix is inverted, and det S >= 0: a triangle is never inverted in its own frame.
 *
 * The energy is the area times 1/2 e^T C e with the Biot strain e = (S_xx - 1, S_yy - 1, 2 S_xy). The papers use the
 * force -Q P^T K_e u with frozen rotations. It is the gradient of the energy only if S and the stress have the same
 * axes, as in isotropic material. In a woven fabric it leaves a torque on each triangle, of second order in the strain.
 * Angular momentum is then not conserved, and no energy exists. The setting `force: frozen` selects it. The default is
 * the exact gradient. From Q^T dF = dS + w (0 -1; 1 0) S with w = (m21 - m12) / t follows the matrix D of de / d(m11,
 * m21, m12, m22),
 *       [ 1   S_xy / t   -S_xy / t   0 ]
 *   D = [ 0  -S_xy / t    S_xy / t   1 ]      which at S = 1 is that of the papers.
 *       [ 0  2 S_yy / t  2 S_xx / t  0 ]
 *
 * The exact gradient with this strain (`corotated`) has a drawback. Suppose that the rows tilt by a small g while the
 * pulled yarns keep their direction. R then turns by g / 2 with both, which lowers the strain along the pull by g^2 /
 * 8. This outweighs the shear energy 1/2 E_s g^2 once the tension exceeds 4 E_s (N/m), and the cloth shears
 * spontaneously. The presets after Etzmuss et al. have E_s of 0.4 to 5 N/m: wool longer than 0.8 m shears under its own
 * weight. The force with frozen rotations does not: its linearisation has the eigenvalues 2 E_s and half the tension.
 *
 * The missing term is of second order. A yarn along x has the length |S x| = sqrt(S_xx^2 + S_xy^2), not S_xx. With
 * `yarns`, the default, e = (|S x| - 1, |S y| - 1, 2 S_xy). Each yarn direction then has the strain of its own
 * length. Tilting rows do not change the strain of the pulled yarns, and tension never favours shear. A pull along
 * yarns stays linear in the stretch. All derivatives follow from those by S with the chain rule. */
#include <math.h>
#include <string.h>

#include "cloth/corotational/corotational.h"
#include "weft/vec.h"

/* The measured Poisson ratios are symmetric only to their printed digits, so the mean of both products is used. */
weft_elasticity weft_elasticity_of(const weft_fabric *fabric) {
    double c = 1 / (1 - fabric->poisson_weft * fabric->poisson_warp);
    double product = 0.5 * (fabric->poisson_warp * fabric->stretch_weft + fabric->poisson_weft * fabric->stretch_warp);
    return (weft_elasticity){c * fabric->stretch_weft, c * product, c * fabric->stretch_warp, fabric->shear, 0};
}

weft_triangle weft_triangle_make(const weft_vec2 corner[3]) {
    double ax = corner[1].x - corner[0].x, ay = corner[1].y - corner[0].y;
    double bx = corner[2].x - corner[0].x, by = corner[2].y - corner[0].y;
    double det = ax * by - ay * bx;
    return (weft_triangle){{by / det, -bx / det, -ay / det, ax / det}, 0.5 * fabs(det)};
}

/* Any unit vector orthogonal to a. */
static weft_vec3 across(weft_vec3 a) {
    double x = fabs(a.x), y = fabs(a.y), z = fabs(a.z);
    weft_vec3 axis = {x <= y && x <= z, !(x <= y && x <= z) && y <= z, !(x <= y && x <= z) && !(y <= z)};
    return weft_normalize(weft_cross(a, axis));
}

void weft_triangle_columns(const weft_triangle *t, const weft_vec3 p[3], weft_vec3 *a, weft_vec3 *b) {
    weft_vec3 e = weft_sub(p[1], p[0]), f = weft_sub(p[2], p[0]);
    *a = weft_add(weft_scale(t->inverse[0], e), weft_scale(t->inverse[2], f));
    *b = weft_add(weft_scale(t->inverse[1], e), weft_scale(t->inverse[3], f));
}

weft_deformation weft_triangle_deform(const weft_triangle *t, const weft_vec3 p[3]) {
    weft_deformation d = {.trace = 1, .squeeze = 1};
    weft_vec3 a, b;
    weft_triangle_columns(t, p, &a, &b);
    double aa = weft_dot(a, a), bb = weft_dot(b, b), mean = 0.5 * (aa + bb);
    if (!(mean > WEFT_TRIANGLE_POINT))
        return d;
    weft_vec3 n = weft_cross(a, b);
    double j = weft_length(n);
    d.normal = j > WEFT_TRIANGLE_COLLAPSED * mean ? weft_scale(1 / j, n) : across(aa >= bb ? a : b);
    d.trace = sqrt(aa + bb + 2 * j);
    double scale = 1 / d.trace;
    d.q[0] = weft_scale(scale, weft_add(a, weft_cross(b, d.normal)));
    d.q[1] = weft_scale(scale, weft_add(b, weft_cross(d.normal, a)));
    d.xx = scale * (aa + j);
    d.yy = scale * (bb + j);
    d.xy = scale * weft_dot(a, b);
    d.squeeze = fmax(j, 1e-9 * mean);
    return d;
}

void weft_elasticity_apply(const weft_elasticity *c, const double strain[3], double stress[3]) {
    stress[0] = c->xx * strain[0] + c->xy * strain[1];
    stress[1] = c->xy * strain[0] + c->yy * strain[1];
    stress[2] = c->ss * strain[2];
}

weft_strain weft_triangle_strain(const weft_elasticity *c, const weft_deformation *d) {
    weft_strain s = {{d->xx - 1, d->yy - 1, 2 * d->xy}, {0, 0, 0}};
    if (c->yarns) {
        s.strain[0] = sqrt(d->xx * d->xx + d->xy * d->xy) - 1;
        s.strain[1] = sqrt(d->yy * d->yy + d->xy * d->xy) - 1;
    }
    weft_elasticity_apply(c, s.strain, s.stress);
    return s;
}

void weft_triangle_slope(const weft_elasticity *c, const weft_deformation *d, double slope[3][3]) {
    const double unit[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    memcpy(slope, unit, sizeof unit);
    const double along[2] = {d->xx, d->yy};
    for (int k = 0; k < 2 && c->yarns; k++) {
        double length = sqrt(along[k] * along[k] + d->xy * d->xy);
        if (!(length > 0))
            continue;
        slope[k][k] = along[k] / length;
        slope[k][2] = 0.5 * d->xy / length;
    }
}

double weft_triangle_energy(const weft_triangle *t, const weft_elasticity *c, const weft_vec3 p[3]) {
    weft_deformation d = weft_triangle_deform(t, p);
    weft_strain s = weft_triangle_strain(c, &d);
    return 0.5 * t->area * (s.strain[0] * s.stress[0] + s.strain[1] * s.stress[1] + s.strain[2] * s.stress[2]);
}

/* Adds beta C times the rate of the strain. A rigid rotation gives a rate of 0 at any strain. */
static void add_viscous(const weft_triangle *t, const weft_elasticity *c, double beta, const weft_deformation *d,
                        double slope[3][3], const weft_vec3 v[3], double stress[3]) {
    weft_vec3 a, b;
    weft_triangle_columns(t, v, &a, &b);
    double turn = (weft_dot(d->q[1], a) - weft_dot(d->q[0], b)) / d->trace, viscous[3], own[3];
    double rate[3] = {weft_dot(d->q[0], a) + turn * d->xy, weft_dot(d->q[1], b) - turn * d->xy,
                      weft_dot(d->q[1], a) + weft_dot(d->q[0], b) + turn * (d->yy - d->xx)};
    for (int i = 0; i < 3; i++)
        own[i] = slope[i][0] * rate[0] + slope[i][1] * rate[1] + slope[i][2] * rate[2];
    weft_elasticity_apply(c, own, viscous);
    for (int i = 0; i < 3; i++)
        stress[i] += beta * viscous[i];
}

void weft_triangle_force(const weft_triangle *t, const weft_elasticity *c, weft_rotation rotation, double beta,
                         const weft_vec3 p[3], const weft_vec3 v[3], weft_vec3 f[3]) {
    weft_deformation d = weft_triangle_deform(t, p);
    weft_strain s = weft_triangle_strain(c, &d);
    double slope[3][3], stress[3];
    weft_triangle_slope(c, &d, slope);
    if (beta > 0)
        add_viscous(t, c, beta, &d, slope, v, s.stress);
    for (int i = 0; i < 3; i++)
        stress[i] = slope[0][i] * s.stress[0] + slope[1][i] * s.stress[1] + slope[2][i] * s.stress[2];
    /* D^T stress, in the order m11 m21 m12 m22 */
    double skew = (stress[0] - stress[1]) * d.xy / d.trace, shear = 2 * stress[2] / d.trace;
    double m[4] = {stress[0], shear * d.yy + skew, shear * d.xx - skew, stress[1]};
    if (rotation == WEFT_ROTATION_FROZEN)
        m[1] = m[2] = stress[2];
    weft_vec3 a = weft_add(weft_scale(-t->area * m[0], d.q[0]), weft_scale(-t->area * m[1], d.q[1]));
    weft_vec3 b = weft_add(weft_scale(-t->area * m[2], d.q[0]), weft_scale(-t->area * m[3], d.q[1]));
    f[1] = weft_add(weft_scale(t->inverse[0], a), weft_scale(t->inverse[1], b));
    f[2] = weft_add(weft_scale(t->inverse[2], a), weft_scale(t->inverse[3], b));
    f[0] = weft_scale(-1, weft_add(f[1], f[2]));
}
