/* Contact pressure: the normal force with which bodies press on the vertices of a cloth, over the area of each. */
#include <math.h>

#include "core/require.h"
#include "sim/internal.h"

/* The areas by which the vertices have their masses, at the present positions, m2. A sheet at rest on the ground then
 * shows the same pressure everywhere. */
static void share_present_areas(const sim_cloth *cloth, const weft_vec3 *x, double *area) {
    const weft_mesh *mesh = cloth->mesh;
    for (int32_t v = 0; v < mesh->vertex_count; v++) {
        area[v] = 0;
        for (int32_t i = mesh->vertex_triangle_start[v]; i < mesh->vertex_triangle_start[v + 1]; i++) {
            const int32_t *corner = mesh->triangle[mesh->vertex_triangle[i]];
            weft_vec3 a = weft_sub(x[corner[1]], x[corner[0]]), b = weft_sub(x[corner[2]], x[corner[0]]);
            area[v] += sim_share(cloth->share, i) * weft_length(weft_cross(a, b)) / 2;
        }
    }
}

/* The normal part of what contact must add to the other forces so that a touched vertex is in equilibrium, N. Inertia
 * is left out: impulses change velocities at once, so that the acceleration of a single step says little. */
static weft_result balance(weft_sim *sim, const sim_cloth *cloth, double *force) {
    int32_t first = cloth->first, n = cloth->mesh->vertex_count;
    weft_vec3 *f = weft_arena_take(sim->work.arena, (size_t)sim->count * sizeof *f, "pressures");
    weft_vec3 *normal = weft_arena_take(sim->work.arena, (size_t)n * sizeof *normal, "pressures");
    if (!f || !normal)
        return weft_fail_memory("pressures", (size_t)sim->count * sizeof *f);
    weft_system system = sim_system(sim);
    weft_system_force(&system, sim->x, sim->v, f);
    if (weft_arena_failure(sim->work.arena))
        return weft_fail_memory("pressures", (size_t)sim->count * sizeof *f);
    sim_mark_held(sim); /* by constraints of the last step */
    weft_mesh_vertex_normals(cloth->mesh, sim->x + first, normal);
    for (int32_t i = 0; i < n; i++) {
        int pressed = sim->touched[first + i] && !sim->held[first + i] && sim->body_count > 0;
        force[i] = pressed ? fabs(weft_dot(f[first + i], normal[i])) : 0;
    }
    return weft_ok();
}

weft_result weft_sim_pressures(weft_sim *sim, int32_t cloth, double *pressure) {
    WEFT_REQUIRE(sim);
    WEFT_REQUIRE(pressure);
    WEFT_TRY(weft_sim_prepare(sim));
    WEFT_TRY(sim_require_cloth(sim, cloth));
    weft_arena_empty(sim->work.arena);
    const sim_cloth *found = &sim->cloth[cloth];
    const weft_mesh *mesh = found->mesh;
    double *area = weft_arena_take(sim->work.arena, (size_t)mesh->vertex_count * sizeof *area, "pressures");
    if (!area)
        return weft_fail_memory("pressures", (size_t)mesh->vertex_count * sizeof *area);
    share_present_areas(found, sim->x + found->first, area);
    if (sim->pressing_known)
        for (int32_t v = 0; v < mesh->vertex_count; v++)
            pressure[v] = weft_length(sim->pressing[found->first + v]);
    else
        WEFT_TRY(balance(sim, found, pressure));
    for (int32_t v = 0; v < mesh->vertex_count; v++)
        pressure[v] = area[v] > 0 ? pressure[v] / area[v] : 0;
    return weft_ok();
}
