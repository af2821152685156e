/* Elastic energy that a cloth would have with its current surface, for models without an energy per triangle. */
#include "core/memory.h"
#include "sim/remesh.h"

static weft_result measure(const weft_sim *sim, const sim_cloth *cloth, const weft_mesh *mesh, double *const *map,
                           double *vertex_data, const weft_vec3 *x, double *energy) {
    double *area = vertex_data, *mass = vertex_data + mesh->vertex_count;
    weft_cloth view = {.name = cloth->name, .mesh = mesh, .fabric = &cloth->fabric, .mass = mass, .area = area};
    void *self;
    sim_share_areas(cloth, mesh, NULL, area);
    for (int32_t v = 0; v < mesh->vertex_count; v++)
        mass[v] = cloth->fabric.density * (map[WEFT_MAP_DENSITY] ? map[WEFT_MAP_DENSITY][v] : 1) * area[v];
    for (int m = 0; m < WEFT_MAP_COUNT; m++)
        view.map[m] = map[m];
    WEFT_TRY(sim_model(cloth)->create(cloth->settings, &view, &self));
    *energy = sim_model(cloth)->energy(self, &sim->work, x);
    sim_model(cloth)->destroy(self);
    return weft_ok();
}

weft_result sim_trial_energy(const weft_sim *sim, const sim_cloth *cloth, const weft_vec3 *x, double *energy) {
    weft_mesh *mesh;
    double *map[WEFT_MAP_COUNT] = {NULL};
    WEFT_TRY(weft_refined_mesh(cloth->refined, cloth->base, &mesh));
    double *vertex_data = weft_allocate(2 * (size_t)mesh->vertex_count, sizeof *vertex_data);
    weft_result result = vertex_data ? sim_make_mesh_maps(cloth, mesh, map)
                                     : weft_fail_memory("adaptation", (size_t)mesh->vertex_count * 2 * sizeof(double));
    if (result.code == WEFT_OK)
        result = measure(sim, cloth, mesh, map, vertex_data, x, energy);
    for (int m = 0; m < WEFT_MAP_COUNT; m++)
        free(map[m]);
    free(vertex_data);
    weft_mesh_destroy(mesh);
    return result;
}
