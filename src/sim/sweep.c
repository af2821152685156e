/* What a change of the surface does to the energy of the cloth, by the fabric's moduli: along soft directions triangles
 * are strained much more than along stiff ones, and a change that turns one strain into the other brings in energy
 * although the sum of their squares stays. */
#include <math.h>

#include "sim/internal.h"

/* The half-edge of triangle a b c that begins at a; WEFT_NONE when there is none. */
static int32_t find_side(const weft_refined *r, const int32_t v[3]) {
    int32_t first = r->corner[v[0]], h = first;
    do {
        if (r->origin[weft_next(h)] == v[1] && r->origin[weft_previous(h)] == v[2])
            return h;
        h = r->twin[weft_previous(h)];
    } while (h != WEFT_NONE && h != first);
    return WEFT_NONE;
}

/* The direction of the weft at rest in a triangle that is there: of its rest coordinates, or x. */
static weft_vec3 weft_at(const weft_refined *r, const int32_t v[3]) {
    int32_t h = r->uv ? find_side(r, v) : WEFT_NONE;
    if (h == WEFT_NONE)
        return weft_vec3_make(1, 0, 0);
    weft_vec2 a = r->uv[h], b = r->uv[weft_next(h)], c = r->uv[weft_previous(h)];
    weft_vec3 e = weft_sub(r->position[v[1]], r->position[v[0]]), f = weft_sub(r->position[v[2]], r->position[v[0]]);
    double ex = b.x - a.x, ey = b.y - a.y, fx = c.x - a.x, fy = c.y - a.y, det = ex * fy - ey * fx;
    return weft_add_scaled(weft_scale(fy / det, e), -ey / det, f);
}

/* Twice the elastic energy by Green's strain over the highest modulus, m2; adds the area at rest. */
static double energy_of(const weft_refined *r, const weft_fabric *fabric, const weft_vec3 *x, weft_vec3 weft,
                        const int32_t v[3], double *area) {
    weft_vec3 e = weft_sub(r->position[v[1]], r->position[v[0]]), f = weft_sub(r->position[v[2]], r->position[v[0]]);
    weft_vec3 normal = weft_cross(e, f), a = weft_sub(x[v[1]], x[v[0]]), b = weft_sub(x[v[2]], x[v[0]]);
    double twice = weft_length(normal);
    normal = weft_scale(1 / twice, normal);
    weft_vec3 along = weft_add_scaled(weft, -weft_dot(weft, normal), normal);
    if (!(weft_dot(along, along) > 1e-12 * weft_dot(weft, weft)))
        along = e; /* a weft that stands on the triangle */
    along = weft_normalize(along);
    weft_vec3 across = weft_cross(normal, along);
    double ex = weft_dot(e, along), ey = weft_dot(e, across), fx = weft_dot(f, along), fy = weft_dot(f, across);
    weft_vec3 u = weft_scale(1 / twice, weft_sub(weft_scale(fy, a), weft_scale(ey, b)));
    weft_vec3 w = weft_scale(1 / twice, weft_sub(weft_scale(ex, b), weft_scale(fx, a)));
    double xx = 0.5 * (weft_dot(u, u) - 1), yy = 0.5 * (weft_dot(w, w) - 1), xy = weft_dot(u, w);
    double c = 1 / (1 - fabric->poisson_weft * fabric->poisson_warp), stretch = c * fabric->stretch_weft;
    double energy = stretch * xx * xx + 2 * stretch * fabric->poisson_warp * xx * yy +
                    c * fabric->stretch_warp * yy * yy + fabric->shear * xy * xy;
    *area += 0.5 * twice;
    return energy * 0.5 * twice / fmax(fabric->shear, fmax(fabric->stretch_weft, fabric->stretch_warp));
}

double sim_sweep_energy(const sim_cloth *cloth, const weft_vec3 *x, const weft_sweep *sweep, double *area) {
    weft_vec3 weft = weft_at(cloth->refined, sweep->before[0]);
    double change = 0, after = 0;
    *area = 0;
    for (int k = 0; k < sweep->before_count; k++)
        change -= energy_of(cloth->refined, &cloth->fabric, x, weft, sweep->before[k], area);
    for (int k = 0; k < sweep->after_count; k++)
        change += energy_of(cloth->refined, &cloth->fabric, x, weft, sweep->after[k], &after);
    return change;
}
