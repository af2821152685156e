/* The linearised solve of an implicit step (Baraff & Witkin 1998; Choi & Ko 2002). About a state (x*, v*), with
 * K = -df/dx and D = -df/dv made positive, and u = X + h v* - x*,
 *   (M + h D + h^2 K) dv = M (V - v*) + h f(x*, v*) - h K u,
 * solved for the increment dv, so that float blocks in the matrix do not limit the accuracy of v. The first solve is
 * about the present state, where u is not zero; Newton's later ones are about the last iterate, where it is. */
#include "integrate/implicit.h"

#include <math.h>

#include "assembly/assemble.h"
#include "core/memory.h"
#include "core/seconds.h"
#include "integrate/constrained.h"
#include "linear/factored.h"
#include "linear/ldlt.h"
#include "linear/pcg.h"
#include "weft/vec.h"

static const char *const PRECONDITIONERS[] = {"none", "diagonal", "block", "two-level", "cholesky", NULL};
static const char *const SOLVERS[] = {"pcg", "direct", NULL};

const weft_param WEFT_IMPLICIT_PARAMS[] = {
    {"tolerance", WEFT_REAL, offsetof(weft_implicit_settings, tolerance), 1e-12, 0.5, "1e-4", "",
     "relative residual at which the linear solve stops", NULL, 0},
    {"iterations", WEFT_INT, offsetof(weft_implicit_settings, iterations), 1, 1000000, "500", "",
     "most iterations of the linear solve", NULL, 0},
    {"solver", WEFT_CHOICE, offsetof(weft_implicit_settings, solver), 0, 0, "pcg", "",
     "pcg: conjugate gradients; direct: a sparse factorisation, for small meshes and for checking", SOLVERS, 0},
    {"precondition", WEFT_CHOICE, offsetof(weft_implicit_settings, precondition), 0, 0, "block", "",
     "preconditioner of the linear solve; cholesky: a factor that is kept for some steps", PRECONDITIONERS, 0},
    {"warm_start", WEFT_BOOL, offsetof(weft_implicit_settings, warm_start), 0, 1, "false", "",
     "begin the linear solve at the change of the step before", NULL, 0},
    {"newton", WEFT_INT, offsetof(weft_implicit_settings, newton), 1, 1000, "1", "",
     "linear solves per step at most; 1 is the documents' step: stable, but first order where cloth is compressed or "
     "in "
     "wind",
     NULL, 0},
    {"line_search", WEFT_BOOL, offsetof(weft_implicit_settings, line_search), 0, 1, "true", "",
     "shorten a move that would raise the energy, as long steps do", NULL, 0},
    {"finish", WEFT_INT, offsetof(weft_implicit_settings, finish), 0, 1000, "20", "",
     "more linear solves at most for a step whose move was shortened, which would slow the cloth down", NULL, 0},
    {"newton_tolerance", WEFT_REAL, offsetof(weft_implicit_settings, newton_tolerance), 1e-14, 0.5, "1e-6", "",
     "relative residual of the equations of motion at which Newton's method stops", NULL, 0},
    {NULL, WEFT_REAL, 0, 0, 0, NULL, NULL, NULL, NULL, 0},
};

typedef struct implicit {
    weft_assembly_plan parts;
    weft_bsr *matrix; /* of the parts */
    weft_filter *filter;
    weft_precond *precond;
} implicit;

void weft_implicit_destroy(void *self) {
    implicit *made = self;
    if (!made)
        return;
    weft_precond_destroy(made->precond);
    weft_filter_destroy(made->filter);
    weft_assembly_plan_free(&made->parts);
    free(made);
}

/* A factor is ordered by places at rest, so that its bits are the same after a snapshot. */
static weft_result make_precond(const weft_implicit_settings *settings, const weft_system *system,
                                const weft_bsr *matrix, weft_precond **made) {
    size_t bytes = (size_t)system->count * sizeof(weft_vec3);
    weft_vec3 *rest = weft_allocate((size_t)system->count, sizeof *rest);
    if (!rest)
        return weft_fail_memory("preconditioner", bytes);
    weft_system_rest(system, rest);
    weft_result result = weft_precond_create(matrix, (weft_precond_kind)settings->precondition, rest, made);
    free(rest);
    return result;
}

static weft_result prepare(const weft_implicit_settings *settings, const weft_system *system, implicit *made) {
    made->matrix = made->parts.matrix;
    WEFT_TRY(weft_filter_create(system->count, &made->filter));
    return make_precond(settings, system, made->matrix, &made->precond);
}

weft_result weft_implicit_create(const void *settings, const weft_system *system, void **self) {
    *self = NULL;
    implicit *made = weft_allocate(1, sizeof *made);
    if (!made)
        return weft_fail_memory("an implicit integrator", sizeof *made);
    weft_result result = weft_assembly_plan_create(system, &made->parts);
    if (result.code == WEFT_OK)
        result = prepare(settings, system, made);
    if (result.code == WEFT_OK)
        *self = made;
    else
        weft_implicit_destroy(made);
    return result;
}

weft_result weft_implicit_reshape(void *self, const void *settings, const weft_system *system, const int32_t *from) {
    implicit *made = self;
    WEFT_TRY(weft_assembly_plan_update(system, from, &made->parts));
    made->parts.matrix->coupling = NULL;
    weft_precond_destroy(made->precond);
    weft_filter_destroy(made->filter);
    made->precond = NULL;
    made->filter = NULL;
    return prepare(settings, system, made);
}

/* One linearisation and its solve. */
typedef struct solve {
    implicit *self;
    weft_system at_end; /* forces are those at the end of the step */
    double dt, h;
    const weft_vec3 *X, *V; /* as above (count) */
    weft_vec3 *x, *v;       /* x*, v* (count) */
    weft_vec3 *u, *f, *b, *dv;
    weft_vec3 *from;     /* x* before the move */
    weft_vec3 *external; /* forces at x*, v* */
    double *air;         /* damping by external forces (count x 6) */
    void *scratch;       /* of assembly by rows */
    int aired;           /* whether there is any of that */
    int moved;           /* whether u is not zero */
    double scale;        /* of the right-hand side at least */
    int started;         /* whether dv is a guess already */
    int two_steps;
    weft_constraint *constraint;
    int32_t constraint_count;
    const uint8_t *joined; /* 1 where a constraint joins vertices, or null (count) */
} solve;

/* Whether a vertex goes all the way at once: held, or where contact has it. */
static int is_led(const solve *s, int64_t i) {
    return s->at_end.inverse_mass[i] == 0 || s->self->filter->state[i] > 0 || (s->joined && s->joined[i]);
}

/* The norm of what is left of the equations of motion at (x*, v*), per mass; held vertices have none. */
static double residual_of_block(void *context, int64_t begin, int64_t end) {
    const solve *s = context;
    double sum = 0;
    for (int64_t i = begin; i < end; i++) {
        double w = s->at_end.inverse_mass[i];
        weft_vec3 r = weft_add_scaled(weft_sub(s->V[i], s->v[i]), s->h * w, s->f[i]);
        sum += w > 0 && !is_led(s, i) ? s->at_end.mass[i] * weft_dot(r, r) : 0;
    }
    return sum;
}

static double residual(const solve *s) {
    weft_system_force(&s->at_end, s->x, s->v, s->f);
    return sqrt(weft_parallel_sum(s->at_end.work, s->at_end.count, WEFT_BLOCK, residual_of_block, (void *)s));
}

static void hold_vertices(const solve *s) {
    weft_filter_clear(s->self->filter);
    for (int32_t i = 0; i < s->at_end.count; i++)
        if (s->at_end.inverse_mass[i] == 0) {
            weft_vec3 v = weft_scale(1 / s->h, weft_sub(s->at_end.target[i], s->X[i]));
            weft_filter_hold(s->self->filter, i, weft_sub(v, s->v[i]));
        }
}

/* Forces in s->f must be those at (x*, v*). */
static void assemble(solve *s) {
    s->aired = weft_system_external_damping(&s->at_end, s->x, s->v, s->air);
    const weft_assembly assembly = {.system = &s->at_end,
                                    .matrix = s->self->matrix,
                                    .h = s->h,
                                    .x = s->x,
                                    .v = s->v,
                                    .X = s->X,
                                    .V = s->V,
                                    .f = s->f,
                                    .air = s->aired ? s->air : NULL,
                                    .moved = s->moved,
                                    .b = s->b,
                                    .u = s->u,
                                    .scratch = s->scratch};
    for (int32_t i = 0; i < s->self->parts.count; i++)
        weft_assemble(&assembly, &s->self->parts.part[i]);
    hold_vertices(s);
}

static weft_pcg_report solve_directly(solve *s) {
    weft_result result = weft_ldlt_solve_once(s->self->matrix, s->self->filter, s->at_end.work, s->b, s->dv);
    weft_pcg_report report = {.status = WEFT_PCG_CONVERGED, .iterations = 1};
    if (result.code != WEFT_OK)
        report.status = result.code == WEFT_NO_MEMORY ? WEFT_PCG_NO_MEMORY : WEFT_PCG_NOT_POSITIVE;
    return report;
}

/* Where the iteration begins: at no change, or at the change of the step before. Cloth that lies on something is
 * slowed down by much the same forces in each step. */
static void guess(const solve *s, int warm) {
    const weft_system *system = &s->at_end;
    double ratio = warm && system->dt_before > 0 ? s->dt / system->dt_before : 0;
    for (int32_t i = 0; i < system->count; i++)
        s->dv[i] = ratio > 0 ? weft_scale(ratio, weft_sub(system->v[i], system->v_before[i])) : weft_vec3_make(0, 0, 0);
}

/* At most `most` iterations from dv on; whether they were broken off for a new factor. */
static int iterate(solve *s, const weft_implicit_settings *settings, int32_t most, weft_pcg_report *report) {
    const implicit *self = s->self;
    const weft_work *work = s->at_end.work;
    weft_arena_mark mark = weft_arena_here(work->arena);
    weft_precond_update(self->precond, self->matrix, self->filter, work);
    int32_t patience = weft_precond_iteration_limit(self->precond);
    weft_pcg_settings pcg = {settings->tolerance, most < patience ? most : patience, s->scale};
    *report = weft_pcg_solve(self->matrix, self->filter, self->precond, work, &pcg, s->b, s->dv);
    weft_precond_record_solve(self->precond, report->iterations);
    weft_arena_release(work->arena, mark);
    return report->status == WEFT_PCG_CAP && report->iterations == patience && patience < most;
}

static weft_pcg_report solve_by_iteration(solve *s, const weft_implicit_settings *settings) {
    weft_pcg_report report;
    if (!s->started)
        guess(s, s->moved && (settings->warm_start || s->constraint));
    if (iterate(s, settings, settings->iterations, &report)) {
        int32_t before = report.iterations;
        iterate(s, settings, settings->iterations - before, &report);
        report.iterations += before;
    }
    return report;
}

/* Of an iteration at least: blocks and columns, excess and inverse diagonal once; x, r and q in double read and
 * written, p in float. The coarse level of the two-level preconditioner is not counted. */
static double iteration_bytes(const weft_bsr *matrix) {
    return (double)matrix->blocks * ((size_t)matrix->form * sizeof(float) + sizeof(int32_t)) +
           (double)matrix->rows * ((9 + 6) * sizeof(float) + 8 * sizeof(weft_vec3));
}

/* Of an assembly at least: blocks written once, past the cache, and their columns read; diagonal, excess and right-hand
 * side written, which counts twice because their lines are read first; mass, x, v, X, V and f read. What the elements
 * themselves know is not counted. */
static double assembly_bytes(const weft_bsr *matrix) {
    return (double)matrix->blocks * ((size_t)matrix->form * sizeof(float) + sizeof(int32_t)) +
           (double)matrix->rows *
               (2 * (18 * sizeof(float) + sizeof(weft_vec3)) + sizeof(double) + 5 * sizeof(weft_vec3));
}

static weft_pcg_report solve_once(solve *s, const weft_implicit_settings *settings, weft_solve *report) {
    weft_pcg_report pcg = settings->solver == WEFT_SOLVER_DIRECT ? solve_directly(s) : solve_by_iteration(s, settings);
    report->newton++;
    report->iterations += pcg.iterations;
    report->residual = pcg.residual;
    report->not_converged += pcg.status == WEFT_PCG_CAP;
    return pcg;
}

static double weight_block(void *context, int64_t begin, int64_t end) {
    const solve *s = context;
    double sum = 0;
    for (int64_t i = begin; i < end; i++)
        sum += s->at_end.inverse_mass[i] > 0 ? weft_dot(s->external[i], s->external[i]) : 0;
    return sum;
}

/* Cloth at rest on something has no forces left but rounding, so the tolerance is relative to what it would fall by. */
static double weight(solve *s) {
    weft_system_external_force(&s->at_end, s->x, s->v, s->external);
    return s->h * sqrt(weft_parallel_sum(s->at_end.work, s->at_end.count, WEFT_BLOCK, weight_block, s));
}

/* Of the tolerance, and no rougher than, for solves that only have to show what contacts do. */
static const double ROUGH = 100, ROUGHEST = 0.05;
/* A tolerance below this asks for more than one solve with masses in float can give. */
static const double FLOAT_ROUNDING = 6e-8;

/* A scheme of two steps would go on with the jump of an impact: the step is told what contact had a part in. */
static void note_impulses(solve *s, weft_constrained *c, weft_vec3 *x_end) {
    weft_vec3 *force = weft_arena_take(s->at_end.work->arena, (size_t)c->count * sizeof *force, "contact in the solve");
    if (!force)
        return;
    weft_constrained_forces(c, s->b, s->dv, x_end, force);
    for (int32_t k = 0; k < c->count; k++)
        c->list[k].impulse = weft_scale(s->h, force[k]);
}

/* Solves until contacts stick, slide and part as their forces say; each solve begins where the last one ended. */
static weft_pcg_report solve_with_contact(solve *s, const weft_implicit_settings *settings, weft_solve *report) {
    const weft_system *system = &s->at_end;
    weft_arena *arena = system->work->arena;
    weft_pcg_report pcg = {.status = WEFT_PCG_NO_MEMORY};
    weft_constrained c = {.system = system,
                          .matrix = s->self->matrix,
                          .filter = s->self->filter,
                          .h = s->h,
                          .dt = s->dt,
                          .X = s->X,
                          .v = s->v,
                          .air = s->aired ? s->air : NULL,
                          .list = s->constraint,
                          .count = s->constraint_count};
    int32_t most = weft_system_constraint_solves(system), changed = 1;
    int ready = weft_constrained_create(&c, s->b);
    weft_vec3 *x_end = weft_arena_take(arena, (size_t)system->count * sizeof *x_end, "contact in the solve");
    s->joined = c.joined;
    s->scale = weight(s);
    if (ready)
        weft_constrained_expect(&c, s->moved);
    weft_implicit_settings rough = *settings;
    rough.tolerance = fmax(fmin(ROUGH * settings->tolerance, ROUGHEST), settings->tolerance);
    weft_arena_mark mark = weft_arena_here(arena);
    int refined = settings->tolerance > FLOAT_ROUNDING, last = 0;
    for (int32_t round = 0; ready && x_end && !(last && refined) && changed >= 0; round++) {
        weft_arena_release(arena, mark);
        refined |= last;
        last = last || changed == 0 || round + 1 >= most;
        s->started = round > 0;
        if (round > 0)
            hold_vertices(s);
        if (!weft_constrained_apply(&c, s->started ? s->dv : NULL, s->b))
            break;
        pcg = solve_once(s, last ? settings : &rough, report);
        if ((last && refined) || pcg.status == WEFT_PCG_NO_MEMORY || pcg.status == WEFT_PCG_NOT_FINITE ||
            pcg.status == WEFT_PCG_NOT_POSITIVE)
            break;
        if (last)
            continue;
        weft_vec3 *force = weft_arena_take(arena, (size_t)c.count * sizeof *force, "contact in the solve");
        if (!force)
            break;
        weft_constrained_forces(&c, s->b, s->dv, x_end, force);
        changed = weft_system_reconsider(system, s->h, x_end, force, &c.list, &c.count);
        pcg.status = changed < 0 ? WEFT_PCG_NO_MEMORY : pcg.status;
    }
    if (last && s->two_steps)
        note_impulses(s, &c, x_end);
    s->self->matrix->coupling = NULL;
    s->constraint = c.list;
    s->constraint_count = c.count;
    return pcg;
}

static weft_pcg_report linear_solve(solve *s, const weft_implicit_settings *settings, weft_solve *report) {
    double start = weft_seconds();
    assemble(s);
    double middle = weft_seconds();
    s->started = 0;
    weft_pcg_report pcg = s->constraint ? solve_with_contact(s, settings, report) : solve_once(s, settings, report);
    report->assembly_seconds += middle - start;
    report->solve_seconds += weft_seconds() - middle;
    report->iteration_bytes = iteration_bytes(s->self->matrix);
    report->assembly_bytes = assembly_bytes(s->self->matrix);
    return pcg;
}

/* The way from x* to the solution, of which `part` is gone. Held vertices are at their targets from the beginning. */
typedef struct way {
    const solve *s;
    double part;
} way;

/* s->dv holds the velocity at the end of the way; at its beginning it is (x* - X) / h. */
static void go_block(void *context, int64_t begin, int64_t end) {
    const way *w = context;
    const solve *s = w->s;
    for (int64_t i = begin; i < end; i++) {
        weft_vec3 v = s->dv[i];
        if (w->part < 1 && !is_led(s, i)) {
            weft_vec3 first = weft_scale(1 / s->h, weft_sub(s->from[i], s->X[i]));
            v = weft_add_scaled(first, w->part, weft_sub(v, first));
        }
        s->v[i] = v;
        s->x[i] = weft_add_scaled(s->X[i], s->h, v);
    }
}

static void go(const solve *s, double part) {
    way w = {s, part};
    weft_parallel_for(s->at_end.work, s->at_end.count, WEFT_BLOCK, go_block, &w);
}

static double inertia_block(void *context, int64_t begin, int64_t end) {
    const solve *s = context;
    double sum = 0;
    for (int64_t i = begin; i < end; i++) {
        if (s->at_end.inverse_mass[i] == 0)
            continue;
        weft_vec3 ahead = weft_sub(s->x[i], weft_add_scaled(s->X[i], s->h, s->V[i]));
        sum += s->at_end.mass[i] / (2 * s->h * s->h) * weft_dot(ahead, ahead);
        sum -= weft_dot(s->external[i], weft_sub(s->x[i], s->at_end.x[i]));
    }
    return sum;
}

/* What an implicit step minimises but for damping: elastic energy, work against external forces, and inertia. */
static double potential(const solve *s) {
    return weft_system_energy(&s->at_end, s->x) +
           weft_parallel_sum(s->at_end.work, s->at_end.count, WEFT_BLOCK, inertia_block, (void *)s);
}

/* Whether the full move, just made, leaves less of the equations of motion than there was. */
static int residual_falls(const solve *s) {
    double after = residual(s);
    go(s, 0);
    double before = residual(s);
    go(s, 1);
    return after <= before;
}

/* A full move may overshoot where springs begin or cease to act, the more the longer the step. It is halved until the
 * potential does not grow. Damping is not part of it: a full move that the equations of motion approve of is taken as
 * well, and when nothing helps the least harmful part. Returns the part that was gone. */
static double search(const solve *s, const weft_implicit_settings *settings) {
    enum { HALVINGS = 30 };
    if (!settings->line_search) {
        go(s, 1);
        return 1;
    }
    weft_system_external_force(&s->at_end, s->from, s->v, s->external);
    go(s, 0);
    double before = potential(s), least = INFINITY, best = 1, part = 1;
    for (int i = 0; i < HALVINGS; i++, part /= 2) {
        go(s, part);
        double after = potential(s);
        if (after <= before + 1e-12 * fabs(before) || (i == 0 && residual_falls(s)))
            return part;
        if (after < least) {
            least = after;
            best = part;
        }
    }
    go(s, best);
    return best;
}

static void end_velocity_block(void *context, int64_t begin, int64_t end) {
    const solve *s = context;
    for (int64_t i = begin; i < end; i++) {
        s->dv[i] = weft_add(s->v[i], s->dv[i]);
        s->from[i] = s->x[i];
    }
}

/* The potential where the step began, all of it: in a search the vertices that are led are at the end of their way. */
static double potential_at_start(solve *s) {
    weft_vec3 *end = s->x;
    s->x = (weft_vec3 *)s->at_end.x;
    double began = potential(s);
    s->x = end;
    return began;
}

/* What is there now beyond the potential at the start of the step. An impact turns the cloth beside it by large angles,
 * which the linearised forces take for a motion that costs nothing: flat cloth at v that is stopped somewhere gets
 * edges of length sqrt(l^2 + (h v)^2) there. */
static double excess(solve *s, const weft_implicit_settings *settings) {
    return s->constraint_count > 0 && settings->line_search ? potential(s) - potential_at_start(s) : 0;
}

/* A step whose last move was shortened gets more solves: the velocity is that of the move, so cloth would be slowed
 * down by each such step. Cloth far stiffer against shear than against stretch would hardly fall. So does one with
 * contact that ended with more than it began with, as long as that helps: moving bodies and pins bring energy in. */
enum { MORE_IN_CONTACT = 4 }; /* at most: an impact somewhere is not to make the whole step dear */

static weft_status newton(solve *s, const weft_implicit_settings *settings, weft_solve *report) {
    weft_arena *arena = s->at_end.work->arena;
    weft_arena_mark mark = weft_arena_here(arena);
    double first = residual(s), part = 1, beyond = 0;
    int again = 0;
    int32_t more = s->constraint && settings->finish > MORE_IN_CONTACT ? MORE_IN_CONTACT : settings->finish;
    for (int32_t k = 0; k < settings->newton || (again && k < settings->newton + more); k++) {
        s->moved = k == 0;
        weft_arena_release(arena, mark);
        weft_pcg_report pcg = linear_solve(s, settings, report);
        if (pcg.status == WEFT_PCG_NO_MEMORY || weft_arena_failure(s->at_end.work->arena))
            return WEFT_STATUS_NO_MEMORY;
        if (pcg.status == WEFT_PCG_NOT_FINITE || pcg.status == WEFT_PCG_NOT_POSITIVE)
            return WEFT_STATUS_DIVERGED;
        weft_parallel_for(s->at_end.work, s->at_end.count, WEFT_BLOCK, end_velocity_block, s);
        part = search(s, settings);
        double before = beyond;
        beyond = excess(s, settings);
        again = part < 1 || (beyond > 0 && (k == 0 || beyond < before / 2));
        double left = settings->newton > 1 || again ? residual(s) : 0; /* and the forces where the next solve begins */
        if (settings->newton > 1 && left <= settings->newton_tolerance * first)
            return WEFT_STATUS_OK;
    }
    report->newton_not_converged += settings->newton > 1;
    return WEFT_STATUS_OK;
}

static weft_status take_scratch(solve *s) {
    size_t count = (size_t)s->at_end.count;
    weft_vec3 **vectors[] = {(weft_vec3 **)&s->X, (weft_vec3 **)&s->V, &s->u, &s->f, &s->b, &s->dv, &s->from,
                             &s->external};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        if (!(*vectors[i] = weft_arena_take(s->at_end.work->arena, count * sizeof(weft_vec3), "an implicit step")))
            return WEFT_STATUS_NO_MEMORY;
    s->air = weft_arena_take(s->at_end.work->arena, 6 * count * sizeof(double), "damping");
    size_t most = 0;
    for (int32_t i = 0; i < s->self->parts.count; i++) {
        size_t bytes = weft_assemble_scratch(&s->self->parts.part[i]);
        most = bytes > most ? bytes : most;
    }
    if (most > 0 && !(s->scratch = weft_arena_take(s->at_end.work->arena, most, "assembly by rows")))
        return WEFT_STATUS_NO_MEMORY;
    return s->air ? WEFT_STATUS_OK : WEFT_STATUS_NO_MEMORY;
}

static void start(const solve *s, const weft_implicit_scheme *scheme) {
    const weft_system *system = &s->at_end;
    weft_vec3 *X = (weft_vec3 *)s->X, *V = (weft_vec3 *)s->V;
    for (int32_t i = 0; i < system->count; i++) {
        X[i] = weft_scale(scheme->now, system->x[i]);
        V[i] = weft_scale(scheme->now, system->v[i]);
        if (scheme->before != 0) {
            X[i] = weft_add_scaled(X[i], scheme->before, system->x_before[i]);
            V[i] = weft_add_scaled(V[i], scheme->before, system->v_before[i]);
        }
        s->x[i] = system->x[i];
        s->v[i] = system->v[i];
    }
}

weft_status weft_implicit_step(const weft_implicit_settings *settings, const weft_system *system, double dt,
                               const weft_implicit_scheme *scheme) {
    implicit *self = system->self;
    if ((int32_t)self->precond->kind != settings->precondition) {
        weft_precond *other;
        if (make_precond(settings, system, self->matrix, &other).code != WEFT_OK)
            return WEFT_STATUS_NO_MEMORY;
        weft_precond_destroy(self->precond);
        self->precond = other;
    }
    solve s = {.self = self, .at_end = *system, .dt = dt, .h = scheme->h, .x = system->x_next, .v = system->v_next};
    s.at_end.time += dt;
    s.two_steps = scheme->two_steps;
    weft_status status = take_scratch(&s);
    if (status != WEFT_STATUS_OK)
        return status;
    if (settings->solver == WEFT_SOLVER_PCG) /* the direct one knows no stiff terms */
        s.constraint_count = weft_system_constraints(system, dt, &s.constraint);
    if (s.constraint_count < 0)
        return WEFT_STATUS_NO_MEMORY;
    weft_filter_clear(self->filter);
    start(&s, scheme);
    status = newton(&s, settings, system->solve);
    for (int32_t i = 0; i < system->count; i++)
        if (system->inverse_mass[i] == 0) { /* the formula's own velocity would be that of a smooth past */
            system->x_next[i] = system->target[i];
            system->v_next[i] = weft_scale(1 / dt, weft_sub(system->target[i], system->x[i]));
        }
    return status;
}

/* Of what lasts between steps only a factor that is kept changes the bits of later ones. */
size_t weft_implicit_state_size(const void *self) {
    const weft_factored *factored = ((const implicit *)self)->precond->factored;
    return factored ? weft_factored_state_size(factored) : 0;
}

void weft_implicit_state_save(const void *self, void *buffer) {
    weft_factored_state_save(((const implicit *)self)->precond->factored, buffer);
}

weft_result weft_implicit_state_load(void *self, const void *buffer, size_t size) {
    implicit *made = self;
    return weft_factored_state_load(made->precond->factored, made->matrix, buffer, size);
}
