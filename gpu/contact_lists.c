/* The lists of contact in a step: near pairs, touches, friction, terms of the linear system. */
#include <math.h>

#include "contact_world.h"

/* The sum that a prefix sum left at the end. */
static int64_t total(gpu_simulation *s, int32_t count) {
    int64_t made = -1;
    return s->on.read(s->on.self, &made, s->gpu.contact.offset + count, sizeof made) ? made : -1;
}

/* Counts with one kernel and returns the sum, or -1. */
static int64_t count_items(gpu_simulation *s, gpu_kernel kernel, int32_t items) {
    if (items == 0)
        return 0;
    if (!gpu_world_reserve_offsets(s, items) || !gpu_run(s, kernel, items) ||
        !s->on.scan(s->on.self, s->gpu.contact.offset, items))
        return -1;
    return total(s, items);
}

/* -- near pairs -- */

int gpu_fit_tree(gpu_simulation *s, int32_t number) {
    gpu_contact *c = &s->gpu.contact;
    const gpu_tree *tree = &c->tree[number];
    c->now_tree = number;
    int good = gpu_run(s, GPU_contact_feature_box, tree->count);
    for (c->now_level = 1; c->now_level < tree->levels && good; c->now_level++)
        good = gpu_run(s, GPU_contact_level_box, tree->first[c->now_level + 1] - tree->first[c->now_level]);
    return good;
}

static int list_near(gpu_simulation *s) {
    gpu_contact *c = &s->gpu.contact;
    int32_t items = c->count + c->edges;
    s->world->near_valid = 0;
    c->near_count = 0;
    if (!gpu_fit_tree(s, 0) || !gpu_fit_tree(s, 1))
        return 0;
    int64_t found = count_items(s, GPU_contact_count_near, items);
    if (found < 0 || !gpu_world_reserve_near(s, found) || !gpu_run(s, GPU_contact_write_near, items))
        return 0;
    c->near_count = (int32_t)found;
    s->world->near_valid = 1;
    return gpu_run(s, GPU_contact_reach, c->near_count) && gpu_run(s, GPU_contact_anchor, c->count);
}

int gpu_limit_motion(gpu_simulation *s, int near_suffice, double *fraction) {
    gpu_contact *c = &s->gpu.contact;
    double least = 1;
    c->fresh = !s->world->near_valid || !near_suffice;
    *fraction = 1;
    if (c->fresh && !list_near(s))
        return 0;
    if (c->near_count > 0 &&
        (!gpu_run(s, GPU_contact_limit, c->near_count) || !s->on.least(s->on.self, c->bound, c->near_count, &least)))
        return 0;
    *fraction = fmin(1, least);
    return !s->on.failure(s->on.self);
}

/* -- touches and friction -- */

int gpu_list_touches(gpu_simulation *s) {
    gpu_contact *c = &s->gpu.contact;
    c->touch_count = 0;
    int64_t found = count_items(s, GPU_contact_count_touches, c->near_count);
    if (found < 0 || !gpu_world_reserve_touches(s, found) ||
        (found > 0 && !gpu_run(s, GPU_contact_write_touches, c->near_count)))
        return 0;
    c->touch_count = (int32_t)found;
    return 1;
}

int gpu_begin_friction(gpu_simulation *s) {
    gpu_contact *c = &s->gpu.contact;
    c->rub_count = 0;
    int64_t found = count_items(s, GPU_contact_count_rubs, c->touch_count);
    if (found < 0 || !gpu_world_reserve_rubs(s, found) ||
        (found > 0 && !gpu_run(s, GPU_contact_write_rubs, c->touch_count)))
        return 0;
    c->rub_count = (int32_t)found;
    return 1;
}

int gpu_renew_friction(gpu_simulation *s, int *renewed) {
    gpu_contact *c = &s->gpu.contact;
    *renewed = 0;
    if (!gpu_list_touches(s))
        return 0;
    if (c->touch_count == 0)
        return 1;
    gpu_run_sum(s, GPU_contact_friction_excess, c->touch_count, GPU_SLOT_COUNT);
    gpu_numbers n = gpu_read_numbers(s);
    *renewed = n.sum[GPU_SLOT_COUNT][1] > 0.25 * n.sum[GPU_SLOT_COUNT][0];
    return *renewed ? gpu_begin_friction(s) : !s->on.failure(s->on.self);
}

/* -- the linear system -- */

static int bits_of(int32_t number) {
    int bits = 1;
    while (bits < 31 && number >> bits > 0)
        bits++;
    return bits;
}

int gpu_make_terms(gpu_simulation *s) {
    weft_gpu *g = &s->gpu;
    gpu_contact *c = &g->contact;
    int64_t terms = (int64_t)c->touch_count + c->rub_count;
    g->coupling.terms = 0;
    if (terms == 0)
        return 1;
    if (!gpu_world_reserve_terms(s, terms) || !gpu_run(s, GPU_contact_terms, (int32_t)terms))
        return 0;
    gpu_sort_lists lists = {c->entry_key, c->entry_value, c->sorted_key, c->sorted_value};
    g->coupling.term = c->term;
    g->coupling.exact = c->term_force; /* not needed after the gathering below */
    g->coupling.entry = c->entry;
    g->coupling.start = c->entry_start;
    g->coupling.terms = (int32_t)terms;
    return s->on.sort(s->on.self, &lists, (int32_t)(4 * terms), bits_of(c->cloths)) &&
           gpu_run(s, GPU_contact_entries, (int32_t)(4 * terms)) &&
           gpu_run(s, GPU_contact_entry_starts, c->cloths + 1) && gpu_run(s, GPU_contact_gather, c->cloths);
}

/* -- the end of a step -- */

int gpu_end_contact(gpu_simulation *s) {
    gpu_contact *c = &s->gpu.contact;
    weft_vec3 *trial = c->trial;
    s->world->energy = 0;
    if (!gpu_list_touches(s) || !gpu_world_reserve_grips(s, c->touch_count) ||
        !gpu_run(s, GPU_contact_keep_grips, c->touch_count))
        return 0;
    c->next_grip_count = c->touch_count;
    if (c->touch_count == 0)
        return 1;
    gpu_run_sum(s, GPU_contact_grip_energies, c->touch_count, GPU_SLOT_CONTACT_AFTER + 1);
    c->trial = c->x; /* where the energy is asked for */
    gpu_run_sum(s, GPU_contact_energies, c->near_count, GPU_SLOT_CONTACT_AFTER);
    c->trial = trial;
    gpu_numbers n = gpu_read_numbers(s);
    s->world->energy = n.sum[GPU_SLOT_CONTACT_AFTER][0] + n.sum[GPU_SLOT_CONTACT_AFTER + 1][0];
    return !s->on.failure(s->on.self);
}
