/* Separates layers that touch at distance 0, so that each has a side (contact/separate.c). */
#include <math.h>

#include "core/require.h"
#include "sim/internal.h"

/* Sum of the external forces on each cloth, N. */
static void weigh(weft_sim *sim, weft_vec3 *force, weft_vec3 *weight) {
    weft_force_input input = {sim->count, sim->time, sim->x, sim->v, sim->mass, sim->area, (uint64_t)sim->air.seed};
    for (int32_t i = 0; i < sim->force_count; i++)
        if (sim_force_functions(&sim->force[i])->apply)
            sim_force_functions(&sim->force[i])->apply(sim->force[i].settings, &sim->work, &input, force);
    for (int32_t c = 0; c < sim->cloth_count; c++)
        for (int32_t i = 0; i < sim->cloth[c].mesh->vertex_count; i++)
            weight[c] = weft_add(weight[c], force[sim->cloth[c].first + i]);
}

/* Moves the previous positions along, so that no velocity arises. */
static void exchange(weft_sim *sim, weft_vec3 *x) {
    for (int32_t i = 0; i < sim->count; i++) {
        weft_vec3 way = weft_sub(x[i], sim->x[i]), was = sim->x[i];
        sim_x_before(sim)[i] = weft_add(sim_x_before(sim)[i], way);
        sim->x[i] = x[i];
        x[i] = was;
    }
}

/* Moves the vertices to `x`, unless that adds intersections. */
static weft_result take_over(weft_sim *sim, weft_vec3 *x, weft_contact_separation *done) {
    int64_t before = 0, after = 0;
    WEFT_TRY(sim_count_crossings(sim, &before));
    exchange(sim, x);
    weft_result result = sim_count_crossings(sim, &after);
    if (result.code == WEFT_OK && after <= before)
        return result;
    exchange(sim, x);
    *done = (weft_contact_separation){.left = done->touching, .cloth = done->cloth, .object = done->object};
    return result;
}

static weft_result part(weft_sim *sim, weft_vec3 *x, weft_vec3 *force, weft_vec3 *weight,
                        weft_contact_separation *done) {
    double step = sim->clock.step > 0 ? sim->clock.step : 0.01;
    weft_contact_state state = sim_contact_state(sim, step);
    for (int32_t i = 0; i < sim->body_count; i++)
        sim->body[i].motion.away = sim_body_away(sim, i, sim->time);
    weigh(sim, force, weight);
    memcpy(x, sim->x, (size_t)sim->count * sizeof *x);
    weft_status status =
        weft_contact_separate(sim->contact, &sim->contact_settings, &sim->work, &state, weight, x, done);
    if (status != WEFT_STATUS_OK)
        return weft_fail_memory("parting what touches", (size_t)sim->count * sizeof *x);
    return done->vertices > 0 ? take_over(sim, x, done) : weft_ok();
}

weft_result sim_separate_layers(weft_sim *sim, weft_separation *parting, sim_touch *first) {
    *parting = (weft_separation){0};
    *first = (sim_touch){WEFT_NONE, WEFT_NONE};
    WEFT_TRY(weft_sim_prepare(sim));
    if (!sim->contact)
        return weft_ok();
    size_t n = (size_t)sim->count;
    weft_contact_separation done = {0};
    weft_vec3 *x = weft_allocate(n, sizeof *x), *force = weft_allocate(n, sizeof *force);
    weft_vec3 *weight = weft_allocate((size_t)sim->cloth_count, sizeof *weight);
    weft_result result = x && force && weight ? part(sim, x, force, weight, &done)
                                              : weft_fail_memory("parting what touches", 2 * n * sizeof *x);
    free(weight);
    free(force);
    free(x);
    WEFT_TRY(result);
    *parting = (weft_separation){done.vertices, done.left, done.farthest};
    *first = (sim_touch){done.cloth, done.object};
    sim->separated.vertices += parting->vertices;
    sim->separated.left = parting->left;
    sim->separated.farthest = fmax(sim->separated.farthest, parting->farthest);
    return result;
}

weft_result weft_sim_separate_layers(weft_sim *sim, weft_separation *parting) {
    WEFT_REQUIRE(sim);
    WEFT_REQUIRE(parting);
    sim_touch first;
    return sim_separate_layers(sim, parting, &first);
}

weft_separation weft_sim_separated(const weft_sim *sim) { return sim->separated; }
