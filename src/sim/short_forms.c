/* The short forms: functions of the public API for what most programs begin with. */
#include <math.h>

#include "core/require.h"
#include "sim/internal.h"

weft_result weft_sim_add_sheet(weft_sim *sim, const char *name, const weft_grid *grid, const char *fabric,
                               int32_t *cloth) {
    WEFT_REQUIRE(sim);
    WEFT_REQUIRE(name);
    weft_grid usual = weft_grid_default();
    weft_fabric values;
    weft_mesh *mesh;
    weft_params_default(weft_fabric_params(), &values);
    if (fabric)
        WEFT_TRY(weft_fabric_by_name(fabric, &values));
    WEFT_TRY(weft_mesh_create_grid(grid ? grid : &usual, &mesh));
    return weft_sim_add_cloth(sim, name, mesh, &values, NULL, cloth);
}

static weft_result pin_selected(weft_sim *sim, int32_t cloth, const weft_select *select) {
    weft_pin still = weft_pin_default();
    WEFT_TRY(sim_require_cloth(sim, cloth));
    size_t size = (size_t)sim->cloth[cloth].mesh->vertex_count * sizeof(int32_t);
    int32_t count, *vertices = malloc(size);
    if (!vertices)
        return weft_fail_memory("the vertices of a pin", size);
    weft_result result = weft_sim_select(sim, cloth, select, vertices, &count);
    if (result.code == WEFT_OK)
        result = weft_sim_add_pin(sim, cloth, &still, vertices, count);
    free(vertices);
    return result;
}

weft_result weft_sim_pin_side(weft_sim *sim, int32_t cloth, const char *side) {
    WEFT_REQUIRE(sim);
    WEFT_REQUIRE(side);
    return pin_selected(sim, cloth, &(weft_select){.kind = WEFT_SELECT_SIDE, .name = side});
}

weft_result weft_sim_pin_corner(weft_sim *sim, int32_t cloth, const char *corner) {
    WEFT_REQUIRE(sim);
    WEFT_REQUIRE(corner);
    return pin_selected(sim, cloth, &(weft_select){.kind = WEFT_SELECT_CORNER, .name = corner});
}

/* A duration that is a rounded multiple of a frame does not cause an extra frame. */
weft_result weft_sim_run(weft_sim *sim, double seconds) {
    static const double ROUNDING = 1e-6, MOST = 1e7;
    WEFT_REQUIRE(sim);
    double frame = 1 / sim->clock.rate, end = sim->time + seconds - ROUNDING * frame;
    if (!(seconds >= 0 && seconds <= MOST * frame))
        return weft_fail(WEFT_BAD_INPUT, "a run of %g s: 0 to %g s are allowed, which are %g frames", seconds,
                         MOST * frame, MOST);
    while (sim->time < end)
        WEFT_TRY(weft_sim_advance_frame(sim, NULL, NULL));
    return weft_ok();
}
