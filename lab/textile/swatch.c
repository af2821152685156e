#include "lab/textile/swatch.h"

#include <math.h>
#include <stdlib.h>

static const double STEP = 10;     /* s: longer than any oscillation, so that each step is nearly a Newton solve */
static const double STILL = 1e-11; /* m/s */
enum { MOST_STEPS = 30 };

static weft_result make_mesh(const int32_t cells[2], const double size[2], weft_mesh **mesh) {
    weft_grid grid = weft_grid_default();
    for (int k = 0; k < 2; k++) {
        grid.cells[k] = cells[k];
        grid.size[k] = size[k];
    }
    grid.origin = weft_vec3_make(-0.5 * size[0], -0.5 * size[1], 0);
    grid.axis[1] = weft_vec3_make(0, 1, 0);
    return weft_mesh_create_grid(&grid, mesh);
}

weft_result weft_swatch_create(weft_swatch *swatch, const weft_fabric *fabric, int turned, const int32_t cells[2],
                               const double size[2]) {
    static const char *const SETTINGS[][2] = {
        {"integrator.solver", "direct"}, {"integrator.newton", "12"}, {"integrator.newton_tolerance", "1e-9"}};
    *swatch = (weft_swatch){.cells = {cells[0], cells[1]}};
    weft_fabric undamped = *fabric;
    undamped.damping = 0;
    weft_mesh *mesh;
    WEFT_TRY(weft_registry_create(&swatch->registry));
    WEFT_TRY(weft_sim_create(swatch->registry, &swatch->sim));
    WEFT_TRY(weft_sim_remove_force(swatch->sim, 0)); /* a test bench without gravity */
    WEFT_TRY(make_mesh(cells, size, &mesh));
    WEFT_TRY(weft_sim_add_cloth(swatch->sim, "swatch", mesh, &undamped, "corotational", NULL));
    WEFT_TRY(weft_sim_set_integrator(swatch->sim, "implicit-euler"));
    for (size_t i = 0; i < sizeof SETTINGS / sizeof SETTINGS[0]; i++)
        WEFT_TRY(weft_sim_set(swatch->sim, SETTINGS[i][0], SETTINGS[i][1]));
    if (turned)
        WEFT_TRY(weft_sim_set(swatch->sim, "cloth.model.angle", "90 deg"));
    weft_sim_set_threads(swatch->sim, 1);
    WEFT_TRY(weft_sim_prepare(swatch->sim));
    swatch->mesh = weft_sim_cloth(swatch->sim, 0)->mesh;
    swatch->reaction = calloc((size_t)swatch->mesh->vertex_count, sizeof *swatch->reaction);
    return swatch->reaction ? weft_ok() : weft_fail_memory("a swatch", sizeof *swatch->reaction);
}

void weft_swatch_destroy(weft_swatch *swatch) {
    free(swatch->reaction);
    weft_sim_destroy(swatch->sim);
    weft_registry_destroy(swatch->registry);
    *swatch = (weft_swatch){0};
}

static double fastest(const weft_swatch *swatch) {
    const weft_vec3 *v = weft_sim_velocities(swatch->sim, 0);
    double most = 0;
    for (int32_t i = 0; i < swatch->mesh->vertex_count; i++)
        most = fmax(most, weft_length(v[i]));
    return most;
}

weft_result weft_swatch_settle(weft_swatch *swatch) {
    int steps = 0;
    do {
        weft_report report;
        WEFT_TRY(weft_sim_step(swatch->sim, STEP, &report));
    } while (++steps < MOST_STEPS && fastest(swatch) > STILL);
    return weft_sim_reactions(swatch->sim, 0, swatch->reaction);
}
