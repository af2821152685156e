/* Collisions within the step: rounds of detection and inelastic impulses, then of rigid zones, until nothing collides
 * (Bridson, Fedkiw & Anderson 2002, section 7.3 and 7.4). Only pairs with a vertex that changed are tested again. */
#include "contact/ccd.h"
#include "contact/internal.h"
#include "core/seconds.h"

/* Features that touch at the start are a hit only when they come closer still. */
static int comes_closer(const contact_pair *pair, const weft_vec3 start[4], const weft_vec3 end[4]) {
    double weight[4];
    return weft_closest((weft_pair_kind)pair->kind, end, weight) <
           weft_closest((weft_pair_kind)pair->kind, start, weight);
}

static void test_pair(const contact_step *step, const contact_pair *pair, contact_bin *bin) {
    const weft_contact *contact = step->contact;
    weft_vec3 start[4], end[4];
    weft_ccd_hit found;
    contact_corners(contact->x, pair->vertex, start);
    contact_corners(contact->x_next, pair->vertex, end);
    if (!weft_ccd((weft_pair_kind)pair->kind, start, end, step->margin, &found))
        return;
    if (found.at_start && !comes_closer(pair, start, end))
        return;
    contact_hit *hit = contact_bin_hit(bin);
    if (!hit)
        return;
    hit->pair = *pair;
    hit->normal = found.normal;
    memcpy(hit->weight, found.weight, sizeof hit->weight);
}

static void test_pairs(void *context, int64_t begin, int64_t end) {
    const contact_step *step = context;
    const uint8_t *changed = step->contact->changed;
    contact_bin *bin = &step->contact->bin[begin / WEFT_BLOCK];
    (void)end;
    bin->hit_count = 0;
    for (int32_t i = 0; i < bin->pair_count; i++) {
        const int32_t *v = bin->pair[i].vertex;
        if ((changed[v[0]] | changed[v[1]] | changed[v[2]] | changed[v[3]]) &&
            !contact_stays_apart(step, &bin->pair[i], 2 * step->margin))
            test_pair(step, &bin->pair[i], bin);
    }
}

/* Stops one collision: the gap at the end of the step becomes what it was at its start, up to the thickness. One that
 * passes and comes back has its gap already: it counts as changed all the same, so that it is found again and becomes
 * rigid in the end. Where all that meets is held there is nothing to do. */
static void stop(const contact_step *step, const contact_hit *hit) {
    weft_contact *contact = step->contact;
    const int32_t *vertex = hit->pair.vertex;
    weft_vec3 start[4];
    contact_corners(contact->x, vertex, start);
    double before = weft_dot(hit->normal, weft_weighted(start, hit->weight));
    contact_row row = {.normal = hit->normal,
                       .target = fmax(fmin(before, contact_thickness(step, &hit->pair)), 2 * step->margin),
                       .mass = contact_row_mass(contact, vertex, hit->weight),
                       .friction = contact_friction(step, &hit->pair)};
    memcpy(row.vertex, vertex, sizeof row.vertex);
    memcpy(row.weight, hit->weight, sizeof row.weight);
    if (row.mass == 0)
        return;
    step->report->impulses += contact_row_solve(step, &row) > 0;
    for (int i = 0; i < 4; i++)
        contact->changed[vertex[i]] |= contact->inverse_mass[vertex[i]] > 0;
}

/* Whether there are vertices that are no longer where their candidate pairs were looked for. */
static int mark_dirty(contact_step *step) {
    const weft_contact *contact = step->contact;
    if (step->keeps)
        return contact_mark_strayed(step, 0, contact->cloth_vertices);
    int any = 0;
    for (int32_t i = 0; i < contact->cloth_vertices; i++) {
        weft_vec3 moved = weft_sub(contact->x_next[i], contact->planned[i]);
        int near = fabs(moved.x) <= step->slack && fabs(moved.y) <= step->slack && fabs(moved.z) <= step->slack;
        contact->dirty[i] = (uint8_t)!near;
        any |= !near;
    }
    return any;
}

/* One round: the number of hits, or -1 when memory is out. */
static int32_t find_hits(contact_step *step, weft_status *status) {
    weft_contact *contact = step->contact;
    if (*status == WEFT_STATUS_OK && mark_dirty(step))
        *status = contact_renew_pairs(step);
    if (*status != WEFT_STATUS_OK)
        return -1;
    contact_for_tasks(step->work, contact->task_count, test_pairs, step);
    *status = contact_check_bins(contact);
    int32_t hits = 0;
    for (int32_t b = 0; b < contact->task_count; b++)
        hits += contact->bin[b].hit_count;
    step->report->rounds++;
    return *status == WEFT_STATUS_OK ? hits : -1;
}

static int32_t detect(contact_step *step, weft_status *status) {
    double since = weft_seconds();
    int32_t hits = find_hits(step, status);
    step->report->detection_seconds += weft_seconds() - since;
    return hits;
}

static void stop_all(contact_step *step) {
    weft_contact *contact = step->contact;
    memset(contact->changed, 0, (size_t)contact->count);
    for (int32_t b = 0; b < contact->task_count; b++)
        for (int32_t i = 0; i < contact->bin[b].hit_count; i++)
            stop(step, &contact->bin[b].hit[i]);
    contact_limit_strain(step);
}

weft_status contact_collide(contact_step *step) {
    weft_contact *contact = step->contact;
    weft_status status = WEFT_STATUS_OK;
    memset(contact->changed, 1, (size_t)contact->count);
    int32_t hits = detect(step, &status);
    for (int32_t round = 0; hits > 0 && round < step->settings->iterations; round++) {
        stop_all(step);
        hits = detect(step, &status);
    }
    if (hits > 0 && step->gives_up)
        return WEFT_STATUS_DIVERGED;
    if (hits > 0)
        for (int32_t i = 0; i < contact->count; i++)
            contact->parent[i] = contact->leader[i] = WEFT_NONE;
    for (int32_t round = 0; hits > 0 && round < step->settings->zones; round++) {
        status = contact_make_rigid(step);
        hits = detect(step, &status);
    }
    step->report->unresolved += hits > 0 ? hits : 0;
    return status;
}
