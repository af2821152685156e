/* What the engine may ask about contact between steps. */
#include <stdlib.h>

#include "contact_world.h"

weft_result gpu_simulation_contacts(gpu_simulation *s, weft_device_contacts *made) {
    const gpu_contact *c = &s->gpu.contact;
    *made = (weft_device_contacts){0};
    if (s->world)
        *made = (weft_device_contacts){c->touch_count, c->near_count, s->world->energy};
    return weft_ok();
}

weft_result gpu_simulation_fetch_grips(gpu_simulation *s, weft_device_grip **grips, int32_t *count) {
    const gpu_contact *c = &s->gpu.contact;
    *grips = NULL;
    *count = 0;
    if (!s->world || c->grip_count == 0)
        return weft_ok();
    size_t n = (size_t)c->grip_count;
    gpu_grip *list = malloc(n * sizeof *list);
    weft_device_grip *made = malloc(n * sizeof *made);
    weft_result result = weft_fail_memory("grips", n * (sizeof *list + sizeof *made));
    if (list && made)
        result = s->on.read(s->on.self, list, c->grip, n * sizeof *list) ? weft_ok() : gpu_simulation_failure(s);
    if (result.code == WEFT_OK) {
        gpu_grips_out(&s->world->surfaces, list, c->grip_count, made);
        *grips = made;
        *count = c->grip_count;
        made = NULL;
    }
    free(made);
    free(list);
    return result;
}

weft_result gpu_simulation_audit(gpu_simulation *s, int64_t *crossings) {
    gpu_contact *c = &s->gpu.contact;
    *crossings = 0;
    if (!s->world)
        return weft_ok();
    s->world->near_valid = 0;
    if (!gpu_run(s, GPU_contact_audit_begin, c->count) || !gpu_fit_tree(s, 0))
        return gpu_simulation_failure(s);
    double sum = gpu_sum(s, GPU_contact_audit, c->edges);
    if (s->on.failure(s->on.self))
        return gpu_simulation_failure(s);
    *crossings = (int64_t)sum;
    return weft_ok();
}

weft_result gpu_simulation_touching(gpu_simulation *s, const weft_device_step *at, double within, int64_t *pairs) {
    gpu_contact *c = &s->gpu.contact;
    *pairs = 0;
    if (!s->world)
        return weft_ok();
    s->world->near_valid = 0;
    if (!gpu_world_place_bodies(s, at) || !gpu_run(s, GPU_contact_audit_begin, c->count) || !gpu_fit_tree(s, 0) ||
        !gpu_fit_tree(s, 1))
        return gpu_simulation_failure(s);
    c->within = within;
    *pairs = (int64_t)gpu_sum(s, GPU_contact_found, c->count + c->edges);
    c->within = 0;
    return s->on.failure(s->on.self) ? gpu_simulation_failure(s) : weft_ok();
}
