/* Shared implementation of the implicit integrators (Baraff and Witkin 1998; Choi and Ko 2002): settings, data kept
 * between steps, and the step. newton.c iterates; newton_linear.c assembles and solves the linear systems. */
#include "solve/implicit.h"

#include <math.h>

#include "core/memory.h"
#include "solve/equations.h"
#include "solve/factored.h"
#include "solve/newton.h"
#include "weft/vec.h"

#define FIELD(member) offsetof(weft_implicit_settings, member)

static const char *const PRECONDITIONERS[] = {"auto", "none", "diagonal", "block", "two-level", "cholesky", NULL};
static const char *const SOLVERS[] = {"auto", "pcg", "direct", NULL};

const weft_param WEFT_IMPLICIT_PARAMS[] = {
    {.name = "tolerance",
     .type = WEFT_REAL,
     .offset = FIELD(tolerance),
     .high = 0.5,
     .fallback = "0",
     .unit = "",
     .help =
         "relative residual at which the linear solver stops; 0: just tight enough for smooth motion, 0.01 with the "
         "preconditioners two-level and cholesky, 0.001 with others, 0.0001 with contact constraints"},
    {.name = "iterations",
     .type = WEFT_INT,
     .offset = FIELD(iterations),
     .low = 1,
     .high = 1000000,
     .fallback = "500",
     .unit = "",
     .help = "iteration limit of the linear solver"},
    {.name = "solver",
     .type = WEFT_CHOICE,
     .offset = FIELD(solver),
     .fallback = "auto",
     .unit = "",
     .help =
         "linear solver; pcg: conjugate gradients; direct: sparse factorisation, without contact in the solve; auto: "
         "pcg, or direct where that is cheaper",
     .choices = SOLVERS},
    {.name = "precondition",
     .type = WEFT_CHOICE,
     .offset = FIELD(precondition),
     .fallback = "auto",
     .unit = "",
     .help = "preconditioner of pcg; block: inverts the 3 x 3 blocks of the diagonal; two-level: adds a coarse space; "
             "cholesky: a factorisation that is reused over several steps; auto: block or two-level, by iterations",
     .choices = PRECONDITIONERS},
    {.name = "warm_start",
     .type = WEFT_BOOL,
     .offset = FIELD(warm_start),
     .high = 1,
     .fallback = "true",
     .unit = "",
     .help = "start the linear solver from the velocity change of the previous step"},
    {.name = "newton",
     .type = WEFT_INT,
     .offset = FIELD(newton),
     .low = 1,
     .high = 1000,
     .fallback = "3",
     .unit = "",
     .help = "limit of Newton iterations per step without contact in the solve; 1: semi-implicit as in Choi and Ko "
             "(2002), which damps cloth that turns"},
    {.name = "line_search",
     .type = WEFT_BOOL,
     .offset = FIELD(line_search),
     .high = 1,
     .fallback = "true",
     .unit = "",
     .help = "shorten a Newton update that would raise the energy, as can happen in long steps"},
    {.name = "finish",
     .type = WEFT_INT,
     .offset = FIELD(finish),
     .high = 1000,
     .fallback = "20",
     .unit = "",
     .help =
         "limit of extra Newton iterations if the line search shortened the update, which would slow the cloth down"},
    {.name = "newton_tolerance",
     .type = WEFT_REAL,
     .offset = FIELD(newton_tolerance),
     .high = 0.5,
     .fallback = "0",
     .unit = "",
     .help = "relative residual of the equations of motion at which Newton's method stops; 0: where the energy that "
             "the step may still lose is small"},
    {0},
};

void weft_implicit_destroy(void *self) {
    weft_implicit *made = self;
    if (!made)
        return;
    weft_direct_destroy(made->direct);
    weft_precond_destroy(made->precond);
    weft_filter_destroy(made->filter);
    weft_assembly_plan_free(&made->plan);
    free(made);
}

/* The order of a Cholesky factor uses rest positions, so that results are bit-identical after a snapshot. */
static weft_result make_precond(weft_precond_kind kind, const weft_system *system, const weft_bsr *matrix,
                                weft_precond **made) {
    size_t bytes = (size_t)system->count * sizeof(weft_vec3);
    weft_vec3 *rest = weft_allocate((size_t)system->count, sizeof *rest);
    if (!rest)
        return weft_fail_memory("preconditioner", bytes);
    weft_system_rest(system, rest);
    weft_result result = weft_precond_create(matrix, kind, rest, made);
    free(rest);
    return result;
}

static weft_result prepare(const weft_implicit_settings *settings, const weft_system *system, weft_implicit *made) {
    made->matrix = made->plan.matrix;
    WEFT_TRY(weft_filter_create(system->count, &made->filter));
    return make_precond(weft_solver_precond(&made->memory, settings), system, made->matrix, &made->precond);
}

weft_result weft_implicit_create(const void *settings, const weft_system *system, void **self) {
    *self = NULL;
    weft_implicit *made = weft_allocate(1, sizeof *made);
    if (!made)
        return weft_fail_memory("an implicit integrator", sizeof *made);
    made->memory = weft_solver_memory_new(system->count);
    weft_result result = weft_assembly_plan_create(system, &made->plan);
    if (result.code == WEFT_OK)
        result = prepare(settings, system, made);
    if (result.code == WEFT_OK)
        *self = made;
    else
        weft_implicit_destroy(made);
    return result;
}

weft_result weft_implicit_reshape(void *self, const void *settings, const weft_system *system, const int32_t *from) {
    weft_implicit *made = self;
    WEFT_TRY(weft_assembly_plan_update(system, from, &made->plan));
    made->plan.matrix->coupling = NULL;
    made->memory = weft_solver_memory_new(system->count);
    weft_direct_destroy(made->direct);
    weft_precond_destroy(made->precond);
    weft_filter_destroy(made->filter);
    made->direct = NULL;
    made->precond = NULL;
    made->filter = NULL;
    return prepare(settings, system, made);
}

static weft_status take_scratch(weft_newton *n) {
    size_t count = (size_t)n->at_end.count;
    weft_vec3 **vectors[] = {(weft_vec3 **)&n->X, (weft_vec3 **)&n->V, &n->u, &n->f, &n->b, &n->dv,
                             &n->x_last,          &n->external};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        if (!(*vectors[i] = weft_arena_take(n->at_end.work->arena, count * sizeof(weft_vec3), "an implicit step")))
            return WEFT_STATUS_NO_MEMORY;
    n->air = weft_arena_take(n->at_end.work->arena, 6 * count * sizeof(double), "damping");
    size_t most = 0;
    for (int32_t i = 0; i < n->self->plan.count; i++) {
        size_t bytes = weft_assemble_scratch(&n->self->plan.cloth_rows[i]);
        most = bytes > most ? bytes : most;
    }
    if (most > 0 && !(n->scratch = weft_arena_take(n->at_end.work->arena, most, "assembly by rows")))
        return WEFT_STATUS_NO_MEMORY;
    return n->air ? WEFT_STATUS_OK : WEFT_STATUS_NO_MEMORY;
}

typedef struct start_context {
    const weft_newton *n;
    const weft_implicit_scheme *scheme;
} start_context;

static void start_block(void *context, int64_t begin, int64_t end) {
    const start_context *s = context;
    const weft_newton *n = s->n;
    const weft_implicit_scheme *scheme = s->scheme;
    const weft_system *system = &n->at_end;
    weft_vec3 *X = (weft_vec3 *)n->X, *V = (weft_vec3 *)n->V;
    for (int64_t i = begin; i < end; i++) {
        X[i] = weft_scale(scheme->now, system->x[i]);
        V[i] = weft_scale(scheme->now, system->v[i]);
        if (scheme->before != 0) {
            X[i] = weft_add_scaled(X[i], scheme->before, system->x_before[i]);
            V[i] = weft_add_scaled(V[i], scheme->before, system->v_before[i]);
        }
        n->x[i] = system->x[i];
        n->v[i] = system->v[i];
    }
}

/* Sets X and V by the scheme, and the iterate to the current state. */
static void start(const weft_newton *n, const weft_implicit_scheme *scheme) {
    start_context s = {n, scheme};
    weft_parallel_for(n->at_end.work, n->at_end.count, WEFT_BLOCK, start_block, &s);
}

/* A residual that is not smooth says little about the error of slow motion. Block-Jacobi leaves such errors, a coarse
 * level does not. Both values keep a swinging sheet within a thousandth of its size for a second (test_solver_choice).
 */
static const double TOLERANCE_LOCAL = 1e-3, TOLERANCE_GLOBAL = 1e-2, LEAST_TOLERANCE = 1e-12;
/* Of the energy of the error, with a coarse level: as good for a swinging sheet as TOLERANCE_GLOBAL. Where a few pins
 * hold a fine mesh it is met earlier. */
static const double TOLERANCE_OF_ENERGY = 4e-3;
/* Constraints are stiff springs, whose residual hides that of the cloth. At 1e-3 cloth that is pushed out of a body
 * stretches by 11 % instead of 0.8 % (test_untangle). */
static const double TOLERANCE_CONSTRAINED = 1e-4;

static double effective_tolerance(const weft_implicit_settings *settings, const weft_newton *n) {
    if (settings->tolerance > 0)
        return fmax(settings->tolerance, LEAST_TOLERANCE);
    if (n->constraint_count > 0)
        return TOLERANCE_CONSTRAINED;
    return weft_precond_is_local(n->self->precond) ? TOLERANCE_LOCAL : TOLERANCE_GLOBAL;
}

static double energy_tolerance(const weft_implicit_settings *settings, const weft_newton *n) {
    int is_default = settings->tolerance == 0 && n->constraint_count == 0;
    return is_default && !weft_precond_is_local(n->self->precond) ? TOLERANCE_OF_ENERGY : 0;
}

weft_status weft_implicit_step(const weft_implicit_settings *settings, const weft_system *system, double dt,
                               const weft_implicit_scheme *scheme) {
    weft_implicit *self = system->self;
    weft_precond_kind kind = weft_solver_precond(&self->memory, settings);
    if (self->precond->kind != kind) {
        weft_precond *other;
        if (make_precond(kind, system, self->matrix, &other).code != WEFT_OK)
            return WEFT_STATUS_NO_MEMORY;
        weft_precond_destroy(self->precond);
        self->precond = other;
    }
    weft_newton n = {
        .self = self, .at_end = *system, .dt = dt, .h = scheme->h, .x = system->x_next, .v = system->v_next};
    n.at_end.time += dt;
    n.two_steps = scheme->two_steps;
    n.extrapolates = scheme->before != 0;
    weft_status status = take_scratch(&n);
    if (status != WEFT_STATUS_OK)
        return status;
    const weft_contact_solver *contact = settings->solver != WEFT_SOLVER_DIRECT ? system->contact : NULL;
    if (contact && !contact->barrier) /* the direct solver has no contact terms */
        n.constraint_count = contact->constraints(contact->context, system, dt, &n.constraint);
    if (n.constraint_count < 0)
        return WEFT_STATUS_NO_MEMORY;
    weft_filter_clear(self->filter);
    start(&n, scheme);
    weft_implicit_settings effective = *settings;
    effective.tolerance = effective_tolerance(settings, &n);
    int has_barrier = contact && contact->barrier; /* whose solves are looser */
    n.energy_tolerance = has_barrier ? 0 : energy_tolerance(settings, &n);
    status = has_barrier ? weft_newton_minimise(&n, &effective, system->solve)
                         : weft_newton_iterate(&n, &effective, system->solve);
    for (int32_t i = 0; i < system->count; i++)
        if (system->inverse_mass[i] == 0) { /* not from the scheme, which assumes smooth motion */
            system->x_next[i] = system->target[i];
            system->v_next[i] = weft_scale(1 / dt, weft_sub(system->target[i], system->x[i]));
        }
    return status;
}

/* Of the data kept between steps, later results depend on the memory of `auto` and on a reused Cholesky factor. */
size_t weft_implicit_state_size(const void *self) {
    const weft_factored *factored = ((const weft_implicit *)self)->precond->factored;
    return sizeof(weft_solver_memory) + (factored ? weft_factored_state_size(factored) : 0);
}

void weft_implicit_state_save(const void *self, void *buffer) {
    const weft_implicit *made = self;
    memcpy(buffer, &made->memory, sizeof made->memory);
    if (made->precond->factored)
        weft_factored_state_save(made->precond->factored, (char *)buffer + sizeof made->memory);
}

weft_result weft_implicit_state_load(void *self, const void *buffer, size_t size) {
    weft_implicit *made = self;
    weft_solver_memory memory;
    if (size < sizeof memory || (!made->precond->factored && size > sizeof memory))
        return weft_fail(WEFT_BAD_INPUT,
                         "snapshot: of another integrator, or of one with other settings: %zu bytes of state, but %zu "
                         "are needed",
                         size, weft_implicit_state_size(self));
    memcpy(&memory, buffer, sizeof memory);
    if (!weft_solver_memory_is_valid(&memory))
        return weft_fail(WEFT_BAD_INPUT, "state of an implicit integrator: its memory of the solver makes no sense");
    if (made->precond->factored)
        WEFT_TRY(weft_factored_state_load(made->precond->factored, made->matrix, (const char *)buffer + sizeof memory,
                                          size - sizeof memory));
    made->memory = memory;
    return weft_ok();
}
