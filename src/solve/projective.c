/* Projective dynamics as a quasi-Newton method: T. Liu, S. Bouaziz, L. Kavan, Quasi-Newton methods for real-time
 * simulation of hyperelastic materials, ACM TOG 36, 2017. Forces are evaluated at the time theta dt into the step. With
 * h = theta dt and y = x_n + h v_n, the equations of motion are
 *
 *   r(x) = f(x, (x - x_n) / h) - M (x - y) / h^2 = 0.
 *
 * They are solved by iterating x += A^-1 r, where the matrix A is factored once. The step ends on the line through x_n
 * and x. theta = 1/2 is the midpoint rule, theta = 1 implicit Euler. For springs one iteration equals the local and
 * global step of projective dynamics, whose right-hand side is A x + r. The residual is computed in double. The solve
 * is in float, for the increment.
 *
 * A is stiff in all directions, whereas cloth is stiff only along its yarns. A alone makes shear and folds too slow:
 * measured, a swing takes up to twice as long. The secant pairs of the last steps (L-BFGS, projective_memory.c) correct
 * A along the current motion. */
#include "solve/projective_data.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/seconds.h"
#include "solve/schemes.h"

#define FIELD(member) offsetof(weft_projective_settings, member)

static const weft_param PARAMS[] = {
    {.name = "iterations",
     .type = WEFT_INT,
     .offset = FIELD(iterations),
     .low = 1,
     .high = 1000,
     .fallback = "1",
     .unit = "",
     .help = "quasi-Newton iterations per step; smaller steps improve accuracy more than iterations"},
    {.name = "memory",
     .type = WEFT_INT,
     .offset = FIELD(memory),
     .high = WEFT_SECANTS,
     .fallback = "2",
     .unit = "",
     .help = "L-BFGS secant pairs that correct the matrix; 0: projective dynamics as published",
     .flags = WEFT_FIXED},
    {.name = "theta",
     .type = WEFT_REAL,
     .offset = FIELD(theta),
     .low = 0.5,
     .high = 1,
     .fallback = "0.55",
     .unit = "",
     .help = "where in the step forces are evaluated: 0.5 conserves energy, 1 damps most and never overshoots"},
    {0},
};

typedef struct iteration {
    weft_projective_step pass;
    weft_projective_data *self;
    int iterates;         /* 1: more than one iteration */
    double guess_inertia; /* inertia of the motion to the guess, N m */
    float *b;             /* right-hand side and solution, in elimination order (4 x weft_cholesky_length) */
    float *scratch;
} iteration;

/* Secant pairs of motions smaller than this fraction of the guess are mostly rounding. They would make a sheet at rest
 * tremble. */
static const double SMALLEST_PAIR = 0.1;
/* Ratio of the fastest vertex's motion to the mean above which the vertex resonates. */
static const double RESONANT = 10;

static int64_t block_count(const weft_system *system) {
    return ((int64_t)system->count + WEFT_STREAM_BLOCK - 1) / WEFT_STREAM_BLOCK;
}

static weft_projective_sums sum_blocks(const weft_projective_step *pass, int64_t blocks) {
    weft_projective_sums sum = {0};
    for (int64_t i = 0; i < blocks; i++) {
        const weft_projective_sums *block = &pass->part[i];
        sum.force = weft_add(sum.force, block->force);
        sum.mass += block->mass;
        sum.way += block->way;
        sum.pair += block->pair;
        sum.peak = fmax(sum.peak, block->peak);
        sum.wild |= block->wild;
    }
    return sum;
}

/* Evaluates the external forces and the mean acceleration they cause. The guess uses only that uniform acceleration.
 * The matrix resists everything else, so that a sheet comes to rest where its forces balance. Returns 0 if memory is
 * exhausted. */
static int evaluate_external(weft_projective_step *pass) {
    const weft_system *system = pass->system;
    if (!pass->external)
        return 1;
    if (!weft_system_stream_external(system, system->x, system->v, weft_projective_take_external, pass) ||
        !weft_projective_limit_air(pass))
        return 0;
    weft_projective_sums all = sum_blocks(pass, block_count(system));
    pass->common = all.mass > 0 ? weft_scale(1 / all.mass, all.force) : all.force;
    return 1;
}

/* Chooses where the next secant pair is written. The move to the next iterate sets s, the evaluation there sets y. */
static void begin_pair(iteration *c) {
    weft_secants *secants = c->self->secants;
    c->pass.s = c->self->evaluated && secants->most > 0 ? secants->s[secants->next] : NULL;
    c->pass.change = c->pass.s ? secants->y[secants->next] : NULL;
    c->self->evaluated = 0;
}

static weft_projective_sums run_blocks(iteration *c, weft_loop loop) {
    const weft_system *system = c->pass.system;
    weft_parallel_for(system->work, system->count, WEFT_STREAM_BLOCK, loop, &c->pass);
    return sum_blocks(&c->pass, block_count(system));
}

static size_t pair_product_count(const weft_projective_step *pass) {
    return 3 * (size_t)pass->secants->most * (size_t)weft_system_block_count(pass->system);
}

/* Evaluates the forces at the guess or the iterate. At the guess `pair` receives the inertia of the motion since the
 * last evaluation. Returns 0 if memory is exhausted. */
static int evaluate(iteration *c, double *pair) {
    weft_projective_step *pass = &c->pass;
    const weft_system *system = pass->system;
    int64_t blocks = weft_system_block_count(system);
    const weft_vec3 *start[2] = {pass->first ? system->x : pass->x, pass->first ? system->v : pass->v};
    const float *pair_before[2] = {NULL, NULL};
    if (pass->s && pass->secants->used > 0)
        weft_secants_last(pass->secants, pair_before);
    weft_prefetch fetched = {
        .vector = {pass->first ? pass->x : NULL, pass->external},
        .triple = {pass->f, pass->s, pass->change, pass->external ? pass->r : NULL, pair_before[0], pair_before[1]},
        .number = {pass->matrix->inertia}};
    memset(pass->part, 0, (size_t)blocks * sizeof *pass->part);
    memset(pass->met, 0, pair_product_count(pass) * sizeof *pass->met);
    if (!weft_system_stream_internal(system, start[0], start[1], weft_projective_place, &fetched,
                                     weft_projective_take_internal, pass))
        return 0;
    c->self->evaluated = 1;
    if (pass->first) {
        weft_projective_sums sums = sum_blocks(pass, blocks);
        c->guess_inertia = sums.way;
        *pair = sums.pair;
    }
    return 1;
}

/* Products of the new secant pair with all pairs. */
static void sum_pair_products(const weft_projective_step *pass, double *met) {
    const int64_t each = 3 * (int64_t)weft_secants_filled(pass->secants),
                  blocks = weft_system_block_count(pass->system);
    memset(met, 0, 3 * WEFT_SECANTS * sizeof *met);
    for (int64_t i = 0; pass->s && i < blocks; i++)
        for (int64_t k = 0; k < each; k++)
            met[k] += pass->met[i * each + k];
}

static size_t solution_product_count(const weft_projective_data *self) {
    return ((size_t)self->matrix->cholesky->task_count + 1) * WEFT_SECANTS;
}

/* Products of the solution with the secant pairs. */
static void sum_solution_products(const iteration *c, double *product) {
    memset(product, 0, WEFT_SECANTS * sizeof *product);
    for (int32_t i = 0; i <= c->self->matrix->cholesky->task_count; i++)
        for (int32_t k = 0; k < c->self->secants->used; k++)
            product[k] += c->pass.product[i * WEFT_SECANTS + k];
}

/* Solves for the increment with L-BFGS. A secant pair compares forces at two positions for equal masses and steps. It
 * is accepted if its curvature exceeds half that of inertia alone, which allows for some compression. `pair` is the
 * inertia of its motion. */
static void solve(iteration *c, double pair) {
    weft_projective_data *self = c->self;
    weft_projective_step *pass = &c->pass;
    const weft_work *work = pass->system->work;
    double alpha[WEFT_SECANTS], product[WEFT_SECANTS];
    double met[3 * WEFT_SECANTS];
    sum_pair_products(pass, met);
    weft_secants_before(self->secants, pass->s && pair > SMALLEST_PAIR * c->guess_inertia ? 0.5 * pair : INFINITY, met,
                        alpha, &pass->less);
    const weft_cholesky_ends ends = {pass, weft_projective_load, weft_projective_store, weft_projective_expect};
    memset(pass->product, 0, solution_product_count(self) * sizeof *pass->product);
    weft_cholesky_solve_three(self->matrix->cholesky, work, &ends, c->b, c->scratch);
    sum_solution_products(c, product);
    weft_secants_after(self->secants, product, alpha, &pass->more);
}

/* If the motion grows and one vertex dominates it, that vertex resonates. Measured: the light vertex next to a pinned
 * corner, whose stiff springs the step does not resolve, gains energy until the sheet jumps by centimetres. Secant
 * pairs sustain such a motion and the matrix alone damps it, so the pairs are discarded. */
static void damp_resonance(iteration *c, const weft_projective_sums *moved) {
    int resonates = moved->peak * c->pass.system->count > RESONANT * moved->way && moved->way > c->guess_inertia;
    if (!moved->wild && !resonates)
        return;
    weft_projective_forget(c->self);
    c->pass.s = NULL;
}

/* Three floats per vertex, padded with zeros to whole lanes. */
static float *allocate_triples(weft_arena *arena, int32_t count) {
    int64_t length = weft_secants_length(count);
    float *triple = weft_arena_take(arena, (size_t)length * sizeof *triple, "a projective step");
    for (int64_t i = 3 * (int64_t)count; triple && i < length; i++)
        triple[i] = 0;
    return triple;
}

static weft_status take_scratch(iteration *c) {
    const weft_cholesky *cholesky = c->self->matrix->cholesky;
    weft_projective_step *pass = &c->pass;
    const weft_system *system = pass->system;
    weft_arena *arena = system->work->arena;
    int uniform = !c->iterates && weft_system_acceleration(system, &pass->common);
    pass->v = system->v_next;
    pass->external = uniform ? NULL : system->x_next;
    pass->r = uniform ? pass->f : allocate_triples(arena, system->count);
    size_t floats = 4 * (size_t)weft_cholesky_length(cholesky);
    /* A single vertex in the last block leaves no room for whole lanes. */
    int shared = !c->iterates && floats * sizeof(float) <= (size_t)system->count * sizeof(weft_vec3) &&
                 system->count % WEFT_STREAM_BLOCK != 1;
    float *z = shared ? NULL : allocate_triples(arena, system->count);
    pass->z = z;
    c->b = shared ? (float *)(void *)system->v_next : weft_arena_take(arena, floats * sizeof(float), "a solve");
    pass->product = weft_arena_take(arena, solution_product_count(c->self) * sizeof(double), "a projective step");
    pass->part =
        weft_arena_take(arena, (size_t)weft_system_block_count(system) * sizeof *pass->part, "a projective step");
    pass->met = weft_arena_take(arena, (pair_product_count(pass) + 1) * sizeof(double), "products of secants");
    c->scratch = weft_arena_take(arena, (size_t)weft_cholesky_scratch(cholesky) * sizeof(float), "a solve");
    int enough = pass->r && (shared || z) && c->b && pass->product && pass->part && pass->met && c->scratch;
    return enough ? WEFT_STATUS_OK : WEFT_STATUS_NO_MEMORY;
}

static weft_status step(const void *settings, const weft_system *system, double dt) {
    const weft_projective_settings *wanted = settings;
    weft_projective_data *self = system->self;
    double h = wanted->theta * dt, since = weft_seconds();
    weft_status status = weft_projective_prepare(wanted, system, h);
    if (status != WEFT_STATUS_OK)
        return status;
    iteration c = {.self = self,
                   .iterates = wanted->iterations > 1,
                   .pass = {.system = system,
                            .matrix = self->matrix,
                            .dt = dt,
                            .theta = wanted->theta,
                            .h = h,
                            .x = self->x,
                            .f = self->f,
                            .secants = self->secants,
                            .part_of_b = (float)(1 / self->excess)}};
    status = take_scratch(&c);
    if (status != WEFT_STATUS_OK)
        return status;
    if (!evaluate_external(&c.pass))
        return WEFT_STATUS_NO_MEMORY;
    begin_pair(&c);
    weft_projective_sums moved = {0};
    for (int32_t k = 0; k < wanted->iterations; k++) {
        int last = k + 1 == wanted->iterations;
        c.pass.first = k == 0;
        if (!evaluate(&c, &moved.pair))
            return WEFT_STATUS_NO_MEMORY;
        solve(&c, moved.pair);
        if (!last)
            begin_pair(&c);
        moved = run_blocks(&c, last ? weft_projective_end : weft_projective_move);
        damp_resonance(&c, &moved);
    }
    system->solve->newton += wanted->iterations;
    system->solve->iterations += wanted->iterations;
    system->solve->solve_seconds += weft_seconds() - since;
    return moved.wild ? WEFT_STATUS_DIVERGED : WEFT_STATUS_OK;
}

static const weft_integrator_functions FUNCTIONS = {.needs = WEFT_FORCES | WEFT_HESSIANS,
                                                    .checks = 1,
                                                    .create = weft_projective_create,
                                                    .destroy = weft_projective_destroy,
                                                    .step = step,
                                                    .retuned = weft_projective_retuned,
                                                    .state_size = weft_projective_state_size,
                                                    .state_save = weft_projective_state_save,
                                                    .state_load = weft_projective_state_load,
                                                    .torn = weft_projective_torn,
                                                    .restored = weft_projective_restored};

const weft_component weft_projective = {
    .abi = WEFT_ABI,
    .kind = WEFT_INTEGRATOR,
    .name = "projective",
    .help = "projective dynamics with L-BFGS: stable at any step size, fastest for stiff cloth at frame rate",
    .settings_size = sizeof(weft_projective_settings),
    .params = PARAMS,
    .functions = &FUNCTIONS,
    .paper = "Bouaziz et al. 2014, Projective dynamics; Liu et al. 2017, Quasi-Newton methods for real-time simulation "
             "of hyperelastic materials",
};
