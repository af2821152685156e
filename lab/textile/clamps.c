#include "lab/textile/clamps.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

weft_result weft_strip_create(const int32_t cells[2], double length, double width, weft_mesh **mesh) {
    weft_grid grid = weft_grid_default();
    grid.cells[0] = cells[0];
    grid.cells[1] = cells[1];
    grid.size[0] = length;
    grid.size[1] = width;
    grid.origin = weft_vec3_make(0, 0, -0.5 * width);
    grid.axis[1] = weft_vec3_make(0, 0, 1);
    return weft_mesh_create_grid(&grid, mesh);
}

static weft_result set_up(weft_rig *rig, weft_vec3 gravity) {
    char vector[96];
    snprintf(vector, sizeof vector, "[%.17g, %.17g, %.17g]", gravity.x, gravity.y, gravity.z);
    const char *const settings[][2] = {{"forces.gravity.acceleration", vector},
                                       {"integrator.solver", "direct"},
                                       {"integrator.newton", "12"},
                                       {"integrator.newton_tolerance", "1e-7"},
                                       {"time.halvings", "0"}};
    WEFT_TRY(weft_sim_add_force(rig->sim, "gravity", NULL));
    WEFT_TRY(weft_sim_set_integrator(rig->sim, "implicit-euler"));
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        WEFT_TRY(weft_sim_set(rig->sim, settings[i][0], settings[i][1]));
    weft_sim_set_threads(rig->sim, 1);
    return weft_sim_prepare(rig->sim);
}

/* `setting` holds two pairs of a model path and a value. */
static weft_result create(weft_rig *rig, weft_mesh *mesh, const weft_fabric *fabric, const char *model,
                          const char *const setting[2][2], weft_vec3 gravity) {
    *rig = (weft_rig){0};
    weft_fabric undamped = *fabric;
    undamped.damping = 0;
    weft_result result = weft_registry_create(&rig->registry);
    if (result.code == WEFT_OK)
        result = weft_sim_create(rig->registry, &rig->sim);
    if (result.code != WEFT_OK) {
        weft_mesh_destroy(mesh);
        return result;
    }
    WEFT_TRY(weft_sim_add_cloth(rig->sim, "cloth", mesh, &undamped, model, NULL));
    for (int k = 0; k < 2; k++)
        if (setting[k][0])
            WEFT_TRY(weft_sim_set(rig->sim, setting[k][0], setting[k][1]));
    WEFT_TRY(set_up(rig, gravity));
    rig->mesh = weft_sim_cloth(rig->sim, 0)->mesh;
    rig->reaction = calloc((size_t)rig->mesh->vertex_count, sizeof *rig->reaction);
    return rig->reaction ? weft_ok() : weft_fail_memory("forces of a rig", sizeof *rig->reaction);
}

weft_result weft_rig_create(weft_rig *rig, weft_mesh *mesh, const weft_fabric *fabric, const char *bending,
                            weft_vec3 gravity) {
    const char *const setting[2][2] = {{"cloth.model.bending", bending}, {NULL, NULL}};
    return create(rig, mesh, fabric, "corotational", setting, gravity);
}

weft_result weft_rig_create_buckling(weft_rig *rig, weft_mesh *mesh, const weft_fabric *fabric, weft_vec3 gravity) {
    static const char *const SETTING[2][2] = {{"cloth.model.stiffness", "fabric"}, {"cloth.model.damping", "0"}};
    return create(rig, mesh, fabric, "buckling", SETTING, gravity);
}

void weft_rig_destroy(weft_rig *rig) {
    free(rig->reaction);
    weft_sim_destroy(rig->sim);
    weft_registry_destroy(rig->registry);
    *rig = (weft_rig){0};
}

weft_result weft_rig_hold(weft_rig *rig, int (*chosen)(weft_vec3 rest, const void *data), const void *data) {
    int32_t count = 0, *vertex = calloc((size_t)rig->mesh->vertex_count, sizeof *vertex);
    if (!vertex)
        return weft_fail_memory("held vertices", sizeof *vertex);
    for (int32_t i = 0; i < rig->mesh->vertex_count; i++)
        if (chosen(rig->mesh->position[i], data))
            vertex[count++] = i;
    weft_pin still = weft_pin_default();
    weft_result result = weft_sim_add_pin(rig->sim, 0, &still, vertex, count);
    free(vertex);
    return result;
}

static double fastest(const weft_rig *rig) {
    const weft_vec3 *v = weft_sim_velocities(rig->sim, 0);
    double most = 0;
    for (int32_t i = 0; i < rig->mesh->vertex_count; i++)
        most = fmax(most, weft_length(v[i]));
    return most;
}

weft_result weft_rig_settle(weft_rig *rig, double dt, double speed, int most) {
    int steps = 0;
    do {
        weft_report report;
        WEFT_TRY(weft_sim_step(rig->sim, dt, &report));
    } while (++steps < most && fastest(rig) > speed);
    if (fastest(rig) > speed)
        return weft_fail(WEFT_UNSUPPORTED, "the cloth in the rig moves at %.3g m/s after %d steps of %g s",
                         fastest(rig), steps, dt);
    return weft_sim_reactions(rig->sim, 0, rig->reaction);
}
