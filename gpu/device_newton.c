/* Newton's method with a line search, as in src/solve/newton.c without contact. */
#include <math.h>

#include "simulation.h"

static int has_failed(const gpu_simulation *s) { return s->on.failure(s->on.self) != NULL; }

/* Forces at the iterate; returns the norm of the residual of the equations of motion. */
static double residual(gpu_simulation *s) {
    gpu_evaluate_forces(s);
    return sqrt(gpu_sum(s, GPU_motion_residual, s->gpu.count));
}

static void move_to(gpu_simulation *s, double fraction) {
    s->gpu.fraction = fraction;
    gpu_run(s, GPU_move_to, s->gpu.count);
}

/* Sums the function that the step minimises, without damping, at the iterate. */
static void sum_potential(gpu_simulation *s, int32_t slot) {
    weft_gpu *g = &s->gpu;
    g->at_x = g->x;
    gpu_run_sum(s, GPU_triangle_energies, g->triangle_count, slot);
    gpu_run_sum(s, GPU_bend_energies, g->bend_count, slot + 1);
    gpu_run_sum(s, GPU_pair_energies, g->pair_count, slot + 2);
    gpu_run_sum(s, GPU_inertia, g->count, slot + 3);
}

static double potential_in(const gpu_numbers *n, int32_t slot) {
    return n->sum[slot][0] + n->sum[slot + 1][0] + n->sum[slot + 2][0] + n->sum[slot + 3][0];
}

/* External forces at the last iterate, with the present velocities, as the line search of the CPU has them. */
static void external_at_last(gpu_simulation *s) {
    weft_gpu *g = &s->gpu;
    if (g->frozen)
        return;
    weft_vec3 *x = g->x, *external = g->external;
    g->x = g->x_last;
    g->external = g->search;
    if (g->air.has_wind)
        gpu_run(s, GPU_facet_forces, g->facet_count);
    gpu_run(s, GPU_external_forces, g->count);
    g->x = x;
    g->external = external;
}

/* Whether the full update, just made, reduces the residual. */
static int residual_falls(gpu_simulation *s) {
    double after = residual(s);
    move_to(s, 0);
    double before = residual(s);
    move_to(s, 1);
    return after <= before;
}

/* Goes to a fraction of the update; sums the potential and counts bad states there. */
static gpu_numbers try_fraction(gpu_simulation *s, double fraction) {
    move_to(s, fraction);
    sum_potential(s, GPU_SLOT_AFTER);
    gpu_run_sum(s, GPU_insane, s->gpu.count, GPU_SLOT_INSANE);
    return gpu_read_numbers(s);
}

/* When to stop, as in src/integrate/newton_stop.c. */
static const double SHARE = 0.05, SLOW = 0.001, MOST_PROMISED = 100;

typedef struct promise {
    double fall, allowed; /* J */
    int is_first;
} promise;

static promise promise_of(gpu_simulation *s, int is_first) {
    gpu_run_sum(s, GPU_promise, s->gpu.count, GPU_SLOT_PROMISE);
    gpu_numbers n = gpu_read_numbers(s);
    const double *sum = n.sum[GPU_SLOT_PROMISE];
    return (promise){sum[0], SHARE * s->gpu.h * sum[1] + SLOW * SLOW * sum[2], is_first};
}

static int is_done(const promise *made, double fall, int was_shortened) {
    double most = was_shortened ? 1 : made->is_first ? INFINITY : MOST_PROMISED;
    return made->fall <= made->allowed ||
           (fabs(made->fall - fall) <= made->allowed && made->fall <= most * made->allowed);
}

/* Wind is linearised about the start of the step, as on the CPU. The forces must be those of the start. */
static void freeze_wind(gpu_simulation *s) {
    weft_gpu *g = &s->gpu;
    weft_vec3 *external = g->external;
    g->external = g->search;
    gpu_run(s, GPU_external_forces, g->count);
    g->external = external;
    gpu_run(s, GPU_vertex_damping, g->count);
    g->frozen = 1;
}

static double take_full_update(gpu_simulation *s, int *sane) {
    move_to(s, 1);
    *sane = gpu_sum(s, GPU_insane, s->gpu.count) == 0;
    return 1;
}

/* Halves the update until the potential does not grow. Returns the fraction, and the fall on the whole update. */
static double line_search(gpu_simulation *s, int *sane, double *fall) {
    enum { HALVINGS = 30 };
    if (!s->solver.line_search)
        return take_full_update(s, sane);
    external_at_last(s);
    move_to(s, 0);
    sum_potential(s, GPU_SLOT_BEFORE);
    double least = INFINITY, best = 1, fraction = 1;
    for (int i = 0; i < HALVINGS && !has_failed(s); i++, fraction /= 2) {
        gpu_numbers n = try_fraction(s, fraction);
        double before = potential_in(&n, GPU_SLOT_BEFORE), after = potential_in(&n, GPU_SLOT_AFTER);
        *sane = n.sum[GPU_SLOT_INSANE][0] == 0;
        if (i == 0)
            *fall = before - after;
        if (after <= before + 1e-12 * fabs(before) || (i == 0 && residual_falls(s)))
            return fraction;
        if (after < least) {
            least = after;
            best = fraction;
        }
    }
    try_fraction(s, best);
    return best;
}

/* Newton's method; forces are evaluated at the start. `by_energy`: the energy that is left decides when to stop. */
static weft_status iterate(gpu_simulation *s, int by_energy, weft_solve *solve, int *sane) {
    const weft_device_solver *set = &s->solver;
    int unfinished = 0, was_shortened = 0;
    int32_t most = set->newton;
    double first_residual = 0;
    if (set->newton > 1)
        first_residual = residual(s);
    else
        gpu_evaluate_forces(s);
    if (by_energy && s->gpu.air.has_wind)
        freeze_wind(s);
    for (int32_t k = 0; k < most || (unfinished && k < most + set->finish); k++) {
        double fall = 0;
        s->gpu.first = k == 0;
        if (k > 0)
            s->gpu.guess = 0;
        gpu_assemble(s);
        weft_status status = gpu_solve(s, solve);
        if (status != WEFT_STATUS_OK)
            return status;
        gpu_run(s, GPU_search_end, s->gpu.count);
        promise made = by_energy ? promise_of(s, k == 0) : (promise){0};
        unfinished = line_search(s, sane, &fall) < 1;
        if (by_energy && !unfinished && is_done(&made, fall, was_shortened))
            return WEFT_STATUS_OK;
        was_shortened |= unfinished;
        double left = most > 1 || unfinished ? residual(s) : 0;
        if (has_failed(s))
            return WEFT_STATUS_NO_MEMORY;
        if (most > 1 && left <= set->newton_tolerance * first_residual)
            return WEFT_STATUS_OK;
    }
    solve->newton_not_converged += most > 1 && set->newton_tolerance > 0;
    return WEFT_STATUS_OK;
}

weft_status gpu_newton(gpu_simulation *s, weft_solve *solve, int *sane) {
    const weft_device_solver *set = &s->solver;
    int by_energy = set->newton > 1 && set->newton_tolerance == 0 && set->line_search;
    s->gpu.frozen = 0;
    weft_status status = iterate(s, by_energy, solve, sane);
    s->gpu.frozen = 0;
    return status == WEFT_STATUS_OK && has_failed(s) ? WEFT_STATUS_NO_MEMORY : status;
}
