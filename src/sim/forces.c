/* The forces that an integrator asks for: external ones, the wind, and the models'. */
#include "force/aero.h"
#include "sim/internal.h"

weft_system sim_system(const weft_sim *sim) {
    return (weft_system){
        .count = sim->count,
        .time = sim->time,
        .mass = sim->mass,
        .inverse_mass = sim->inverse_mass,
        .target = sim->target,
        .x = sim->x,
        .v = sim->v,
        .x_before = sim->x_before,
        .dt_before = sim->dt_before,
        .x_next = sim->x_next,
        .v_next = sim->v_next,
        .work = &sim->work,
        .owner = sim,
    };
}

static int has_wind(const weft_sim *sim) {
    for (int32_t i = 0; i < sim->force_count; i++)
        if (sim_force_functions(&sim->force[i])->wind)
            return 1;
    return 0;
}

/* All sources sum into one field, because drag and lift are not linear in it. */
static void add_wind(const weft_system *system, const weft_vec3 *x, const weft_vec3 *v, weft_vec3 *f) {
    const weft_sim *sim = system->owner;
    weft_vec3 *air = weft_arena_take(system->work->arena, (size_t)system->count * sizeof *air, "the wind field");
    if (!air)
        return;
    memset(air, 0, (size_t)system->count * sizeof *air);
    for (int32_t i = 0; i < sim->force_count; i++) {
        const sim_force *force = &sim->force[i];
        if (sim_force_functions(force)->wind)
            sim_force_functions(force)->wind(force->settings, system->work, system->time, (uint64_t)sim->air.seed,
                                             system->count, x, air);
    }
    double density = weft_air_density(sim->air.temperature);
    for (int32_t i = 0; i < sim->cloth_count; i++) {
        const sim_cloth *cloth = &sim->cloth[i];
        int32_t first = cloth->first;
        weft_aero_force(system->work, cloth->mesh, cloth->open_face, cloth->fabric.drag, cloth->fabric.lift, density,
                        air + first, x + first, v + first, f + first);
    }
}

typedef struct external_context {
    const weft_system *system;
    const weft_vec3 *x, *v;
    weft_vec3 *f;
} external_context;

/* Block by block, so that f stays in the cache from one force to the next. */
static void external_block(void *context, int64_t begin, int64_t end) {
    const external_context *c = context;
    const weft_sim *sim = c->system->owner;
    weft_work serial = {1, c->system->work->arena};
    weft_force_input input = {(int32_t)(end - begin),  c->system->time,   c->x + begin,           c->v + begin,
                              c->system->mass + begin, sim->area + begin, (uint64_t)sim->air.seed};
    memset(c->f + begin, 0, (size_t)(end - begin) * sizeof *c->f);
    for (int32_t i = 0; i < sim->force_count; i++)
        if (sim_force_functions(&sim->force[i])->apply)
            sim_force_functions(&sim->force[i])->apply(sim->force[i].settings, &serial, &input, c->f + begin);
}

void weft_system_external_force(const weft_system *system, const weft_vec3 *x, const weft_vec3 *v, weft_vec3 *f) {
    external_context context = {system, x, v, f};
    weft_parallel_for(system->work, system->count, WEFT_BLOCK, external_block, &context);
    if (has_wind(system->owner))
        add_wind(system, x, v, f);
}

void weft_system_force(const weft_system *system, const weft_vec3 *x, const weft_vec3 *v, weft_vec3 *f) {
    const weft_sim *sim = system->owner;
    weft_system_external_force(system, x, v, f);
    for (int32_t i = 0; i < sim->cloth_count; i++) {
        const sim_cloth *cloth = &sim->cloth[i];
        int32_t first = cloth->first;
        sim_model(cloth)->force(cloth->self, system->work, x + first, v + first, f + first);
    }
}

void weft_system_relax(const weft_system *system, int passes, weft_vec3 *x) {
    const weft_sim *sim = system->owner;
    for (int32_t i = 0; i < sim->cloth_count; i++) {
        const sim_cloth *cloth = &sim->cloth[i];
        sim_model(cloth)->relax(cloth->self, system->work, system->inverse_mass + cloth->first, passes,
                                x + cloth->first);
    }
}
