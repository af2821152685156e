/* Linear solve of an implicit step (Baraff and Witkin 1998; Choi and Ko 2002). Newton's method linearises about the
 * iterate (x, v). Let K = -df/dx and D = -df/dv, both made positive semidefinite, and u = X + h v - x. Solved is
 *
 *   (M + h D + h^2 K) dv = M (V - v) + h f(x, v) - h K u.
 *
 * Solving for the increment dv keeps float blocks in the matrix from limiting the accuracy of v. The first
 * linearisation is about the current state, where u is nonzero. Later ones are about an iterate, where u = 0. */
#include <math.h>

#include "core/memory.h"
#include "core/seconds.h"
#include "solve/constrained.h"
#include "solve/coupling.h"
#include "solve/newton.h"
#include "weft/vec.h"

static void hold_block(void *context, int64_t begin, int64_t end) {
    const weft_newton *n = context;
    for (int64_t i = begin; i < end; i++)
        if (n->at_end.inverse_mass[i] == 0) {
            weft_vec3 v = weft_scale(1 / n->h, weft_sub(n->at_end.target[i], n->X[i]));
            weft_filter_hold(n->self->filter, (int32_t)i, weft_sub(v, n->v[i]));
        }
}

/* Prescribes dv of held vertices so that they reach their targets. */
static void hold_vertices(const weft_newton *n) {
    weft_filter_clear(n->self->filter);
    weft_parallel_for(n->at_end.work, n->at_end.count, WEFT_BLOCK, hold_block, (void *)n);
}

static void assemble(weft_newton *n) {
    if (!n->air_is_frozen)
        n->has_air = weft_system_external_damping(&n->at_end, n->air_x ? n->air_x : n->x, n->v, n->air);
    const weft_assembly assembly = {.system = &n->at_end,
                                    .matrix = n->self->matrix,
                                    .h = n->h,
                                    .x = n->x,
                                    .v = n->v,
                                    .X = n->X,
                                    .V = n->V,
                                    .f = n->f,
                                    .air = n->has_air ? n->air : NULL,
                                    .moved = n->first,
                                    .b = n->b,
                                    .u = n->u,
                                    .scratch = n->scratch};
    for (int32_t i = 0; i < n->self->plan.count; i++)
        weft_assemble(&assembly, &n->self->plan.cloth_rows[i]);
    hold_vertices(n);
}

static weft_pcg_report solve_directly(weft_newton *n) {
    weft_implicit *self = n->self;
    weft_result result = self->direct ? weft_ok() : weft_direct_create(self->matrix, &self->direct);
    if (result.code == WEFT_OK)
        result = weft_direct_solve(self->direct, self->matrix, self->filter, n->at_end.work, n->b, n->dv);
    weft_pcg_report report = {.status = WEFT_PCG_CONVERGED, .iterations = 1};
    if (result.code != WEFT_OK)
        report.status = result.code == WEFT_NO_MEMORY ? WEFT_PCG_NO_MEMORY : WEFT_PCG_NOT_POSITIVE;
    return report;
}

typedef struct guess_context {
    const weft_newton *n;
    int follows, falls;
    double ratio; /* of this time step to the previous one */
} guess_context;

static void guess_block(void *context, int64_t begin, int64_t end) {
    const guess_context *g = context;
    const weft_newton *n = g->n;
    const weft_system *system = &n->at_end;
    for (int64_t i = begin; i < end; i++) {
        n->dv[i] = weft_vec3_make(0, 0, 0);
        if (g->follows)
            n->dv[i] = weft_scale(g->ratio, weft_sub(system->v[i], system->v_before[i]));
        else if (g->falls)
            n->dv[i] = weft_scale(n->h * system->inverse_mass[i], n->external[i]);
    }
}

/* Initial guess of dv: zero, or the change of velocity in the previous step. The forces that slow down resting cloth
 * are similar in consecutive steps. The first step starts from free fall. */
static void set_guess(const weft_newton *n, int warm) {
    const weft_system *system = &n->at_end;
    int follows = warm && system->dt_before > 0;
    guess_context g = {n, follows, warm && !follows, follows ? n->dt / system->dt_before : 0};
    if (g.falls)
        weft_system_external_force(system, n->x, n->v, n->external);
    weft_parallel_for(system->work, system->count, WEFT_BLOCK, guess_block, &g);
}

/* Runs at most `most` iterations from dv on. Returns 1 if they were interrupted to renew the preconditioner. */
static int run_pcg(weft_newton *n, const weft_implicit_settings *settings, int32_t most, weft_pcg_report *report) {
    const weft_implicit *self = n->self;
    const weft_work *work = n->at_end.work;
    weft_arena_mark mark = weft_arena_here(work->arena);
    weft_precond_update(self->precond, self->matrix, self->filter, work);
    int32_t limit = weft_precond_iteration_limit(self->precond);
    weft_pcg_settings pcg = {settings->tolerance, most < limit ? most : limit, n->least_scale, n->energy_tolerance};
    *report = weft_pcg_solve(self->matrix, self->filter, self->precond, work, &pcg, n->b, n->dv);
    weft_precond_record_solve(self->precond, report->iterations);
    weft_arena_release(work->arena, mark);
    return report->status == WEFT_PCG_CAP && report->iterations == limit && limit < most;
}

static weft_pcg_report solve_iteratively(weft_newton *n, const weft_implicit_settings *settings, int32_t most) {
    weft_pcg_report report;
    if (!n->has_guess)
        set_guess(n, n->first && (settings->warm_start || n->constraint));
    if (run_pcg(n, settings, most, &report)) {
        int32_t before = report.iterations;
        run_pcg(n, settings, most - before, &report);
        report.iterations += before;
    }
    weft_solver_record(&n->self->memory, n->self->matrix, n->self->precond->kind, report.iterations);
    return report;
}

/* The direct solver has no contact terms. */
static int may_solve_directly(const weft_newton *n) {
    const weft_coupling *coupling = n->self->matrix->coupling;
    return !n->constraint && (!coupling || coupling->count == 0);
}

/* PCG, for no longer than a direct solve takes. If it has not converged by then, the system is solved directly. */
static weft_pcg_report solve_by_cost(weft_newton *n, const weft_implicit_settings *settings) {
    weft_solver_memory *memory = &n->self->memory;
    int32_t most = settings->iterations, before = 0;
    if (may_solve_directly(n)) {
        int32_t cost = weft_solver_direct_cost(n->self->matrix);
        most = cost < most ? cost : most;
    }
    if (memory->direct_wait == 0 || !may_solve_directly(n)) {
        weft_pcg_report report = solve_iteratively(n, settings, most);
        if (report.status != WEFT_PCG_CAP || most == settings->iterations)
            return report;
        before = report.iterations;
    }
    weft_pcg_report report = solve_directly(n);
    weft_solver_record_direct(memory, before > 0);
    report.iterations += before;
    return report;
}

static weft_pcg_report solve_by_settings(weft_newton *n, const weft_implicit_settings *settings) {
    switch (settings->solver) {
    case WEFT_SOLVER_DIRECT:
        return solve_directly(n);
    case WEFT_SOLVER_PCG:
        return solve_iteratively(n, settings, settings->iterations);
    default:
        return solve_by_cost(n, settings);
    }
}

/* Least memory traffic of an iteration. Blocks, columns, excess and inverse diagonal are read once; x, r and q are read
 * and written in double, p in float. The coarse space of the two-level preconditioner is not counted. */
static double iteration_bytes(const weft_bsr *matrix) {
    return (double)matrix->blocks * ((size_t)matrix->form * sizeof(float) + sizeof(int32_t)) +
           (double)matrix->rows * ((9 + 6) * sizeof(float) + 8 * sizeof(weft_vec3));
}

/* Least memory traffic of an assembly. Blocks are written once with streaming stores, and their columns are read.
 * Diagonal, excess and right-hand side are written, which counts twice because their cache lines are read first. Mass,
 * x, v, X, V and f are read. The data of the elements is not counted. */
static double assembly_bytes(const weft_bsr *matrix) {
    return (double)matrix->blocks * ((size_t)matrix->form * sizeof(float) + sizeof(int32_t)) +
           (double)matrix->rows *
               (2 * (18 * sizeof(float) + sizeof(weft_vec3)) + sizeof(double) + 5 * sizeof(weft_vec3));
}

static weft_pcg_report solve_once(weft_newton *n, const weft_implicit_settings *settings, weft_solve *report) {
    weft_pcg_report pcg = solve_by_settings(n, settings);
    report->newton++;
    report->iterations += pcg.iterations;
    report->residual = pcg.residual;
    report->not_converged += pcg.status == WEFT_PCG_CAP;
    return pcg;
}

static double external_norm_block(void *context, int64_t begin, int64_t end) {
    const weft_newton *n = context;
    double sum = 0;
    for (int64_t i = begin; i < end; i++)
        sum += n->at_end.inverse_mass[i] > 0 ? weft_dot(n->external[i], n->external[i]) : 0;
    return sum;
}

/* Impulse of the external forces, as a scale for the tolerance. On cloth at rest in contact all forces balance, so its
 * right-hand side is only rounding. */
static double external_impulse(weft_newton *n) {
    weft_system_external_force(&n->at_end, n->x, n->v, n->external);
    return n->h * sqrt(weft_parallel_sum(n->at_end.work, n->at_end.count, WEFT_BLOCK, external_norm_block, n));
}

/* Solves that only determine the contact states use COARSE_FACTOR times the tolerance, but at most COARSEST. */
static const double COARSE_FACTOR = 100, COARSEST = 0.05;
/* Tolerances below this need a second solve that corrects the masses rounded to float. */
static const double FLOAT_ROUNDING = 6e-8;

/* Reports the contact impulses: a two-step scheme must not extrapolate the velocity jump of an impact. */
static void note_impulses(weft_newton *n, weft_constrained *c, weft_vec3 *x_end) {
    weft_vec3 *force = weft_arena_take(n->at_end.work->arena, (size_t)c->count * sizeof *force, "contact in the solve");
    if (!force)
        return;
    weft_constrained_forces(c, n->b, n->dv, x_end, force);
    for (int32_t k = 0; k < c->count; k++)
        c->list[k].impulse = weft_scale(n->h, force[k]);
}

/* Active-set iteration: solves until every contact sticks, slides or separates consistently with its force. Each solve
 * starts from the previous solution. */
static weft_pcg_report solve_with_contact(weft_newton *n, const weft_implicit_settings *settings, weft_solve *report) {
    const weft_system *system = &n->at_end;
    weft_arena *arena = system->work->arena;
    const weft_contact_solver *contact = system->contact;
    weft_pcg_report pcg = {.status = WEFT_PCG_NO_MEMORY};
    weft_constrained c = {.system = system,
                          .matrix = n->self->matrix,
                          .filter = n->self->filter,
                          .h = n->h,
                          .dt = n->dt,
                          .X = n->X,
                          .v = n->v,
                          .air = n->has_air ? n->air : NULL,
                          .list = n->constraint,
                          .count = n->constraint_count};
    int32_t most_rounds = contact->solves, changed = 1;
    int ready = weft_constrained_create(&c, n->b);
    weft_vec3 *x_end = weft_arena_take(arena, (size_t)system->count * sizeof *x_end, "contact in the solve");
    n->joined = c.joined;
    n->least_scale = external_impulse(n);
    if (ready)
        weft_constrained_predict(&c, n->first);
    weft_implicit_settings coarse = *settings;
    coarse.tolerance = fmax(fmin(COARSE_FACTOR * settings->tolerance, COARSEST), settings->tolerance);
    weft_arena_mark mark = weft_arena_here(arena);
    /* final: the contact states are settled or rounds are used up. refined: no further solve for rounding is needed. */
    int refined = settings->tolerance > FLOAT_ROUNDING, final = 0;
    for (int32_t round = 0; ready && x_end && !(final && refined) && changed >= 0; round++) {
        weft_arena_release(arena, mark);
        refined |= final;
        final = final || changed == 0 || round + 1 >= most_rounds;
        n->has_guess = round > 0;
        if (round > 0)
            hold_vertices(n);
        if (!weft_constrained_apply(&c, n->has_guess ? n->dv : NULL, n->b))
            break;
        pcg = solve_once(n, final ? settings : &coarse, report);
        if ((final && refined) || pcg.status == WEFT_PCG_NO_MEMORY || pcg.status == WEFT_PCG_NOT_FINITE ||
            pcg.status == WEFT_PCG_NOT_POSITIVE)
            break;
        if (final)
            continue;
        weft_vec3 *force = weft_arena_take(arena, (size_t)c.count * sizeof *force, "contact in the solve");
        if (!force)
            break;
        weft_constrained_forces(&c, n->b, n->dv, x_end, force);
        changed = contact->reconsider(contact->context, n->h, x_end, force, &c.list, &c.count);
        pcg.status = changed < 0 ? WEFT_PCG_NO_MEMORY : pcg.status;
    }
    if (final && n->two_steps)
        note_impulses(n, &c, x_end);
    n->self->matrix->coupling = NULL;
    n->constraint = c.list;
    n->constraint_count = c.count;
    return pcg;
}

void weft_newton_assemble(weft_newton *n, weft_solve *report) {
    double since = weft_seconds();
    assemble(n);
    report->assembly_seconds += weft_seconds() - since;
    report->assembly_bytes = assembly_bytes(n->self->matrix);
}

weft_pcg_report weft_newton_solve_assembled(weft_newton *n, const weft_implicit_settings *settings,
                                            weft_solve *report) {
    double since = weft_seconds();
    n->has_guess = 0;
    weft_pcg_report pcg = solve_once(n, settings, report);
    report->solve_seconds += weft_seconds() - since;
    report->iteration_bytes = iteration_bytes(n->self->matrix);
    return pcg;
}

weft_pcg_report weft_newton_solve(weft_newton *n, const weft_implicit_settings *settings, weft_solve *report) {
    weft_newton_assemble(n, report);
    if (!n->constraint)
        return weft_newton_solve_assembled(n, settings, report);
    double since = weft_seconds();
    n->has_guess = 0;
    weft_pcg_report pcg = solve_with_contact(n, settings, report);
    report->solve_seconds += weft_seconds() - since;
    report->iteration_bytes = iteration_bytes(n->self->matrix);
    return pcg;
}
