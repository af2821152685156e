/* The barrier potential b(d) = -k (d - r)^2 ln(d / r) for distances d below the reach r (Li et al. 2020). It is smooth,
 * vanishes at the reach and grows without bound as the distance vanishes. */
#include "contact/barrier.h"

#include <math.h>

#include "contact/internal.h"
#include "core/elementary.h"
#include "weft/sort.h"

/* Stiffness k, N/m. Between 1 and 1000 everything works; more only widens gaps. */
static const double STIFFNESS = 100;

/* Reach of two edges relative to the thickness. Where layers lie flat on each other, vertices against triangles keep
 * them apart, and edges would only multiply the contacts: seven for each vertex. Edges push where surfaces cross
 * sharply. */
static const double EDGE_SHARE = 0.5;

/* Reach of the sides of a cut relative to the thickness. */
static const double CUT_SHARE = 0.05;

/* Returns b and stores -b' (N) and b'' (N/m), which are positive. */
static double barrier(double d, double reach, double *force, double *stiffness) {
    double below = reach - d, log_ratio = weft_ln(d / reach), share = below / d;
    *force = STIFFNESS * (below * share - 2 * below * log_ratio);
    *stiffness = STIFFNESS * (share * share + 4 * share - 2 * log_ratio);
    return -STIFFNESS * below * below * log_ratio;
}

double barrier_reach(const contact_step *step, const contact_task *task, weft_pair_kind kind) {
    double thickness = step->settings->thickness + step->contact->object[task->b].thickness;
    return kind == WEFT_EDGE_EDGE ? EDGE_SHARE * thickness : thickness;
}

/* Neighbours in the same cloth that are closer than the thickness at rest keep 0.9 of their rest distance. The sides of
 * a cut coincide at rest. */
double barrier_most_reach(const contact_step *step, const contact_pair *pair, double widest) {
    double most = fmin(widest, contact_thickness(step, pair));
    return most > 1e-6 * widest ? most : CUT_SHARE * widest;
}

/* Least reach of a pair relative to its largest. At a distance d a barrier holds at most k r^2 / d, so one with a tiny
 * reach r gives way until rounding hides the side on which its features are. A hundredth pushes features that nearly
 * coincide apart with some 1e-8 J. */
static const double LEAST_REACH = 0.01;

/* Features that are closer than the thickness when they first meet get a reach that grows from step to step, because
 * they would fly apart otherwise: layers at the start of the simulation, the sides of a cut, a mesh that was refined.
 * What comes near in the course of a step begins the step farther apart than that. Edges that push for the first time
 * because they have turned begin with a factor of zero. */
static double reach_of(const contact_step *step, const contact_pair *pair, double most, weft_contact_grip *grip) {
    const weft_contact *contact = step->contact;
    const weft_contact_grip *known = barrier_find_grip(contact, grip);
    if (known) {
        *grip = *known;
        return fmin(most, known->reach);
    }
    weft_vec3 start[4];
    double weight[4];
    contact_corners(contact->start, pair->vertex, start);
    double distance = sqrt(weft_closest((weft_pair_kind)pair->kind, start, weight));
    if (pair->kind == WEFT_EDGE_EDGE && contact_edge_factor(start, 1) == 0)
        return most;
    return fmin(most, fmax(distance, LEAST_REACH * most));
}

static double narrow_of(const weft_contact *contact, const weft_contact_grip *grip) {
    weft_vec3 rest[4];
    contact_corners(contact->rest, grip->vertex, rest);
    return contact_edge_narrow(rest, grip->reach);
}

/* Fills in the touch and returns its energy; 0 when the pair is out of reach. `most`: its largest reach, m. `list`: 0
 * when the energy is all that counts. */
static double touch_pair(const contact_step *step, const contact_pair *pair, double most, const weft_vec3 *x, int list,
                         contact_touch *touch) {
    weft_pair_kind kind = (weft_pair_kind)pair->kind;
    weft_vec3 at[4];
    contact_corners(x, pair->vertex, at);
    if (weft_surely_farther(kind, at, most))
        return 0;
    double distance = sqrt(weft_closest(kind, at, touch->weight));
    if (distance >= most)
        return 0;
    touch->grip = (weft_contact_grip){.kind = pair->kind};
    memcpy(touch->grip.vertex, pair->vertex, sizeof pair->vertex);
    touch->most_reach = most;
    touch->grip.reach = reach_of(step, pair, most, &touch->grip);
    if (distance >= touch->grip.reach)
        return 0;
    double narrow = kind == WEFT_EDGE_EDGE ? narrow_of(step->contact, &touch->grip) : 0;
    double factor = kind == WEFT_EDGE_EDGE ? contact_edge_factor(at, narrow) : 1;
    if (factor == 0)
        return 0;
    double energy = barrier(distance, touch->grip.reach, &touch->force, &touch->stiffness);
    touch->fades = list && factor < 1;
    if (touch->fades)
        contact_edge_fading(at, narrow, energy, touch->fading);
    touch->force *= factor;
    touch->stiffness *= factor;
    touch->normal = weft_scale(1 / distance, weft_weighted(at, touch->weight));
    touch->most_friction = contact_friction(step, pair) * touch->force;
    return factor * energy;
}

typedef struct barrier_pass {
    const contact_step *step;
    const weft_vec3 *x;
    int list; /* 1: store the touches */
} barrier_pass;

static void pass_task(void *context, int64_t begin, int64_t end) {
    const barrier_pass *pass = context;
    contact_bin *bin = pass->step->contact->task[begin / WEFT_BLOCK].bin;
    (void)end;
    bin->energy = 0;
    if (pass->list)
        bin->touch_count = 0;
    for (int32_t i = 0; i < bin->near_count; i++) {
        contact_touch touch;
        const contact_near *near = &bin->near[i];
        double energy = touch_pair(pass->step, &bin->pair[near->pair], near->reach, pass->x, pass->list, &touch);
        bin->energy += energy;
        contact_touch *kept = energy > 0 && pass->list ? contact_bin_touch(bin) : NULL;
        if (kept)
            *kept = touch;
    }
    if (pass->list)
        bin->listed_energy = bin->energy;
}

static weft_status run(contact_step *step, const weft_vec3 *x, int list) {
    barrier_pass pass = {step, x, list};
    contact_for_tasks(step->work, step->contact->task_count, pass_task, &pass);
    return contact_check_bins(step->contact);
}

/* Grips begin a touch. */
static int compare_touches(const void *a, const void *b) {
    return barrier_compare_grips(*(const contact_touch *const *)a, *(const contact_touch *const *)b);
}

static int grow_touches(weft_contact *contact, int32_t count) {
    if (count <= contact->touch_capacity)
        return 1;
    size_t room = (size_t)count + (size_t)count / 2;
    contact_touch *touch = realloc(contact->touch, room * sizeof *touch);
    contact->touch = touch ? touch : contact->touch;
    const contact_touch **order = realloc(contact->touch_order, room * sizeof *order);
    contact->touch_order = order ? order : contact->touch_order;
    if (!touch || !order)
        return 0;
    contact->touch_capacity = (int32_t)room;
    return 1;
}

/* Touches are long, so that their addresses are sorted instead. */
weft_status barrier_list_touches(contact_step *step) {
    weft_contact *contact = step->contact;
    if (contact->touches_listed)
        return WEFT_STATUS_OK;
    weft_status status = run(step, contact->x, 1);
    int32_t count = 0;
    for (int32_t b = 0; b < contact->task_count; b++)
        count += contact->task[b].bin->touch_count;
    if (!grow_touches(contact, count))
        return WEFT_STATUS_NO_MEMORY;
    contact->touch_count = 0;
    for (int32_t b = 0; b < contact->task_count; b++)
        for (int32_t i = 0; i < contact->task[b].bin->touch_count; i++)
            contact->touch_order[contact->touch_count++] = &contact->task[b].bin->touch[i];
    if (count > 1)
        weft_sort(contact->touch_order, (size_t)count, sizeof *contact->touch_order, compare_touches);
    for (int32_t i = 0; i < count; i++)
        contact->touch[i] = *contact->touch_order[i];
    contact->touches_listed = status == WEFT_STATUS_OK;
    return status;
}

/* Of all barriers at the touches last listed, added to `sum`. */
static double add_listed(const weft_contact *contact, double sum) {
    for (int32_t b = 0; b < contact->task_count; b++)
        sum += contact->task[b].bin->listed_energy;
    return sum;
}

double barrier_energy(contact_step *step, const weft_vec3 *x) {
    double sum = barrier_friction_energy(step->contact, x);
    (void)run(step, x, 0);
    for (int32_t b = 0; b < step->contact->task_count; b++)
        sum += step->contact->task[b].bin->energy;
    return sum;
}

double barrier_energy_at_touches(const weft_contact *contact) {
    return add_listed(contact, barrier_friction_energy(contact, contact->x));
}

double barrier_stored_energy(const weft_contact *contact, const weft_contact_grips *grips) {
    return add_listed(contact, barrier_grip_energy(grips));
}
