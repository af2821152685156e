/* Prepares a simulation for its steps: masses, state, models, contact, integrator. Refuses impossible pairs of model
 * and integrator. */
#include <math.h>
#include <stdio.h>

#include "core/require.h"
#include "mesh/stages.h"
#include "sim/internal.h"

static unsigned given(const weft_component *model) { return ((const weft_model_functions *)model->functions)->gives; }

static unsigned needed(const weft_component *integrator) {
    return ((const weft_integrator_functions *)integrator->functions)->needs;
}

/* Lists the integrators that need no more than `gives`, as "a, b, c". */
static void list_partners(const weft_registry *registry, unsigned gives, char *buffer, size_t size) {
    size_t used = 0;
    buffer[0] = '\0';
    for (int i = 0; i < weft_registry_count(registry); i++) {
        const weft_component *component = weft_registry_at(registry, i);
        if (component->kind != WEFT_INTEGRATOR || (needed(component) & ~gives))
            continue;
        int written = snprintf(buffer + used, size - used, "%s%s", used > 0 ? ", " : "", component->name);
        if (written < 0 || used + (size_t)written >= size)
            return;
        used += (size_t)written;
    }
}

static weft_result check_pairs(const weft_sim *sim) {
    for (int32_t i = 0; i < sim->cloth_count; i++) {
        const sim_cloth *cloth = &sim->cloth[i];
        if (!(needed(sim->integrator) & ~given(cloth->model)))
            continue;
        char partners[300];
        list_partners(sim->registry, given(cloth->model), partners, sizeof partners);
        return weft_fail(WEFT_UNSUPPORTED,
                         "integrator '%s' cannot move model '%s' of cloth '%.64s'; that model works with: %s",
                         sim->integrator->name, cloth->model->name, cloth->name, partners[0] ? partners : "none");
    }
    return weft_ok();
}

static weft_result prepare_cloth(weft_sim *sim, sim_cloth *cloth) {
    int32_t first = cloth->first, n = cloth->mesh->vertex_count;
    memcpy(sim->x + first, cloth->mesh->position, (size_t)n * sizeof *sim->x);
    for (int32_t i = 0; i < n; i++)
        sim->v[first + i] = cloth->velocity;
    double *share;
    WEFT_TRY(sim_make_shares(cloth, cloth->mesh, &share));
    free(cloth->share);
    cloth->share = share;
    sim_set_areas(sim, cloth, cloth->mesh, NULL);
    sim_set_masses(sim, cloth, n, cloth->map[WEFT_MAP_DENSITY]);
    sim_view_cloth(sim, cloth);
    if (cloth->self)
        return weft_ok();
    if (sim->step_count == 0)
        WEFT_TRY(sim_sew(sim, 0));
    return sim_model(cloth)->create(cloth->settings, &cloth->cloth, &cloth->self);
}

/* A cloth that was added to a running simulation. Two-step schemes see it move uniformly until now. */
static void begin_motion(weft_sim *sim, sim_cloth *cloth) {
    int32_t end = cloth->first + cloth->mesh->vertex_count;
    for (int32_t i = cloth->first; i < end; i++) {
        sim_x_before(sim)[i] = weft_add_scaled(sim->x[i], -sim->dt_before, sim->v[i]);
        sim_v_before(sim)[i] = sim->v[i];
        sim->target[i] = sim->x[i];
        sim->pulled[i] = sim->v_change[i] = sim->pressing[i] = weft_vec3_make(0, 0, 0);
        sim->held[i] = sim->touched[i] = 0;
    }
}

static weft_result allow_changes(const weft_sim *sim, sim_cloth *cloth) {
    if (sim->adapt)
        return sim_make_refined(cloth);
    return sim_tears(cloth) ? sim_make_separable(cloth) : weft_ok();
}

/* After a failure the cloth stays added and is not part of the state. */
static weft_result prepare_added(weft_sim *sim, sim_cloth *cloth) {
    if (cloth->prepared)
        return weft_ok();
    WEFT_TRY(check_pairs(sim));
    WEFT_TRY(allow_changes(sim, cloth));
    WEFT_TRY(sim_reserve(sim, (int64_t)sim->count + cloth->mesh->vertex_count));
    WEFT_TRY(sim_update_views(sim));
    cloth->first = sim->count;
    WEFT_TRY(prepare_cloth(sim, cloth));
    begin_motion(sim, cloth);
    cloth->prepared = 1;
    sim->count += cloth->mesh->vertex_count;
    sim_forget_integrator(sim);
    sim_change_objects(sim, 0);
    sim_refresh_inputs(sim);
    WEFT_TRY(sim_check_tear(sim, cloth));
    return sim_check_most(sim, cloth);
}

static const weft_integrator_functions *functions(const weft_sim *sim) { return sim->integrator->functions; }

/* A device replaces the integrator. */
static weft_result prepare_solver(weft_sim *sim) {
    WEFT_TRY(sim_prepare_device(sim));
    return sim->device.functions ? weft_ok() : sim_prepare_integrator(sim);
}

static weft_result prepare(weft_sim *sim) {
    WEFT_TRY(sim_make_bodies(sim));
    sim_resolve_contact(sim);
    WEFT_TRY(sim_rebuild(sim));
    for (int32_t i = 0; i < sim->cloth_count && sim->prepared; i++)
        WEFT_TRY(prepare_added(sim, &sim->cloth[i]));
    for (int32_t i = 0; i < sim->cloth_count && sim->prepared && sim->step_count == 0; i++)
        if (sim_tears(&sim->cloth[i])) /* made tearable after preparation */
            WEFT_TRY(sim_allow_changes(sim, &sim->cloth[i]));
    if (sim->prepared)
        WEFT_TRY(sim_prepare_contact(sim));
    if (sim->prepared && (sim->integrator_self || !functions(sim)->create))
        return prepare_solver(sim);
    WEFT_TRY(check_pairs(sim));
    if (sim->prepared)
        return prepare_solver(sim);
    if (sim->cloth_count == 0)
        return weft_fail(WEFT_BAD_INPUT, "the scene has no cloth");
    WEFT_TRY(sim_check_bodies(sim));
    int64_t count = 0;
    for (int32_t i = 0; i < sim->cloth_count; i++)
        count += sim->cloth[i].mesh->vertex_count;
    WEFT_TRY(sim_reserve(sim, count));
    for (int32_t i = 0; i < sim->cloth_count; i++)
        WEFT_TRY(allow_changes(sim, &sim->cloth[i]));
    sim_place_cloths(sim);
    for (int32_t i = 0; i < sim->cloth_count; i++)
        WEFT_TRY(prepare_cloth(sim, &sim->cloth[i]));
    for (int32_t i = 0; i < sim->cloth_count; i++)
        sim->cloth[i].prepared = 1;
    sim->prepared = 1;
    sim_refresh_inputs(sim);
    WEFT_TRY(sim_prepare_contact(sim));
    return prepare_solver(sim);
}

/* Forces may be added after the first preparation, so limits against weights are checked until the first step. */
weft_result sim_prepare_step(weft_sim *sim) {
    WEFT_TRY(prepare(sim));
    for (int32_t i = 0; i < sim->cloth_count && sim->step_count == 0; i++) {
        WEFT_TRY(sim_check_tear(sim, &sim->cloth[i]));
        WEFT_TRY(sim_check_most(sim, &sim->cloth[i]));
    }
    return weft_ok();
}

weft_result weft_sim_prepare(weft_sim *sim) {
    WEFT_REQUIRE(sim);
    WEFT_TRY(sim_fetch(sim));
    return sim_prepare_step(sim);
}

double weft_sim_stable_step(weft_sim *sim) {
    if (weft_sim_prepare(sim).code != WEFT_OK)
        return 0;
    if (!(needed(sim->integrator) & WEFT_FORCES) || (needed(sim->integrator) & WEFT_HESSIANS))
        return INFINITY;
    double highest = 0;
    for (int32_t i = 0; i < sim->cloth_count; i++) {
        const sim_cloth *cloth = &sim->cloth[i];
        if (!sim_model(cloth)->highest_frequency)
            continue;
        double frequency = sim_model(cloth)->highest_frequency(cloth->self, cloth->cloth.mass);
        highest = frequency > highest ? frequency : highest;
    }
    return highest > 0 ? 2 / highest : INFINITY;
}
