/* Views of the state. */
#include "core/require.h"
#include "sim/internal.h"

double weft_sim_time(const weft_sim *sim) { return sim->time; }

int64_t weft_sim_frame(const weft_sim *sim) { return sim->frame; }

int64_t weft_sim_step_count(const weft_sim *sim) { return sim->step_count; }

const weft_clock *weft_sim_clock(const weft_sim *sim) { return &sim->clock; }

int32_t weft_sim_cloth_count(const weft_sim *sim) { return sim->cloth_count; }

static const sim_cloth *cloth_at(const weft_sim *sim, int32_t cloth) {
    return cloth >= 0 && cloth < sim->cloth_count && sim->cloth[cloth].prepared ? &sim->cloth[cloth] : NULL;
}

const weft_cloth *weft_sim_cloth(const weft_sim *sim, int32_t cloth) {
    const sim_cloth *found = cloth_at(sim, cloth);
    return found ? &found->cloth : NULL;
}

int weft_sim_changes(const weft_sim *sim, int32_t cloth) {
    const sim_cloth *found = cloth_at(sim, cloth);
    return found && found->refined;
}

weft_result weft_sim_generations(const weft_sim *sim, int32_t cloth, int32_t *generation) {
    WEFT_REQUIRE(sim);
    WEFT_REQUIRE(generation);
    WEFT_TRY(sim_require_cloth(sim, cloth));
    const sim_cloth *found = &sim->cloth[cloth];
    for (int32_t t = 0; t < found->mesh->triangle_count; t++)
        generation[t] = found->refined ? found->refined->lineage[t].generation : 0;
    return weft_ok();
}

weft_result weft_sim_origins(const weft_sim *sim, int32_t cloth, int32_t *triangle) {
    WEFT_REQUIRE(sim);
    WEFT_REQUIRE(triangle);
    WEFT_TRY(sim_require_cloth(sim, cloth));
    const sim_cloth *found = &sim->cloth[cloth];
    for (int32_t t = 0; t < found->mesh->triangle_count; t++)
        triangle[t] = found->refined ? found->refined->lineage[t].face : t;
    return weft_ok();
}

const weft_contact_settings *weft_sim_contact_settings(const weft_sim *sim) { return &sim->contact_settings; }

const char *weft_sim_unused_property(const weft_sim *sim, int32_t cloth, const char *property) {
    if (cloth < 0 || cloth >= sim->cloth_count || !sim_model(&sim->cloth[cloth])->unused)
        return NULL;
    return sim_model(&sim->cloth[cloth])->unused(sim->cloth[cloth].settings, property);
}

const char *weft_sim_unused_by_integrator(const weft_sim *sim, const char *value) {
    const weft_integrator_functions *integrator = sim->integrator->functions;
    return integrator->unused ? integrator->unused(sim->integrator_settings, value) : NULL;
}

const char *weft_sim_model_name(const weft_sim *sim, int32_t cloth) {
    return cloth >= 0 && cloth < sim->cloth_count ? sim->cloth[cloth].model->name : NULL;
}

const char *weft_sim_integrator_name(const weft_sim *sim) { return sim->integrator->name; }

const char *weft_sim_device_name(const weft_sim *sim) { return sim->device.settings.name; }

const char *weft_sim_device_hardware(const weft_sim *sim) { return sim->device.hardware; }

const char *weft_sim_advice(const weft_sim *sim) {
    return sim->device.blocked ? "pins or bodies could not reach their places, because cloth or a body is in the way; "
                                 "move them around it, or use device: cpu, which has a second method for this"
                               : NULL;
}

const char *weft_sim_reason(const weft_sim *sim) { return sim->budget.reason[0] ? sim->budget.reason : NULL; }

const weft_vec3 *weft_sim_positions(const weft_sim *sim, int32_t cloth) {
    const sim_cloth *found = cloth_at(sim, cloth);
    sim_fetch_quietly(sim);
    return found ? sim->x + found->first : NULL;
}

const weft_vec3 *weft_sim_velocities(const weft_sim *sim, int32_t cloth) {
    const sim_cloth *found = cloth_at(sim, cloth);
    sim_fetch_quietly(sim);
    return found ? sim->v + found->first : NULL;
}

const uint8_t *weft_sim_open_faces(const weft_sim *sim, int32_t cloth) {
    const sim_cloth *found = cloth_at(sim, cloth);
    return found ? found->open_face : NULL;
}

const uint8_t *weft_sim_held(const weft_sim *sim, int32_t cloth) {
    const sim_cloth *found = cloth_at(sim, cloth);
    return found ? sim->held + found->first : NULL;
}

int32_t weft_sim_link_count(const weft_sim *sim, int32_t cloth) {
    const sim_cloth *found = cloth_at(sim, cloth);
    return found && sim_model(found)->link_count ? sim_model(found)->link_count(found->self) : 0;
}

weft_link weft_sim_link(const weft_sim *sim, int32_t cloth, int32_t index) {
    const sim_cloth *found = cloth_at(sim, cloth);
    if (!found || !sim_model(found)->link_at || index < 0 || index >= sim_model(found)->link_count(found->self))
        return (weft_link){0};
    return sim_model(found)->link_at(found->self, index);
}

int32_t weft_sim_force_count(const weft_sim *sim) { return sim->force_count; }

const char *weft_sim_force_name(const weft_sim *sim, int32_t force) {
    return force >= 0 && force < sim->force_count ? sim->force[force].component->name : "";
}

int weft_sim_has_wind(const weft_sim *sim) {
    for (int32_t i = 0; i < sim->force_count; i++)
        if (((const weft_force_functions *)sim->force[i].component->functions)->wind)
            return 1;
    return 0;
}

weft_result weft_sim_reactions(weft_sim *sim, int32_t cloth, weft_vec3 *reaction) {
    WEFT_REQUIRE(sim);
    WEFT_REQUIRE(reaction);
    WEFT_TRY(weft_sim_prepare(sim));
    WEFT_TRY(sim_require_cloth(sim, cloth));
    weft_arena_empty(sim->work.arena);
    weft_vec3 *f = weft_arena_take(sim->work.arena, (size_t)sim->count * sizeof *f, "reactions");
    if (!f)
        return weft_fail_memory("reactions", (size_t)sim->count * sizeof *f);
    weft_system system = sim_system(sim);
    weft_system_force(&system, sim->x, sim->v, f);
    if (weft_arena_failure(sim->work.arena))
        return weft_fail_memory("reactions", (size_t)sim->count * sizeof *f);
    int32_t first = sim->cloth[cloth].first, count = sim->cloth[cloth].mesh->vertex_count;
    for (int32_t i = 0; i < count; i++) {
        int32_t k = first + i;
        weft_vec3 inertia = weft_scale(sim->mass[k], sim->pulled[k]);
        reaction[i] = sim->held[k] ? weft_sub(inertia, f[k]) : weft_vec3_make(0, 0, 0);
    }
    return weft_ok();
}

weft_result weft_sim_strains(weft_sim *sim, int32_t cloth, weft_strain *strain) {
    WEFT_REQUIRE(sim);
    WEFT_REQUIRE(strain);
    WEFT_TRY(weft_sim_prepare(sim));
    WEFT_TRY(sim_require_cloth(sim, cloth));
    const sim_cloth *found = &sim->cloth[cloth];
    if (!sim_model(found)->measure)
        return weft_fail(WEFT_UNSUPPORTED, "cloth '%.64s': model '%s' has no strains of triangles", found->name,
                         found->model->name);
    sim_model(found)->measure(found->self, &sim->work, sim->x + found->first, strain);
    return weft_ok();
}

weft_result weft_sim_place(weft_sim *sim, int32_t cloth, int32_t vertex, weft_vec3 x, weft_vec3 v) {
    WEFT_REQUIRE(sim);
    WEFT_TRY(weft_sim_prepare(sim));
    WEFT_TRY(sim_require_vertex(sim, cloth, vertex));
    if (!weft_vec3_is_finite(x) || !weft_vec3_is_finite(v))
        return weft_fail(WEFT_BAD_INPUT, "vertex %d: position and velocity must be finite", vertex);
    int32_t global = sim->cloth[cloth].first + vertex;
    sim_forget_device(sim);
    sim->budget.known = 0;
    /* Two-step schemes continue undisturbed at all other vertices. */
    sim->x[global] = x;
    sim->v[global] = v;
    sim_x_before(sim)[global] = weft_add_scaled(x, -sim->dt_before, v);
    sim_v_before(sim)[global] = v;
    return weft_ok();
}
