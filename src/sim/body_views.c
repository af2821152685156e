/* Bodies as the contact, the audit and adaptation see them. */
#include "core/require.h"
#include "sim/state.h"

weft_result sim_require_body(const weft_sim *sim, int32_t body) {
    if (body >= 0 && body < sim->body_count)
        return weft_ok();
    return weft_fail(WEFT_BAD_INPUT, "body %d: there are %d bodies, numbered from 0", body, sim->body_count);
}

weft_body_view sim_body_view(const sim_body *body) {
    return (weft_body_view){.component = body->component,
                            .settings = body->settings,
                            .mesh = body->mesh,
                            .key = body->key,
                            .key_count = body->key_count,
                            .frames = body->frames.frame_count > 0 ? &body->frames : NULL,
                            .motion = &body->motion};
}

weft_result weft_sim_body_surface(const weft_sim *sim, int32_t body, weft_body_surface *surface) {
    WEFT_REQUIRE(sim);
    WEFT_REQUIRE(surface);
    WEFT_TRY(sim_require_body(sim, body));
    const weft_body_functions *functions = sim->body[body].component->functions;
    if (functions->generate && !sim->body[body].mesh)
        return weft_fail(WEFT_UNSUPPORTED, "body '%s': has a surface once the simulation is prepared",
                         sim->body[body].component->name);
    weft_body_view seen = sim_body_view(&sim->body[body]);
    WEFT_TRY(weft_body_view_surface(&seen, sim->time, surface));
    for (int32_t i = 1; sim_body_away(sim, body, sim->time) && i < surface->vertex_count; i++)
        surface->position[i] = surface->position[0];
    return weft_ok();
}

int sim_body_away(const weft_sim *sim, int32_t body, double time) {
    const weft_body_place *place = sim->body[body].settings;
    return time < place->appears || time >= place->vanishes;
}
