/* The step, in the order of the architecture's picture: inputs, integrate, limit, accept, tear. */
#define _POSIX_C_SOURCE 199309L /* clock_gettime */
#include <math.h>
#include <time.h>

#include "core/sane.h"
#include "sim/internal.h"

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void lap(weft_report *report, weft_phase phase, double *since) {
    double at = now();
    report->seconds[phase] += at - *since;
    *since = at;
}

static void limit_stretch(weft_sim *sim, double dt) {
    for (int32_t i = 0; i < sim->cloth_count; i++) {
        const sim_cloth *cloth = &sim->cloth[i];
        if (sim_model(cloth)->limit)
            sim_model(cloth)->limit(cloth->self, &sim->work, sim->inverse_mass + cloth->first, dt,
                                    sim->x_next + cloth->first, sim->v_next + cloth->first);
    }
}

static double count_runaways(void *context, int64_t begin, int64_t end) {
    const weft_sim *sim = context;
    return !(weft_sane(sim->x_next + begin, end - begin) && weft_sane(sim->v_next + begin, end - begin));
}

/* The buffers change roles. Schemes of one step alternate between two of them; then x_next holds the state before. */
static void accept(weft_sim *sim, double dt) {
    weft_vec3 *oldest = sim_looks_back(sim) ? sim->x_before : sim->x;
    if (sim_looks_back(sim))
        sim->x_before = sim->x;
    sim->x = sim->x_next;
    sim->x_next = oldest;
    weft_vec3 *v = sim->v;
    sim->v = sim->v_next;
    sim->v_next = v;
    sim->dt_before = dt;
    sim->time += dt;
}

static void tear(weft_sim *sim, weft_report *report) {
    for (int32_t i = 0; i < sim->cloth_count; i++) {
        sim_cloth *cloth = &sim->cloth[i];
        if (sim_model(cloth)->tear)
            report->torn += sim_model(cloth)->tear(cloth->self, &sim->work, sim->x + cloth->first, cloth->open_face);
    }
}

static weft_status try_step(weft_sim *sim, double dt, weft_report *report) {
    const weft_integrator_functions *integrator = sim->integrator->functions;
    double since = now();
    weft_arena_empty(sim->work.arena);
    sim_apply_inputs(sim, dt);
    lap(report, WEFT_PHASE_INPUT, &since);

    weft_system system = sim_system(sim);
    weft_status status = integrator->step(sim->integrator_settings, &system, dt);
    lap(report, WEFT_PHASE_INTEGRATE, &since);
    if (status != WEFT_STATUS_OK)
        return status;

    limit_stretch(sim, dt);
    lap(report, WEFT_PHASE_LIMIT, &since);

    double runaways =
        integrator->checks ? 0 : weft_parallel_sum(&sim->work, sim->count, WEFT_BLOCK, count_runaways, sim);
    lap(report, WEFT_PHASE_CHECK, &since);
    if (weft_arena_failure(sim->work.arena))
        return WEFT_STATUS_NO_MEMORY;
    if (runaways > 0)
        return WEFT_STATUS_DIVERGED;
    accept(sim, dt);
    tear(sim, report);
    lap(report, WEFT_PHASE_TEAR, &since);
    return WEFT_STATUS_OK;
}

/* A step that fails is tried again as two of half the length, down to a limit. */
static weft_status advance(weft_sim *sim, double dt, int32_t halvings_left, weft_report *report) {
    weft_status status = try_step(sim, dt, report);
    report->dt = dt;
    if (status != WEFT_STATUS_DIVERGED || halvings_left == 0)
        return status;
    report->halvings++;
    status = advance(sim, dt / 2, halvings_left - 1, report);
    return status == WEFT_STATUS_OK ? advance(sim, dt / 2, halvings_left - 1, report) : status;
}

weft_result weft_sim_step(weft_sim *sim, double dt, weft_report *report) {
    weft_report ignored;
    report = report ? report : &ignored;
    *report = (weft_report){.dt = dt};
    if (!isfinite(dt) || dt <= 0)
        return weft_fail(WEFT_BAD_INPUT, "a step of %g s: it must be finite and above 0", dt);
    WEFT_TRY(weft_sim_prepare(sim));
    report->status = advance(sim, dt, sim->clock.halvings, report);
    sim->links_broken += report->torn;
    if (report->status == WEFT_STATUS_NO_MEMORY) {
        const char *what = weft_arena_failure(sim->work.arena);
        return weft_fail(WEFT_NO_MEMORY, "out of memory in a step: %s", what ? what : "scratch");
    }
    sim->step_count += report->status == WEFT_STATUS_OK;
    return weft_ok();
}

const char *weft_phase_name(weft_phase phase) {
    static const char *const NAMES[WEFT_PHASES] = {"input", "integrate", "limit", "tear", "check"};
    return NAMES[phase];
}

const char *weft_status_name(weft_status status) {
    switch (status) {
    case WEFT_STATUS_OK:
        return "ok";
    case WEFT_STATUS_DIVERGED:
        return "diverged";
    case WEFT_STATUS_NO_MEMORY:
        return "out of memory";
    case WEFT_STATUS_INTERRUPTED:
        return "interrupted";
    }
    return "unknown";
}
