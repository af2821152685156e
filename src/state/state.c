/* Small services on the data of a simulation that several folders need. */
#include "state/state.h"

weft_result sim_make_settings(const weft_component *component, void **settings) {
    *settings = weft_allocate(1, component->settings_size > 0 ? component->settings_size : 1);
    if (!*settings)
        return weft_fail_memory(component->name, component->settings_size);
    weft_params_default(component->params, *settings);
    return weft_ok();
}

weft_result sim_grow(void **array, int32_t count, size_t size, const char *what) {
    void *grown = realloc(*array, ((size_t)count + 1) * size);
    if (!grown)
        return weft_fail_memory(what, ((size_t)count + 1) * size);
    memset((char *)grown + (size_t)count * size, 0, size);
    *array = grown;
    return weft_ok();
}

weft_result sim_require_cloth(const weft_sim *sim, int32_t cloth) {
    if (cloth >= 0 && cloth < sim->cloth_count)
        return weft_ok();
    return weft_fail(WEFT_BAD_INPUT, "cloth %d: there are %d cloths, numbered from 0", cloth, sim->cloth_count);
}

weft_result sim_require_vertex(const weft_sim *sim, int32_t cloth, int32_t vertex) {
    WEFT_TRY(sim_require_cloth(sim, cloth));
    int32_t count = sim->cloth[cloth].mesh->vertex_count;
    if (vertex >= 0 && vertex < count)
        return weft_ok();
    return weft_fail(WEFT_BAD_INPUT, "cloth '%s': vertex %d: there are %d vertices, numbered from 0",
                     sim->cloth[cloth].name, vertex, count);
}

void sim_forget_integrator(weft_sim *sim) {
    if (sim->integrator_self)
        ((const weft_integrator_functions *)sim->integrator->functions)->destroy(sim->integrator_self);
    sim->integrator_self = NULL;
}

void sim_forget_contact(weft_sim *sim) {
    weft_contact_destroy(sim->contact);
    sim->contact = NULL;
}

weft_contact_state sim_contact_state(const weft_sim *sim, double dt) {
    return (weft_contact_state){.count = sim->count,
                                .x = sim->x,
                                .inverse_mass = sim->inverse_mass,
                                .x_next = sim->x_next,
                                .v_next = sim->v_next,
                                .touched = sim->touched,
                                .v_change = sim->v_change,
                                .tangled = sim->crossed_sum > 0,
                                .crossed = sim->crossed_sum > 0 ? sim->crossed : NULL,
                                .time = sim->time,
                                .dt = dt};
}

void sim_mark_held(weft_sim *sim) {
    weft_constraint *list;
    int32_t count = sim->contact ? weft_contact_constraints(sim->contact, &list) : 0;
    for (int32_t i = 0; i < count; i++)
        for (int k = 0; k < 4; k++)
            if (list[i].state != WEFT_IS_FREE && list[i].weight[k] != 0)
                sim->touched[list[i].vertex[k]] = 1;
}

weft_system sim_system(const weft_sim *sim) {
    return (weft_system){
        .count = sim->count,
        .time = sim->time,
        .mass = sim->mass,
        .inverse_mass = sim->inverse_mass,
        .held = sim->held,
        .target = sim->target,
        .x = sim->x,
        .v = sim->v,
        .x_before = sim->x_before,
        .v_before = sim->v_before,
        .dt_before = sim->dt_before,
        .x_next = sim->x_next,
        .v_next = sim->v_next,
        .work = &sim->work,
        .self = sim->integrator_self,
        .owner = sim,
    };
}
