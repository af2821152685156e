/* Per-vertex maps of cloths: setting, checking, and carrying them over to changed meshes. */
#include <stdio.h>

#include "core/require.h"
#include "sim/remesh.h"
#include "weft/text.h"

static weft_result check_value(const sim_cloth *cloth, const weft_param *row, int32_t vertex, double value) {
    char text[32], what[128];
    double read[WEFT_MAP_COUNT];
    weft_format(text, sizeof text, "%.17g", value);
    snprintf(what, sizeof what, "cloth '%.64s': vertex %d: maps", cloth->name, vertex);
    return weft_param_read_text(row, text, what, read);
}

static weft_result check_model(const sim_cloth *cloth, weft_map map) {
    const char *name = weft_map_params()[map].name;
    int given = (int)sim_model(cloth)->gives;
    if (map == WEFT_MAP_TEAR && !(given & (WEFT_RESHAPES | WEFT_SPLITS)))
        return weft_fail(WEFT_UNSUPPORTED,
                         "cloth '%.64s': maps.%s: model '%s' does not tear at a strain of the yarns; springs, "
                         "corotational and buckling do",
                         cloth->name, name, cloth->model->name);
    if (map == WEFT_MAP_REFINE && !(given & WEFT_RESHAPES))
        return weft_fail(WEFT_UNSUPPORTED,
                         "cloth '%.64s': maps.%s: model '%s' needs the mesh that it was given; corotational and "
                         "buckling allow it to change",
                         cloth->name, name, cloth->model->name);
    if ((map == WEFT_MAP_STRETCH || map == WEFT_MAP_BEND) && !(given & WEFT_MAPS))
        return weft_fail(WEFT_UNSUPPORTED, "cloth '%.64s': maps.%s: model '%s' takes no maps", cloth->name, name,
                         cloth->model->name);
    return weft_ok();
}

weft_result weft_sim_set_map(weft_sim *sim, int32_t index, weft_map map, const double *value, int32_t count) {
    WEFT_REQUIRE(sim);
    WEFT_REQUIRE(value);
    WEFT_TRY(sim_require_cloth(sim, index));
    sim_cloth *cloth = &sim->cloth[index];
    const weft_param *row = &weft_map_params()[map];
    const weft_mesh *mesh = cloth->mesh;
    if (cloth->prepared)
        return weft_fail(WEFT_UNSUPPORTED, "cloth '%.64s': maps.%s: the simulation is already prepared", cloth->name,
                         row->name);
    if (count != mesh->input_vertex_count)
        return weft_fail(WEFT_BAD_INPUT, "cloth '%.64s': maps.%s: %d numbers, the cloth has %d vertices", cloth->name,
                         row->name, count, mesh->input_vertex_count);
    WEFT_TRY(check_model(cloth, map));
    for (int32_t i = 0; i < count; i++)
        WEFT_TRY(check_value(cloth, row, i, value[i]));
    double *taken = weft_allocate((size_t)mesh->vertex_count, sizeof *taken);
    if (!taken)
        return weft_fail_memory("a map", (size_t)mesh->vertex_count * sizeof *taken);
    for (int32_t v = 0; v < mesh->vertex_count; v++)
        taken[v] = value[mesh->source_vertex[v]];
    free(cloth->map[map]);
    cloth->map[map] = taken;
    return weft_ok();
}

static int32_t count_maps(const sim_cloth *cloth) {
    int32_t count = 0;
    for (int m = 0; m < WEFT_MAP_COUNT; m++)
        count += cloth->map[m] != NULL;
    return count;
}

weft_result sim_set_surface_maps(const sim_cloth *cloth, weft_refined *surface) {
    int32_t count = count_maps(cloth), at = 0;
    size_t n = (size_t)surface->base_vertices;
    double *value = weft_allocate(n * (size_t)count, sizeof *value);
    if (!value)
        return weft_fail_memory("a map", n * (size_t)count * sizeof *value);
    for (int m = 0; m < WEFT_MAP_COUNT; m++) {
        if (!cloth->map[m])
            continue;
        for (size_t v = 0; v < n; v++)
            value[v * (size_t)count + (size_t)at] = cloth->map[m][v];
        at++;
    }
    weft_result result = weft_refined_set_maps(surface, value, count);
    free(value);
    return result;
}

const double *sim_surface_map(const sim_cloth *cloth, weft_map map) {
    int32_t at = 0;
    for (int m = 0; m < (int)map; m++)
        at += cloth->map[m] != NULL;
    return cloth->map[map] ? cloth->refined->map + at : NULL;
}

weft_result sim_make_mesh_maps(const sim_cloth *cloth, const weft_mesh *mesh, double *map[WEFT_MAP_COUNT]) {
    const weft_refined *r = cloth->refined;
    for (int m = 0; m < WEFT_MAP_COUNT; m++) {
        const double *now = sim_surface_map(cloth, (weft_map)m);
        if (!now)
            continue;
        map[m] = weft_allocate((size_t)mesh->vertex_count, sizeof **map);
        if (!map[m])
            return weft_fail_memory("a map", (size_t)mesh->vertex_count * sizeof **map);
        for (int32_t v = 0; v < mesh->vertex_count; v++)
            map[m][v] = now[v * r->map_count];
    }
    return weft_ok();
}
