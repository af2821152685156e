/* Change of the stretch and shear energy by one change of the surface, computed with the fabric's moduli.
 *
 * The moduli matter. Triangles are strained much more along soft directions than along stiff ones. A change that turns
 * one strain into the other adds energy, even if the sum of squared strains stays the same. */
#include <math.h>

#include "sim/remesh.h"

/* The half-edge from a to b, or WEFT_NONE. */
static int32_t find_edge(const weft_refined *r, int32_t a, int32_t b) {
    int32_t first = r->corner[a], h = first;
    do {
        if (r->origin[weft_next(h)] == b)
            return h;
        h = r->twin[weft_previous(h)];
    } while (h != WEFT_NONE && h != first);
    return WEFT_NONE;
}

/* A half-edge of a triangle before the change. If edges must be flipped back first, the triangle does not exist yet.
 * One of its sides that is not a seam does: the side to the removed vertex, or the edge itself. */
static int32_t find_side(const weft_refined *r, const int32_t v[3]) {
    int32_t along = find_edge(r, v[0], v[1]), back = find_edge(r, v[0], v[2]);
    if (along != WEFT_NONE && r->origin[weft_previous(along)] == v[2])
        return along;
    return back != WEFT_NONE ? back : along;
}

/* Affine map from rest positions to rest coordinates, on one flat region of the surface. */
typedef struct rest_map {
    int known;
    weft_vec3 origin, e, f; /* m; e and f: dual basis of two sides, 1/m */
    weft_vec2 at, along_e, along_f;
} rest_map;

static rest_map rest_map_of(const weft_refined *r, const int32_t side[3]) {
    int32_t h = r->uv ? find_side(r, side) : WEFT_NONE;
    if (h == WEFT_NONE)
        return (rest_map){.known = 0};
    const int32_t v[3] = {r->origin[h], r->origin[weft_next(h)], r->origin[weft_previous(h)]};
    weft_vec2 a = r->uv[h], b = r->uv[weft_next(h)], c = r->uv[weft_previous(h)];
    weft_vec3 e = weft_sub(r->position[v[1]], r->position[v[0]]), f = weft_sub(r->position[v[2]], r->position[v[0]]);
    double ee = weft_dot(e, e), ef = weft_dot(e, f), ff = weft_dot(f, f), det = ee * ff - ef * ef;
    return (rest_map){.known = 1,
                      .origin = r->position[v[0]],
                      .e = weft_sub(weft_scale(ff / det, e), weft_scale(ef / det, f)),
                      .f = weft_sub(weft_scale(ee / det, f), weft_scale(ef / det, e)),
                      .at = a,
                      .along_e = {b.x - a.x, b.y - a.y},
                      .along_f = {c.x - a.x, c.y - a.y}};
}

static weft_vec2 rest_map_at(const rest_map *p, weft_vec3 rest) {
    weft_vec3 d = weft_sub(rest, p->origin);
    double e = weft_dot(d, p->e), f = weft_dot(d, p->f);
    return (weft_vec2){p->at.x + e * p->along_e.x + f * p->along_f.x, p->at.y + e * p->along_e.y + f * p->along_f.y};
}

/* Energy by Green's strain, for models without an energy per triangle, J. The weft follows the rest coordinates, or
 * x. */
static double green_energy(const weft_fabric *fabric, const weft_facet *t) {
    weft_vec3 e = weft_sub(t->rest[1], t->rest[0]), f = weft_sub(t->rest[2], t->rest[0]), along = {1, 0, 0};
    weft_vec3 normal = weft_cross(e, f), a = weft_sub(t->x[1], t->x[0]), b = weft_sub(t->x[2], t->x[0]);
    double twice = weft_length(normal);
    normal = weft_scale(1 / twice, normal);
    if (t->has_uv) {
        double ey = t->uv[1].y - t->uv[0].y, fy = t->uv[2].y - t->uv[0].y;
        double det = (t->uv[1].x - t->uv[0].x) * fy - ey * (t->uv[2].x - t->uv[0].x);
        along = weft_add_scaled(weft_scale(fy / det, e), -ey / det, f);
    }
    double length = weft_length(along);
    along = weft_add_scaled(along, -weft_dot(along, normal), normal);
    if (!(weft_length(along) > 1e-6 * length))
        along = e; /* the weft is perpendicular to the triangle */
    along = weft_normalize(along);
    weft_vec3 across = weft_cross(normal, along);
    double ex = weft_dot(e, along), ey = weft_dot(e, across), fx = weft_dot(f, along), fy = weft_dot(f, across);
    weft_vec3 u = weft_scale(1 / twice, weft_sub(weft_scale(fy, a), weft_scale(ey, b)));
    weft_vec3 w = weft_scale(1 / twice, weft_sub(weft_scale(ex, b), weft_scale(fx, a)));
    double xx = 0.5 * (weft_dot(u, u) - 1), yy = 0.5 * (weft_dot(w, w) - 1), xy = weft_dot(u, w);
    double c = 1 / (1 - fabric->poisson_weft * fabric->poisson_warp), stretch = c * fabric->stretch_weft;
    double energy = stretch * xx * xx + 2 * stretch * fabric->poisson_warp * xx * yy +
                    c * fabric->stretch_warp * yy * yy + fabric->shear * xy * xy;
    return 0.25 * twice * energy * (t->stretch[0] + t->stretch[1] + t->stretch[2]) / 3;
}

static double energy_of(const sim_cloth *cloth, const weft_vec3 *x, const rest_map *map, const int32_t v[3]) {
    const weft_refined *r = cloth->refined;
    const double *stretch = sim_surface_map(cloth, WEFT_MAP_STRETCH);
    weft_facet facet = {.has_uv = map->known};
    for (int k = 0; k < 3; k++) {
        facet.rest[k] = r->position[v[k]];
        facet.x[k] = x[v[k]];
        facet.stretch[k] = stretch ? stretch[v[k] * r->map_count] : 1;
        if (map->known)
            facet.uv[k] = rest_map_at(map, r->position[v[k]]);
    }
    return sim_model(cloth)->facet_energy ? sim_model(cloth)->facet_energy(cloth->self, &facet)
                                          : green_energy(&cloth->fabric, &facet);
}

double sim_flip_energy(const sim_cloth *cloth, const weft_vec3 *x, const weft_flip_volume *flip, double *area) {
    rest_map map = rest_map_of(cloth->refined, flip->before[0]);
    const weft_vec3 *rest = cloth->refined->position;
    double change = 0;
    *area = 0;
    if (cloth->refined->uv && !map.known)
        return HUGE_VAL;
    for (int k = 0; k < flip->before_count; k++) {
        const int32_t *v = flip->before[k];
        change -= energy_of(cloth, x, &map, v);
        *area += 0.5 * weft_length(weft_cross(weft_sub(rest[v[1]], rest[v[0]]), weft_sub(rest[v[2]], rest[v[0]])));
    }
    for (int k = 0; k < flip->after_count; k++)
        change += energy_of(cloth, x, &map, flip->after[k]);
    return change;
}
