/* Contact on a device: what it gets of the contact world, and what the engine takes over from it. */
#include "core/memory.h"
#include "sim/internal.h"
#include "weft/vec.h"

weft_result sim_check_device_contact(const weft_sim *sim, int32_t scheme) {
    const weft_contact_settings *settings = &sim->contact_settings;
    if (settings->strain_limit > 0)
        return sim_refuse_on_device(sim, "contact.strain_limit");
    if (!sim_touches(sim))
        return weft_ok();
    if (scheme > WEFT_DEVICE_BDF2)
        return sim_refuse_on_device(sim, "contact with this integrator (implicit-euler and bdf2 can; "
                                         "contact.self: false turns self-collision off)");
    if (settings->method != WEFT_CONTACT_BARRIER)
        return sim_refuse_on_device(sim, settings->method == WEFT_CONTACT_IMPULSES ? "contact.method: impulses"
                                                                                   : "contact.method: constraints");
    if (settings->mode != WEFT_CONTACT_EXACT)
        return sim_refuse_on_device(sim, "contact.mode: fast");
    return settings->repair ? sim_refuse_on_device(sim, "contact.repair") : weft_ok();
}

static weft_device_object object_of(const weft_sim *sim, int32_t index) {
    if (index < sim->cloth_count)
        return (weft_device_object){.friction = sim->cloth[index].fabric.friction};
    const weft_body_place *place = sim->body[index - sim->cloth_count].settings;
    return (weft_device_object){.friction = place->friction, .thickness = place->thickness, .is_body = 1};
}

static weft_device_grip grip_of(const weft_contact_grip *from) {
    weft_device_grip made = {.kind = from->kind, .reach = from->reach, .slip = from->slip};
    memcpy(made.vertex, from->vertex, sizeof made.vertex);
    return made;
}

weft_result sim_describe_contact(const weft_sim *sim, const weft_device_contact **made) {
    const weft_contact_settings *settings = &sim->contact_settings;
    weft_arena *arena = sim->work.arena;
    *made = NULL;
    if (!sim->contact || !sim_touches(sim))
        return weft_ok();
    weft_contact_surfaces view = weft_contact_view(sim->contact, settings);
    int32_t grips = sim->grips[0].count;
    size_t bytes = (size_t)grips * sizeof(weft_device_grip) + (size_t)view.object_count * sizeof(weft_device_object);
    weft_device_contact *to = weft_arena_take(arena, sizeof *to, "contact");
    weft_device_object *object = weft_arena_take(arena, (size_t)view.object_count * sizeof *object, "contact");
    weft_device_grip *grip = weft_arena_take(arena, ((size_t)grips + 1) * sizeof *grip, "contact");
    if (!to || !object || !grip)
        return weft_fail_memory("contact on a device", bytes);
    for (int32_t i = 0; i < view.object_count; i++)
        object[i] = object_of(sim, i);
    for (int32_t i = 0; i < grips; i++)
        grip[i] = grip_of(&sim->grips[0].grip[i]);
    *to = (weft_device_contact){.count = view.count,
                                .triangle_count = view.triangle_count,
                                .object_count = view.object_count,
                                .triangle = view.triangle,
                                .object_of = view.object_of,
                                .rest = view.rest,
                                .object = object,
                                .thickness = settings->thickness,
                                .friction = settings->friction,
                                .spare = view.spare,
                                .self = settings->self,
                                .grip = grip,
                                .grip_count = grips};
    *made = to;
    return weft_ok();
}

static int is_far(weft_vec3 a, weft_vec3 b, double most) {
    weft_vec3 moved = weft_sub(b, a);
    return weft_dot(moved, moved) > most * most;
}

/* Whether a body goes farther in the step than an edge is long: shorter steps cost less (contact/barrier_solver.c). */
static int goes_too_far(const weft_contact_surfaces *view, const weft_device_step *step) {
    for (int32_t i = view->cloth_vertices; i < view->count; i++) {
        int32_t at = i - view->cloth_vertices;
        if (!step->absent[view->object_of[i]] && is_far(step->body_start[at], step->body_end[at], view->edge_length))
            return 1;
    }
    return 0;
}

weft_status sim_device_bodies(weft_sim *sim, weft_device_step *step) {
    if (!sim->contact || !sim_touches(sim))
        return WEFT_STATUS_OK;
    weft_contact_surfaces view = weft_contact_view(sim->contact, &sim->contact_settings);
    uint8_t *absent = weft_arena_take(sim->work.arena, (size_t)view.object_count, "contact");
    if (!absent)
        return WEFT_STATUS_NO_MEMORY;
    weft_contact_place_bodies(sim->contact, sim->time, step->dt, &step->body_start, &step->body_end, absent);
    step->absent = absent;
    return step->gives_up && goes_too_far(&view, step) ? WEFT_STATUS_DIVERGED : WEFT_STATUS_OK;
}

weft_status sim_device_contacts(weft_sim *sim, weft_report *report) {
    weft_device_contacts found = {0};
    if (!sim->contact || !sim_touches(sim))
        return WEFT_STATUS_OK;
    weft_result result = sim->device.functions->contacts(sim->device.self, &found);
    if (result.code != WEFT_OK) {
        sim_lose_device(sim, result);
        return WEFT_STATUS_NO_MEMORY;
    }
    sim->device.grips_ahead = 1;
    sim->contact_energy = found.energy;
    sim->pressing_known = 0;
    report->contact.contacts += (int32_t)found.touching;
    report->contact.rounds++;
    if (found.touching > 0)
        sim->dt_before = 0; /* a two-step scheme must not extrapolate an impact */
    return WEFT_STATUS_OK;
}

weft_result sim_device_touching(weft_sim *sim, int64_t *pairs) {
    weft_device_step step = {.dt = 0.01}; /* any: the bodies matter at its start */
    *pairs = 0;
    weft_arena_empty(sim->work.arena);
    for (int32_t i = 0; i < sim->body_count; i++)
        sim->body[i].motion.away = sim_body_away(sim, i, sim->time);
    if (sim_device_bodies(sim, &step) == WEFT_STATUS_NO_MEMORY)
        return weft_fail_memory("contact on a device", 0);
    if (!step.absent)
        return weft_ok();
    step.body_end = step.body_start;
    double within = WEFT_CONTACT_TOUCHES * sim->contact_settings.thickness;
    return sim->device.functions->touching(sim->device.self, &step, within, pairs);
}
