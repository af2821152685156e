/* Continuous collisions within the step (Bridson, Fedkiw and Anderson 2002, sections 7.3 and 7.4). Rounds of detection
 * and inelastic impulses come first. Where they do not suffice, displacements are bounded (bounds.c), until nothing
 * collides. Later rounds test only pairs with a vertex that has changed. */
#include "contact/bounds.h"
#include "contact/ccd.h"
#include "contact/internal.h"
#include "core/seconds.h"
#include "weft/sort.h"

/* Gauss-Seidel sweeps over the collisions of a round. */
enum { SWEEPS = 4 };

/* Features that touch at the start are a hit only if they come closer. */
static int comes_closer(const contact_pair *pair, const weft_vec3 start[4], const weft_vec3 end[4]) {
    double weight[4];
    return weft_closest((weft_pair_kind)pair->kind, end, weight) <
           weft_closest((weft_pair_kind)pair->kind, start, weight);
}

/* Stores a collision as a row. Its target is the gap at the start of the step, limited by the thickness. */
static void test_pair(const contact_step *step, const contact_pair *pair, contact_bin *bin) {
    const weft_contact *contact = step->contact;
    weft_vec3 start[4], end[4];
    weft_ccd_hit found;
    contact_corners(contact->x, pair->vertex, start);
    contact_corners(contact->x_next, pair->vertex, end);
    if (weft_ccd_stays_apart((weft_pair_kind)pair->kind, start, end, step->margin, (double)pair->distance) ||
        !weft_ccd((weft_pair_kind)pair->kind, start, end, step->margin, &found))
        return;
    int all_fixed = contact_all_fixed(contact, pair->vertex);
    if (found.at_start && (all_fixed || !comes_closer(pair, start, end)))
        return;
    if (all_fixed) {
        bin->fixed_hit_count++;
        return;
    }
    contact_row *hit = contact_bin_hit(bin);
    if (!hit)
        return;
    double before = weft_dot(found.normal, weft_weighted(start, found.weight));
    *hit = (contact_row){.normal = found.normal,
                         .target = fmax(fmin(before, contact_thickness(step, pair)), 2 * step->margin),
                         .mass = contact_row_mass(contact, pair->vertex, found.weight),
                         .friction = contact_friction(step, pair)};
    memcpy(hit->vertex, pair->vertex, sizeof hit->vertex);
    memcpy(hit->weight, found.weight, sizeof hit->weight);
}

static void test_pairs(void *context, int64_t begin, int64_t end) {
    const contact_step *step = context;
    const uint8_t *changed = step->contact->changed;
    const contact_task *task = &step->contact->task[begin / WEFT_BLOCK];
    contact_bin *bin = task->bin;
    (void)end;
    bin->hit_count = bin->fixed_hit_count = 0;
    if (contact_is_escaping(step, task))
        return;
    for (int32_t m = 0; m < bin->leaf_pair_count; m++) {
        const contact_leaf_pair *leaf_pair = &bin->leaf_pair[m];
        for (int32_t i = leaf_pair->first; i < leaf_pair->first + leaf_pair->count; i++) {
            const int32_t *v = bin->pair[i].vertex;
            if (!contact_stays_apart(leaf_pair, &bin->pair[i], 2 * step->margin) &&
                (changed[v[0]] | changed[v[1]] | changed[v[2]] | changed[v[3]]))
                test_pair(step, &bin->pair[i], bin);
        }
    }
}

/* One round of detection. Returns the number of hits, or -1 when out of memory. */
static int32_t find_hits(contact_step *step, weft_status *status) {
    weft_contact *contact = step->contact;
    if (*status == WEFT_STATUS_OK)
        *status = pair_cache_update_end(step);
    if (*status != WEFT_STATUS_OK)
        return -1;
    contact_for_tasks(step->work, contact->task_count, test_pairs, step);
    *status = contact_check_bins(contact);
    int32_t hits = 0;
    for (int32_t b = 0; b < contact->task_count; b++)
        hits += contact->task[b].bin->hit_count;
    step->report->rounds++;
    return *status == WEFT_STATUS_OK ? hits : -1;
}

static int32_t detect(contact_step *step, weft_status *status) {
    double since = weft_seconds();
    int32_t hits = find_hits(step, status);
    step->report->detection_seconds += weft_seconds() - since;
    return hits;
}

/* An order that does not depend on how or when a pair was found. */
static int compare_hits(const void *a, const void *b) {
    const contact_row *p = *(contact_row *const *)a, *q = *(contact_row *const *)b;
    for (int i = 0; i < 4; i++)
        if (p->vertex[i] != q->vertex[i])
            return p->vertex[i] < q->vertex[i] ? -1 : 1;
    for (int i = 0; i < 4; i++) /* a vertex-triangle pair and an edge-edge pair may share the four vertices */
        if (p->weight[i] != q->weight[i])
            return p->weight[i] < q->weight[i] ? -1 : 1;
    return 0;
}

/* Lists the hits in which at least one vertex can move. */
static int32_t list_hits(const weft_contact *contact, contact_row **list) {
    int32_t count = 0;
    for (int32_t b = 0; b < contact->task_count; b++)
        for (int32_t i = 0; i < contact->task[b].bin->hit_count; i++)
            if (contact->task[b].bin->hit[i].mass > 0)
                list[count++] = &contact->task[b].bin->hit[i];
    weft_sort(list, (size_t)count, sizeof *list, compare_hits);
    return count;
}

/* Features that pass through each other and come back already have their gap. They still count as changed, so that they
 * are found again and finally become rigid. */
static void mark_changed(const contact_step *step, const contact_row *hit) {
    const weft_contact *contact = step->contact;
    step->report->impulses += hit->position_impulse > 0;
    for (int i = 0; i < 4; i++)
        contact->changed[hit->vertex[i]] |= contact->inverse_mass[hit->vertex[i]] > 0;
}

/* Solves the collisions of a round together, inelastically. Later sweeps correct what one impulse does to the gaps of
 * its neighbours. Independent impulses would throw the layers apart. */
static weft_status apply_impulses(contact_step *step, int32_t hits) {
    weft_contact *contact = step->contact;
    contact_row **list = weft_arena_take(step->work->arena, (size_t)hits * sizeof(contact_row *), "collisions");
    if (!list)
        return WEFT_STATUS_NO_MEMORY;
    int32_t count = list_hits(contact, list);
    double moved = HUGE_VAL;
    for (int sweep = 0; sweep < SWEEPS && moved > step->margin; sweep++) {
        moved = 0;
        for (int32_t i = 0; i < count; i++)
            moved = fmax(moved, contact_row_solve(step, list[i]));
    }
    memset(contact->changed, 0, (size_t)contact->count);
    for (int32_t i = 0; i < count; i++)
        mark_changed(step, list[i]);
    contact_limit_strain(step);
    return WEFT_STATUS_OK;
}

/* Reports `count` unresolved collisions between two objects. */
static void report_unresolved(const contact_step *step, int32_t cloth, int32_t object, int32_t count) {
    weft_contact_report *report = step->report;
    if (report->unresolved == 0 && count > 0) {
        report->between[0] = cloth;
        report->between[1] = object;
    }
    report->unresolved += count;
}

/* Reports pins that were pulled through something, because no impulse can move them. Contacts that exist at the start
 * of the step do not count: the pins may be fixed to that object. */
static void report_pulled_pins(const contact_step *step) {
    const weft_contact *contact = step->contact;
    for (int32_t b = 0; b < contact->task_count; b++)
        report_unresolved(step, contact->task[b].a, contact->task[b].b, contact->task[b].bin->fixed_hit_count);
    for (int32_t o = contact->cloth_count; o < contact->object_count; o++)
        for (int32_t c = 0; c < contact->cloth_count; c++)
            report_unresolved(step, c, o, contact_count_pins_inside(step, &contact->object[c], &contact->object[o]));
}

/* Bounds displacements where impulses did not suffice. Returns the hits that are left. */
static int32_t bound_motion(contact_step *step, int32_t hits, weft_status *status) {
    contact_bounds bounds;
    int moved = 1;
    *status = contact_bounds_begin(step, &bounds);
    for (int32_t round = 0; hits > 0 && moved && round < step->settings->zones; round++) {
        if (*status == WEFT_STATUS_OK)
            *status = contact_bounds_tighten(step, &bounds, round, &moved);
        hits = detect(step, status);
    }
    return hits;
}

/* Rounds of impulses. Returns the hits that are left. */
static int32_t push_apart(contact_step *step, int32_t hits, weft_status *status) {
    for (int32_t round = 0; hits > 0 && round < step->settings->iterations; round++) {
        *status = apply_impulses(step, hits);
        hits = detect(step, status);
    }
    return hits;
}

weft_status contact_collide(contact_step *step) {
    weft_contact *contact = step->contact;
    weft_status status = WEFT_STATUS_OK;
    memset(contact->changed, 1, (size_t)contact->count);
    int32_t hits = detect(step, &status);
    if (status == WEFT_STATUS_OK)
        report_pulled_pins(step);
    hits = push_apart(step, hits, &status);
    if (hits > 0 && step->gives_up && !step->tangled)
        return WEFT_STATUS_DIVERGED;
    if (hits > 0)
        hits = bound_motion(step, hits, &status);
    if (hits > 0) /* what two moving objects carry may still slide past each other */
        hits = push_apart(step, hits, &status);
    for (int32_t b = 0; hits > 0 && b < contact->task_count; b++)
        report_unresolved(step, contact->task[b].a, contact->task[b].b, contact->task[b].bin->hit_count);
    return status;
}
