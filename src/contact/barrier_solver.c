/* The table by which an implicit step minimises with the barrier. */
#include "contact/barrier.h"

#include <math.h>

#include "contact/internal.h"
#include "contact/solve_table.h"
#include "core/seconds.h"

static contact_step step_of(weft_contact_solve *c) {
    return contact_step_of(c->contact, c->settings, c->work, &c->state, &c->report);
}

/* Where all cloth is between the start of the step and its prediction, and how far it goes in the mean. */
typedef struct cloth_motion {
    weft_vec3 low, high, mean; /* m */
} cloth_motion;

static cloth_motion motion_of_cloth(const weft_contact *contact) {
    cloth_motion c = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, {0, 0, 0}};
    for (int32_t i = 0; i < contact->cloth_vertices; i++) {
        weft_vec3 p = contact->x[i], q = contact->x_next[i];
        c.low =
            (weft_vec3){fmin(c.low.x, fmin(p.x, q.x)), fmin(c.low.y, fmin(p.y, q.y)), fmin(c.low.z, fmin(p.z, q.z))};
        c.high =
            (weft_vec3){fmax(c.high.x, fmax(p.x, q.x)), fmax(c.high.y, fmax(p.y, q.y)), fmax(c.high.z, fmax(p.z, q.z))};
        c.mean = weft_add_scaled(c.mean, 1.0 / contact->cloth_vertices, weft_sub(q, p));
    }
    return c;
}

/* Whether the way of a vertex comes within `reach` of where cloth is. */
static int comes_near(const weft_contact *contact, int32_t vertex, const cloth_motion *cloth, double reach) {
    weft_vec3 p = contact->x[vertex], q = contact->x_next[vertex];
    return fmax(p.x, q.x) >= cloth->low.x - reach && fmin(p.x, q.x) <= cloth->high.x + reach &&
           fmax(p.y, q.y) >= cloth->low.y - reach && fmin(p.y, q.y) <= cloth->high.y + reach &&
           fmax(p.z, q.z) >= cloth->low.z - reach && fmin(p.z, q.z) <= cloth->high.z + reach;
}

/* Whether a body or a held vertex goes farther in the step than an edge is long. Newton's method would follow it in
 * small steps, each with a search through all that lies on the way; shorter time steps cost less. What goes along with
 * the cloth, as a walking body, and what is far from it, as hands and feet are from a shirt, does not count. */
static int goes_too_far(const weft_contact *contact) {
    double edge = contact->edge_length;
    cloth_motion cloth = motion_of_cloth(contact);
    for (int32_t i = 0; i < contact->count; i++) {
        if (contact->inverse_mass[i] != 0 || contact->object[contact->object_of[i]].absent)
            continue;
        weft_vec3 moved = weft_sub(contact->x_next[i], contact->x[i]), beside = weft_sub(moved, cloth.mean);
        if (weft_dot(moved, moved) > edge * edge && weft_dot(beside, beside) > edge * edge &&
            comes_near(contact, i, &cloth, edge))
            return 1;
    }
    return 0;
}

/* The state holds the positions at the start and, in x_next, a prediction. */
static weft_status begin(void *context, double dt) {
    weft_contact_solve *c = context;
    weft_contact *contact = c->contact;
    c->state.dt = contact->step_length = dt;
    c->report.rounds = 0;
    contact->load_count = 0;
    contact_step step = step_of(c);
    weft_status status = contact_take_state(&step, &c->state);
    size_t vectors = (size_t)contact->count * sizeof *contact->x;
    memcpy(contact->start, contact->x, vectors);
    memcpy(contact->finish, contact->x_next, vectors);
    c->too_far = status == WEFT_STATUS_OK && c->state.gives_up && goes_too_far(contact);
    return c->too_far ? WEFT_STATUS_DIVERGED : status;
}

/* Detection, as distinct from the solves around it. */
static void add_time(weft_contact_solve *c, double since) {
    double spent = weft_seconds() - since;
    c->report.detection_seconds += spent;
    c->seconds += spent;
}

/* Sets the search line to a part of the way to `to` and to the places of bodies at the end of the step. */
static void set_line(weft_contact *contact, const weft_vec3 *to, double part) {
    for (int32_t i = 0; i < contact->count; i++) {
        weft_vec3 end = i < contact->cloth_vertices ? to[i] : contact->finish[i];
        contact->x_next[i] = part == 1 ? end : weft_add_scaled(contact->x[i], part, weft_sub(end, contact->x[i]));
    }
}

/* The part of a search line on which no vertex goes farther than an edge is long. */
static double near_part(const weft_contact *contact) {
    static const double LEAST = 1e-6; /* so that a few longer parts reach the end of any line */
    double most = 0;
    for (int32_t i = 0; i < contact->count; i++) {
        weft_vec3 way = weft_sub(contact->x_next[i], contact->x[i]);
        most = fmax(most, weft_dot(way, way));
    }
    return fmin(1, fmax(LEAST, contact->edge_length / sqrt(most)));
}

/* How far along its line the cloth may go. A long line is tested from its start on, because most are stopped early: all
 * pairs on the whole of it would be many. */
static weft_status limit_line(weft_contact_solve *c, contact_step *step, const weft_vec3 *to, int whole,
                              double *fraction) {
    static const double LONGER = 4;
    weft_contact *contact = c->contact;
    set_line(contact, to, 1);
    double part = whole ? 1 : near_part(contact), free = 0;
    weft_status status = WEFT_STATUS_OK;
    for (;; part = fmin(1, LONGER * part)) {
        if (part < 1 || free > 0)
            set_line(contact, to, part);
        status = barrier_limit_motion(step, &free);
        if (status != WEFT_STATUS_OK || step->hopeless || free < 1 || part == 1)
            break;
    }
    *fraction = part * free;
    if (part < 1)
        set_line(contact, to, 1);
    return status;
}

static weft_status aim(void *context, weft_vec3 *to, int give_way, double *fraction) {
    weft_contact_solve *c = context;
    weft_contact *contact = c->contact;
    double since = weft_seconds();
    contact_step step = step_of(c);
    size_t cloths = (size_t)contact->cloth_vertices;
    weft_status status = limit_line(c, &step, to, give_way || c->report.rounds == 0, fraction);
    if (status == WEFT_STATUS_OK && step.hopeless) {
        c->declined = c->report.rounds == 0; /* what comes so close in the course of the step needs shorter ones */
        return WEFT_STATUS_DIVERGED;
    }
    if (status == WEFT_STATUS_OK && give_way && *fraction < 1) {
        status = barrier_give_way(&step, fraction);
        memcpy(to, contact->x_next, cloths * sizeof *to);
    }
    if (status == WEFT_STATUS_OK && c->report.rounds++ == 0) {
        status = barrier_list_touches(&step);
        c->stored_at_start = barrier_stored_energy(contact, contact->grips);
        if (status == WEFT_STATUS_OK)
            status = barrier_begin_friction(contact);
    }
    add_time(c, since);
    return status;
}

static void go(const weft_contact *contact, double fraction, weft_vec3 *x) {
    for (int32_t i = 0; i < contact->count; i++)
        x[i] = fraction == 1 ? contact->x_next[i]
                             : weft_add_scaled(contact->x[i], fraction, weft_sub(contact->x_next[i], contact->x[i]));
}

static double energy(void *context, double fraction) {
    weft_contact_solve *c = context;
    contact_step step = step_of(c);
    if (fraction == 0 && c->contact->touches_listed)
        return barrier_energy_at_touches(c->contact);
    go(c->contact, fraction, c->contact->trial);
    return barrier_energy(&step, c->contact->trial);
}

static void accept(void *context, double fraction) {
    weft_contact_solve *c = context;
    go(c->contact, fraction, c->contact->x);
    c->contact->touches_listed &= fraction == 0;
    c->contact->progress += fraction * (1 - c->contact->progress);
}

static int is_body(const weft_contact *contact, int32_t v) { return v >= contact->cloth_vertices; }

/* Bodies have no rows in the system. Their remaining motion is part of the linearisation. */
static weft_touch touch_for_solve(const weft_contact *contact, const contact_touch *touch) {
    weft_touch made = {.normal = touch->normal};
    for (int i = 0; i < 4; i++) {
        int32_t v = touch->grip.vertex[i];
        if (is_body(contact, v)) {
            made.carried = weft_add_scaled(made.carried, touch->weight[i], weft_sub(contact->finish[v], contact->x[v]));
        } else {
            made.vertex[i] = v;
            made.weight[i] = touch->weight[i];
        }
    }
    return made;
}

static weft_touch pressing(const weft_contact *contact, const contact_touch *touch) {
    weft_touch made = touch_for_solve(contact, touch);
    made.stiffness = barrier_bearing_stiffness(contact, touch);
    made.force = weft_scale(touch->force, touch->normal);
    for (int i = 0; i < 4 && touch->fades; i++)
        if (!is_body(contact, touch->grip.vertex[i]))
            made.fading[i] = touch->fading[i];
    return made;
}

static weft_touch rubbing(const weft_contact *contact, const contact_touch *touch) {
    weft_touch made = touch_for_solve(contact, touch);
    made.force = barrier_friction_force(contact, touch, &made.across, &made.slide);
    return made;
}

static weft_status touches(void *context, const weft_touch **list, int32_t *count) {
    weft_contact_solve *c = context;
    weft_contact *contact = c->contact;
    double since = weft_seconds();
    contact_step step = step_of(c);
    weft_status status = barrier_list_touches(&step);
    add_time(c, since);
    if (status != WEFT_STATUS_OK)
        return status;
    size_t total = (size_t)contact->touch_count + (size_t)contact->rub_count;
    weft_touch *made = weft_arena_take(c->work->arena, (total + 1) * sizeof *made, "contact");
    if (!made)
        return WEFT_STATUS_NO_MEMORY;
    for (int32_t i = 0; i < contact->touch_count; i++)
        made[i] = pressing(contact, &contact->touch[i]);
    for (int32_t i = 0; i < contact->rub_count; i++)
        made[contact->touch_count + i] = rubbing(contact, &contact->rub[i]);
    *list = made;
    *count = (int32_t)total;
    return WEFT_STATUS_OK;
}

static weft_status solved(void *context, const weft_touch *list, const weft_vec3 *dv, double h) {
    return barrier_expect_loads(((weft_contact_solve *)context)->contact, list, dv, h);
}

static int bodies_remain(void *context) {
    const weft_contact *contact = ((weft_contact_solve *)context)->contact;
    size_t cloths = (size_t)contact->cloth_vertices, bodies = (size_t)contact->count - cloths;
    return bodies > 0 && memcmp(contact->x + cloths, contact->finish + cloths, bodies * sizeof *contact->x) != 0;
}

static weft_status renew_friction(void *context, int *renewed) {
    weft_contact_solve *c = context;
    contact_step step = step_of(c);
    weft_status status = barrier_list_touches(&step);
    *renewed = status == WEFT_STATUS_OK && barrier_friction_differs(c->contact);
    return *renewed ? barrier_begin_friction(c->contact) : status;
}

/* Sums the normal forces of bodies on each vertex of the cloths. */
static void sum_pressing(const weft_contact *contact, weft_vec3 *pressing) {
    memset(pressing, 0, (size_t)contact->cloth_vertices * sizeof *pressing);
    for (int32_t i = 0; i < contact->touch_count; i++) {
        const contact_touch *touch = &contact->touch[i];
        int bodies = 0;
        for (int k = 0; k < 4; k++)
            bodies += is_body(contact, touch->grip.vertex[k]);
        for (int k = 0; k < 4 && bodies > 0; k++) {
            int32_t v = touch->grip.vertex[k];
            if (!is_body(contact, v))
                pressing[v] = weft_add_scaled(pressing[v], touch->weight[k] * touch->force, touch->normal);
        }
    }
}

static weft_status end(void *context) {
    weft_contact_solve *c = context;
    contact_step step = step_of(c);
    weft_status status = barrier_list_touches(&step);
    c->report.contacts = c->contact->touch_count;
    memset(c->state.touched, 0, (size_t)c->state.count);
    for (int32_t i = 0; i < c->contact->touch_count; i++)
        for (int k = 0; k < 4; k++) {
            int32_t v = c->contact->touch[i].grip.vertex[k];
            if (!is_body(c->contact, v))
                c->state.touched[v] = 1;
        }
    if (status == WEFT_STATUS_OK)
        status = barrier_keep_grips(c->contact);
    c->stored = barrier_stored_energy(c->contact, c->contact->next_grips);
    sum_pressing(c->contact, c->state.pressing);
    /* edges beyond the limit are shortened by impulses, which need the other method */
    c->minimised = status == WEFT_STATUS_OK && !contact_exceeds_strain(c->contact, c->settings->strain_limit);
    return status;
}

static double stored(void *context) {
    const weft_contact_solve *c = context;
    return c->stored - c->stored_at_start;
}

const weft_barrier_solver WEFT_BARRIER_SOLVER = {begin,  aim,           energy,         accept, touches,
                                                 solved, bodies_remain, renew_friction, end,    stored};
