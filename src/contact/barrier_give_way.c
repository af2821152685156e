/* What a search line would run into gives way: single vertices stop or are carried along, as by inelastic impulses, and
 * the others go on. Without it the first contact of one vertex would stop all. The result is only a better line; the
 * filter of barrier_motion.c still has the last word. */
#include <math.h>

#include "contact/barrier.h"
#include "contact/ccd.h"
#include "contact/internal.h"

enum { MOST_ROUNDS = 4 };
/* Features may approach to this fraction of their distance. */
static const double CLOSEST = 0.3;

static void find_task(void *context, int64_t begin, int64_t end) {
    const contact_step *step = context;
    const weft_contact *contact = step->contact;
    contact_bin *bin = contact->task[begin / WEFT_BLOCK].bin;
    (void)end;
    bin->touch_count = 0;
    for (int32_t i = 0; i < bin->near_count; i++) {
        const contact_pair *pair = &bin->pair[bin->near[i].pair];
        weft_pair_kind kind = (weft_pair_kind)pair->kind;
        weft_vec3 start[4], finish[4];
        double weight[4];
        weft_ccd_hit hit;
        contact_corners(contact->x, pair->vertex, start);
        contact_corners(contact->x_next, pair->vertex, finish);
        double gap = weft_gap(kind, start), margin = CLOSEST * gap;
        if (contact_all_fixed(contact, pair->vertex) ||
            (gap > 0 && weft_ccd_stays_apart(kind, start, finish, margin, gap)))
            continue;
        double distance = sqrt(weft_closest(kind, start, weight));
        if (!weft_ccd(kind, start, finish, CLOSEST * distance, &hit))
            continue;
        contact_touch *touch = contact_bin_touch(bin);
        if (!touch)
            continue;
        *touch = (contact_touch){.normal = hit.normal, .force = hit.time};
        memcpy(touch->weight, hit.weight, sizeof touch->weight);
        memcpy(touch->grip.vertex, pair->vertex, sizeof pair->vertex);
    }
}

/* Takes from the approach what comes after the hit. */
static void stop_approach(const weft_contact *contact, const contact_touch *touch) {
    double approach = 0, mobility = 0;
    for (int i = 0; i < 4; i++) {
        int32_t v = touch->grip.vertex[i];
        double w = touch->weight[i];
        approach -= w * weft_dot(weft_sub(contact->x_next[v], contact->x[v]), touch->normal);
        mobility += w * w * contact->inverse_mass[v];
    }
    if (approach <= 0 || mobility == 0)
        return;
    double push = approach * (1 - touch->force) / mobility;
    for (int i = 0; i < 4; i++) {
        int32_t v = touch->grip.vertex[i];
        double by = push * touch->weight[i] * contact->inverse_mass[v];
        contact->x_next[v] = weft_add_scaled(contact->x_next[v], by, touch->normal);
    }
}

weft_status barrier_give_way(contact_step *step, double *fraction) {
    weft_contact *contact = step->contact;
    weft_status status = WEFT_STATUS_OK;
    for (int round = 0; round < MOST_ROUNDS && *fraction < 1 && status == WEFT_STATUS_OK; round++) {
        contact_for_tasks(step->work, contact->task_count, find_task, step);
        status = contact_check_bins(contact);
        for (int32_t b = 0; b < contact->task_count; b++) {
            const contact_bin *bin = contact->task[b].bin;
            for (int32_t i = 0; i < bin->touch_count; i++)
                stop_approach(contact, &bin->touch[i]);
        }
        if (status == WEFT_STATUS_OK)
            status = barrier_limit_motion(step, fraction);
    }
    return status;
}
