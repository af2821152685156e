/* Candidate pairs: everything that may come into contact during the step. They are cached from step to step and updated
 * where necessary. */
#include "contact/internal.h"

static contact_search search_of(const contact_step *step, int32_t index) {
    const weft_contact *contact = step->contact;
    const contact_task *task = &contact->task[index];
    contact_search s = {.contact = contact,
                        .bin = task->bin,
                        .a = &contact->object[task->a],
                        .b = &contact->object[task->b],
                        .cache_margin = step->cache_margin};
    s.contact_distance = step->settings->thickness + (s.b->body ? s.b->thickness : 0) + step->spare + 2 * step->margin;
    s.use_hash = step->settings->search == WEFT_SEARCH_HASH;
    s.proximity_only = step->fast;
    s.exact_shape = s.b->body && ((const weft_body_functions *)s.b->body->component->functions)->distance != NULL;
    return s;
}

/* -- update -- */

typedef struct update {
    const contact_step *step;
    int all, dirty, new_start; /* as in contact_search */
} update;

static void update_task(void *context, int64_t begin, int64_t end) {
    const update *r = context;
    const weft_contact *contact = r->step->contact;
    int32_t index = (int32_t)(begin / WEFT_BLOCK);
    (void)end;
    contact_search s = search_of(r->step, index);
    s.all = r->all;
    s.new_start = r->new_start;
    s.dirty = r->dirty && (s.a->tree.dirty[1] | s.b->tree.dirty[1]);
    if (!s.all && !s.dirty && s.bin->dead_pairs <= s.bin->pair_count / 2) {
        pair_cache_refresh(&s);
        return;
    }
    pair_cache_begin_update(s.bin);
    if (s.bin->failed)
        return;
    if (s.all || s.dirty)
        narrow_phase_search_leaves(&s, &contact->task[index]);
    pair_cache_end_update(&s);
}

static weft_status update_all(contact_step *step, update r) {
    weft_contact *contact = step->contact;
    r.step = step;
    contact_for_tasks(step->work, contact->task_count, update_task, &r);
    weft_status status = contact_check_bins(contact);
    contact->pairs_valid = status == WEFT_STATUS_OK;
    return status;
}

static void mark_rounded(weft_contact *contact) {
    for (int32_t o = contact->cloth_count; o < contact->object_count; o++) {
        contact_object *object = &contact->object[o];
        int sharp = !((const weft_body_functions *)object->body->component->functions)->distance;
        for (int32_t i = 0; i < object->triangle_count && !sharp; i++)
            sharp = (contact->marks[object->first_triangle + i] & (7 * SHARP_VERTEX | 7 * SHARP_EDGE)) != 0;
        object->rounded = !sharp;
    }
}

/* Whether all leaves must be searched again: the cache is invalid, the interval of the trajectories is over, or a body
 * has moved. */
static int needs_full_search(const contact_step *step) {
    const weft_contact *contact = step->contact;
    int full = !contact->pairs_valid || !pair_cache_trajectories_cover(step);
    for (int32_t o = contact->cloth_count; o < contact->object_count; o++)
        full |= contact->object[o].has_moved && !(step->fast && contact->object[o].rounded);
    return full;
}

/* After a failure the next step searches everything again. */
static weft_status invalidate_on_failure(weft_contact *contact, weft_status status) {
    contact->pairs_valid &= status == WEFT_STATUS_OK;
    return status;
}

/* Pairs that were complete at the end of the previous step are complete at the start of this one. They are also
 * complete anywhere on the line from its start to its end, because the drift of leaves is a convex function there. */
weft_status pair_cache_update_start(contact_step *step) {
    weft_contact *contact = step->contact;
    weft_status status = WEFT_STATUS_OK;
    contact->near_valid = 0; /* they are numbers of pairs */
    if (!contact->pairs_valid) {
        mark_rounded(contact);
        for (int32_t i = 0; i < contact->object_count; i++)
            pair_cache_forget_drift(&contact->object[i]);
        broad_phase_drop_tasks(contact);
        contact->any_may_touch = broad_phase_may_touch(step);
    }
    for (int32_t o = contact->cloth_count; o < contact->object_count && status == WEFT_STATUS_OK; o++)
        status = contact_fit_body(step, &contact->object[o]);
    if (status != WEFT_STATUS_OK || !contact->any_may_touch)
        return invalidate_on_failure(contact, status);
    int same = 1, full = needs_full_search(step);
    for (int32_t i = 0; i < contact->cloth_count; i++)
        same &= pair_cache_begin_drift(step->work, contact, &contact->object[i]);
    same |= contact->on_listed_line;
    int32_t strayed =
        full ? 0
             : pair_cache_mark_strayed(step, contact->x, step->time + contact->progress * step->dt, step->tolerance);
    if (same && !full && strayed == 0)
        return status;
    for (int32_t i = 0; i < contact->cloth_count; i++)
        pair_cache_end_drift(step->work, contact, &contact->object[i]);
    contact->replaced += strayed;
    full |= strayed > contact->cloth_vertices / 2;
    if (full)
        status = pair_cache_make_trajectories(step);
    else if (strayed > 0)
        status = pair_cache_change_trajectories(step);
    if (status == WEFT_STATUS_OK && (full || strayed > 0))
        status = broad_phase_make_tasks(step, 0);
    if (status == WEFT_STATUS_OK)
        status = update_all(step, (update){.all = full, .dirty = strayed > 0, .new_start = !same});
    return invalidate_on_failure(contact, status);
}

weft_status pair_cache_update_end(contact_step *step) {
    weft_contact *contact = step->contact;
    weft_status status = WEFT_STATUS_OK;
    if (!contact->any_may_touch)
        return status;
    for (int32_t i = 0; i < contact->cloth_count; i++)
        pair_cache_end_drift(step->work, contact, &contact->object[i]);
    int32_t strayed =
        pair_cache_mark_strayed(step, contact->x_next, step->time + step->dt, step->tolerance + step->slack);
    contact->replaced += strayed;
    if (strayed > 0)
        status = pair_cache_change_trajectories(step);
    if (status == WEFT_STATUS_OK && strayed > 0)
        status = broad_phase_make_tasks(step, 1);
    if (status == WEFT_STATUS_OK)
        status = update_all(step, (update){.dirty = strayed > 0});
    return invalidate_on_failure(contact, status);
}
