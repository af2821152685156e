/* Contact in the step: preparation, the response after the solve, and the history that two-step schemes see. */
#include "sim/internal.h"

/* The distance that contact keeps for a cloth by default. An edge of length l between two vertices on a ball of radius
 * r passes l^2 / 8 r below the ball, and so does a smooth surface that is drawn through the vertices. The allowance of
 * a 60th of the edge covers balls with a radius above 7.5 edges. Its limit is meant for coarse meshes that are refined
 * later. */
static double natural_thickness(const sim_cloth *cloth) {
    static const double SHARE = 1.0 / 60, MOST = 2e-3;
    double allowance = SHARE * cloth->edge;
    return cloth->fabric.thickness + (allowance < MOST ? allowance : MOST);
}

/* Self-collision is on by default if there is anything else to touch, because contact then makes cloth fold onto
 * itself. A single cloth without bodies, such as a flag, would pay for it without need. */
void sim_resolve_contact(weft_sim *sim) {
    weft_contact_settings *used = &sim->contact_settings;
    *used = sim->contact_given;
    if (used->self == WEFT_SELF_AUTO)
        used->self = sim->body_count > 0 || sim->cloth_count > 1 ? WEFT_SELF_ON : WEFT_SELF_OFF;
    for (int32_t i = 0; i < sim->cloth_count && !(sim->contact_given.thickness > 0); i++)
        if (natural_thickness(&sim->cloth[i]) > used->thickness)
            used->thickness = natural_thickness(&sim->cloth[i]);
}

/* Renews an existing contact after meshes of cloths have changed; otherwise creates it. */
static weft_result make_contact(weft_sim *sim, weft_contact_cloth *cloth, uint8_t *kept, weft_body_view *body) {
    for (int32_t i = 0; i < sim->cloth_count; i++)
        cloth[i] = (weft_contact_cloth){sim->cloth[i].mesh, sim->cloth[i].open_face, &sim->cloth[i].fabric,
                                        sim->cloth[i].first};
    for (int32_t i = 0; i < sim->body_count; i++)
        body[i] = sim_body_view(&sim->body[i]);
    for (int32_t i = 0; i < sim->cloth_count; i++) {
        kept[i] = !sim->cloth[i].recut;
        sim->cloth[i].recut = 0;
    }
    if (sim->contact)
        return weft_contact_renew(&sim->contact, cloth, kept, body);
    return weft_contact_create(cloth, sim->cloth_count, body, sim->body_count, &sim->contact);
}

static int is_current(const weft_sim *sim) {
    int current = sim->contact != NULL;
    for (int32_t i = 0; i < sim->cloth_count; i++)
        current &= !sim->cloth[i].recut;
    return current;
}

weft_result sim_prepare_contact(weft_sim *sim) {
    if (is_current(sim) || (!sim->contact && !sim_touches(sim) && sim->contact_settings.strain_limit == 0))
        return weft_ok();
    weft_contact_cloth *cloth = weft_allocate((size_t)sim->cloth_count, sizeof *cloth);
    weft_body_view *body = weft_allocate((size_t)sim->body_count, sizeof *body);
    uint8_t *kept = weft_allocate((size_t)sim->cloth_count, 1);
    weft_result result =
        cloth && body && kept ? make_contact(sim, cloth, kept, body) : weft_fail_memory("contact", sizeof *body);
    free(kept);
    free(body);
    free(cloth);
    return result;
}

void sim_add_contact(weft_contact_report *sum, const weft_contact_report *one) {
    sum->contacts += one->contacts;
    sum->impulses += one->impulses;
    sum->zones += one->zones;
    if (sum->unresolved == 0)
        memcpy(sum->between, one->between, sizeof sum->between);
    sum->unresolved += one->unresolved;
    sum->rounds += one->rounds;
    if (one->intersections > sum->intersections)
        sum->intersections = one->intersections;
    sum->detection_seconds += one->detection_seconds;
}

weft_status sim_contact(weft_sim *sim, const weft_contact_settings *settings, double dt, int32_t halvings_left,
                        weft_report *report) {
    if (!sim->contact)
        return WEFT_STATUS_OK;
    int32_t halved = sim->clock.halvings - halvings_left;
    weft_contact_report done = {0};
    weft_contact_state state = sim_contact_state(sim, dt);
    state.gives_up = halvings_left > 0 && halved < settings->halvings;
    weft_status status = weft_contact_step(sim->contact, settings, &sim->work, &state, &done);
    if (status == WEFT_STATUS_OK)
        sim_add_contact(&report->contact, &done);
    else /* the time of failed attempts counts too */
        report->contact.detection_seconds += done.detection_seconds;
    return status;
}

/* Whether a constraint stopped an impact: stopping its masses alone at their approach speed would take at least half of
 * its impulse. A lasting contact holds what is at rest already, or moves with a body. */
static int is_impact(const weft_sim *sim, const weft_constraint *c, weft_vec3 carried, double dt) {
    double speed = -weft_dot(carried, c->normal) / dt, mobility = 0, impulse = weft_dot(c->impulse, c->normal);
    for (int k = 0; k < 4; k++)
        if (c->weight[k] != 0) {
            speed += c->weight[k] * weft_dot(sim->v_before[c->vertex[k]], c->normal);
            mobility += c->weight[k] * c->weight[k] * sim->inverse_mass[c->vertex[k]];
        }
    return c->state != WEFT_IS_FREE && impulse > 0 && -speed > 0.5 * impulse * mobility;
}

void sim_restart_held(weft_sim *sim, double dt) {
    weft_constraint *list;
    int32_t count = sim->contact ? weft_contact_constraints(sim->contact, &list) : 0;
    for (int32_t i = 0; i < count; i++)
        list[i].jumps = is_impact(sim, &list[i], weft_contact_carried(sim->contact, i), dt);
    for (int32_t i = 0; i < count; i++)
        for (int k = 0; k < 4 && list[i].jumps; k++)
            if (list[i].weight[k] != 0) {
                int32_t v = list[i].vertex[k];
                double by = list[i].weight[k] * sim->inverse_mass[v];
                sim->v_before[v] = weft_add_scaled(sim->v_before[v], by, list[i].impulse);
                sim->x_before[v] = weft_add_scaled(sim->x[v], -dt, sim->v[v]);
            }
}
