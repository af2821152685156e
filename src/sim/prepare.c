/* From what was added to what a step needs: masses, state, models; and the refusal of pairs that cannot work. */
#include <math.h>
#include <stdio.h>

#include "mesh/build.h"
#include "sim/internal.h"

static unsigned given(const weft_component *model) { return ((const weft_model_functions *)model->functions)->gives; }

static unsigned needed(const weft_component *integrator) {
    return ((const weft_integrator_functions *)integrator->functions)->needs;
}

/* "a, b, c": the integrators that work with all that `gives` offers. */
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

static weft_result allocate_arrays(weft_sim *sim) {
    size_t n = (size_t)sim->count;
    weft_vec3 **vectors[] = {&sim->x,      &sim->v,      &sim->x_before, &sim->v_before, &sim->x_next,
                             &sim->v_next, &sim->target, &sim->pulled,   &sim->v_change};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        if (!*vectors[i] && !(*vectors[i] = weft_allocate(n, sizeof(weft_vec3))))
            return weft_fail_memory("the state", n * sizeof(weft_vec3));
    double **reals[] = {&sim->mass, &sim->area, &sim->inverse_mass};
    for (size_t i = 0; i < sizeof reals / sizeof reals[0]; i++)
        if (!*reals[i] && !(*reals[i] = weft_allocate(n, sizeof(double))))
            return weft_fail_memory("masses", n * sizeof(double));
    if ((!sim->held && !(sim->held = weft_allocate(n, 1))) || (!sim->touched && !(sim->touched = weft_allocate(n, 1))))
        return weft_fail_memory("pins", n);
    return weft_ok();
}

void sim_set_masses(weft_sim *sim, sim_cloth *cloth) {
    for (int32_t i = 0; i < cloth->mesh->vertex_count; i++)
        sim->mass[cloth->first + i] = cloth->fabric.density * sim->area[cloth->first + i];
}

static weft_result prepare_cloth(weft_sim *sim, sim_cloth *cloth) {
    int32_t first = cloth->first, n = cloth->mesh->vertex_count;
    memcpy(sim->x + first, cloth->mesh->position, (size_t)n * sizeof *sim->x);
    for (int32_t i = 0; i < n; i++)
        sim->v[first + i] = cloth->velocity;
    weft_mesh_rest_areas(cloth->mesh, sim->area + first);
    sim_set_masses(sim, cloth);
    cloth->cloth = (weft_cloth){cloth->name, cloth->mesh, &cloth->fabric, sim->mass + first, sim->area + first};
    if (cloth->self)
        return weft_ok();
    return sim_model(cloth)->create(cloth->settings, &cloth->cloth, &cloth->self);
}

static const weft_integrator_functions *functions(const weft_sim *sim) { return sim->integrator->functions; }

static weft_result prepare_integrator(weft_sim *sim) {
    if (!functions(sim)->create)
        return weft_ok();
    weft_system system = sim_system(sim);
    return functions(sim)->create(sim->integrator_settings, &system, &sim->integrator_self);
}

weft_result weft_sim_prepare(weft_sim *sim) {
    if (sim->prepared)
        WEFT_TRY(sim_prepare_contact(sim));
    if (sim->prepared && (sim->integrator_self || !functions(sim)->create))
        return weft_ok();
    WEFT_TRY(check_pairs(sim));
    if (sim->prepared)
        return prepare_integrator(sim);
    if (sim->cloth_count == 0)
        return weft_fail(WEFT_BAD_INPUT, "the scene has no cloth");
    int64_t count = 0;
    for (int32_t i = 0; i < sim->cloth_count; i++) {
        sim->cloth[i].first = (int32_t)count;
        count += sim->cloth[i].mesh->vertex_count;
    }
    if (count > WEFT_MESH_LIMIT)
        return weft_fail(WEFT_BAD_INPUT, "the cloths have %lld vertices together, at most %d are allowed",
                         (long long)count, WEFT_MESH_LIMIT);
    sim->count = (int32_t)count;
    WEFT_TRY(allocate_arrays(sim));
    for (int32_t i = 0; i < sim->cloth_count; i++)
        WEFT_TRY(prepare_cloth(sim, &sim->cloth[i]));
    sim->prepared = 1;
    sim_refresh_inputs(sim);
    WEFT_TRY(sim_prepare_contact(sim));
    return prepare_integrator(sim);
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
