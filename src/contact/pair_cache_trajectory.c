/* Boxes for the search of leaves that meet. They are not made for one step but for a plan of several: each vertex has a
 * course, the straight line on which it goes at the speed of the step in which the plan was made, and as long as all
 * keep to theirs, what was found apart at both ends of the plan stays apart. So what falls or swings fast is not looked
 * for in every step; vertices that stray get another course, and leaves with these alone are looked for again. */
#include "contact/internal.h"

enum { MOST_STEPS = 16 }; /* of a plan */

/* When a vertex has strayed, those that soon will get another course as well. */
static const double SOON = 0.5;

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
    const contact_step *step;
    int32_t first, dirty_only;
    double room;
    double from, to; /* when the plan begins and ends, in steps from the start of this one */
} sweep;

static void sweep_vertices(void *context, int64_t begin, int64_t end) {
    const sweep *s = context;
    const weft_contact *contact = s->step->contact;
    for (int64_t i = s->first + begin; i < s->first + end; i++) {
        if (s->dirty_only && !contact->dirty[i])
            continue;
        weft_vec3 way = weft_sub(contact->x_next[i], contact->x[i]);
        contact->course[0][i] = weft_add_scaled(contact->x[i], s->from, way);
        contact->course[1][i] = weft_add_scaled(contact->x[i], s->to, way);
        contact->reach[i] = swept(contact->course[0][i], contact->course[1][i], s->room);
    }
}

/* Half the thickness for what is close, which covers the slack as well. */
static double room_of(const contact_step *step, const contact_object *object) {
    return 0.5 * step->settings->thickness + step->stray + step->margin +
           (object->body ? ((const weft_body_place *)object->body->settings)->thickness : 0);
}

static weft_status refit(contact_step *step, contact_object *object, sweep s) {
    s.step = step;
    s.first = object->first;
    s.room = room_of(step, object);
    weft_parallel_for(step->work, object->vertex_count, WEFT_BLOCK, sweep_vertices, &s);
    contact_tree_refit(step->work, step->contact, object);
    return step->settings->search == WEFT_SEARCH_HASH ? contact_hash_fill(step->work, object) : WEFT_STATUS_OK;
}

weft_status contact_fit(contact_step *step, contact_object *object) {
    double room = room_of(step, object);
    if (object->fitted == room && object->search == step->settings->search &&
        weft_pose_same(&object->pose[0], &object->pose[1]) && object->frame[0] == object->frame[1])
        return WEFT_STATUS_OK;
    object->fitted = 0;
    object->search = step->settings->search;
    pair_cache_begin_drift(step->work, step->contact, object);
    pair_cache_end_drift(step->work, step->contact, object);
    weft_status status = refit(step, object, (sweep){.to = 1});
    if (status == WEFT_STATUS_OK)
        object->fitted = room;
    return status;
}

int contact_on_plan(const contact_step *step) {
    const double *plan = step->contact->plan;
    return step->time >= plan[0] && step->time + step->dt <= plan[1] + 1e-9 * step->dt;
}

/* Along an axis, m. */
static double off_course(const weft_contact *contact, int32_t i, weft_vec3 x, double part) {
    weft_vec3 way = weft_sub(contact->course[1][i], contact->course[0][i]);
    weft_vec3 off = weft_sub(x, weft_add_scaled(contact->course[0][i], part, way));
    double a = fabs(off.x), b = fabs(off.y), c = fabs(off.z);
    a = b <= a ? a : b; /* also when it is not a number */
    return c <= a ? a : c;
}

int32_t contact_mark_strayed(const contact_step *step, const weft_vec3 *x, double time, double most) {
    const weft_contact *contact = step->contact;
    double part = (time - contact->plan[0]) / (contact->plan[1] - contact->plan[0]);
    int strayed = 0;
    int32_t count = 0;
    for (int32_t i = 0; i < contact->cloth_vertices && !strayed; i++)
        strayed = !(off_course(contact, i, x[i], part) <= most);
    if (!strayed)
        return 0;
    for (int32_t i = 0; i < contact->cloth_vertices; i++) {
        contact->dirty[i] = !(off_course(contact, i, x[i], part) <= SOON * most);
        count += contact->dirty[i];
    }
    return count;
}

/* Bodies are known for one step at a time, and a hash holds what goes far in many cells. */
static int32_t steps_of_plan(const contact_step *step) {
    weft_contact *contact = step->contact;
    if (step->settings->search == WEFT_SEARCH_HASH)
        return 1;
    for (int32_t o = contact->cloth_count; o < contact->object_count; o++) {
        const contact_object *object = &contact->object[o];
        int moves = !weft_pose_same(&object->pose[0], &object->pose[1]) || object->frame[0] != object->frame[1];
        if (moves && !(step->fast && object->rounded))
            return 1;
    }
    if (contact->replaced > contact->cloth_vertices / 4)
        contact->horizon /= 2;
    else
        contact->horizon *= 2;
    contact->horizon = contact->horizon < 2 ? 2 : contact->horizon > MOST_STEPS ? MOST_STEPS : contact->horizon;
    return contact->horizon;
}

weft_status contact_make_plan(contact_step *step) {
    weft_contact *contact = step->contact;
    sweep s = {.to = steps_of_plan(step)};
    weft_status status = WEFT_STATUS_OK;
    contact->plan[0] = step->time;
    contact->plan[1] = step->time + s.to * step->dt;
    contact->replaced = 0;
    for (int32_t i = 0; i < contact->cloth_count && status == WEFT_STATUS_OK; i++)
        status = refit(step, &contact->object[i], s);
    for (int32_t o = contact->cloth_count; o < contact->object_count; o++)
        contact->object[o].moves = 0;
    return status;
}

weft_status contact_change_plan(contact_step *step) {
    weft_contact *contact = step->contact;
    sweep s = {.dirty_only = 1,
               .from = (contact->plan[0] - step->time) / step->dt,
               .to = (contact->plan[1] - step->time) / step->dt};
    weft_status status = WEFT_STATUS_OK;
    for (int32_t i = 0; i < contact->cloth_count && status == WEFT_STATUS_OK; i++)
        status = refit(step, &contact->object[i], s);
    return status;
}
