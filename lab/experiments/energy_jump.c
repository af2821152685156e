#include "lab/experiments/energy_jump.h"

#include <math.h>
#include <stdlib.h>

#include "weft/vec.h"

/* Kinetic, elastic and gravitational energy. The latter is relative to the lowest point of the cloth. This gives the
 * smallest reference energy, and so the strictest measure. */
static weft_result measure(weft_sim *sim, double *energy) {
    weft_measures m;
    WEFT_TRY(weft_sim_measure(sim, &m));
    const weft_vec3 *x = weft_sim_positions(sim, 0);
    double lowest = HUGE_VAL, gravity = 9.81;
    for (int32_t v = 0; v < weft_sim_cloth(sim, 0)->mesh->vertex_count; v++)
        lowest = fmin(lowest, x[v].y);
    *energy = m.kinetic + m.elastic + m.potential - m.mass * gravity * lowest;
    return weft_ok();
}

weft_result weft_energy_jump_start(weft_energy_jump *jump, weft_sim *twin) {
    *jump = (weft_energy_jump){.twin = twin};
    return weft_sim_set(twin, "adapt.every", "1000000");
}

void weft_energy_jump_end(weft_energy_jump *jump) {
    weft_sim_destroy(jump->twin);
    free(jump->bytes);
}

weft_result weft_energy_jump_before(weft_energy_jump *jump, const weft_sim *sim) {
    char every[32];
    jump->size = 0;
    WEFT_TRY(weft_sim_get(sim, "adapt.every", every, sizeof every));
    if ((weft_sim_step_count(sim) + 1) % strtol(every, NULL, 10) != 0)
        return weft_ok();
    size_t size = weft_sim_snapshot_size(sim);
    if (size > jump->capacity) {
        char *bytes = realloc(jump->bytes, 2 * size);
        if (!bytes)
            return weft_fail_memory("an experiment", 2 * size);
        jump->bytes = bytes;
        jump->capacity = 2 * size;
    }
    weft_sim_snapshot(sim, jump->bytes);
    jump->size = size;
    return weft_ok();
}

weft_result weft_energy_jump_after(weft_energy_jump *jump, weft_sim *sim, double dt) {
    weft_report report;
    double without, with;
    if (jump->size == 0)
        return weft_ok();
    WEFT_TRY(weft_sim_restore(jump->twin, jump->bytes, jump->size));
    WEFT_TRY(weft_sim_step(jump->twin, dt, &report));
    WEFT_TRY(measure(jump->twin, &without));
    WEFT_TRY(measure(sim, &with));
    double change = fabs(with - without) / without;
    if (change > jump->largest) {
        jump->largest = change;
        jump->at = weft_sim_time(sim);
    }
    for (int32_t v = 0; v < weft_sim_cloth(sim, 0)->mesh->input_vertex_count; v++)
        jump->moved =
            fmax(jump->moved, weft_distance(weft_sim_positions(sim, 0)[v], weft_sim_positions(jump->twin, 0)[v]));
    jump->steps++;
    return weft_ok();
}
