/* Continuous detection as a filter of Newton steps: how far all vertices may go at once without contact.
 *
 * The pairs that matter are the near pairs. They are listed for a search line: all pairs that may come within their
 * reach plus the spare distance during its motion. The list then serves the next lines too, as long as no vertex is
 * farther than half the spare distance from the end of the line for which it was made. Surplus pairs change nothing, so
 * a step does not depend on when its list was made. */
#include <math.h>

#include "contact/barrier.h"
#include "contact/ccd.h"
#include "contact/internal.h"

/* A motion ends where a pair has come closer than this fraction of its distance. */
static const double CLOSEST = 0.2;
/* Features closer than this coincide, m: the barrier knows no direction in which to part them. */
static const double COINCIDE = 1e-12;
/* Features closer than this may not approach at all, m. So no step ends where detection is at the mercy of rounding,
 * which begins at some 1e-15 m: even the method that takes over from a stuck barrier knows the sides. More would stop
 * steps that still find a way: pairs come within 1e-11 m in passing. */
static const double TOO_CLOSE = 1e-13;
/* Motion relative to the distance below which a pair is certain to stay farther apart than that. */
static const double FREE = 0.7;

/* Pairs of two leaves that are tested without being near. If there are more, their listed distances are out of date.
 * Another search costs as much as some ten tests. */
enum { MOST_IN_VAIN = 6 };

typedef struct moving_pair {
    weft_pair_kind kind;
    weft_vec3 start[4], end[4];
    double motion; /* upper bound of the relative motion, m */
} moving_pair;

static moving_pair moving(const weft_contact *contact, const contact_pair *pair) {
    moving_pair m = {.kind = (weft_pair_kind)pair->kind};
    contact_corners(contact->x, pair->vertex, m.start);
    contact_corners(contact->x_next, pair->vertex, m.end);
    m.motion = sqrt(weft_ccd_relative_motion(m.kind, m.start, m.end)) * (1 + 1e-9);
    return m;
}

static int approaches(const moving_pair *m, double distance) {
    double weight[4];
    return weft_closest(m->kind, m->end, weight) < distance * distance;
}

/* `*fraction` becomes what is free of contact. `distance` is that at the start. */
static void stop_before_contact(moving_pair *m, double distance, double *fraction) {
    weft_ccd_hit hit;
    if (m->motion < FREE * distance && distance >= TOO_CLOSE)
        return;
    for (int i = 0; i < 4; i++)
        m->end[i] = weft_add_scaled(m->start[i], *fraction, weft_sub(m->end[i], m->start[i]));
    if (distance < TOO_CLOSE && approaches(m, distance))
        *fraction = 0;
    else if (weft_ccd(m->kind, m->start, m->end, CLOSEST * distance, &hit))
        *fraction *= hit.time;
}

/* Tests a near pair. */
static void limit_by_pair(const weft_contact *contact, const contact_pair *pair, double *fraction) {
    double weight[4];
    moving_pair m = moving(contact, pair);
    if (!weft_surely_farther(m.kind, m.start, fmax(m.motion / FREE, TOO_CLOSE)))
        stop_before_contact(&m, sqrt(weft_closest(m.kind, m.start, weight)), fraction);
}

/* Upper bound of the motion of two leaves relative to each other on the search line, m. */
static double leaf_motion(const weft_contact *contact, const contact_task *task, const contact_leaf_pair *leaf_pair) {
    const contact_leaf_motion *p = &contact->object[task->a].tree.motion[leaf_pair->leaf[0]];
    const contact_leaf_motion *q = &contact->object[task->b].tree.motion[leaf_pair->leaf[1]];
    weft_vec3 apart = weft_sub(weft_sub(p->centre[1], p->centre[0]), weft_sub(q->centre[1], q->centre[0]));
    double deformation = p->deformation[1] - p->deformation[0] + q->deformation[1] - q->deformation[0];
    return (weft_length(apart) + deformation) * (1 + 1e-9);
}

/* Whether pins or bodies pull two features through each other. No force can prevent it. */
static int are_pulled_through(moving_pair *m) {
    weft_ccd_hit hit;
    double weight[4];
    if (m->motion == 0 || weft_surely_farther(m->kind, m->start, 2 * m->motion))
        return 0;
    return m->motion > 0.5 * sqrt(weft_closest(m->kind, m->start, weight)) &&
           weft_ccd(m->kind, m->start, m->end, 0, &hit) && !hit.at_start;
}

/* Tests any pair. Returns its reach, or 0 when it cannot come within the spare distance of `widest` (m); `motion` is
 * that of its leaves. Pairs farther apart than their motion cannot meet, whatever holds them. */
static double near_reach(const contact_step *step, const contact_pair *pair, double widest, double motion,
                         contact_bin *bin) {
    const weft_contact *contact = step->contact;
    double weight[4];
    weft_vec3 start[4];
    contact_corners(contact->x, pair->vertex, start);
    if (weft_surely_farther((weft_pair_kind)pair->kind, start, widest + step->spare + motion))
        return 0;
    moving_pair m = moving(contact, pair);
    if (contact_all_fixed(contact, pair->vertex)) {
        bin->hopeless |= are_pulled_through(&m);
        return 0;
    }
    if (weft_surely_farther(m.kind, m.start, widest + step->spare + m.motion))
        return 0;
    if (!weft_surely_farther(m.kind, m.start, fmax(m.motion / FREE, COINCIDE))) {
        double distance = sqrt(weft_closest(m.kind, m.start, weight));
        bin->hopeless |= distance < COINCIDE;
        stop_before_contact(&m, distance, &bin->fraction);
    }
    return barrier_most_reach(step, pair, widest);
}

static void list_leaf_pair(const contact_step *step, const contact_task *task, contact_leaf_pair *leaf_pair,
                           const double widest[2]) {
    contact_bin *bin = task->bin;
    double motion = leaf_motion(step->contact, task, leaf_pair);
    int32_t in_vain = 0;
    for (int32_t i = leaf_pair->first; i < leaf_pair->first + leaf_pair->count; i++) {
        const contact_pair *pair = &bin->pair[i];
        double most = widest[pair->kind];
        if (contact_stays_apart(leaf_pair, pair, most + step->spare))
            continue;
        double reach = near_reach(step, pair, most, motion, bin);
        contact_near *near = reach > 0 ? contact_bin_near(bin) : NULL;
        if (near)
            *near = (contact_near){i, reach};
        in_vain += reach == 0;
    }
    if (in_vain > MOST_IN_VAIN)
        leaf_pair->margin = -1; /* to be searched again */
}

static void list_task(void *context, int64_t begin, int64_t end) {
    const contact_step *step = context;
    const contact_task *task = &step->contact->task[begin / WEFT_BLOCK];
    contact_bin *bin = task->bin;
    const double widest[2] = {barrier_reach(step, task, WEFT_VERTEX_TRIANGLE),
                              barrier_reach(step, task, WEFT_EDGE_EDGE)};
    (void)end;
    bin->fraction = 1;
    bin->hopeless = 0;
    bin->near_count = 0;
    for (int32_t m = 0; m < bin->leaf_pair_count; m++) {
        contact_leaf_pair *leaf_pair = &bin->leaf_pair[m];
        double least = (double)leaf_pair->least_distance - leaf_pair->drift;
        if (leaf_pair->count > 0 && !(least > widest[WEFT_VERTEX_TRIANGLE] + step->spare))
            list_leaf_pair(step, task, leaf_pair, widest);
    }
}

static void limit_task(void *context, int64_t begin, int64_t end) {
    const contact_step *step = context;
    contact_bin *bin = step->contact->task[begin / WEFT_BLOCK].bin;
    (void)end;
    bin->fraction = 1;
    for (int32_t i = 0; i < bin->near_count; i++)
        limit_by_pair(step->contact, &bin->pair[bin->near[i].pair], &bin->fraction);
}

/* Whether the near pairs are complete for the motion. */
static int near_pairs_suffice(const contact_step *step) {
    const weft_contact *contact = step->contact;
    double most = 0.25 * step->spare * step->spare * (1 - 1e-9);
    int suffice = contact->near_valid && contact->pairs_valid;
    for (int32_t i = 0; i < contact->count && suffice; i++) {
        weft_vec3 a = weft_sub(contact->x[i], contact->anchor_x[i]);
        weft_vec3 b = weft_sub(contact->x_next[i], contact->anchor_x[i]);
        suffice = weft_dot(a, a) <= most && weft_dot(b, b) <= most; /* not for a NaN */
    }
    return suffice;
}

static weft_status list_near_pairs(contact_step *step) {
    weft_contact *contact = step->contact;
    weft_status status = pair_cache_update_start(step);
    if (status == WEFT_STATUS_OK)
        status = pair_cache_update_end(step);
    if (status != WEFT_STATUS_OK)
        return status;
    contact->on_listed_line = 1;
    contact_for_tasks(step->work, contact->task_count, list_task, step);
    memcpy(contact->anchor_x, contact->x_next, (size_t)contact->count * sizeof *contact->x_next);
    status = contact_check_bins(contact);
    contact->near_valid = status == WEFT_STATUS_OK;
    step->hopeless = 0;
    for (int32_t b = 0; b < contact->task_count; b++)
        step->hopeless |= contact->task[b].bin->hopeless;
    return status;
}

weft_status barrier_limit_motion(contact_step *step, double *fraction) {
    weft_contact *contact = step->contact;
    weft_status status = WEFT_STATUS_OK;
    if (near_pairs_suffice(step)) {
        contact->on_listed_line = 0;
        contact_for_tasks(step->work, contact->task_count, limit_task, step);
    } else {
        status = list_near_pairs(step);
    }
    *fraction = 1;
    for (int32_t b = 0; b < contact->task_count; b++)
        *fraction = fmin(*fraction, contact->task[b].bin->fraction);
    return status;
}
