/* The step, in the order of docs/architecture.md: inputs, integrate, limit, check, contact, accept, tear, cut,
 * adapt. */
#include <math.h>

#include "core/require.h"
#include "core/seconds.h"
#include "sim/internal.h"
#include "weft/text.h"

/* Adds the time since the last call to a phase. */
static void lap(weft_report *report, weft_phase phase, double *since) {
    double at = weft_seconds();
    report->seconds[phase] += at - *since;
    *since = at;
}

/* Applies the strain limits of the models. Returns whether anything moved. */
static int limit_stretch(weft_sim *sim, double dt) {
    int moved = 0;
    for (int32_t i = 0; i < sim->cloth_count; i++) {
        const sim_cloth *cloth = &sim->cloth[i];
        if (sim_model(cloth)->limit)
            moved |= sim_model(cloth)->limit(cloth->self, &sim->work, sim->inverse_mass + cloth->first, dt,
                                             sim->x_next + cloth->first, sim->v_next + cloth->first);
    }
    return moved;
}

/* Rewrites the previous state of touched vertices as if contact had already acted on it. Otherwise two-step schemes
 * would continue the jump: Verlet takes the velocity from positions, BDF2 the acceleration from velocities. Touched
 * vertices are therefore integrated with order one. */
static void restart_touched(weft_sim *sim, double dt) {
    for (int32_t i = 0; i < sim->count; i++)
        if (sim->touched[i]) {
            sim->x_before[i] = weft_add_scaled(sim->x[i], -dt, sim->v[i]);
            sim->v_before[i] = weft_add(sim->v_before[i], sim->v_change[i]);
        }
}

/* (before, now, next) -> (now, next, before). Without `back` only the last two are exchanged. */
static void rotate(weft_vec3 **before, weft_vec3 **now, weft_vec3 **next, int back) {
    weft_vec3 *old = *now;
    *now = *next;
    *next = back ? *before : old;
    *before = back ? old : *before;
}

/* Calls `note` for every held vertex, possibly more than once. */
static void each_held(weft_sim *sim, double dt, void (*note)(weft_sim *sim, double dt, int32_t vertex)) {
    for (int32_t p = 0; p < sim->pin_count; p++)
        for (int32_t i = 0; i < sim->pin[p].count; i++)
            if (sim->held[sim->pin[p].vertex[i]])
                note(sim, dt, sim->pin[p].vertex[i]);
    for (int32_t i = 0; i < sim->drag_count; i++)
        note(sim, dt, sim->drag[i].vertex);
}

static void note_pull(weft_sim *sim, double dt, int32_t vertex) {
    sim->pulled[vertex] = weft_scale(1 / dt, weft_sub(sim->v_next[vertex], sim->v[vertex]));
}

/* Gives a held vertex a uniform past, so that it neither jolts a two-step scheme nor gains speed when released. */
static void straighten_past(weft_sim *sim, double dt, int32_t vertex) {
    sim->v_before[vertex] = sim->v[vertex];
    sim->x_before[vertex] = weft_add_scaled(sim->x[vertex], -dt, sim->v[vertex]);
}

/* Makes the new state current by rotating the buffers. One-step schemes alternate between two buffers, which keeps the
 * others out of the cache; `next` then holds the previous state (sim_x_before). */
static void accept(weft_sim *sim, double dt, int minimised) {
    each_held(sim, dt, note_pull);
    rotate(&sim->x_before, &sim->x, &sim->x_next, sim_looks_back(sim));
    rotate(&sim->v_before, &sim->v, &sim->v_next, sim_looks_back(sim));
    if (sim_looks_back(sim))
        each_held(sim, dt, straighten_past);
    sim->dt_before = dt;
    sim->time += dt;
    if (sim->contact && sim_looks_back(sim) && !minimised) {
        sim_restart_held(sim, dt);
        restart_touched(sim, dt);
    }
}

/* The grips at the end of the step become those at the start of the next. After a step without the barrier the old ones
 * keep their reach, so that the next barriers are as strong as before, and lose their slip. */
static void keep_grips(weft_sim *sim, int minimised) {
    weft_contact_grips before = sim->grips[0];
    if (minimised) {
        sim->grips[0] = sim->grips[1];
        sim->grips[1] = before;
        return;
    }
    for (int32_t i = 0; i < before.count; i++)
        before.grip[i].slip = weft_vec3_make(0, 0, 0);
}

/* Breaks overstretched links of the models. */
static void tear(weft_sim *sim, weft_report *report) {
    for (int32_t i = 0; i < sim->cloth_count; i++) {
        sim_cloth *cloth = &sim->cloth[i];
        if (!sim_model(cloth)->tear)
            continue;
        int32_t torn = sim_model(cloth)->tear(cloth->self, &sim->work, sim->x + cloth->first, cloth->open_face);
        report->torn += torn;
        if (torn > 0)
            sim_tell_torn(sim);
    }
}

void sim_add_solve(weft_solve *sum, const weft_solve *one) {
    sum->newton += one->newton;
    sum->iterations += one->iterations;
    sum->residual = one->residual;
    sum->not_converged += one->not_converged;
    sum->newton_not_converged += one->newton_not_converged;
    sum->assembly_seconds += one->assembly_seconds;
    sum->solve_seconds += one->solve_seconds;
    sum->iteration_bytes = one->iteration_bytes;
    sum->assembly_bytes = one->assembly_bytes;
}

/* One step of length dt. On failure the state is unchanged. */
static weft_status try_step(weft_sim *sim, double dt, int32_t halvings_left, weft_report *report) {
    if (sim->device.functions)
        return sim_device_step(sim, dt, halvings_left, report);
    const weft_integrator_functions *integrator = sim->integrator->functions;
    double since = weft_seconds();
    weft_arena_empty(sim->work.arena);
    if (sim_sew(sim, sim->time + dt).code != WEFT_OK)
        return WEFT_STATUS_DIVERGED;
    sim_apply_inputs(sim, dt);
    sim_watch_energy(sim, dt);
    lap(report, WEFT_PHASE_INPUT, &since);

    weft_system system = sim_system(sim);
    weft_solve solve = {0};
    system.solve = &solve;
    weft_contact_settings settings = sim->contact_settings;
    weft_contact_solve contact = {
        .contact = sim->contact, .settings = &settings, .work = &sim->work, .state = sim_contact_state(sim, dt)};
    contact.state.gives_up = halvings_left > 1;
    system.contact = weft_contact_solver_begin(&contact);
    weft_status status = integrator->step(sim->integrator_settings, &system, dt);
    int barrier = system.contact && system.contact->barrier != NULL;
    if (status == WEFT_STATUS_DIVERGED)
        sim_note_trouble(report, contact.too_far ? WEFT_TROUBLE_FAR : solve.trouble);
    if (contact.declined || (barrier && halvings_left == 0 && status == WEFT_STATUS_DIVERGED)) {
        /* where pins and bodies leave the barrier no way out, constraints and zones may find one */
        sim_note_trouble(report, WEFT_TROUBLE_BLOCKED);
        settings.method = WEFT_CONTACT_CONSTRAINTS;
        system.contact = weft_contact_solver_begin(&contact);
        status = integrator->step(sim->integrator_settings, &system, dt);
    }
    sim_add_solve(&report->solve, &solve);
    lap(report, WEFT_PHASE_INTEGRATE, &since);
    report->seconds[WEFT_PHASE_INTEGRATE] -= contact.seconds;
    report->seconds[WEFT_PHASE_CONTACT] += contact.seconds;
    report->contact.detection_seconds += contact.report.detection_seconds; /* of failed attempts too */
    contact.report.detection_seconds = 0;
    if (status != WEFT_STATUS_OK)
        return status;

    int limited = limit_stretch(sim, dt);
    lap(report, WEFT_PHASE_LIMIT, &since);

    int diverged = sim_has_diverged(sim, integrator->checks && !limited) || sim_explodes(sim);
    lap(report, WEFT_PHASE_CHECK, &since);
    if (diverged)
        return WEFT_STATUS_DIVERGED;
    int minimised = contact.minimised && !limited;
    if (minimised) {
        sim_add_contact(&report->contact, &contact.report);
        status = weft_contact_settle_loose(sim->contact, &settings, &sim->work, &contact.state);
    } else if (settings.method != sim->contact_settings.method)
        status = sim_verified_contact(sim, &settings, dt, halvings_left, report);
    else
        status = sim_contact(sim, &settings, dt, halvings_left, report);
    lap(report, WEFT_PHASE_CONTACT, &since);
    if (status == WEFT_STATUS_DIVERGED)
        sim_note_trouble(report, WEFT_TROUBLE_COLLISIONS);
    if (weft_arena_failure(sim->work.arena))
        return WEFT_STATUS_NO_MEMORY;
    if (status != WEFT_STATUS_OK)
        return status;
    int touching = minimised && contact.report.contacts > 0; /* such a step is implicit Euler */
    sim_adapt_step(sim, dt, touching);
    accept(sim, dt, minimised);
    keep_grips(sim, minimised);
    sim->contact_energy = minimised ? contact.stored : 0;
    sim->pressing_known = minimised;
    sim_grow_drowsy(sim, dt, touching);
    if (touching)
        sim->dt_before = 0; /* a two-step scheme must not extrapolate an impact */
    tear(sim, report);
    lap(report, WEFT_PHASE_TEAR, &since);
    return WEFT_STATUS_OK;
}

/* A failed step is tried again as two steps of half the length, up to a limit. The next steps begin with the length
 * that worked. */
static weft_status advance(weft_sim *sim, double dt, int32_t halvings_left, weft_report *report) {
    int32_t depth = sim->clock.halvings - halvings_left;
    weft_status status = WEFT_STATUS_DIVERGED;
    if (depth >= sim->step_depth || halvings_left == 0) {
        status = try_step(sim, dt, halvings_left, report);
        report->dt = dt;
        report->worst.parts += status == WEFT_STATUS_OK;
        if (status != WEFT_STATUS_DIVERGED || halvings_left == 0)
            return status;
        if (weft_sim_reason(sim)) /* earlier steps have spoiled the state */
            return status;
        sim_note_trouble(report, WEFT_TROUBLE_DIVERGED);
        report->halvings++;
        sim->step_depth = depth + 1;
    }
    status = advance(sim, dt / 2, halvings_left - 1, report);
    return status == WEFT_STATUS_OK ? advance(sim, dt / 2, halvings_left - 1, report) : status;
}

static weft_result begin_first(weft_sim *sim, weft_report *report, int32_t *cut) {
    WEFT_TRY(sim_make_cuts(sim, -HUGE_VAL, 0, cut));
    return sim_adapt_start(sim, &report->adapt);
}

/* After an accepted step: tearing of surfaces, scheduled cuts and adaptation. */
static weft_result change_meshes(weft_sim *sim, double begin, weft_report *report) {
    double since = weft_seconds();
    int32_t opened = 0;
    weft_result result = sim_tear(sim, &opened);
    sim->links_broken += opened;
    if (result.code == WEFT_OK)
        result = sim_make_cuts(sim, begin, sim->time, &opened);
    report->torn += opened;
    lap(report, WEFT_PHASE_TEAR, &since);
    if (result.code == WEFT_OK)
        result = sim_adapt(sim, &report->adapt);
    lap(report, WEFT_PHASE_ADAPT, &since);
    return result;
}

static weft_result advance_to(weft_sim *sim, double dt, double end, weft_report *report) {
    double begin = sim->time;
    sim_begin_motion(sim, dt);
    WEFT_TRY(sim_sew(sim, sim->time + dt));
    report->asleep = sim_sleeps(sim, dt);
    if (report->asleep)
        sim->dt_before = dt;
    else
        report->status = advance(sim, dt, sim->clock.halvings, report);
    if (report->halvings == 0 && sim->step_depth > 0)
        sim->step_depth--; /* after a step without failure the next one tries twice the length */
    sim_end_motion(sim, report->status);
    sim->links_broken += report->torn;
    if (sim->device.lost.code != WEFT_OK)
        return sim->device.lost;
    if (report->status == WEFT_STATUS_NO_MEMORY) {
        const char *what = weft_arena_failure(sim->work.arena);
        return weft_fail(WEFT_NO_MEMORY, "out of memory in a step: %s", what ? what : "scratch");
    }
    if (report->status != WEFT_STATUS_OK)
        return weft_ok();
    sim->time = end; /* the sum of halved steps may differ in the last bit */
    sim->step_count++;
    return change_meshes(sim, begin, report);
}

static weft_result fail_diverged(weft_sim *sim, const weft_report *report) {
    double stable = weft_sim_stable_step(sim);
    const char *advice = weft_sim_advice(sim);
    const char *reason = weft_sim_reason(sim);
    char limit[96] = "";
    if (advice)
        return weft_fail(WEFT_DIVERGED, "the step at %.6g s failed, even with a length of %.3g s: %s", sim->time,
                         report->dt, advice);
    if (isfinite(stable) && stable > 0)
        weft_format(limit, sizeof limit, "; the largest stable step of '%.32s' is about %.3g s", sim->integrator->name,
                    stable);
    if (reason)
        return weft_fail(WEFT_DIVERGED, "the step at %.6g s diverged: %s%s: shorten time.step%s", sim->time, reason,
                         limit,
                         ((const weft_integrator_functions *)sim->integrator->functions)->needs & WEFT_HESSIANS
                             ? ""
                             : ", or use an implicit integrator");
    /* only explicit integrators have a limit */
    return weft_fail(WEFT_DIVERGED, "the step at %.6g s diverged, even with a length of %.3g s%s: shorten time.step%s",
                     sim->time, report->dt, limit, isfinite(stable) ? ", or use an implicit integrator" : "");
}

static weft_result fail_intersects(const weft_sim *sim) {
    const weft_sim_event *event = weft_sim_event_at(sim, sim->event_count - 1);
    if (!event) /* the list is full */
        return weft_fail(WEFT_INTERSECTS,
                         "at %.6g s more surfaces began to intersect: set contact.on_intersection to go-on", sim->time);
    return weft_fail(WEFT_INTERSECTS,
                     "at %.6g s cloth '%.64s' began to intersect %s: separate them at the start, or set "
                     "contact.on_intersection to go-on",
                     sim->time, sim->cloth[event->cloth].name,
                     event->body != WEFT_NONE       ? "a body"
                     : event->other != event->cloth ? "another cloth"
                                                    : "itself");
}

/* A caller who ignores reports must notice that a step was not made. */
static weft_result fail_status(weft_sim *sim, const weft_report *report) {
    if (report->status == WEFT_STATUS_DIVERGED)
        return fail_diverged(sim, report);
    return report->status == WEFT_STATUS_INTERSECTS ? fail_intersects(sim) : weft_ok();
}

static weft_result step_until(weft_sim *sim, double dt, double end, weft_report *report) {
    int32_t cut = 0; /* sim_make_cuts has added these to links_broken */
    double since = weft_seconds();
    *report = (weft_report){.dt = dt};
    if (!isfinite(dt) || dt <= 0)
        return weft_fail(WEFT_BAD_INPUT, "a step of %g s: it must be finite and above 0", dt);
    WEFT_TRY(sim_prepare_step(sim));
    if (sim->step_count == 0)
        WEFT_TRY(begin_first(sim, report, &cut));
    WEFT_TRY(sim_watch_start(sim, report));
    if (report->status != WEFT_STATUS_OK)
        return weft_ok();
    double begin = sim->time;
    weft_result result = advance_to(sim, dt, end, report);
    report->torn += cut;
    if (result.code == WEFT_OK && report->status == WEFT_STATUS_OK && !report->asleep)
        result = sim_watch_end(sim, report);
    sim_note_cost(report, begin, weft_seconds() - since);
    return result;
}

static void log_step(const weft_sim *sim, double begin, int64_t events, const weft_report *report,
                     const weft_result *result) {
    if (report->halvings > 0)
        sim_log(sim, WEFT_LOG_NOTICE, "the step at %.6g s was halved %d times", begin, report->halvings);
    if (report->solve.not_converged > 0)
        sim_log(sim, WEFT_LOG_WARNING, "the step at %.6g s: %d linear solves reached the iteration limit", begin,
                report->solve.not_converged);
    if (sim->event_count > events)
        sim_log(sim, WEFT_LOG_WARNING, "the step at %.6g s: %lld pairs of surfaces began to intersect", begin,
                (long long)(sim->event_count - events));
    if (result->code != WEFT_OK)
        sim_log(sim, WEFT_LOG_WARNING, "%s", result->message);
}

weft_result sim_step_until(weft_sim *sim, double dt, double end, weft_report *report) {
    double begin = sim->time;
    int64_t events = sim->event_count;
    weft_result result = step_until(sim, dt, end, report);
    if (result.code == WEFT_OK)
        result = fail_status(sim, report);
    log_step(sim, begin, events, report, &result);
    return result;
}

weft_result weft_sim_step(weft_sim *sim, double dt, weft_report *report) {
    WEFT_REQUIRE(sim);
    weft_report ignored;
    sim->frame_done = 0; /* what is left of a frame is divided into equal steps again */
    WEFT_TRY(sim_step_until(sim, dt, sim->time + dt, report ? report : &ignored));
    return sim_fetch(sim);
}

const char *weft_phase_name(weft_phase phase) {
    static const char *const NAMES[WEFT_PHASES] = {"input", "integrate", "limit", "contact", "tear", "check", "adapt"};
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
    case WEFT_STATUS_INTERSECTS:
        return "intersects";
    }
    return "unknown";
}
