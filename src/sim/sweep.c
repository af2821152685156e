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

weft_vec3 sim_weft_at_rest(const weft_vec3 rest[3], const weft_vec2 *uv) {
    if (!uv)
        return weft_vec3_make(1, 0, 0);
    weft_vec3 e = weft_sub(rest[1], rest[0]), f = weft_sub(rest[2], rest[0]);
    double ex = uv[1].x - uv[0].x, ey = uv[1].y - uv[0].y, fx = uv[2].x - uv[0].x, fy = uv[2].y - uv[0].y;
    double det = ex * fy - ey * fx;
    return weft_add_scaled(weft_scale(fy / det, e), -ey / det, f);
}

/* Of a triangle that is there. */
static weft_vec3 weft_at(const weft_refined *r, const int32_t v[3]) {
    int32_t h = r->uv ? find_side(r, v) : WEFT_NONE;
    weft_vec3 rest[3];
    weft_vec2 uv[3];
    for (int k = 0; k < 3; k++, h = h == WEFT_NONE ? h : weft_next(h)) {
        rest[k] = r->position[v[k]];
        uv[k] = h == WEFT_NONE ? (weft_vec2){0, 0} : r->uv[h];
    }
    return sim_weft_at_rest(rest, h == WEFT_NONE ? NULL : uv);
}

double sim_triangle_energy(const weft_fabric *fabric, const weft_vec3 rest[3], const weft_vec3 x[3], weft_vec3 weft,
                           double *area) {
    weft_vec3 e = weft_sub(rest[1], rest[0]), f = weft_sub(rest[2], rest[0]);
    weft_vec3 normal = weft_cross(e, f), a = weft_sub(x[1], x[0]), b = weft_sub(x[2], x[0]);
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

static double energy_of(const sim_cloth *cloth, const weft_vec3 *x, weft_vec3 weft, const int32_t v[3], double *area) {
    weft_vec3 rest[3], now[3];
    for (int k = 0; k < 3; k++) {
        rest[k] = cloth->refined->position[v[k]];
        now[k] = x[v[k]];
    }
    return sim_triangle_energy(&cloth->fabric, rest, now, weft, area);
}

double sim_sweep_energy(const sim_cloth *cloth, const weft_vec3 *x, const weft_sweep *sweep, double *area) {
    weft_vec3 weft = weft_at(cloth->refined, sweep->before[0]);
    double change = 0, after = 0;
    *area = 0;
    for (int k = 0; k < sweep->before_count; k++)
        change -= energy_of(cloth, x, weft, sweep->before[k], area);
    for (int k = 0; k < sweep->after_count; k++)
        change += energy_of(cloth, x, weft, sweep->after[k], &after);
    return change;
}
