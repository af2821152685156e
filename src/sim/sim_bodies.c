/* Bodies, and the contact with them. */
#include <math.h>

#include "core/seconds.h"
#include "mesh/build.h"
#include "sim/internal.h"

static const weft_body_functions *body_functions(const sim_body *body) { return body->component->functions; }

static void destroy_body(sim_body *body) {
    free((void *)body->frames.position);
    free(body->key);
    weft_mesh_destroy(body->mesh);
    free(body->settings);
}

void sim_destroy_bodies(weft_sim *sim) {
    for (int32_t i = 0; i < sim->body_count; i++)
        destroy_body(&sim->body[i]);
}

static weft_result check_mesh(const weft_component *component, const weft_mesh *mesh) {
    int needs = ((const weft_body_functions *)component->functions)->surface == NULL;
    if (needs && !mesh)
        return weft_fail(WEFT_BAD_INPUT, "body '%s': needs a mesh", component->name);
    if (!needs && mesh)
        return weft_fail(WEFT_BAD_INPUT, "body '%s': has a shape of its own and takes no mesh", component->name);
    return mesh ? weft_mesh_refuse_collapsed(mesh, "body", component->name) : weft_ok();
}

weft_result weft_sim_add_body(weft_sim *sim, const char *name, weft_mesh *mesh, int32_t *index) {
    const weft_component *component = NULL;
    weft_result result = weft_registry_require(sim->registry, WEFT_BODY, name, "", &component);
    if (result.code == WEFT_OK)
        result = check_mesh(component, mesh);
    if (result.code == WEFT_OK)
        result = sim_grow((void **)&sim->body, sim->body_count, sizeof *sim->body, "bodies");
    void *settings = NULL;
    if (result.code == WEFT_OK)
        result = sim_make_settings(component, &settings);
    if (result.code != WEFT_OK) {
        weft_mesh_destroy(mesh);
        return result;
    }
    sim->body[sim->body_count] = (sim_body){.component = component, .settings = settings, .mesh = mesh};
    if (index)
        *index = sim->body_count;
    sim->body_count++;
    sim_forget_contact(sim);
    return result;
}

weft_result weft_sim_set_body_keys(weft_sim *sim, int32_t index, const weft_body_key *key, int32_t count) {
    WEFT_TRY(sim_require_body(sim, index));
    const char *name = sim->body[index].component->name;
    for (int32_t i = 0; i < count; i++) {
        if (!isfinite(key[i].time) || !isfinite(key[i].angle) || !weft_vec3_is_finite(key[i].offset))
            return weft_fail(WEFT_BAD_INPUT, "body '%s': key %d is not finite", name, i);
        if (!(key[i].scale > 0) || !isfinite(key[i].scale))
            return weft_fail(WEFT_BAD_INPUT, "body '%s': key %d: a scale of %g is not above 0", name, i, key[i].scale);
        if (i > 0 && key[i].time <= key[i - 1].time)
            return weft_fail(WEFT_BAD_INPUT, "body '%s': key %d at %g s does not come after key %d at %g s", name, i,
                             key[i].time, i - 1, key[i - 1].time);
    }
    weft_body_key *copy = weft_allocate((size_t)count, sizeof *copy);
    if (!copy)
        return weft_fail_memory("keys", (size_t)count * sizeof *copy);
    if (count > 0)
        memcpy(copy, key, (size_t)count * sizeof *copy);
    free(sim->body[index].key);
    sim->body[index].key = copy;
    sim->body[index].key_count = count;
    sim_forget_contact(sim);
    return weft_ok();
}

int32_t weft_sim_body_count(const weft_sim *sim) { return sim->body_count; }

const char *weft_sim_body_name(const weft_sim *sim, int32_t body) {
    return body >= 0 && body < sim->body_count ? sim->body[body].component->name : "";
}

weft_result sim_check_bodies(const weft_sim *sim) {
    for (int32_t i = 0; i < sim->body_count; i++) {
        const weft_body_place *place = sim->body[i].settings;
        if (place->vanishes <= place->appears)
            return weft_fail(WEFT_BAD_INPUT, "bodies.%d.vanishes: %g s is not after it appears, at %g s", i,
                             place->vanishes, place->appears);
        if (weft_length(place->axis) == 0)
            return weft_fail(WEFT_BAD_INPUT, "bodies.%d.axis: a direction of length 0", i);
    }
    return weft_ok();
}

/* A shape that cannot be made is refused before it is used. */
weft_result sim_take_over_bodies(weft_sim *sim) {
    if (sim->prepared) /* before, the other time may still be to come */
        WEFT_TRY(sim_check_bodies(sim));
    for (int32_t i = 0; i < sim->body_count; i++) {
        weft_body_surface surface = {0};
        if (!body_functions(&sim->body[i])->surface)
            continue;
        WEFT_TRY(body_functions(&sim->body[i])->surface(sim->body[i].settings, &surface));
        free(surface.triangle);
        free(surface.position);
    }
    sim_forget_contact(sim);
    return weft_ok();
}

/* From the one that there is, when meshes of cloths have changed since. */
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

weft_status sim_contact(weft_sim *sim, double dt, int32_t halvings_left, weft_report *report) {
    if (!sim->contact)
        return WEFT_STATUS_OK;
    int32_t halved = sim->clock.halvings - halvings_left;
    weft_contact_report done = {0};
    weft_contact_state state = sim_contact_state(sim, dt);
    state.gives_up = halvings_left > 0 && halved < sim->contact_settings.halvings;
    weft_status status = weft_contact_step(sim->contact, &sim->contact_settings, &sim->work, &state, &done);
    if (status == WEFT_STATUS_OK)
        sim_add_contact(&report->contact, &done);
    else /* the phase's time counts what was tried in vain as well */
        report->contact.detection_seconds += done.detection_seconds;
    return status;
}

/* Whether the impulse of a constraint is that of an impact: half of it at least would be needed to stop its masses
 * alone, at the speed at which they met. One that lasts keeps what is at rest already, or moves with a body. */
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
