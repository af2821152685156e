/* Continuous detection as a filter of Newton steps: how far all vertices may go at once without contact. */
#include <math.h>

#include "contact/barrier.h"
#include "contact/ccd.h"
#include "contact/internal.h"

/* A motion ends where a pair has come closer than this fraction of its distance. */
static const double CLOSEST = 0.2;

/* The largest displacement of a corner of one feature relative to a corner of the other, m. Points in between move
 * relative to each other by no more. */
static double relative_motion(weft_pair_kind kind, const weft_vec3 start[4], const weft_vec3 end[4]) {
    int first = kind == WEFT_VERTEX_TRIANGLE ? 1 : 2;
    double largest = 0;
    weft_vec3 moved[4];
    for (int i = 0; i < 4; i++)
        moved[i] = weft_sub(end[i], start[i]);
    for (int i = 0; i < first; i++)
        for (int j = first; j < 4; j++) {
            weft_vec3 apart = weft_sub(moved[i], moved[j]);
            largest = fmax(largest, weft_dot(apart, apart));
        }
    return sqrt(largest) * (1 + 1e-9);
}

/* Tests one pair of the motion; `*fraction` becomes what is free of contact. Returns whether the pair may come within
 * its reach. */
static int test_pair(const contact_step *step, const contact_pair *pair, double *fraction) {
    const weft_contact *contact = step->contact;
    weft_pair_kind kind = (weft_pair_kind)pair->kind;
    weft_vec3 start[4], end[4];
    double weight[4], reach = contact_reach(step, pair);
    weft_ccd_hit hit;
    contact_corners(contact->x, pair->vertex, start);
    contact_corners(contact->x_next, pair->vertex, end);
    double motion = relative_motion(kind, start, end);
    if (weft_gap(kind, start) > reach + motion || contact_all_fixed(contact, pair->vertex))
        return 0;
    double distance = sqrt(weft_closest(kind, start, weight));
    if (distance > reach + motion)
        return 0;
    if (motion < 0.9 * (1 - CLOSEST) * distance)
        return 1;
    for (int i = 0; i < 4; i++)
        end[i] = weft_add_scaled(start[i], *fraction, weft_sub(end[i], start[i]));
    if (weft_ccd(kind, start, end, CLOSEST * distance, &hit))
        *fraction *= hit.time;
    return 1;
}

static void limit_task(void *context, int64_t begin, int64_t end) {
    const contact_step *step = context;
    contact_bin *bin = step->contact->task[begin / WEFT_BLOCK].bin;
    (void)end;
    bin->fraction = 1;
    bin->near_count = 0;
    for (int32_t m = 0; m < bin->leaf_pair_count; m++) {
        const contact_leaf_pair *leaf_pair = &bin->leaf_pair[m];
        for (int32_t i = leaf_pair->first; i < leaf_pair->first + leaf_pair->count; i++) {
            const contact_pair *pair = &bin->pair[i];
            if (contact_stays_apart(leaf_pair, pair, contact_reach(step, pair)) ||
                !test_pair(step, pair, &bin->fraction))
                continue;
            int32_t *near = contact_bin_near(bin);
            if (near)
                *near = i;
        }
    }
}

weft_status barrier_limit_motion(contact_step *step, double *fraction) {
    weft_contact *contact = step->contact;
    weft_status status = pair_cache_update_start(step);
    if (status == WEFT_STATUS_OK)
        status = pair_cache_update_end(step);
    if (status != WEFT_STATUS_OK)
        return status;
    contact_for_tasks(step->work, contact->task_count, limit_task, step);
    *fraction = 1;
    for (int32_t b = 0; b < contact->task_count; b++)
        *fraction = fmin(*fraction, contact->task[b].bin->fraction);
    return contact_check_bins(contact);
}
