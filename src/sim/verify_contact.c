/* Where the barrier finds no way, the step uses constraints and impulses. Such a step is verified: the audit counts
 * intersections at its end. If there are any, the step is halved. After the last halving the cloth gives up its own
 * motion: it stays, or follows what pushes it. Then only moving bodies and pins can cause collisions. */
#include "sim/internal.h"

/* Intersections at the end of the step that is about to be accepted. -1 when memory is out. */
static int64_t count_next(weft_sim *sim, double dt) {
    weft_vec3 *now = sim->x;
    double time = sim->time;
    int64_t crossings = -1;
    sim->x = sim->x_next;
    sim->time = time + dt;
    weft_result result = sim_count_crossings(sim, &crossings);
    sim->x = now;
    sim->time = time;
    return result.code == WEFT_OK ? crossings : -1;
}

static void stand_still(weft_sim *sim) {
    for (int32_t i = 0; i < sim->count; i++)
        if (sim->inverse_mass[i] > 0) {
            sim->x_next[i] = sim->x[i];
            sim->v_next[i] = weft_vec3_make(0, 0, 0);
        }
    weft_contact_forget(sim->contact); /* constraints belong to the motion that was given up */
}

weft_status sim_verified_contact(weft_sim *sim, const weft_contact_settings *settings, double dt, int32_t halvings_left,
                                 weft_report *report) {
    weft_contact_report before = report->contact;
    weft_status status = sim_contact(sim, settings, dt, halvings_left, report);
    if (status != WEFT_STATUS_OK || !sim->contact || sim->crossed_sum > 0)
        return status;
    int64_t crossings = count_next(sim, dt);
    if (crossings == 0 && report->contact.unresolved == before.unresolved)
        return status;
    if (crossings >= 0 && halvings_left > 0)
        return WEFT_STATUS_DIVERGED;
    report->contact = before;
    stand_still(sim);
    return crossings < 0 ? WEFT_STATUS_NO_MEMORY : sim_contact(sim, settings, dt, halvings_left, report);
}
