/* Chooses the length of steps by their error (time.mode: adaptive).
 *
 * The error of a step follows from the accelerations before and after it (Hairer, Norsett and Wanner 1993, Solving
 * ordinary differential equations I, II.4 and III.5): a scheme of order one leaves out h^2 / 2 a, BDF2 2/9 h^3 a', and
 * Verlet's schemes less than that. The
 * next step has the length at which that would equal the wanted accuracy. No step is repeated, because an impact has
 * the same relative error at any length: the steps after it are shorter. */
#include <math.h>

#include "core/elementary.h"
#include "sim/internal.h"

/* Share of the wanted error that the next step aims at, and limits of the change from one step to the next. */
static const double SAFETY = 0.8, MOST_SHORTER = 0.3, MOST_LONGER = 2;
/* The first step relative to the longest one. */
static const double FIRST = 0.125;

typedef struct estimate {
    const weft_sim *sim;
    double dt, before; /* lengths of this step and of the last one, s; before = 0: the scheme is of order one here */
} estimate;

/* Squares of the errors of free vertices. */
static double add_errors(void *context, int64_t begin, int64_t end) {
    const estimate *e = context;
    const weft_sim *sim = e->sim;
    double sum = 0;
    for (int64_t i = begin; i < end; i++) {
        if (sim->inverse_mass[i] == 0)
            continue;
        weft_vec3 a = weft_scale(1 / e->dt, weft_sub(sim->v_next[i], sim->v[i])), error = weft_scale(0.5, a);
        if (e->before > 0)
            error = weft_scale(2.0 / 9, weft_add_scaled(a, -1 / e->before, weft_sub(sim->v[i], sim->v_before[i])));
        sum += weft_dot(error, error);
    }
    return sum * e->dt * e->dt * e->dt * e->dt;
}

static int32_t count_free(const weft_sim *sim) {
    int32_t free = 0;
    for (int32_t i = 0; i < sim->count; i++)
        free += sim->inverse_mass[i] > 0;
    return free;
}

void sim_adapt_step(weft_sim *sim, double dt, int touching) {
    const weft_clock *clock = &sim->clock;
    if (clock->mode != WEFT_TIME_ADAPTIVE)
        return;
    const weft_integrator_functions *integrator = sim->integrator->functions;
    int order = integrator->order == 2 && sim->dt_before > 0 && !touching ? 2 : 1;
    estimate e = {sim, dt, order == 2 ? sim->dt_before : 0};
    int32_t free = count_free(sim);
    double square = weft_parallel_sum(&sim->work, sim->count, WEFT_BLOCK, add_errors, &e);
    double ratio = free > 0 ? sqrt(square / free) / (SAFETY * clock->accuracy) : 0;
    double change = MOST_LONGER; /* the next length relative to this one */
    if (ratio > 0)
        change = order == 2 ? weft_pow(ratio, -1.0 / 3) : sqrt(1 / ratio);
    sim->step_wanted = dt * fmin(fmax(change, MOST_SHORTER), MOST_LONGER);
}

double sim_adaptive_step(const weft_sim *sim, double left) {
    const weft_clock *clock = &sim->clock;
    double wanted = sim->step_wanted > 0 ? sim->step_wanted : FIRST * clock->step;
    double length = fmin(fmax(wanted, SIM_SHORTEST * clock->step), clock->step);
    return left / fmax(1, ceil(left / length * (1 - 1e-3)));
}
