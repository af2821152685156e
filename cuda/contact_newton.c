/* An implicit step with contact as one minimisation, as in src/integrate/newton_barrier.c: inertia, elastic energy,
 * external work, barrier and friction. Each Newton step is shortened until it is free of contact and does not raise the
 * potential. */
#include <math.h>

#include "contact_world.h"

/* The constants of newton_barrier.c. */
static const double SLOW_MEAN = 0.005;                   /* m/s */
static const double LOOSE = 0.1, LOOSE_IN_FLIGHT = 0.01; /* relative residuals */
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

/* The potential at a fraction of the line, J. */
static double potential(const minimisation *m, double fraction) {
    gpu_simulation *s = m->s;
    weft_gpu *g = &s->gpu;
    weft_vec3 *search = g->search;
    place(s, fraction);
    g->at_x = g->x;
    g->search = g->external;
    gpu_run_sum(s, GPU_triangle_energies, g->triangle_count, GPU_SLOT_AFTER);
    gpu_run_sum(s, GPU_bend_energies, g->bend_count, GPU_SLOT_AFTER + 1);
    gpu_run_sum(s, GPU_pair_energies, g->pair_count, GPU_SLOT_AFTER + 2);
    gpu_run_sum(s, GPU_inertia, g->count, GPU_SLOT_AFTER + 3);
    gpu_run_sum(s, GPU_contact_energies, g->contact.near_count, GPU_SLOT_BARRIER);
    gpu_run_sum(s, GPU_contact_friction_energies, g->contact.rub_count, GPU_SLOT_FRICTION);
    g->search = search;
    gpu_numbers n = gpu_read_numbers(s);
    double sum = m->dissipation * fraction * fraction;
    for (int k = 0; k < 4; k++)
        sum += n.sum[GPU_SLOT_AFTER + k][0];
    sum += g->contact.near_count > 0 ? n.sum[GPU_SLOT_BARRIER][0] : 0;
    return sum + (g->contact.rub_count > 0 ? n.sum[GPU_SLOT_FRICTION][0] : 0);
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
static weft_status limit(gpu_simulation *s, double *fraction) {
    if (!gpu_limit_motion(s, fraction))
        return WEFT_STATUS_NO_MEMORY;
    if (*fraction < 0)
        return WEFT_STATUS_DIVERGED;
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
    gpu_run(s, GPU_contact_begin, s->gpu.contact.count);
    weft_status status = limit(s, &fraction);
    if (status != WEFT_STATUS_OK)
        return status;
    place(s, 0);
    elastic_forces(s, s->gpu.x_start);
    gpu_run(s, GPU_contact_elastic_start, s->gpu.count);
    dissipative_forces(s, s->gpu.v, s->gpu.external);
    double before = potential(m, 0), after = potential(m, fraction);
    accept(s, after <= before ? fraction : 0);
    return WEFT_STATUS_OK;
}

/* -- Newton's method -- */

static void find_forces(gpu_simulation *s) {
    dissipative_forces(s, s->gpu.v, s->gpu.external);
    elastic_forces(s, s->gpu.x);
    gpu_run(s, GPU_contact_forces, s->gpu.count);
}

static double measure_dissipation(gpu_simulation *s) {
    weft_gpu *g = &s->gpu;
    gpu_run(s, GPU_contact_end_velocity, g->count);
    dissipative_forces(s, g->x_last, g->b);
    return gpu_sum(s, GPU_contact_dissipation, g->count);
}

static int is_slow(gpu_simulation *s) {
    gpu_run_sum(s, GPU_contact_slow, s->gpu.count, GPU_SLOT_COUNT);
    gpu_numbers n = gpu_read_numbers(s);
    const double *sum = n.sum[GPU_SLOT_COUNT];
    return sum[0] <= SLOW_MEAN * SLOW_MEAN * sum[1] && sum[2] == 0;
}

static weft_status solve_loosely(gpu_simulation *s, weft_solve *solve) {
    weft_gpu *g = &s->gpu;
    double tolerance = g->tolerance;
    g->first = 0;
    g->guess = 0;
    gpu_assemble(s);
    g->tolerance = fmax(tolerance, g->coupling.terms > 0 ? LOOSE : LOOSE_IN_FLIGHT);
    weft_status status = gpu_solve(s, solve);
    g->tolerance = tolerance;
    g->coupling.terms = 0;
    return status;
}

static weft_status find_direction(minimisation *m, weft_solve *solve, int *slow) {
    gpu_simulation *s = m->s;
    if (!gpu_list_touches(s) || !gpu_make_terms(s))
        return WEFT_STATUS_NO_MEMORY;
    find_forces(s);
    weft_status status = solve_loosely(s, solve);
    if (status != WEFT_STATUS_OK)
        return status;
    m->dissipation = measure_dissipation(s);
    gpu_run(s, GPU_contact_aim, s->gpu.contact.count);
    *slow = is_slow(s);
    return WEFT_STATUS_OK;
}

/* The longest of the fractions `fraction`, a half, a quarter of it and so on that does not raise the potential; 0 when
 * there is none. */
static double search(const minimisation *m, double fraction) {
    double before = potential(m, 0);
    for (int i = 0; i < MOST_HALVINGS && !has_failed(m->s); i++, fraction /= 2)
        if (potential(m, fraction) <= before + 1e-12 * fabs(before))
            return fraction;
    return 0;
}

static weft_status go(const minimisation *m, int remain, double *fraction) {
    weft_status status = limit(m->s, fraction);
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
    int slow = 0, renewals = 0;
    for (int k = 0; k < MOST_STEPS; k++) {
        double fraction;
        *remain = prescribed_remain(s);
        if ((*remain && k == MOST_WAITING) || (k == MOST_PATIENT && s->world->gives_up))
            return WEFT_STATUS_DIVERGED;
        weft_status status = find_direction(m, solve, &slow);
        if (status == WEFT_STATUS_OK)
            status = go(m, *remain, &fraction);
        if (has_failed(s))
            return WEFT_STATUS_NO_MEMORY;
        if (status != WEFT_STATUS_OK)
            return status;
        if (*remain || k == 0 || !(slow || fraction == 0))
            continue;
        int renewed = 0;
        if (renewals++ < MOST_RENEWALS && !gpu_renew_friction(s, &renewed))
            return WEFT_STATUS_NO_MEMORY;
        if (!renewed)
            return WEFT_STATUS_OK;
    }
    solve->newton_not_converged++;
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
