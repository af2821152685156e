/* Adding bodies and their keys; checks of their settings. */
#include <math.h>

#include "core/require.h"
#include "mesh/stages.h"
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
    const weft_body_functions *functions = component->functions;
    int has_shape = functions->surface || functions->generate;
    if (!has_shape && !mesh)
        return weft_fail(WEFT_BAD_INPUT, "body '%s': needs a mesh", component->name);
    if (has_shape && mesh)
        return weft_fail(WEFT_BAD_INPUT, "body '%s': has a shape of its own and takes no mesh", component->name);
    return mesh ? weft_mesh_refuse_collapsed(mesh, "body", component->name) : weft_ok();
}

static weft_result find_body(const weft_sim *sim, const char *name, const weft_component **component) {
    WEFT_REQUIRE_IN("weft_sim_add_body", sim);
    WEFT_REQUIRE_IN("weft_sim_add_body", name);
    return weft_registry_require(sim->registry, WEFT_BODY, name, "", component);
}

weft_result weft_sim_add_body(weft_sim *sim, const char *name, weft_mesh *mesh, int32_t *index) {
    const weft_component *component = NULL;
    weft_result result = find_body(sim, name, &component);
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
    sim->body[sim->body_count] =
        (sim_body){.component = component, .settings = settings, .mesh = mesh, .added = sim->step_count};
    if (index)
        *index = sim->body_count;
    sim->body_count++;
    sim_change_objects(sim, 0);
    return result;
}

/* Sampling at step times makes the motion between two samples that of the step. */
static weft_body_wish wish_of(const weft_sim *sim) {
    const weft_clock *clock = &sim->clock;
    double step = clock->mode == WEFT_TIME_FIXED ? 1 / (clock->rate * weft_clock_steps(clock)) : clock->step;
    return (weft_body_wish){.rate = 1 / step, .length = clock->frames / clock->rate};
}

weft_result weft_sim_make_body(weft_sim *sim, int32_t index) {
    WEFT_REQUIRE(sim);
    WEFT_TRY(sim_require_body(sim, index));
    sim_body *body = &sim->body[index];
    if (body->mesh || !body_functions(body)->generate)
        return weft_ok();
    weft_body_wish wish = wish_of(sim);
    weft_mesh *mesh = NULL;
    weft_body_frames frames = {0};
    WEFT_TRY(body_functions(body)->generate(body->settings, &wish, &mesh, &frames));
    body->mesh = mesh;
    body->frames = frames;
    sim_forget_contact(sim);
    return weft_mesh_refuse_collapsed(mesh, "body", body->component->name);
}

weft_result sim_make_bodies(weft_sim *sim) {
    for (int32_t i = 0; i < sim->body_count; i++)
        WEFT_TRY(weft_sim_make_body(sim, i));
    return weft_ok();
}

weft_result weft_sim_remove_body(weft_sim *sim, int32_t index) {
    WEFT_REQUIRE(sim);
    WEFT_TRY(sim_require_body(sim, index));
    sim_detach(sim, index);
    destroy_body(&sim->body[index]);
    sim->body_count--;
    memmove(&sim->body[index], &sim->body[index + 1], (size_t)(sim->body_count - index) * sizeof *sim->body);
    sim_change_objects(sim, 1);
    return weft_ok();
}

weft_result weft_sim_set_body_keys(weft_sim *sim, int32_t index, const weft_body_key *key, int32_t count) {
    WEFT_REQUIRE(sim);
    WEFT_REQUIRE_IF(count > 0, key);
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

/* Refuses a shape that cannot be made before it is used. */
weft_result sim_take_over_bodies(weft_sim *sim) {
    if (sim->prepared) /* before that, the other of the two times may not be set yet */
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
