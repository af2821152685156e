/* Projective dynamics as a quasi-Newton method (T. Liu, S. Bouaziz, L. Kavan, Quasi-Newton methods for real-time
 * simulation of hyperelastic materials, ACM TOG 36, 2017). At the time theta dt into the step, with h = theta dt and
 * y = x_n + h v_n, the equations
 *   r(x) = f(x, (x - x_n) / h) - M (x - y) / h^2 = 0
 * are solved by x += A^-1 r with a matrix A that is factored once; the step ends on the line through x_n and x. With
 * theta = 1/2 that is the midpoint rule, with 1 implicit Euler. For springs one such move is the local and global step
 * of projective dynamics: the projections' right-hand side is A x + r. The residual is in double and the solve, in
 * float, for the increment.
 *
 * A resists in all directions what cloth resists only along its threads. By itself it lets shear and folds move too
 * slowly: measured, a swing takes up to twice as long. The secants of the last steps (projective_memory.c) correct that
 * for the motion there is. */
#include "integrate/projective.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/seconds.h"
#include "integrate/integrate.h"

#define FIELD(member) offsetof(weft_projective_settings, member)

static const weft_param PARAMS[] = {
    {"iterations", WEFT_INT, FIELD(iterations), 1, 1000, "1", "",
     "solves with the constant matrix per step; more steps bring more than more iterations", NULL, 0},
    {"memory", WEFT_INT, FIELD(memory), 0, WEFT_SECANTS, "2", "",
     "earlier moves that correct the matrix; 0: projective dynamics as published", NULL, WEFT_FIXED},
    {"theta", WEFT_REAL, FIELD(theta), 0.5, 1, "0.55", "",
     "where in the step forces are taken: 0.5 keeps the energy, 1 damps most and never overshoots", NULL, 0},
    {NULL, WEFT_REAL, 0, 0, 0, NULL, NULL, NULL, NULL, 0},
};

typedef struct projective {
    weft_projective_matrix *matrix;
    weft_secants *secants;
    weft_vec3 *x;           /* where the internal forces were last evaluated (count) */
    float *f;               /* and they, 0 where held (count x 3) */
    int evaluated;          /* whether they are set */
    double restored_h;      /* s, that of a snapshot just loaded, whose secants belong to it; else 0 */
    uint32_t restored_held; /* and to these vertices, see held_mark; 0: not known */
    int stale;              /* whether the models changed since they were last asked */
    weft_renewal *renewal;  /* the next matrix, null: none is under way */
    int32_t wait;           /* steps until it takes over */
    int again;              /* whether the models changed again since it was begun */
    double excess;          /* increments are divided by it as long as the models outgrow the matrix */
} projective;

/* Steps after which the matrix of changed models takes over, so many that it is ready by then at frame rate: it takes
 * a thread some 2 us a vertex. */
static int32_t steps_to_renew(int32_t vertices) { return 4 + vertices / 4096; }
/* Beyond this excess cloth would hang slack until then, so the matrix is waited for at once. */
static const double MOST_EXCESS = 16;

static void release(projective *p) {
    weft_renewal_destroy(p->renewal);
    free(p->f);
    free(p->x);
    weft_secants_destroy(p->secants);
    weft_projective_matrix_destroy(p->matrix);
    *p = (projective){0};
}

static void destroy(void *self) {
    if (self)
        release(self);
    free(self);
}

/* Takes `matrix` over for the one there is; the secants of that one are lost. */
static weft_result install(projective *p, const weft_projective_settings *settings, weft_projective_matrix *matrix) {
    weft_secants *secants;
    weft_result result = weft_secants_create(weft_secants_length(matrix->count), settings->memory, &secants);
    if (result.code != WEFT_OK) {
        weft_projective_matrix_destroy(matrix);
        return result;
    }
    weft_secants_destroy(p->secants);
    weft_projective_matrix_destroy(p->matrix);
    p->secants = secants;
    p->matrix = matrix;
    p->excess = 1;
    return weft_ok();
}

static weft_result order_and_install(projective *p, const weft_projective_settings *settings,
                                     weft_projective_matrix *matrix) {
    weft_result result = weft_projective_matrix_order(matrix);
    if (result.code == WEFT_OK)
        return install(p, settings, matrix);
    weft_projective_matrix_destroy(matrix);
    return result;
}

static weft_result build(const weft_projective_settings *settings, const weft_system *system, projective *p) {
    size_t places = (size_t)system->count, floats = (size_t)weft_secants_length(system->count);
    weft_projective_matrix *matrix;
    WEFT_TRY(weft_projective_matrix_create(system, &matrix));
    WEFT_TRY(order_and_install(p, settings, matrix));
    if (!(p->x = weft_allocate_large(places, sizeof *p->x)) || !(p->f = weft_allocate_large(floats, sizeof *p->f)))
        return weft_fail_memory("a projective step", places * sizeof *p->x + floats * sizeof *p->f);
    return weft_ok();
}

static weft_result create(const void *settings, const weft_system *system, void **self) {
    *self = NULL;
    projective *p = weft_allocate(1, sizeof *p);
    if (!p)
        return weft_fail_memory("a projective step", sizeof *p);
    weft_result result = build(settings, system, p);
    if (result.code == WEFT_OK)
        *self = p;
    else
        destroy(p);
    return result;
}

typedef struct iteration {
    weft_projective_step pass;
    projective *self;
    int again;  /* whether there is more than one iteration */
    double way; /* inertia of the guess, N m */
    float *b;   /* what is solved for, in the order of elimination (4 x weft_cholesky_length) */
    float *scratch;
} iteration;

/* Pairs from moves below this part of the guess's are made of rounding: with them a sheet at rest would tremble. */
static const double STILL = 0.1;
/* The fastest vertex's part of the motion over the mean part, from which on it resonates. */
static const double RESONANT = 10;

static int64_t block_count(const weft_system *system) { return ((int64_t)system->count + WEFT_BLOCK - 1) / WEFT_BLOCK; }

static weft_projective_cloth sum_parts(const weft_projective_step *pass, int64_t parts) {
    weft_projective_cloth sum = {0};
    for (int64_t i = 0; i < parts; i++) {
        const weft_projective_cloth *part = &pass->part[i];
        sum.force = weft_add(sum.force, part->force);
        sum.mass += part->mass;
        sum.way += part->way;
        sum.pair += part->pair;
        sum.peak = fmax(sum.peak, part->peak);
        sum.wild |= part->wild;
    }
    return sum;
}

/* External forces, and the acceleration by them that all vertices have in common. The guess takes no more than that: it
 * is what the matrix, which resists all that is not uniform, leaves alone, so that a sheet rests where its forces
 * balance. Returns 0 when memory is out. */
static int evaluate_external(weft_projective_step *pass) {
    const weft_system *system = pass->system;
    if (!pass->external)
        return 1;
    if (!weft_system_stream_external(system, system->x, system->v, weft_projective_take_external, pass))
        return 0;
    weft_projective_cloth all = sum_parts(pass, block_count(system));
    pass->common = all.mass > 0 ? weft_scale(1 / all.mass, all.force) : all.force;
    return 1;
}

/* The next pair is made by the pass that goes on to the next place of evaluation, and by the evaluation. */
static void begin_pair(iteration *c) {
    weft_secants *secants = c->self->secants;
    c->pass.s = c->self->evaluated && secants->most > 0 ? secants->s[secants->next] : NULL;
    c->pass.change = c->pass.s ? secants->y[secants->next] : NULL;
    c->self->evaluated = 0;
}

static weft_projective_cloth run_blocks(iteration *c, weft_loop body) {
    const weft_system *system = c->pass.system;
    weft_parallel_for(system->work, system->count, WEFT_BLOCK, body, &c->pass);
    return sum_parts(&c->pass, block_count(system));
}

static void forget(projective *self) {
    self->evaluated = 0;
    self->secants->used = 0;
    self->secants->next = 0;
}

static size_t met_count(const weft_projective_step *pass) {
    return 3 * (size_t)pass->secants->most * (size_t)weft_system_block_count(pass->system);
}

/* Evaluates the forces at the guess or the iterate. `pair` becomes the inertia of the way there from the last place.
 * Returns 0 when memory is out. */
static int evaluate(iteration *c, double *pair) {
    weft_projective_step *pass = &c->pass;
    const weft_system *system = pass->system;
    int64_t parts = weft_system_block_count(system);
    const weft_vec3 *start[2] = {pass->first ? system->x : pass->x, pass->first ? system->v : pass->v};
    const float *pair_before[2] = {NULL, NULL};
    if (pass->s && pass->secants->used > 0)
        weft_secants_last(pass->secants, pair_before);
    weft_prefetch fetched = {
        .vector = {pass->first ? pass->x : NULL, pass->external},
        .triple = {pass->f, pass->s, pass->change, pass->external ? pass->r : NULL, pair_before[0], pair_before[1]},
        .number = {pass->matrix->inertia}};
    memset(pass->part, 0, (size_t)parts * sizeof *pass->part);
    memset(pass->met, 0, met_count(pass) * sizeof *pass->met);
    if (!weft_system_stream_internal(system, start[0], start[1], weft_projective_place, &fetched,
                                     weft_projective_take_internal, pass))
        return 0;
    c->self->evaluated = 1;
    if (pass->first) {
        weft_projective_cloth way = sum_parts(pass, parts);
        c->way = way.way;
        *pair = way.pair;
    }
    return 1;
}

/* The next pair's products. */
static void sum_meetings(const weft_projective_step *pass, double *met) {
    const int64_t each = 3 * (int64_t)weft_secants_filled(pass->secants), parts = weft_system_block_count(pass->system);
    memset(met, 0, 3 * WEFT_SECANTS * sizeof *met);
    for (int64_t i = 0; pass->s && i < parts; i++)
        for (int64_t k = 0; k < each; k++)
            met[k] += pass->met[i * each + k];
}

static size_t product_count(const projective *self) {
    return ((size_t)self->matrix->cholesky->task_count + 1) * WEFT_SECANTS;
}

/* The solution's products with the secants. */
static void sum_products(const iteration *c, double *product) {
    memset(product, 0, WEFT_SECANTS * sizeof *product);
    for (int32_t i = 0; i <= c->self->matrix->cholesky->task_count; i++)
        for (int32_t k = 0; k < c->self->secants->used; k++)
            product[k] += c->pass.product[i * WEFT_SECANTS + k];
}

/* Solves for the increment. A pair compares forces at two places for the same masses and step; it is usable when the
 * cloth is not less stiff along it than its inertia alone, but for some compression. `pair` is the inertia of its way.
 */
static void solve(iteration *c, double pair) {
    projective *self = c->self;
    weft_projective_step *pass = &c->pass;
    const weft_work *work = pass->system->work;
    double alpha[WEFT_SECANTS], product[WEFT_SECANTS];
    double met[3 * WEFT_SECANTS];
    sum_meetings(pass, met);
    weft_secants_before(self->secants, pass->s && pair > STILL * c->way ? 0.5 * pair : INFINITY, met, alpha,
                        &pass->less);
    const weft_cholesky_ends ends = {pass, weft_projective_load, weft_projective_store, weft_projective_expect};
    memset(pass->product, 0, product_count(self) * sizeof *pass->product);
    weft_cholesky_solve_three(self->matrix->cholesky, work, &ends, c->b, c->scratch);
    sum_products(c, product);
    weft_secants_after(self->secants, product, alpha, &pass->more);
}

/* When the motion grows and one vertex has much of it, it resonates: measured, the light vertex beside a pinned corner,
 * whose springs no step of a frame's part resolves, gains energy until the sheet jumps by centimetres. Secants keep
 * such a motion up, and the matrix alone damps it, so it goes on without them. */
static void watch(iteration *c, const weft_projective_cloth *moved) {
    int resonates = moved->peak * c->pass.system->count > RESONANT * moved->way && moved->way > c->way;
    if (!moved->wild && !resonates)
        return;
    forget(c->self);
    c->pass.s = NULL;
}

/* Three floats for each vertex, and zeros to whole lanes. */
static float *take_triples(weft_arena *arena, int32_t count) {
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
    int uniform = !c->again && weft_system_acceleration(system, &pass->common);
    pass->v = system->v_next;
    pass->external = uniform ? NULL : system->x_next;
    pass->r = uniform ? pass->f : take_triples(arena, system->count);
    size_t floats = 4 * (size_t)weft_cholesky_length(cholesky);
    /* One vertex alone in the last block has no room for whole lanes. */
    int shared = !c->again && floats * sizeof(float) <= (size_t)system->count * sizeof(weft_vec3) &&
                 system->count % WEFT_BLOCK != 1;
    float *z = shared ? NULL : take_triples(arena, system->count);
    pass->z = z;
    c->b = shared ? (float *)(void *)system->v_next : weft_arena_take(arena, floats * sizeof(float), "a solve");
    pass->product = weft_arena_take(arena, product_count(c->self) * sizeof(double), "a projective step");
    pass->part =
        weft_arena_take(arena, (size_t)weft_system_block_count(system) * sizeof *pass->part, "a projective step");
    pass->met = weft_arena_take(arena, (met_count(pass) + 1) * sizeof(double), "products of secants");
    c->scratch = weft_arena_take(arena, (size_t)weft_cholesky_scratch(cholesky) * sizeof(float), "a solve");
    int enough = pass->r && (shared || z) && c->b && pass->product && pass->part && pass->met && c->scratch;
    return enough ? WEFT_STATUS_OK : WEFT_STATUS_NO_MEMORY;
}

/* -- live changes and snapshots -- */

static void retuned(void *self) { ((projective *)self)->stale = 1; }

/* The matrix under way takes over. */
static weft_result take_over(projective *self, const weft_projective_settings *settings) {
    weft_projective_matrix *matrix;
    weft_result result = weft_renewal_end(self->renewal, &matrix);
    self->renewal = NULL;
    self->stale |= self->again;
    self->again = 0;
    WEFT_TRY(result);
    WEFT_TRY(install(self, settings, matrix));
    forget(self);
    return weft_ok();
}

/* Asks the changed models. When the old matrix, multiplied by some number, bounds theirs, steps go on with that until
 * the new one is factored; changes in the meantime wait their turn. */
static weft_result retune(projective *self, const weft_projective_settings *settings, const weft_system *system,
                          double h) {
    weft_projective_matrix *next;
    self->stale = 0;
    WEFT_TRY(weft_projective_matrix_create(system, &next));
    double excess = weft_projective_matrix_excess(self->matrix, next);
    int same = excess == 1 && weft_projective_matrix_excess(next, self->matrix) == 1;
    if (self->matrix->h == 0 && same) { /* secants may be there already, of a snapshot */
        weft_projective_matrix_destroy(next);
        return weft_ok();
    }
    if (self->matrix->h == 0 || !(excess <= MOST_EXCESS)) {
        weft_renewal_destroy(self->renewal);
        self->renewal = NULL;
        self->again = 0;
        forget(self);
        return order_and_install(self, settings, next);
    }
    if (!same)
        forget(self);
    self->excess = excess;
    self->again = self->renewal != NULL;
    if (self->renewal || same) {
        weft_projective_matrix_destroy(next);
        return weft_ok();
    }
    self->wait = steps_to_renew(system->count);
    return weft_renewal_begin(next, system->held, h, &self->renewal);
}

static weft_result follow_changes(projective *self, const weft_projective_settings *settings, const weft_system *system,
                                  double h) {
    if (self->renewal && self->wait-- == 0)
        WEFT_TRY(take_over(self, settings));
    return self->stale ? retune(self, settings, system, h) : weft_ok();
}

/* Numbers of the secants, then all pairs, then the last evaluation. */
typedef struct memory_header {
    int32_t used, next, evaluated;
    uint32_t held; /* see held_mark */
    double h;
    double product[WEFT_SECANTS][WEFT_SECANTS];
} memory_header;

/* A number that tells which vertices are held, other than 0 (FNV-1a). */
static uint32_t held_mark(const weft_projective_matrix *matrix) {
    uint32_t mark = 2166136261U;
    for (int32_t i = 0; i < matrix->count; i++)
        mark = (mark ^ matrix->held[i]) * 16777619U;
    return mark > 0 ? mark : 1;
}

static size_t side_bytes(const projective *p) { return 3 * (size_t)p->matrix->count * sizeof(float); }
static size_t vector_bytes(const projective *p) { return (size_t)p->matrix->count * sizeof(weft_vec3); }

static size_t state_size(const void *self) {
    const projective *p = self;
    return sizeof(memory_header) + 2 * (size_t)p->secants->most * side_bytes(p) + 2 * vector_bytes(p);
}

static char *save_vector(const projective *p, const float *from, char *at) {
    memcpy(at, from, side_bytes(p));
    return at + side_bytes(p);
}

static const char *load_vector(const projective *p, const char *at, float *to) {
    memcpy(to, at, side_bytes(p));
    return at + side_bytes(p);
}

static void state_save(const void *self, void *buffer) {
    const projective *p = self;
    char *at = buffer;
    memory_header header = {p->secants->used,     p->secants->next, p->evaluated,
                            held_mark(p->matrix), p->matrix->h,     {{0}}};
    memcpy(header.product, p->secants->product, sizeof header.product);
    memcpy(at, &header, sizeof header);
    at += sizeof header;
    for (int32_t i = 0; i < p->secants->most; i++) {
        at = save_vector(p, p->secants->s[i], at);
        at = save_vector(p, p->secants->y[i], at);
    }
    memcpy(at, p->x, vector_bytes(p));
    at += vector_bytes(p);
    for (int64_t i = 0; i < 3 * (int64_t)p->matrix->count; i++, at += sizeof(double)) {
        double force = (double)p->f[i];
        memcpy(at, &force, sizeof force);
    }
}

static int all_finite(const char *bytes, size_t size) {
    for (size_t i = 0; i + sizeof(float) <= size; i += sizeof(float)) {
        float value;
        memcpy(&value, bytes + i, sizeof value);
        if (!isfinite(value))
            return 0;
    }
    return 1;
}

/* Whether a place has a pair: the first ones are filled in order, and then all but the next, or all. */
static int is_filled(const memory_header *h, int32_t most, int32_t i) {
    return h->used == most || (h->used == most - 1 ? i != h->next : i < h->used);
}

static int header_fits(const projective *p, const memory_header *h) {
    int32_t most = p->secants->most;
    if (h->used < 0 || h->used > most || h->next < 0 || (h->next >= most && h->next > 0) || !isfinite(h->h) ||
        h->h < 0 || h->evaluated < 0 || h->evaluated > 1 || (h->used < most - 1 && h->next != h->used))
        return 0;
    for (int32_t i = 0; i < most; i++)
        for (int32_t j = 0; j < most; j++)
            if (is_filled(h, most, i) && is_filled(h, most, j) &&
                (!isfinite(h->product[i][j]) || (i == j && !(h->product[i][i] > 0))))
                return 0;
    return 1;
}

static weft_result state_load(void *self, const void *buffer, size_t size) {
    projective *p = self;
    const char *at = (const char *)buffer + sizeof(memory_header);
    memory_header header;
    size_t pairs = 2 * (size_t)p->secants->most * side_bytes(p);
    if (size != state_size(p))
        return weft_fail(WEFT_BAD_INPUT, "state of 'projective': %zu bytes, but %zu are needed", size, state_size(p));
    memcpy(&header, buffer, sizeof header);
    if (!header_fits(p, &header) || !all_finite(at, pairs))
        return weft_fail(WEFT_BAD_INPUT, "state of 'projective': its secants make no sense");
    const weft_vec3 *last = (const weft_vec3 *)(const void *)(at + pairs);
    for (int64_t i = 0; i < 2 * (int64_t)p->matrix->count; i++) {
        weft_vec3 value;
        memcpy(&value, last + i, sizeof value);
        if (!weft_vec3_is_finite(value))
            return weft_fail(WEFT_BAD_INPUT, "state of 'projective': value %lld is not finite", (long long)i);
    }
    p->secants->used = header.used;
    p->secants->next = header.next;
    p->evaluated = header.evaluated;
    p->restored_h = header.h;
    p->restored_held = header.held;
    memcpy(p->secants->product, header.product, sizeof header.product);
    for (int32_t i = 0; i < p->secants->most; i++) {
        at = load_vector(p, at, p->secants->s[i]);
        at = load_vector(p, at, p->secants->y[i]);
    }
    memcpy(p->x, at, vector_bytes(p));
    at += vector_bytes(p);
    for (int64_t i = 0; i < 3 * (int64_t)p->matrix->count; i++, at += sizeof(double)) {
        double force;
        memcpy(&force, at, sizeof force);
        p->f[i] = (float)force;
    }
    return weft_ok();
}

/* Makes the matrix fit. */
static weft_status prepare(const weft_projective_settings *settings, const weft_system *system, double h) {
    projective *self = system->self;
    int changed = 0;
    /* Steps of one length differ by rounding: the matrix is that of the first of them, after a snapshot too. */
    double factored = fabs(self->restored_h - h) <= 1e-9 * h ? self->restored_h : h, since = weft_seconds();
    weft_result result = follow_changes(self, settings, system, h);
    if (result.code == WEFT_OK)
        result = weft_projective_matrix_prepare(self->matrix, system->held, factored, &changed);
    if (result.code != WEFT_OK)
        return result.code == WEFT_NO_MEMORY ? WEFT_STATUS_NO_MEMORY : WEFT_STATUS_DIVERGED;
    if (self->restored_h > 0)
        changed =
            self->restored_h != factored || (self->restored_held > 0 && self->restored_held != held_mark(self->matrix));
    if (changed || !(system->dt_before > 0))
        forget(self);
    self->restored_h = 0;
    system->solve->assembly_seconds += weft_seconds() - since;
    return WEFT_STATUS_OK;
}

static weft_status step(const void *settings, const weft_system *system, double dt) {
    const weft_projective_settings *wanted = settings;
    projective *self = system->self;
    double h = wanted->theta * dt, since = weft_seconds();
    weft_status status = prepare(wanted, system, h);
    if (status != WEFT_STATUS_OK)
        return status;
    iteration c = {.self = self,
                   .again = wanted->iterations > 1,
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
    weft_projective_cloth moved = {0};
    for (int32_t k = 0; k < wanted->iterations; k++) {
        int last = k + 1 == wanted->iterations;
        c.pass.first = k == 0;
        if (!evaluate(&c, &moved.pair))
            return WEFT_STATUS_NO_MEMORY;
        solve(&c, moved.pair);
        if (!last)
            begin_pair(&c);
        moved = run_blocks(&c, last ? weft_projective_end : weft_projective_move);
        watch(&c, &moved);
    }
    system->solve->newton += wanted->iterations;
    system->solve->iterations += wanted->iterations;
    system->solve->solve_seconds += weft_seconds() - since;
    return moved.wild ? WEFT_STATUS_DIVERGED : WEFT_STATUS_OK;
}

static const weft_integrator_functions FUNCTIONS = {.needs = WEFT_FORCES | WEFT_HESSIANS,
                                                    .checks = 1,
                                                    .create = create,
                                                    .destroy = destroy,
                                                    .step = step,
                                                    .retuned = retuned,
                                                    .state_size = state_size,
                                                    .state_save = state_save,
                                                    .state_load = state_load};

const weft_component weft_projective = {
    .abi = WEFT_ABI,
    .kind = WEFT_INTEGRATOR,
    .name = "projective",
    .help = "any step length, one solve with a matrix factored once; the fastest for stiff cloth at frame rate",
    .settings_size = sizeof(weft_projective_settings),
    .params = PARAMS,
    .functions = &FUNCTIONS,
    .paper = "Bouaziz et al. 2014, Projective dynamics; Liu et al. 2017, Quasi-Newton methods for real-time simulation "
             "of hyperelastic materials",
};
