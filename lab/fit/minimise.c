/* Minimises with NLopt: S. G. Johnson, the NLopt package; M. J. D. Powell, "The BOBYQA algorithm for bound constrained
 * optimization without derivatives", 2009. */
#include <math.h>
#include <nlopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/fit/fit.h"
#include "lab/textile/workers.h"
#include "weft/work.h"

static const double STEP = 1e-3;    /* of finite differences of ln p, for gradients */
static const double REFUSED = 1e30; /* cost of values that no fabric has or that cannot be simulated */
static const double PRECISE = 1e-7; /* of ln p at the end */
enum { MESSAGE = 32 };              /* numbers that hold a message */

typedef struct search {
    const weft_fit *fit;
    double *value, *residual, *moved;
    int evaluations;
    double best, best_z[WEFT_FIT_PARAMETERS];
    weft_result failure; /* a mistake in the data, which ends the search */
    nlopt_opt opt;
} search;

/* -- the objective -- */

static int evaluate(search *s, const double *z, double *residual, double *cost) {
    weft_fabric fabric;
    weft_result result = weft_fit_fabric(s->fit, z, &fabric);
    s->evaluations++;
    *cost = REFUSED;
    if (result.code != WEFT_OK)
        return 0;
    result = weft_fit_predict(s->fit, &fabric, s->value);
    if (result.code == WEFT_BAD_INPUT || result.code == WEFT_BAD_FILE || result.code == WEFT_UNSUPPORTED) {
        s->failure = result;
        nlopt_force_stop(s->opt);
    }
    if (result.code != WEFT_OK)
        return 0;
    weft_fit_residuals(s->fit, s->value, residual);
    double sum = 0;
    for (int64_t i = 0; i < s->fit->residual_count; i++)
        sum += residual[i] * residual[i];
    if (!isfinite(sum))
        return 0;
    *cost = 0.5 * sum;
    if (*cost < s->best) {
        s->best = *cost;
        memcpy(s->best_z, z, (size_t)s->fit->parameter_count * sizeof *z);
    }
    return 1;
}

/* g = J^T r by one-sided differences, inwards at the upper bound. */
static void differentiate(search *s, unsigned n, const double *z, double *gradient) {
    double shifted[WEFT_FIT_PARAMETERS], ignored;
    memcpy(shifted, z, n * sizeof *z);
    for (unsigned i = 0; i < n; i++) {
        double h = z[i] + STEP > log(s->fit->parameter[i].high) ? -STEP : STEP;
        shifted[i] = z[i] + h;
        gradient[i] = 0;
        if (evaluate(s, shifted, s->moved, &ignored))
            for (int64_t k = 0; k < s->fit->residual_count; k++)
                gradient[i] += s->residual[k] * (s->moved[k] - s->residual[k]) / h;
        shifted[i] = z[i];
    }
}

static double objective(unsigned n, const double *z, double *gradient, void *context) {
    search *s = context;
    double cost;
    int valid = evaluate(s, z, s->residual, &cost);
    if (gradient)
        memset(gradient, 0, n * sizeof *gradient);
    if (gradient && valid)
        differentiate(s, n, z, gradient);
    if (s->evaluations >= s->fit->evaluations)
        nlopt_force_stop(s->opt);
    return cost;
}

/* -- one start -- */

/* The first start is the given fabric. The others are spread over the bounds: each parameter takes every one of equal
 * parts of its range once (Latin hypercube), in an order that the seed decides. */
static double start_of(const weft_fit *fit, int parameter, int index) {
    const weft_fit_parameter *p = &fit->parameter[parameter];
    int others = fit->starts - 1, rank = 0;
    if (index == 0)
        return log(p->start);
    double own = weft_random(fit->seed, (uint64_t)parameter * WEFT_FIT_STARTS + (uint64_t)index);
    for (int k = 1; k <= others; k++) {
        double other = weft_random(fit->seed, (uint64_t)parameter * WEFT_FIT_STARTS + (uint64_t)k);
        rank += other < own || (other == own && k < index);
    }
    double inside = weft_random(fit->seed + 1, (uint64_t)parameter * WEFT_FIT_STARTS + (uint64_t)index);
    return log(p->low) + (log(p->high) - log(p->low)) * (rank + inside) / others;
}

static nlopt_algorithm algorithm_of(const weft_fit *fit) {
    static const nlopt_algorithm ALGORITHMS[WEFT_FIT_METHODS] = {NLOPT_LN_BOBYQA, NLOPT_LN_COBYLA, NLOPT_LN_NELDERMEAD,
                                                                 NLOPT_LD_LBFGS, NLOPT_LD_SLSQP};
    if (fit->method == WEFT_FIT_BOBYQA && fit->parameter_count < 2) /* it needs two */
        return NLOPT_LN_NELDERMEAD;
    return ALGORITHMS[fit->method];
}

static weft_result minimise(search *s, double *z) {
    int n = s->fit->parameter_count;
    double low[WEFT_FIT_PARAMETERS], high[WEFT_FIT_PARAMETERS], step[WEFT_FIT_PARAMETERS], cost;
    s->opt = nlopt_create(algorithm_of(s->fit), (unsigned)n);
    if (!s->opt)
        return weft_fail_memory("an optimiser", sizeof *s);
    for (int i = 0; i < n; i++) {
        low[i] = log(s->fit->parameter[i].low);
        high[i] = log(s->fit->parameter[i].high);
        step[i] = fmin(0.3, 0.2 * (high[i] - low[i]));
        z[i] = fmin(high[i], fmax(low[i], z[i]));
    }
    nlopt_set_lower_bounds(s->opt, low);
    nlopt_set_upper_bounds(s->opt, high);
    nlopt_set_initial_step(s->opt, step);
    nlopt_set_min_objective(s->opt, objective, s);
    nlopt_set_xtol_abs1(s->opt, PRECISE);
    nlopt_set_ftol_rel(s->opt, 1e-10);
    nlopt_set_maxeval(s->opt, s->fit->evaluations);
    nlopt_optimize(s->opt, z, &cost); /* whatever ends it: the best point counts */
    nlopt_destroy(s->opt);
    s->opt = NULL;
    return s->failure;
}

weft_result weft_fit_solve_start(const weft_fit *fit, int index, weft_fit_start *start) {
    size_t count = (size_t)fit->residual_count;
    double *room = calloc(3 * count, sizeof *room);
    search s = {.fit = fit,
                .value = room,
                .residual = room + count,
                .moved = room + 2 * count,
                .best = REFUSED,
                .failure = weft_ok()};
    if (!room)
        return weft_fail_memory("residuals", 3 * count * sizeof *room);
    *start = (weft_fit_start){0};
    for (int i = 0; i < fit->parameter_count; i++)
        start->from[i] = s.best_z[i] = start->z[i] = start_of(fit, i, index);
    weft_result result = minimise(&s, start->z);
    memcpy(start->z, s.best_z, sizeof start->z);
    start->cost = s.best;
    start->evaluations = s.evaluations;
    start->done = s.best < REFUSED;
    free(room);
    return result;
}

/* -- all starts -- */

static void run_start(void *context, int index, double *out) {
    weft_fit_start start;
    weft_result result = weft_fit_solve_start(context, index, &start);
    memcpy(out, &start, sizeof start);
    char *message = (char *)(out + (sizeof start + sizeof *out - 1) / sizeof *out);
    snprintf(message, MESSAGE * sizeof *out, "%s", result.code == WEFT_OK ? "" : result.message);
}

weft_result weft_fit_solve(const weft_fit *fit, int jobs, weft_fit_result *result) {
    size_t size = (sizeof(weft_fit_start) + sizeof(double) - 1) / sizeof(double) + MESSAGE;
    double *out = calloc((size_t)fit->starts * size, sizeof *out);
    int done[WEFT_FIT_STARTS];
    *result = (weft_fit_result){0};
    if (!out)
        return weft_fail_memory("starts", size * sizeof *out);
    weft_workers workers = {(void *)fit, fit->starts, size, run_start, out, done};
    weft_result outcome = weft_workers_run(&workers, jobs);
    for (int i = 0; i < fit->starts && outcome.code == WEFT_OK; i++) {
        const char *message = (const char *)(out + ((size_t)i + 1) * size - MESSAGE);
        if (done[i])
            memcpy(&result->start[i], out + (size_t)i * size, sizeof result->start[i]);
        if (done[i] && message[0])
            outcome = weft_fail(WEFT_BAD_INPUT, "%.250s", message);
    }
    free(out);
    return outcome.code == WEFT_OK ? weft_fit_conclude(fit, jobs, result) : outcome;
}
