/* The contact of one step, in the order of Bender and Deul (2013), section 3. Also creates and destroys the contact
 * world. */
#include "contact/internal.h"
#include "core/seconds.h"

static void destroy_object(contact_object *object) {
    contact_tree_destroy(&object->tree);
    contact_hash_destroy(&object->hash);
    free(object->crease);
    free(object->surface.triangle);
    free(object->surface.position);
}

void weft_contact_destroy(weft_contact *contact) {
    if (!contact)
        return;
    broad_phase_drop_tasks(contact);
    while (contact->spare_bin)
        contact_destroy_bin(contact_new_bin(contact));
    for (int32_t i = 0; contact->shape_bin && i < contact->shape_bin_count; i++)
        free(contact->shape_bin[i].row);
    for (int32_t i = 0; contact->object && i < contact->object_count; i++)
        destroy_object(&contact->object[i]);
    void *owned[] = {contact->shape_bin,
                     contact->trajectory[0],
                     contact->trajectory[1],
                     contact->dirty,
                     contact->new_task,
                     contact->task,
                     contact->anchor,
                     contact->parent,
                     contact->changed,
                     contact->swept_box,
                     contact->v_next,
                     contact->x_next,
                     contact->x,
                     contact->inverse_mass,
                     contact->rest,
                     contact->marks,
                     contact->object_of,
                     contact->triangle,
                     contact->body,
                     contact->cloth,
                     contact->object,
                     contact->constraint,
                     contact->constraint_data,
                     contact->first_constraint,
                     contact->drift_x[0],
                     contact->drift_x[1],
                     contact->object_pair,
                     contact->sweep_order,
                     contact->start,
                     contact->finish,
                     contact->trial,
                     contact->touch,
                     contact->touch_order,
                     contact->rub,
                     contact->load,
                     contact->anchor_x,
                     contact->loose};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; i++)
        free(owned[i]);
    free(contact);
}

/* Moves the data of an object that do not depend on the other objects. */
static void move_object_data(contact_object *object, contact_object *before) {
    object->surface = before->surface;
    object->crease = before->crease;
    object->tree = before->tree;
    object->tree_first_triangle = before->tree_first_triangle;
    before->surface = (weft_body_surface){0};
    before->crease = NULL;
    before->tree = (contact_tree){0};
}

/* Moves the memory of the lists that a step fills, so that the next step need not allocate. */
static void move_lists(weft_contact *contact, weft_contact *before) {
    broad_phase_drop_tasks(before);
    contact->spare_bin = before->spare_bin;
    contact->task = before->task;
    contact->new_task = before->new_task;
    contact->task_capacity = before->task_capacity;
    before->spare_bin = NULL;
    before->task = before->new_task = NULL;
}

/* Takes the cloths marked in `kept`, and all bodies, from `before`. `before` may be null. */
static weft_result build(weft_contact *contact, const weft_contact_cloth *cloth, int32_t cloth_count,
                         const weft_body_view *body, int32_t body_count, weft_contact *before, const uint8_t *kept) {
    contact->object_count = cloth_count + body_count;
    contact->cloth_count = cloth_count;
    contact->object = weft_allocate((size_t)contact->object_count, sizeof *contact->object);
    contact->cloth = weft_allocate((size_t)cloth_count, sizeof *contact->cloth);
    contact->body = weft_allocate((size_t)body_count, sizeof *contact->body);
    if (!contact->object || !contact->cloth || !contact->body)
        return weft_fail_memory("contact", (size_t)contact->object_count * sizeof *contact->object);
    for (int32_t i = 0; i < cloth_count; i++) {
        contact->cloth[i] = cloth[i];
        contact->object[i].cloth = &contact->cloth[i];
    }
    for (int32_t i = 0; i < body_count; i++) {
        contact->body[i] = body[i];
        contact->object[cloth_count + i].body = &contact->body[i];
    }
    for (int32_t i = 0; before && i < contact->object_count; i++)
        if (i >= cloth_count || kept[i])
            move_object_data(&contact->object[i], &before->object[i]);
    if (before)
        move_lists(contact, before);
    return contact_build_surfaces(contact);
}

weft_result weft_contact_create(const weft_contact_cloth *cloth, int32_t cloth_count, const weft_body_view *body,
                                int32_t body_count, weft_contact **made) {
    *made = NULL;
    weft_contact *contact = weft_allocate(1, sizeof *contact);
    if (!contact)
        return weft_fail_memory("contact", sizeof *contact);
    weft_result result = build(contact, cloth, cloth_count, body, body_count, NULL, NULL);
    if (result.code == WEFT_OK)
        *made = contact;
    else
        weft_contact_destroy(contact);
    return result;
}

weft_result weft_contact_renew(weft_contact **contact, const weft_contact_cloth *cloth, const uint8_t *kept,
                               const weft_body_view *body) {
    weft_contact *before = *contact;
    *contact = weft_allocate(1, sizeof **contact);
    weft_result result = weft_fail_memory("contact", sizeof **contact);
    if (*contact)
        result =
            build(*contact, cloth, before->cloth_count, body, before->object_count - before->cloth_count, before, kept);
    weft_contact_destroy(before);
    if (result.code != WEFT_OK) {
        weft_contact_destroy(*contact);
        *contact = NULL;
    }
    return result;
}

void contact_place_body(weft_contact *contact, contact_object *object, double time, double dt) {
    const weft_body_view *body = object->body;
    const weft_vec3 *position = object->surface.position;
    weft_pose start = weft_body_view_pose(body, time);
    double frame = weft_body_view_frame(body, time);
    object->has_moved |= !weft_pose_same(&start, &object->pose[0]) || !weft_pose_same(&start, &object->pose[1]) ||
                         frame != object->frame[0] || frame != object->frame[1];
    object->pose[0] = start;
    object->frame[0] = frame;
    object->pose[1] = weft_body_view_pose(body, time + dt);
    object->frame[1] = weft_body_view_frame(body, time + dt);
    object->has_moved |= !weft_pose_same(&start, &object->pose[1]) || frame != object->frame[1];
    if (object->has_moved)
        object->fitted_padding = 0; /* the tree is fitted to another motion */
    int absent = body->motion && body->motion->away;
    contact->pairs_valid &= object->absent == absent;
    object->absent = absent;
    for (int32_t i = 0; i < object->vertex_count; i++) {
        int32_t v = object->first + i;
        contact->x[v] = weft_pose_out(&object->pose[0], weft_body_view_point(body, position, object->frame[0], i));
        contact->x_next[v] = weft_pose_out(&object->pose[1], weft_body_view_point(body, position, object->frame[1], i));
        contact->v_next[v] = weft_scale(1 / dt, weft_sub(contact->x_next[v], contact->x[v]));
    }
}

static void write_state(const weft_contact *contact, const weft_contact_state *state) {
    for (int32_t i = 0; i < state->count; i++) {
        state->touched[i] = memcmp(&state->x_next[i], &contact->x_next[i], sizeof(weft_vec3)) != 0 ||
                            memcmp(&state->v_next[i], &contact->v_next[i], sizeof(weft_vec3)) != 0;
        state->v_change[i] = weft_sub(contact->v_next[i], state->v_next[i]);
        state->x_next[i] = contact->x_next[i];
        state->v_next[i] = contact->v_next[i];
    }
}

static int marks_are_current(const weft_contact *contact) {
    for (int32_t o = 0; o < contact->cloth_count; o++) {
        const contact_object *object = &contact->object[o];
        const weft_mesh *mesh = object->cloth->mesh;
        for (int32_t i = 0; i < mesh->triangle_count; i++)
            if (!object->cloth->open_face[mesh->triangle_face[i]] !=
                !(contact->marks[object->first_triangle + i] & OPEN))
                return 0;
    }
    return 1;
}

static weft_status update_marks(weft_contact *contact) {
    if (marks_are_current(contact))
        return WEFT_STATUS_OK;
    contact->pairs_valid = 0;
    return contact_mark_features(contact).code == WEFT_OK ? WEFT_STATUS_OK : WEFT_STATUS_NO_MEMORY;
}

/* How far cloth may be off its trajectory, as a fraction of the cache margin. A larger value makes more boxes overlap
 * whose leaves have no pairs. A smaller value makes searches more frequent. */
static const double TOLERANCE = 0.5, BARRIER_TOLERANCE = 0.3;
/* Margin of the barrier's pair cache relative to the thickness. Its pairs are looked at in every Newton update, so a
 * short list matters more than a long life. */
static const double BARRIER_MARGIN = 0.5;

/* Of the barrier, relative to the thickness. More makes the list of near pairs last longer, and longer. */
static const double SPARE = 0.25;

contact_step contact_step_of(weft_contact *contact, const weft_contact_settings *settings, const weft_work *work,
                             const weft_contact_state *state, weft_contact_report *report) {
    int barrier = settings->method == WEFT_CONTACT_BARRIER && settings->mode == WEFT_CONTACT_EXACT;
    double spare = barrier ? SPARE * settings->thickness : 0;
    double wide_margin = pair_cache_margin(contact, settings, spare);
    return (contact_step){.contact = contact,
                          .settings = settings,
                          .fast = settings->mode == WEFT_CONTACT_FAST,
                          .work = work,
                          .time = state->time,
                          .dt = state->dt,
                          .margin = 1e-3 * settings->thickness,
                          .touch_margin = report ? 0 : 0.02 * settings->thickness,
                          .slack = barrier ? 0 : 0.5 * settings->thickness,
                          .tolerance = (barrier ? BARRIER_TOLERANCE : TOLERANCE) * wide_margin,
                          .cache_margin =
                              barrier ? fmin(wide_margin, BARRIER_MARGIN * settings->thickness) : wide_margin,
                          .spare = spare,
                          .gives_up = state->gives_up,
                          .tangled = state->tangled,
                          .first = state->first,
                          .crossed = state->crossed,
                          .report = report};
}

weft_status contact_take_state(contact_step *step, const weft_contact_state *state) {
    weft_contact *contact = step->contact;
    pair_cache_check_settings(step);
    contact->on_listed_line = 0;
    contact->progress = 0;
    contact->touches_listed = 0;
    size_t vectors = (size_t)state->count * sizeof *contact->x;
    memcpy(contact->x, state->x, vectors);
    memcpy(contact->x_next, state->x_next, vectors);
    memcpy(contact->v_next, state->v_next, vectors);
    contact->grips = state->grips;
    contact->next_grips = state->next_grips;
    memcpy(contact->inverse_mass, state->inverse_mass, (size_t)state->count * sizeof *contact->inverse_mass);
    for (int32_t i = contact->cloth_count; i < contact->object_count; i++)
        contact_place_body(contact, &contact->object[i], state->time, state->dt);
    return update_marks(contact);
}

weft_status weft_contact_settle_loose(weft_contact *contact, const weft_contact_settings *settings,
                                      const weft_work *work, const weft_contact_state *state) {
    weft_contact_report ignored = {0};
    if (!contact->has_loose)
        return WEFT_STATUS_OK;
    contact_step step = contact_step_of(contact, settings, work, state, &ignored);
    step.loose_only = 1;
    weft_status status = contact_take_state(&step, state);
    if (status == WEFT_STATUS_OK)
        status = contact_solve_shapes(&step);
    for (int32_t i = 0; i < state->count && status == WEFT_STATUS_OK; i++)
        if (contact->loose[i]) {
            state->x_next[i] = contact->x_next[i];
            state->v_next[i] = contact->v_next[i];
        }
    return status;
}

weft_status weft_contact_step(weft_contact *contact, const weft_contact_settings *settings, const weft_work *work,
                              const weft_contact_state *state, weft_contact_report *report) {
    contact_step step = contact_step_of(contact, settings, work, state, report);
    weft_status status = contact_take_state(&step, state);
    if (status == WEFT_STATUS_OK)
        contact_stop_constrained(&step);
    if (status == WEFT_STATUS_OK)
        status = contact_solve_shapes(&step);
    double since = weft_seconds();
    if (status == WEFT_STATUS_OK && !contact->prepared)
        status = pair_cache_update_start(&step);
    if (status == WEFT_STATUS_OK && !contact->prepared)
        status = contact_find_rows(&step);
    report->detection_seconds += contact->prepared ? contact->prepare_seconds : weft_seconds() - since;
    if (status == WEFT_STATUS_OK)
        contact_solve_rows(&step);
    if (status == WEFT_STATUS_OK)
        status = contact_collide(&step);
    if (status == WEFT_STATUS_OK && step.gives_up && !step.tangled && report->contacts + report->impulses > 0 &&
        contact_overstretches(&step))
        status = WEFT_STATUS_DIVERGED;
    if (status == WEFT_STATUS_OK)
        write_state(contact, state);
    return status;
}
