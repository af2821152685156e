/* Candidate pairs: what the step may bring together, kept from step to step and renewed where it has to be. */
#include "contact/internal.h"

static contact_search search_of(const contact_step *step, int32_t index) {
    const weft_contact *contact = step->contact;
    const contact_task *task = &contact->task[index];
    contact_search s = {.contact = contact,
                        .bin = task->bin,
                        .a = &contact->object[task->a],
                        .b = &contact->object[task->b],
                        .limit = step->limit};
    s.near = step->settings->thickness + (s.b->body ? s.b->thick : 0) + 2 * step->margin;
    s.hashed = step->settings->search == WEFT_SEARCH_HASH;
    s.near_only = step->fast;
    s.smooth = s.b->body && ((const weft_body_functions *)s.b->body->component->functions)->distance != NULL;
    return s;
}

/* -- renewal -- */

typedef struct renewal {
    const contact_step *step;
    int all, dirty, anew; /* as in the search */
} renewal;

static void renew(void *context, int64_t begin, int64_t end) {
    const renewal *r = context;
    const weft_contact *contact = r->step->contact;
    int32_t index = (int32_t)(begin / WEFT_BLOCK);
    (void)end;
    contact_search s = search_of(r->step, index);
    s.all = r->all;
    s.anew = r->anew;
    s.dirty = r->dirty && (s.a->tree.dirty[1] | s.b->tree.dirty[1]);
    if (!s.all && !s.dirty && contact_still_holds(&s))
        return;
    contact_begin_renewal(s.bin);
    if (s.bin->failed)
        return;
    if (s.all || s.dirty)
        narrow_phase_search_leaves(&s, &contact->task[index]);
    contact_end_renewal(&s);
}

static weft_status run(contact_step *step, renewal r) {
    weft_contact *contact = step->contact;
    r.step = step;
    contact_for_tasks(step->work, contact->task_count, renew, &r);
    weft_status status = contact_check_bins(contact);
    contact->listed = status == WEFT_STATUS_OK;
    return status;
}

static void find_rounded(weft_contact *contact) {
    for (int32_t o = contact->cloth_count; o < contact->object_count; o++) {
        contact_object *object = &contact->object[o];
        int sharp = !((const weft_body_functions *)object->body->component->functions)->distance;
        for (int32_t i = 0; i < object->triangle_count && !sharp; i++)
            sharp = (contact->marks[object->first_triangle + i] & (7 * SHARP_VERTEX | 7 * SHARP_EDGE)) != 0;
        object->rounded = !sharp;
    }
}

/* Whether the search has to begin anew: the plan is over, or a body is elsewhere. */
static int is_over(const contact_step *step) {
    const weft_contact *contact = step->contact;
    int over = !contact->listed || !contact_on_plan(step);
    for (int32_t o = contact->cloth_count; o < contact->object_count; o++)
        over |= contact->object[o].moves && !(step->fast && contact->object[o].rounded);
    return over;
}

/* After a failure the next step begins anew. */
static weft_status listed(weft_contact *contact, weft_status status) {
    contact->listed &= status == WEFT_STATUS_OK;
    return status;
}

/* What has been complete at the end of the last step is so at the start of this. */
weft_status contact_list_pairs(contact_step *step) {
    weft_contact *contact = step->contact;
    weft_status status = WEFT_STATUS_OK;
    if (!contact->listed) {
        find_rounded(contact);
        for (int32_t i = 0; i < contact->object_count; i++)
            pair_cache_forget_drift(&contact->object[i]);
        contact_drop_tasks(contact);
        contact->touchable = contact_may_touch(step);
    }
    for (int32_t o = contact->cloth_count; o < contact->object_count && status == WEFT_STATUS_OK; o++)
        status = contact_fit(step, &contact->object[o]);
    if (status != WEFT_STATUS_OK || !contact->touchable)
        return listed(contact, status);
    int same = 1, over = is_over(step);
    for (int32_t i = 0; i < contact->cloth_count; i++)
        same &= pair_cache_begin_drift(step->work, contact, &contact->object[i]);
    int32_t strayed = over ? 0 : contact_mark_strayed(step, contact->x, step->time, step->stray);
    if (same && !over && strayed == 0)
        return status;
    for (int32_t i = 0; i < contact->cloth_count; i++)
        pair_cache_end_drift(step->work, contact, &contact->object[i]);
    contact->replaced += strayed;
    over |= strayed > contact->cloth_vertices / 2;
    if (over)
        status = contact_make_plan(step);
    else if (strayed > 0)
        status = contact_change_plan(step);
    if (status == WEFT_STATUS_OK && (over || strayed > 0))
        status = contact_plan_tasks(step, 0);
    if (status == WEFT_STATUS_OK)
        status = run(step, (renewal){.all = over, .dirty = strayed > 0, .anew = !same});
    return listed(contact, status);
}

weft_status contact_renew_pairs(contact_step *step) {
    weft_contact *contact = step->contact;
    weft_status status = WEFT_STATUS_OK;
    if (!contact->touchable)
        return status;
    for (int32_t i = 0; i < contact->cloth_count; i++)
        pair_cache_end_drift(step->work, contact, &contact->object[i]);
    int32_t strayed = contact_mark_strayed(step, contact->x_next, step->time + step->dt, step->stray + step->slack);
    contact->replaced += strayed;
    if (strayed > 0)
        status = contact_change_plan(step);
    if (status == WEFT_STATUS_OK && strayed > 0)
        status = contact_plan_tasks(step, 1);
    if (status == WEFT_STATUS_OK)
        status = run(step, (renewal){.dirty = strayed > 0});
    return listed(contact, status);
}
