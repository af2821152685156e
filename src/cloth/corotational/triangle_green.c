/* One triangle with Green's strain 1/2 (F^T F - 1), a Saint Venant-Kirchhoff material. It needs no rotation, so tension
 * along yarns never favours shear. It agrees with the corotated strain e to first order; along a pull it is e + e^2 /
 * 2. The energy is the area times 1/2 E^T C E with E = ((|a|^2 - 1) / 2, (|b|^2 - 1) / 2, a . b) and the columns a, b
 * of F. */
#include <math.h>

#include "cloth/corotational/corotational.h"
#include "weft/vec.h"

static weft_strain strain_of(const weft_elasticity *c, weft_vec3 a, weft_vec3 b) {
    weft_strain s = {{0.5 * (weft_dot(a, a) - 1), 0.5 * (weft_dot(b, b) - 1), weft_dot(a, b)}, {0, 0, 0}};
    weft_elasticity_apply(c, s.strain, s.stress);
    return s;
}

weft_strain weft_green_strain(const weft_triangle *t, const weft_elasticity *c, const weft_vec3 p[3]) {
    weft_vec3 a, b;
    weft_triangle_columns(t, p, &a, &b);
    return strain_of(c, a, b);
}

double weft_green_energy(const weft_triangle *t, const weft_elasticity *c, const weft_vec3 p[3]) {
    weft_strain s = weft_green_strain(t, c, p);
    return 0.5 * t->area * (s.strain[0] * s.stress[0] + s.strain[1] * s.stress[1] + s.strain[2] * s.stress[2]);
}

void weft_green_force(const weft_triangle *t, const weft_elasticity *c, double beta, const weft_vec3 p[3],
                      const weft_vec3 v[3], weft_vec3 f[3]) {
    weft_vec3 a, b, da, db;
    weft_triangle_columns(t, p, &a, &b);
    weft_strain s = strain_of(c, a, b);
    if (beta > 0) {
        weft_triangle_columns(t, v, &da, &db);
        double rate[3] = {weft_dot(a, da), weft_dot(b, db), weft_dot(a, db) + weft_dot(b, da)}, viscous[3];
        weft_elasticity_apply(c, rate, viscous);
        for (int i = 0; i < 3; i++)
            s.stress[i] += beta * viscous[i];
    }
    weft_vec3 on_a = weft_scale(-t->area, weft_add(weft_scale(s.stress[0], a), weft_scale(s.stress[2], b)));
    weft_vec3 on_b = weft_scale(-t->area, weft_add(weft_scale(s.stress[2], a), weft_scale(s.stress[1], b)));
    f[1] = weft_add(weft_scale(t->inverse[0], on_a), weft_scale(t->inverse[1], on_b));
    f[2] = weft_add(weft_scale(t->inverse[2], on_a), weft_scale(t->inverse[3], on_b));
    f[0] = weft_scale(-1, weft_add(f[1], f[2]));
}

/* scale sum_kl C_kl d_k e_l^T + unit times the identity. d and e: derivatives of the strain by the two vertices. */
static void fill(const weft_elasticity *c, double scale, const weft_vec3 d[3], const weft_vec3 e[3], double unit,
                 double *block) {
    for (int r = 0; r < 3; r++)
        for (int s = 0; s < 3; s++) {
            double d0 = (&d[0].x)[r], d1 = (&d[1].x)[r], d2 = (&d[2].x)[r];
            double e0 = (&e[0].x)[s], e1 = (&e[1].x)[s], e2 = (&e[2].x)[s];
            block[3 * r + s] =
                scale * (c->xx * d0 * e0 + c->xy * (d0 * e1 + d1 * e0) + c->yy * d1 * e1 + c->ss * d2 * e2) +
                (r == s ? unit : 0);
        }
}

/* Only the stress part, [xx xy; xy yy] (x) 1, needs the positive semi-definite projection. */
void weft_green_blocks(const weft_triangle *t, const weft_elasticity *c, int raw, double beta, const weft_vec3 p[3],
                       double *stiffness, double *damping) {
    const double g[3][2] = {{-(t->inverse[0] + t->inverse[2]), -(t->inverse[1] + t->inverse[3])},
                            {t->inverse[0], t->inverse[1]},
                            {t->inverse[2], t->inverse[3]}};
    weft_vec3 a, b, d[3][3];
    weft_triangle_columns(t, p, &a, &b);
    weft_strain s = strain_of(c, a, b);
    double stress[3] = {s.stress[0], s.stress[2], s.stress[1]};
    if (!raw)
        weft_clip_pair(stress);
    for (int i = 0; i < 3; i++) {
        d[i][0] = weft_scale(g[i][0], a);
        d[i][1] = weft_scale(g[i][1], b);
        d[i][2] = weft_add(weft_scale(g[i][0], b), weft_scale(g[i][1], a));
    }
    for (int i = 0, pair = 0; i < 3; i++)
        for (int j = i + 1; j < 3; j++, pair++) {
            double unit = g[i][0] * g[j][0] * stress[0] + (g[i][0] * g[j][1] + g[i][1] * g[j][0]) * stress[1] +
                          g[i][1] * g[j][1] * stress[2];
            fill(c, t->area, d[i], d[j], t->area * unit, stiffness + 9 * (size_t)pair);
            if (damping)
                fill(c, beta * t->area, d[i], d[j], 0, damping + 9 * (size_t)pair);
        }
}
