/* Small services on the data of a simulation that several folders need. */
#include "sim/state.h"

#include "force/aero.h"

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

void sim_tell_torn(weft_sim *sim) {
    const weft_integrator_functions *integrator = sim->integrator->functions;
    if (sim->integrator_self && integrator->torn)
        integrator->torn(sim->integrator_self);
}

void sim_forget_integrator(weft_sim *sim) {
    sim_forget_device(sim);
    if (sim->integrator_self)
        ((const weft_integrator_functions *)sim->integrator->functions)->destroy(sim->integrator_self);
    sim->integrator_self = NULL;
}

void sim_forget_contact(weft_sim *sim) {
    sim_forget_device(sim);
    weft_contact_destroy(sim->contact);
    sim->contact = NULL;
    sim->grips[0].count = 0; /* vertices of bodies have other numbers */
}

void sim_change_objects(weft_sim *sim, int quietly) {
    sim_forget_contact(sim);
    free(sim->crossed);
    sim->crossed = NULL;
    sim->crossed_size = sim->crossed_sum = 0;
    if (sim->step_count > 0 && sim->watch != SIM_WATCH)
        sim->watch = quietly ? SIM_WATCH_QUIETLY : SIM_WATCH;
}

weft_contact_state sim_contact_state(const weft_sim *sim, double dt) {
    return (weft_contact_state){.count = sim->count,
                                .x = sim->x,
                                .inverse_mass = sim->inverse_mass,
                                .x_next = sim->x_next,
                                .v_next = sim->v_next,
                                .touched = sim->touched,
                                .v_change = sim->v_change,
                                .pressing = sim->pressing,
                                .tangled = sim->crossed_sum > 0,
                                .first = sim->step_count == 0,
                                .grips = &sim->grips[0],
                                .next_grips = (weft_contact_grips *)&sim->grips[1],
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

/* Views of the cloths and forces as they are now. */
static void fill_equations(const weft_sim *sim) {
    for (int32_t i = 0; i < sim->cloth_count; i++) {
        const sim_cloth *cloth = &sim->cloth[i];
        sim->system_cloth[i] = (weft_equations_cloth){.model = sim_model(cloth),
                                                      .self = cloth->self,
                                                      .mesh = cloth->mesh,
                                                      .fabric = &cloth->fabric,
                                                      .open_face = cloth->open_face,
                                                      .share = cloth->share,
                                                      .padding = cloth->is_padded ? cloth->padding : NULL,
                                                      .first = cloth->first,
                                                      .reshaped = cloth->reshapes != 0};
    }
    for (int32_t i = 0; i < sim->force_count; i++)
        sim->system_force[i] = (weft_equations_force){sim_force_functions(&sim->force[i]), sim->force[i].settings};
    *sim->equations = (weft_equations){.cloth = sim->system_cloth,
                                       .cloth_count = sim->cloth_count,
                                       .force = sim->system_force,
                                       .force_count = sim->force_count,
                                       .area = sim->area,
                                       .air_density = weft_air_density(sim->air.temperature),
                                       .seed = (uint64_t)sim->air.seed};
}

weft_system sim_system(const weft_sim *sim) {
    fill_equations(sim);
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
        .equations = sim->equations,
    };
}
