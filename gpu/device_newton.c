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

static double take_full_update(gpu_simulation *s, int *sane) {
    move_to(s, 1);
    *sane = gpu_sum(s, GPU_insane, s->gpu.count) == 0;
    return 1;
}

/* Halves the update until the potential does not grow. Returns the fraction. */
static double line_search(gpu_simulation *s, int *sane) {
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

weft_status gpu_newton(gpu_simulation *s, weft_solve *solve, int *sane) {
    const weft_device_solver *set = &s->solver;
    double first_residual = 0;
    int unfinished = 0;
    if (set->newton > 1)
        first_residual = residual(s);
    else
        gpu_evaluate_forces(s);
    for (int32_t k = 0; k < set->newton || (unfinished && k < set->newton + set->finish); k++) {
        s->gpu.first = k == 0;
        if (k > 0)
            s->gpu.guess = 0;
        gpu_assemble(s);
        weft_status status = gpu_solve(s, solve);
        if (status != WEFT_STATUS_OK)
            return status;
        gpu_run(s, GPU_search_end, s->gpu.count);
        unfinished = line_search(s, sane) < 1;
        double left = set->newton > 1 || unfinished ? residual(s) : 0;
        if (has_failed(s))
            return WEFT_STATUS_NO_MEMORY;
        if (set->newton > 1 && left <= set->newton_tolerance * first_residual)
            return WEFT_STATUS_OK;
    }
    solve->newton_not_converged += set->newton > 1;
    return WEFT_STATUS_OK;
}
