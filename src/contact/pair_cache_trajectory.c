/* Swept boxes for the leaf search. They are fitted to an interval of several steps instead of one. Each vertex has a
 * trajectory: the straight line on which it moves with its velocity of the step in which the interval began. Leaves
 * whose boxes are separated at both ends of the interval stay separated while all vertices stay near their
 * trajectories. Thus cloth that falls or swings fast is not searched in every step. Vertices that stray get a new
 * trajectory, and only leaves with such vertices are searched again. */
#include "contact/internal.h"

enum { MAX_STEPS = 16 }; /* maximum length of the interval */

/* When a vertex has strayed, those that are off by this fraction of the tolerance get a new trajectory too. */
static const double SOON = 0.5;

static float round_down(double a) {
    float f = (float)a;
    return f - 1.2e-7F * fabsf(f) - 1e-30F;
}

static float round_up(double a) {
    float f = (float)a;
    return f + 1.2e-7F * fabsf(f) + 1e-30F;
}

/* The box of a vertex on the line from a to b, or beside it by any share of `off`. */
static contact_box swept_box(weft_vec3 a, weft_vec3 b, weft_vec3 off, double padding) {
    weft_vec3 below = {padding - fmin(off.x, 0), padding - fmin(off.y, 0), padding - fmin(off.z, 0)};
    weft_vec3 above = {padding + fmax(off.x, 0), padding + fmax(off.y, 0), padding + fmax(off.z, 0)};
    return (contact_box){{{round_down(a.x - below.x), round_down(a.y - below.y), round_down(a.z - below.z)},
                          {round_down(b.x - below.x), round_down(b.y - below.y), round_down(b.z - below.z)}},
                         {{round_up(a.x + above.x), round_up(a.y + above.y), round_up(a.z + above.z)},
                          {round_up(b.x + above.x), round_up(b.y + above.y), round_up(b.z + above.z)}}};
}

typedef struct trajectory_fit {
    const contact_step *step;
    int32_t first, dirty_only;
    double padding;
    double from, to; /* start and end of the interval, in steps from the start of this one */
} trajectory_fit;

/* The trajectory leads from the start of the step to x_next. In the course of a step x need not lie on it. */
static void fit_vertices(void *context, int64_t begin, int64_t end) {
    const trajectory_fit *s = context;
    const weft_contact *contact = s->step->contact;
    const weft_vec3 *start = contact->progress > 0 ? contact->start : contact->x;
    for (int64_t i = s->first + begin; i < s->first + end; i++) {
        if (s->dirty_only && !contact->dirty[i])
            continue;
        weft_vec3 moved = weft_sub(contact->x_next[i], start[i]);
        weft_vec3 off = weft_sub(contact->x[i], weft_add_scaled(start[i], contact->progress, moved));
        contact->trajectory[0][i] = weft_add_scaled(start[i], s->from, moved);
        contact->trajectory[1][i] = weft_add_scaled(start[i], s->to, moved);
        contact->swept_box[i] = swept_box(contact->trajectory[0][i], contact->trajectory[1][i], off, s->padding);
    }
}

/* Half the thickness covers proximity at the start of the step. At its end only collisions matter, and it covers the
 * slack. The barrier has no slack, because proximity counts at both ends. */
static double padding_of(const contact_step *step, const contact_object *object) {
    return 0.5 * (step->settings->thickness + step->spare) + step->tolerance + step->margin +
           (object->body ? ((const weft_body_place *)object->body->settings)->thickness : 0);
}

static weft_status refit(contact_step *step, contact_object *object, trajectory_fit s) {
    s.step = step;
    s.first = object->first;
    s.padding = padding_of(step, object);
    weft_parallel_for(step->work, object->vertex_count, WEFT_BLOCK, fit_vertices, &s);
    contact_tree_refit(step->work, step->contact, object);
    return step->settings->search == WEFT_SEARCH_HASH ? contact_hash_fill(step->work, object) : WEFT_STATUS_OK;
}

weft_status contact_fit_body(contact_step *step, contact_object *object) {
    double padding = padding_of(step, object);
    int fitted = object->fitted_padding == padding && object->fitted_search == step->settings->search;
    if (fitted && weft_pose_same(&object->pose[0], &object->pose[1]) && object->frame[0] == object->frame[1])
        return WEFT_STATUS_OK;
    pair_cache_begin_drift(step->work, step->contact, object);
    pair_cache_end_drift(step->work, step->contact, object);
    if (fitted) /* to the whole step */
        return WEFT_STATUS_OK;
    object->fitted_padding = 0;
    object->fitted_search = step->settings->search;
    weft_status status = refit(step, object, (trajectory_fit){.to = 1});
    if (status == WEFT_STATUS_OK)
        object->fitted_padding = padding;
    return status;
}

int pair_cache_trajectories_cover(const contact_step *step) {
    const double *span = step->contact->trajectory_time;
    return step->time >= span[0] && step->time + step->dt <= span[1] + 1e-9 * step->dt;
}

/* Maximum norm of the distance from the trajectory, m. */
static double deviation(const weft_contact *contact, int32_t i, weft_vec3 x, double fraction) {
    weft_vec3 moved = weft_sub(contact->trajectory[1][i], contact->trajectory[0][i]);
    weft_vec3 off = weft_sub(x, weft_add_scaled(contact->trajectory[0][i], fraction, moved));
    double a = fabs(off.x), b = fabs(off.y), c = fabs(off.z);
    a = b <= a ? a : b; /* a NaN is kept */
    return c <= a ? a : c;
}

int32_t pair_cache_mark_strayed(const contact_step *step, const weft_vec3 *x, double time, double tolerance) {
    const weft_contact *contact = step->contact;
    double fraction =
        (time - contact->trajectory_time[0]) / (contact->trajectory_time[1] - contact->trajectory_time[0]);
    int strayed = 0;
    int32_t count = 0;
    for (int32_t i = 0; i < contact->cloth_vertices && !strayed; i++)
        strayed = !(deviation(contact, i, x[i], fraction) <= tolerance);
    if (!strayed)
        return 0;
    for (int32_t i = 0; i < contact->cloth_vertices; i++) {
        contact->dirty[i] = !(deviation(contact, i, x[i], fraction) <= SOON * tolerance);
        count += contact->dirty[i];
    }
    return count;
}

/* The length of the next interval in steps. It is 1 when a body moves, because the motion of bodies is known for one
 * step at a time. It is 1 for the hash, which would store fast triangles in many cells, and for the barrier, whose
 * steps are long and have several searches each. Otherwise it doubles, or halves when many vertices strayed. */
static int32_t choose_horizon(const contact_step *step) {
    weft_contact *contact = step->contact;
    if (step->settings->search == WEFT_SEARCH_HASH || step->spare > 0)
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
    contact->horizon = contact->horizon < 2 ? 2 : contact->horizon > MAX_STEPS ? MAX_STEPS : contact->horizon;
    return contact->horizon;
}

weft_status pair_cache_make_trajectories(contact_step *step) {
    weft_contact *contact = step->contact;
    trajectory_fit s = {.to = choose_horizon(step)};
    weft_status status = WEFT_STATUS_OK;
    contact->trajectory_time[0] = step->time;
    contact->trajectory_time[1] = step->time + s.to * step->dt;
    contact->replaced = 0;
    for (int32_t i = 0; i < contact->cloth_count && status == WEFT_STATUS_OK; i++)
        status = refit(step, &contact->object[i], s);
    for (int32_t o = contact->cloth_count; o < contact->object_count; o++)
        contact->object[o].has_moved = 0;
    return status;
}

weft_status pair_cache_change_trajectories(contact_step *step) {
    weft_contact *contact = step->contact;
    trajectory_fit s = {.dirty_only = 1,
                        .from = (contact->trajectory_time[0] - step->time) / step->dt,
                        .to = (contact->trajectory_time[1] - step->time) / step->dt};
    weft_status status = WEFT_STATUS_OK;
    for (int32_t i = 0; i < contact->cloth_count && status == WEFT_STATUS_OK; i++)
        status = refit(step, &contact->object[i], s);
    return status;
}
