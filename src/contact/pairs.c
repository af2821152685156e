/* Candidate pairs: what the step may bring together, kept from step to step and renewed where it has to be. Leaves of
 * the trees of boxes that meet on the way have their pairs of features; boxes have room for the response, so that
 * leaves have to be looked for again only where the end of a vertex's path moved by more than `slack`. */
#include "contact/internal.h"

enum { TASK_LEAVES = 64 };

/* -- boxes -- */

static float below(double a) {
    float f = (float)a;
    return f - 1.2e-7F * fabsf(f) - 1e-30F;
}

static float above(double a) {
    float f = (float)a;
    return f + 1.2e-7F * fabsf(f) + 1e-30F;
}

static contact_box swept(weft_vec3 a, weft_vec3 b, double room) {
    return (contact_box){{{below(a.x - room), below(a.y - room), below(a.z - room)},
                          {below(b.x - room), below(b.y - room), below(b.z - room)}},
                         {{above(a.x + room), above(a.y + room), above(a.z + room)},
                          {above(b.x + room), above(b.y + room), above(b.z + room)}}};
}

typedef struct sweep {
    weft_contact *contact;
    int32_t first, dirty_only;
    double room;
} sweep;

static void sweep_vertices(void *context, int64_t begin, int64_t end) {
    const sweep *s = context;
    weft_contact *contact = s->contact;
    for (int64_t i = s->first + begin; i < s->first + end; i++)
        if (!s->dirty_only || contact->dirty[i]) {
            contact->planned[i] = contact->x_next[i];
            contact->reach[i] = swept(contact->x[i], contact->planned[i], s->room);
        }
}

static double body_thickness(const contact_object *object) {
    return object->body ? ((const weft_body_place *)object->body->settings)->thickness : 0;
}

/* Half the thickness for what is close at the start; that covers the slack at the end too. */
static double room_of(const contact_step *step, const contact_object *object) {
    return fmax(0.5 * step->settings->thickness, step->slack) + step->margin + body_thickness(object);
}

static weft_status refit(contact_step *step, contact_object *object, int dirty_only) {
    sweep s = {step->contact, object->first, dirty_only, room_of(step, object)};
    weft_parallel_for(step->work, object->vertex_count, WEFT_BLOCK, sweep_vertices, &s);
    contact_tree_refit(step->work, step->contact, object);
    return step->settings->search == WEFT_SEARCH_HASH ? contact_hash_fill(step->work, object) : WEFT_STATUS_OK;
}

weft_status contact_fit(contact_step *step, contact_object *object) {
    double room = room_of(step, object);
    if (object->body && object->fitted == room && object->search == step->settings->search &&
        weft_pose_same(&object->pose[0], &object->pose[1]) && object->frame[0] == object->frame[1])
        return WEFT_STATUS_OK;
    object->fitted = room;
    object->search = step->settings->search;
    contact_begin_drift(step->work, step->contact, object);
    return refit(step, object, 0);
}

/* -- tasks -- */

static weft_status add_tasks(weft_contact *contact, int32_t a, int32_t b) {
    int32_t leaves = contact->object[a].tree.leaves, wanted = (leaves + TASK_LEAVES - 1) / TASK_LEAVES;
    if (contact->task_count + wanted > contact->task_capacity) {
        int32_t capacity = 2 * (contact->task_count + wanted);
        contact_task *grown = realloc(contact->task, (size_t)capacity * sizeof *grown);
        if (!grown)
            return WEFT_STATUS_NO_MEMORY;
        contact->task = grown;
        contact->task_capacity = capacity;
    }
    for (int32_t leaf = 0; leaf < leaves; leaf += TASK_LEAVES) {
        int32_t end = leaf + TASK_LEAVES < leaves ? leaf + TASK_LEAVES : leaves;
        contact->task[contact->task_count++] = (contact_task){a, b, leaf, end};
    }
    return WEFT_STATUS_OK;
}

static int may_touch(const contact_step *step, const contact_object *b) {
    return b->body ? !b->away && !(step->fast && b->rounded) : step->settings->self;
}

/* Tasks for all pairs of objects, near or not, so that their pairs are in the same order however they came about. */
static weft_status plan(contact_step *step) {
    weft_contact *contact = step->contact;
    weft_status status = WEFT_STATUS_OK;
    contact->task_count = 0;
    for (int32_t a = 0; a < contact->cloth_count; a++)
        for (int32_t b = a; b < contact->object_count && status == WEFT_STATUS_OK; b++)
            if (may_touch(step, &contact->object[b]))
                status = add_tasks(contact, a, b);
    if (status == WEFT_STATUS_OK)
        status = contact_reserve_bins(contact, contact->task_count);
    for (int32_t i = 0; i < contact->task_count && status == WEFT_STATUS_OK; i++)
        contact->bin[i].meeting_count = contact->bin[i].pair_count = 0;
    return status;
}

static contact_search search_of(const contact_step *step, int32_t index) {
    const weft_contact *contact = step->contact;
    const contact_task *task = &contact->task[index];
    contact_search s = {.contact = contact,
                        .bin = &contact->bin[index],
                        .a = &contact->object[task->a],
                        .b = &contact->object[task->b],
                        .limit = step->limit};
    s.near = step->settings->thickness + body_thickness(s.b) + 2 * step->margin;
    s.room = room_of(step, s.a) + room_of(step, s.b);
    s.hashed = step->settings->search == WEFT_SEARCH_HASH;
    s.smooth = s.b->body && ((const weft_body_functions *)s.b->body->component->functions)->distance != NULL;
    return s;
}

/* -- renewal -- */

typedef struct renewal {
    const contact_step *step;
    int all, dirty;
} renewal;

static void renew(void *context, int64_t begin, int64_t end) {
    const renewal *r = context;
    const weft_contact *contact = r->step->contact;
    int32_t index = (int32_t)(begin / WEFT_BLOCK);
    (void)end;
    contact_search s = search_of(r->step, index);
    s.all = r->all;
    s.dirty = r->dirty && (s.a->tree.dirty[1] | s.b->tree.dirty[1]);
    if (!s.all && !s.dirty && contact_still_holds(&s))
        return;
    contact_begin_renewal(s.bin);
    if (s.bin->failed)
        return;
    if (s.all || s.dirty)
        contact_search_leaves(&s, &contact->task[index]);
    contact_end_renewal(&s);
}

static weft_status run(contact_step *step, int all, int dirty) {
    weft_contact *contact = step->contact;
    renewal r = {step, all, dirty};
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

weft_status contact_list_pairs(contact_step *step) {
    weft_contact *contact = step->contact;
    weft_status status = WEFT_STATUS_OK;
    if (!contact->listed) {
        find_rounded(contact);
        for (int32_t i = 0; i < contact->object_count; i++)
            contact_forget_drift(&contact->object[i]);
        status = plan(step);
    }
    for (int32_t i = 0; i < contact->object_count && contact->task_count > 0 && status == WEFT_STATUS_OK; i++)
        status = contact_fit(step, &contact->object[i]);
    return status == WEFT_STATUS_OK ? run(step, 1, 0) : status;
}

weft_status contact_renew_pairs(contact_step *step, int dirty) {
    weft_contact *contact = step->contact;
    weft_status status = WEFT_STATUS_OK;
    for (int32_t i = 0; i < contact->cloth_count && contact->task_count > 0 && status == WEFT_STATUS_OK; i++) {
        contact_end_drift(step->work, contact, &contact->object[i]);
        if (dirty)
            status = refit(step, &contact->object[i], 1);
    }
    return status == WEFT_STATUS_OK ? run(step, 0, dirty) : status;
}
