/* An implicit step with contact as one minimisation, as in src/solve/newton_barrier.c: inertia, elastic energy,
 * external work, barrier and friction. Each Newton step is shortened until it is free of contact and does not raise the
 * potential. */
#include <math.h>

#include "contact_world.h"

/* The constants of newton_barrier.c. */
static const double SLOW_MEAN = 0.005;                    /* m/s */
static const double LOOSE = 0.03, LOOSE_IN_FLIGHT = 0.01; /* relative residuals, by energy */
enum { MOST_STEPS = 150, MOST_PATIENT = 50, MOST_WAITING = 25, MOST_HALVINGS = 24, MOST_RENEWALS = 1 };

typedef struct minimisation {
    gpu_simulation *s;
    double dissipation; /* of damping and air along the whole line, beyond what their forces at its start do, J */
} minimisation;

static int has_failed(const gpu_simulation *s) { return s->on.failure(s->on.self) || s->world->failure[0]; }

static void place(gpu_simulation *s, double fraction) {
    s->gpu.fraction = fraction;
    gpu_run(s, GPU_contact_place, s->gpu.contact.count);
}

/* The slots of the parts of a potential. */
typedef struct potential_slots {
    int32_t cloth, contact;
} potential_slots;

static const potential_slots BEFORE = {GPU_SLOT_BEFORE, GPU_SLOT_CONTACT_BEFORE};
static const potential_slots AFTER = {GPU_SLOT_AFTER, GPU_SLOT_CONTACT_AFTER};

/* Goes to a fraction of the line and starts to sum the potential there. */
static void sum_potential(const minimisation *m, double fraction, potential_slots slot) {
    gpu_simulation *s = m->s;
    weft_gpu *g = &s->gpu;
    weft_vec3 *search = g->search;
    place(s, fraction);
    g->at_x = g->x;
    g->search = g->external;
    gpu_run_sum(s, GPU_triangle_energies, g->triangle_count, slot.cloth);
    gpu_run_sum(s, GPU_bend_energies, g->bend_count, slot.cloth + 1);
    gpu_run_sum(s, GPU_pair_energies, g->pair_count, slot.cloth + 2);
    gpu_run_sum(s, GPU_inertia, g->count, slot.cloth + 3);
    gpu_run_sum(s, GPU_contact_energies, g->contact.near_count, slot.contact);
    gpu_run_sum(s, GPU_contact_friction_energies, g->contact.rub_count, slot.contact + 1);
    g->search = search;
}

/* The potential that was summed at a fraction, J. Slots without items keep what they had. */
static double potential_in(const minimisation *m, const gpu_numbers *n, double fraction, potential_slots slot) {
    const weft_gpu *g = &m->s->gpu;
    const int32_t items[4] = {g->triangle_count, g->bend_count, g->pair_count, g->count};
    double sum = m->dissipation * fraction * fraction;
    for (int k = 0; k < 4; k++)
        sum += items[k] > 0 ? n->sum[slot.cloth + k][0] : 0;
    sum += g->contact.near_count > 0 ? n->sum[slot.contact][0] : 0;
    return sum + (g->contact.rub_count > 0 ? n->sum[slot.contact + 1][0] : 0);
}

/* Forces of elements at the places x with the velocities v, null: at rest. */
static void element_forces(gpu_simulation *s, weft_vec3 *x, weft_vec3 *v) {
    weft_gpu *g = &s->gpu;
    weft_vec3 *own_x = g->x, *own_v = g->v;
    g->x = x;
    g->v = v;
    gpu_run(s, GPU_triangle_forces, g->triangle_count);
    gpu_run(s, GPU_bend_forces, g->bend_count);
    gpu_run(s, GPU_pair_forces, g->pair_count);
    g->x = own_x;
    g->v = own_v;
}

/* The forces of damping and air with the velocities v, at the start of the step. */
static void dissipative_forces(gpu_simulation *s, weft_vec3 *v, weft_vec3 *to) {
    weft_gpu *g = &s->gpu;
    weft_vec3 *x = g->x, *own_v = g->v, *external = g->external;
    element_forces(s, g->x_start, v);
    g->x = g->x_start;
    g->v = v;
    g->external = to;
    if (g->air.has_wind)
        gpu_run(s, GPU_facet_forces, g->facet_count);
    gpu_run(s, GPU_external_forces, g->count);
    gpu_run(s, GPU_contact_dissipative, g->count);
    g->x = x;
    g->v = own_v;
    g->external = external;
}

/* Elastic forces at places x: those of elements at rest. */
static void elastic_forces(gpu_simulation *s, weft_vec3 *x) { element_forces(s, x, s->world->still); }

/* -- the search line -- */

/* Whether the line can be taken, and how far. In the first line of the step friction begins. */
static weft_status limit(gpu_simulation *s, int near_suffice, double *fraction) {
    if (!gpu_limit_motion(s, near_suffice, fraction))
        return WEFT_STATUS_NO_MEMORY;
    if (*fraction < 0) {
        s->world->blocked = 1;
        return WEFT_STATUS_DIVERGED;
    }
    if (s->world->rounds++ == 0 && (!gpu_list_touches(s) || !gpu_begin_friction(s)))
        return WEFT_STATUS_NO_MEMORY;
    return WEFT_STATUS_OK;
}

/* The point on the line becomes the start of the next. */
static void accept(gpu_simulation *s, double fraction) {
    gpu_contact *c = &s->gpu.contact;
    place(s, fraction);
    weft_vec3 *before = c->x;
    c->x = c->trial;
    c->trial = before;
}

static weft_status choose_start(minimisation *m) {
    gpu_simulation *s = m->s;
    double fraction = 0;
    s->world->near_valid = 0; /* so that a step depends on the state alone */
    s->world->rounds = 0;
    s->world->blocked = 0;
    gpu_run(s, GPU_contact_begin, s->gpu.contact.count);
    weft_status status = limit(s, 0, &fraction);
    if (status != WEFT_STATUS_OK)
        return status;
    place(s, 0);
    elastic_forces(s, s->gpu.x_start);
    gpu_run(s, GPU_contact_elastic_start, s->gpu.count);
    dissipative_forces(s, s->gpu.v, s->gpu.external);
    sum_potential(m, 0, BEFORE);
    sum_potential(m, fraction, AFTER);
    gpu_numbers n = gpu_read_numbers(s);
    accept(s, potential_in(m, &n, fraction, AFTER) <= potential_in(m, &n, 0, BEFORE) ? fraction : 0);
    return WEFT_STATUS_OK;
}

/* -- Newton's method -- */

static void find_forces(gpu_simulation *s) {
    dissipative_forces(s, s->gpu.v, s->gpu.external);
    elastic_forces(s, s->gpu.x);
    gpu_run(s, GPU_contact_forces, s->gpu.count);
}

/* What is known about a search line. */
typedef struct line {
    int slow;         /* 1: its end is close enough to its start */
    int near_suffice; /* 1: the near pairs are complete for it */
} line;

/* Sets the line up. The host waits once. */
static line aim(minimisation *m) {
    gpu_simulation *s = m->s;
    weft_gpu *g = &s->gpu;
    gpu_run(s, GPU_contact_end_velocity, g->count);
    dissipative_forces(s, g->x_last, g->b);
    gpu_run_sum(s, GPU_contact_dissipation, g->count, GPU_SLOT_DISSIPATION);
    gpu_run(s, GPU_contact_aim, g->contact.count);
    gpu_run_sum(s, GPU_contact_slow, g->count, GPU_SLOT_COUNT);
    gpu_run_sum(s, GPU_contact_strayed, g->contact.count, GPU_SLOT_STRAYED);
    gpu_numbers n = gpu_read_numbers(s);
    const double *sum = n.sum[GPU_SLOT_COUNT];
    m->dissipation = n.sum[GPU_SLOT_DISSIPATION][0];
    return (line){sum[0] <= SLOW_MEAN * SLOW_MEAN * sum[1] && sum[2] == 0, n.sum[GPU_SLOT_STRAYED][0] == 0};
}

static weft_status solve_loosely(gpu_simulation *s, weft_solve *solve) {
    weft_gpu *g = &s->gpu;
    double tolerance = g->tolerance;
    g->first = 0;
    g->guess = 0;
    gpu_assemble(s);
    int touches = g->coupling.terms > 0 && g->contact.parts > 0;
    g->energy = fmax(tolerance, touches ? LOOSE : LOOSE_IN_FLIGHT);
    g->tolerance = 0; /* only the energy counts */
    weft_status status = gpu_solve(s, solve);
    g->tolerance = tolerance;
    g->energy = 0;
    if (status == WEFT_STATUS_OK && !gpu_keep_momentum(s))
        status = WEFT_STATUS_NO_MEMORY;
    g->coupling.terms = 0;
    return status;
}

static weft_status find_direction(minimisation *m, weft_solve *solve, line *made) {
    gpu_simulation *s = m->s;
    if (!gpu_list_touches(s) || !gpu_make_terms(s))
        return WEFT_STATUS_NO_MEMORY;
    find_forces(s);
    weft_status status = solve_loosely(s, solve);
    if (status == WEFT_STATUS_OK)
        *made = aim(m);
    return status;
}

/* The longest of the fractions `fraction`, a half, a quarter of it and so on that does not raise the potential; 0 when
 * there is none. */
static double search(const minimisation *m, double fraction) {
    sum_potential(m, 0, BEFORE);
    for (int i = 0; i < MOST_HALVINGS && !has_failed(m->s); i++, fraction /= 2) {
        sum_potential(m, fraction, AFTER);
        gpu_numbers n = gpu_read_numbers(m->s);
        double before = potential_in(m, &n, 0, BEFORE);
        if (potential_in(m, &n, fraction, AFTER) <= before + 1e-12 * fabs(before))
            return fraction;
    }
    return 0;
}

static weft_status go(const minimisation *m, const line *l, int remain, double *fraction) {
    weft_status status = limit(m->s, l->near_suffice, fraction);
    if (status != WEFT_STATUS_OK)
        return status;
    if (!remain) /* pins and bodies may raise the potential */
        *fraction = search(m, *fraction);
    accept(m->s, *fraction);
    return status;
}

static int prescribed_remain(gpu_simulation *s) { return gpu_sum(s, GPU_contact_remaining, s->gpu.contact.count) > 0; }

/* Newton steps until the corrections are small. */
static weft_status descend(minimisation *m, weft_solve *solve, int *remain) {
    gpu_simulation *s = m->s;
    int renewals = 0;
    for (int k = 0; k < MOST_STEPS; k++) {
        double fraction;
        line l;
        *remain = *remain && prescribed_remain(s); /* what has arrived stays */
        if ((*remain && k == MOST_WAITING) || (k == MOST_PATIENT && s->world->gives_up)) {
            s->world->blocked = *remain;
            return WEFT_STATUS_DIVERGED;
        }
        weft_status status = find_direction(m, solve, &l);
        if (status == WEFT_STATUS_OK)
            status = go(m, &l, *remain, &fraction);
        if (has_failed(s))
            return WEFT_STATUS_NO_MEMORY;
        if (status != WEFT_STATUS_OK)
            return status;
        if (*remain || k == 0 || !(l.slow || fraction == 0))
            continue;
        int renewed = 0;
        if (renewals++ < MOST_RENEWALS && !gpu_renew_friction(s, &renewed))
            return WEFT_STATUS_NO_MEMORY;
        if (!renewed)
            return WEFT_STATUS_OK;
    }
    solve->newton_not_converged++;
    s->world->blocked = *remain;
    return *remain ? WEFT_STATUS_DIVERGED : WEFT_STATUS_OK;
}

weft_status gpu_minimise(gpu_simulation *s, weft_solve *solve, int *sane) {
    minimisation m = {s, 0};
    int remain = 1;
    weft_status status = choose_start(&m);
    if (status == WEFT_STATUS_OK)
        status = descend(&m, solve, &remain);
    if (has_failed(s))
        return WEFT_STATUS_NO_MEMORY;
    if (status != WEFT_STATUS_OK)
        return status;
    *sane = gpu_sum(s, GPU_insane, s->gpu.count) == 0;
    return gpu_end_contact(s) ? WEFT_STATUS_OK : WEFT_STATUS_NO_MEMORY;
}
