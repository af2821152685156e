/* Continuous detection as a filter of Newton steps: how far all vertices may go at once without contact. */
#include <math.h>

#include "contact/barrier.h"
#include "contact/ccd.h"
#include "contact/internal.h"

/* A motion ends where a pair has come closer than this fraction of its distance. */
static const double CLOSEST = 0.2;

static double free_fraction(const weft_contact *contact, const contact_pair *pair, double most) {
    weft_pair_kind kind = (weft_pair_kind)pair->kind;
    weft_vec3 start[4], end[4];
    double weight[4];
    weft_ccd_hit hit;
    contact_corners(contact->x, pair->vertex, start);
    contact_corners(contact->x_next, pair->vertex, end);
    double distance = sqrt(weft_closest(kind, start, weight));
    if (weft_ccd_stays_apart(kind, start, end, CLOSEST * distance, distance))
        return most;
    for (int i = 0; i < 4; i++)
        end[i] = weft_add_scaled(start[i], most, weft_sub(end[i], start[i]));
    return weft_ccd(kind, start, end, CLOSEST * distance, &hit) ? most * hit.time : most;
}

static void limit_task(void *context, int64_t begin, int64_t end) {
    const contact_step *step = context;
    const weft_contact *contact = step->contact;
    contact_bin *bin = contact->task[begin / WEFT_BLOCK].bin;
    (void)end;
    bin->fraction = 1;
    for (int32_t m = 0; m < bin->leaf_pair_count; m++) {
        const contact_leaf_pair *leaf_pair = &bin->leaf_pair[m];
        for (int32_t i = leaf_pair->first; i < leaf_pair->first + leaf_pair->count; i++)
            if (!contact_stays_apart(leaf_pair, &bin->pair[i], 2 * step->margin) &&
                !contact_all_fixed(contact, bin->pair[i].vertex))
                bin->fraction = free_fraction(contact, &bin->pair[i], bin->fraction);
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
    return WEFT_STATUS_OK;
}
