/* Yarns of a cloth that can tear: their directions in each triangle, and checks of their strength. */
#include <math.h>

#include "core/elementary.h"
#include "sim/energy_budget.h"
#include "sim/remesh.h"

int sim_tears(const sim_cloth *cloth) { return cloth->fabric.tear_weft > 0 || cloth->fabric.tear_warp > 0; }

/* Corners of a triangle in its own plane, for models without rest shapes. The weft follows the rest coordinates, or x
 * projected onto the triangle. */
static void flat_corners(const weft_refined *r, int32_t t, weft_vec2 corner[3]) {
    for (int k = 0; k < 3 && r->uv; k++)
        corner[k] = r->uv[3 * t + k];
    if (r->uv)
        return;
    weft_vec3 a = r->position[r->origin[3 * t]], e = weft_sub(r->position[r->origin[3 * t + 1]], a);
    weft_vec3 f = weft_sub(r->position[r->origin[3 * t + 2]], a), normal = weft_normalize(weft_cross(e, f));
    weft_vec3 weft = {1 - normal.x * normal.x, -normal.x * normal.y, -normal.x * normal.z};
    weft = weft_length(weft) > 1e-6 ? weft_normalize(weft) : weft_vec3_make(0, 1, 0);
    weft_vec3 warp = weft_cross(normal, weft);
    corner[0] = (weft_vec2){0, 0};
    corner[1] = (weft_vec2){weft_dot(e, weft), weft_dot(e, warp)};
    corner[2] = (weft_vec2){weft_dot(f, weft), weft_dot(f, warp)};
}

/* Rest shape from the model, in the order of the surface's half-edges. */
static void model_corners(const sim_cloth *cloth, int32_t t, weft_vec2 corner[3]) {
    const int32_t *given = cloth->mesh->triangle[t], *origin = cloth->refined->origin + 3 * (size_t)t;
    weft_vec2 rest[3];
    sim_model(cloth)->rest(cloth->self, t, rest);
    for (int k = 0; k < 3; k++)
        for (int c = 0; c < 3; c++)
            if (given[c] == origin[k])
                corner[k] = rest[c];
}

void sim_rest_corners(const sim_cloth *cloth, int32_t t, weft_vec2 corner[3]) {
    if (sim_model(cloth)->rest)
        model_corners(cloth, t, corner);
    else
        flat_corners(cloth->refined, t, corner);
}

/* -- strength -- */

/* A half-edge of the surface between two vertices, or WEFT_NONE. */
static int32_t find_side(const sim_cloth *cloth, int32_t a, int32_t b) {
    const weft_mesh *mesh = cloth->mesh;
    for (int32_t i = mesh->vertex_triangle_start[a]; i < mesh->vertex_triangle_start[a + 1]; i++)
        for (int k = 0; k < 3; k++) {
            int32_t h = 3 * mesh->vertex_triangle[i] + k, one = cloth->refined->origin[h],
                    other = cloth->refined->origin[weft_next(h)];
            if ((one == a && other == b) || (one == b && other == a))
                return h;
        }
    return WEFT_NONE;
}

/* Stiffness along weft and warp, N/m. Links with spring constant k and rest vector d contribute k d_w^4 / (|d|^2 area)
 * for strain along w, whether their stiffness was given or fitted to the fabric. */
static void find_stretch(const sim_cloth *cloth, double area, double stretch[2]) {
    const weft_model_functions *model = sim_model(cloth);
    stretch[0] = cloth->fabric.stretch_weft;
    stretch[1] = cloth->fabric.stretch_warp;
    if (!model->link_count)
        return;
    stretch[0] = stretch[1] = 0;
    for (int32_t i = 0; i < model->link_count(cloth->self); i++) {
        weft_link link = model->link_at(cloth->self, i);
        int32_t h = link.type == WEFT_FLEXION ? WEFT_NONE : find_side(cloth, link.a, link.b);
        if (h == WEFT_NONE)
            continue;
        weft_vec2 corner[3];
        sim_rest_corners(cloth, h / 3, corner);
        weft_vec2 from = corner[h % 3], to = corner[(h + 1) % 3];
        double d[2] = {to.x - from.x, to.y - from.y}, length = weft_hypot(d[0], d[1]);
        for (int k = 0; k < 2; k++)
            stretch[k] += link.stiffness * (d[k] * d[k]) * (d[k] * d[k]) / (length * length * area);
    }
}

/* Rejects yarns that break under the weight of cloth as long as it is wide. Such cloth falls into single triangles on
 * top of each other, which contact cannot separate. */
static weft_result check_limits(weft_sim *sim, const sim_cloth *cloth, double size) {
    const double limit[2] = {cloth->fabric.tear_weft, cloth->fabric.tear_warp};
    double stretch[2], weight = weft_length(sim_weight_of(sim, cloth));
    find_stretch(cloth, size * size, stretch);
    for (int k = 0; k < 2; k++)
        if (limit[k] > 0 && limit[k] * stretch[k] < weight / size)
            return weft_fail(
                WEFT_BAD_INPUT,
                "cloth '%.64s': fabric.%s: yarns that break at a strain of %g do not bear the cloth's own "
                "weight, %.3g N over %.3g m, which strains them by %.2g; at least that is needed, or 0 for "
                "yarns that never break",
                cloth->name, k ? "tear_warp" : "tear_weft", limit[k], weight, size, weight / size / stretch[k]);
    return weft_ok();
}

/* Rejects a zone larger than half of the cloth. Its mean is that of the whole cloth, so nothing would tear where the
 * strain is. The search would also take quadratic time. */
weft_result sim_check_tear(weft_sim *sim, const sim_cloth *cloth) {
    if (!sim_tears(cloth))
        return weft_ok();
    double size = sqrt(weft_mesh_area(cloth->mesh, cloth->mesh->position));
    if (cloth->fabric.tear_zone > 0.5 * size)
        return weft_fail(WEFT_BAD_INPUT,
                         "cloth '%.64s': fabric.tear_zone: %g m around a place is all of a cloth %.3g m wide; at most "
                         "half of that is allowed",
                         cloth->name, cloth->fabric.tear_zone, size);
    return check_limits(sim, cloth, size);
}
