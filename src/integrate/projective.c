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
#include "core/sane.h"
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
    weft_vec3 *memory;          /* of the next four, together in large pages (4 count) */
    weft_vec3 *x, *f;           /* where the internal forces were last evaluated, and they (count) */
    weft_vec3 *next_x, *next_f; /* where they will be next; they change places (count) */
    int evaluated;              /* whether they are set */
    double restored_h;          /* s, that of a snapshot just loaded, whose secants belong to it; else 0 */
    int stale;                  /* whether the models changed since they were last asked */
    weft_renewal *renewal;      /* the next matrix, null: none is under way */
    int32_t wait;               /* steps until it takes over */
    int again;                  /* whether the models changed again since it was begun */
    double excess;              /* increments are divided by it as long as the models outgrow the matrix */
} projective;

/* Steps after which the matrix of changed models takes over, so many that it is ready by then at frame rate: it takes
 * a thread some 2 us a vertex. */
static int32_t steps_to_renew(int32_t vertices) { return 4 + vertices / 4096; }
/* Beyond this excess cloth would hang slack until then, so the matrix is waited for at once. */
static const double MOST_EXCESS = 16;

static void release(projective *p) {
    weft_renewal_destroy(p->renewal);
    free(p->memory);
    weft_secants_destroy(p->secants);
    weft_projective_matrix_destroy(p->matrix);
    *p = (projective){0};
}

static void destroy(void *self) {
    if (self)
        release(self);
    free(self);
}

/* Three sides of the solve, to whole lanes of eight floats. */
static int64_t vector_length(const weft_projective_matrix *matrix) {
    return (3 * weft_cholesky_length(matrix->cholesky) + 7) / 8 * 8;
}

/* Takes `matrix` over for the one there is; the secants of that one are lost. */
static weft_result install(projective *p, const weft_projective_settings *settings, weft_projective_matrix *matrix) {
    weft_secants *secants;
    weft_result result = weft_secants_create(vector_length(matrix), settings->memory, &secants);
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
    size_t each = (size_t)system->count + 40; /* a gap, so that they do not fall into one set of the cache */
    weft_projective_matrix *matrix;
    WEFT_TRY(weft_projective_matrix_create(system, system->x, &matrix));
    WEFT_TRY(order_and_install(p, settings, matrix));
    if (!(p->memory = weft_allocate(4 * each, sizeof *p->memory)))
        return weft_fail_memory("a projective step", 4 * each * sizeof *p->memory);
    weft_large_pages(p->memory, 4 * each * sizeof *p->memory);
    p->x = p->memory;
    p->f = p->x + each;
    p->next_x = p->f + each;
    p->next_f = p->next_x + each;
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
    projective *self;
    const weft_system *system;
    double dt, theta, h;
    weft_vec3 *x, *v;    /* the iterate, m and m/s (count) */
    weft_vec3 *external; /* at the start of the step, N (count) */
    weft_vec3 *f;        /* internal, N (count) */
    float *r;            /* the residual, then the increment, in the order of elimination (3 x stride) */
    float *scratch;
    int64_t stride;
    float *s, *change;     /* the next pair, null when there is none */
    double way;            /* inertia of the guess, N m */
    weft_vec3 common;      /* acceleration of all vertices, m/s2 */
    struct motion *motion; /* of each block */
    struct share *share;
} iteration;

/* Pairs from moves below this part of the guess's are made of rounding: with them a sheet at rest would tremble. */
static const double STILL = 0.1;
/* The fastest vertex's part of the motion over the mean part, from which on it resonates. */
static const double RESONANT = 10;

/* Force and mass of the free vertices of a block. */
typedef struct share {
    weft_vec3 force;
    double mass;
} share;

/* Of the vertices of a block. */
typedef struct motion {
    double peak; /* inertia of the fastest one, N m */
    int wild;    /* whether any is not finite or runs away */
} motion;

static void share_block(void *context, int64_t begin, int64_t end) {
    const iteration *c = context;
    share sum = {{0, 0, 0}, 0};
    for (int64_t i = begin; i < end; i++)
        if (!c->self->matrix->held[i]) {
            sum.force = weft_add(sum.force, c->external[i]);
            sum.mass += c->system->mass[i];
        }
    c->share[begin / WEFT_BLOCK] = sum;
}

/* The acceleration by external forces that all vertices have in common. The guess takes no more than that: it is what
 * the matrix, which resists all that is not uniform, leaves alone, so that a sheet rests where its forces balance. */
static weft_vec3 common_acceleration(iteration *c) {
    int64_t blocks = ((int64_t)c->system->count + WEFT_BLOCK - 1) / WEFT_BLOCK;
    share sum = {{0, 0, 0}, 0};
    weft_parallel_for(c->system->work, c->system->count, WEFT_BLOCK, share_block, c);
    for (int64_t i = 0; i < blocks; i++) {
        sum.force = weft_add(sum.force, c->share[i].force);
        sum.mass += c->share[i].mass;
    }
    return sum.mass > 0 ? weft_scale(1 / sum.mass, sum.force) : sum.force;
}

/* Where a vertex would be without any force; computed anew where it is needed, which streams less than to keep it. */
static inline weft_vec3 coasted(const iteration *c, int64_t i) {
    return weft_add_scaled(c->system->x[i], c->h, c->system->v[i]);
}

/* Where the vertices would be without internal forces; held ones on their way to the target. Returns what
 * residual_block would for a pair with this way. */
static double guess_block(void *context, int64_t begin, int64_t end) {
    const iteration *c = context;
    const weft_system *system = c->system;
    double inertia = 0;
    for (int64_t i = begin; i < end; i++) {
        int held = c->self->matrix->held[i];
        c->x[i] = !held ? weft_add_scaled(coasted(c, i), c->h * c->h, c->common)
                        : weft_add_scaled(system->x[i], c->theta, weft_sub(system->target[i], system->x[i]));
        weft_vec3 way = weft_sub(c->x[i], system->x[i]);
        c->v[i] = weft_scale(1 / c->h, way);
        inertia += !held ? system->mass[i] / (c->h * c->h) * weft_dot(way, way) : 0;
    }
    return inertia;
}

static void velocity_block(void *context, int64_t begin, int64_t end) {
    const iteration *c = context;
    for (int64_t i = begin; i < end; i++)
        c->v[i] = weft_scale(1 / c->h, weft_sub(c->x[i], c->system->x[i]));
}

static void put(float *side, int64_t stride, int32_t at, weft_vec3 value) {
    side[at] = (float)value.x;
    side[stride + at] = (float)value.y;
    side[2 * stride + at] = (float)value.z;
}

static weft_vec3 residual_of(const iteration *c, int64_t i, weft_vec3 x, weft_vec3 f) {
    double stiff = c->system->mass[i] / (c->h * c->h);
    return weft_sub(weft_add(c->external[i], f), weft_scale(stiff, weft_sub(x, coasted(c, i))));
}

/* The residual, and the pair of this evaluation and the last one. Returns the pair's curvature by inertia alone. */
static double residual_block(void *context, int64_t begin, int64_t end) {
    const iteration *c = context;
    const int32_t *place = c->self->matrix->cholesky->place;
    const weft_vec3 zero = {0, 0, 0};
    double inertia = 0;
    for (int64_t i = begin; i < end; i++) {
        double stiff = c->system->mass[i] / (c->h * c->h);
        int held = c->self->matrix->held[i];
        put(c->r, c->stride, place[i], held ? zero : residual_of(c, i, c->x[i], c->f[i]));
        if (c->s) {
            weft_vec3 s = held ? zero : weft_sub(c->x[i], c->self->x[i]);
            weft_vec3 y = weft_sub(weft_scale(stiff, s), weft_sub(c->f[i], c->self->f[i]));
            put(c->s, c->stride, place[i], s);
            put(c->change, c->stride, place[i], held ? zero : y);
            inertia += stiff * weft_dot(s, s);
        }
    }
    return inertia;
}

static inline weft_vec3 increment(const iteration *c, int64_t i) {
    const float *d = c->r + c->self->matrix->cholesky->place[i];
    return (weft_vec3){(double)d[0], (double)d[c->stride], (double)d[2 * c->stride]};
}

/* From where the forces were evaluated by the increment. */
static inline weft_vec3 moved(const iteration *c, int64_t i) { return weft_add(c->self->x[i], increment(c, i)); }

static inline double inertia_of(const iteration *c, int64_t i, weft_vec3 way, double *peak) {
    double own = c->system->mass[i] / (c->h * c->h) * weft_dot(way, way);
    *peak = own > *peak ? own : *peak;
    return own;
}

/* Returns the inertia of the way from the start of the step, as guess_block does of the guess. */
static double move_block(void *context, int64_t begin, int64_t end) {
    const iteration *c = context;
    const weft_system *system = c->system;
    double inertia = 0, peak = 0;
    for (int64_t i = begin; i < end; i++) {
        int held = c->self->matrix->held[i];
        c->x[i] = held ? c->self->x[i] : moved(c, i);
        inertia += held ? 0 : inertia_of(c, i, weft_sub(c->x[i], system->x[i]), &peak);
    }
    c->motion[begin / WEFT_BLOCK] = (motion){peak, 0};
    return inertia;
}

/* The same for the last iterate, and from there to the end of the step. */
static double end_block(void *context, int64_t begin, int64_t end) {
    const iteration *c = context;
    const weft_system *system = c->system;
    double more = 1 / c->theta, rate = 1 / (c->h * c->theta), inertia = 0, peak = 0;
    for (int64_t i = begin; i < end; i++) {
        if (c->self->matrix->held[i]) {
            weft_move_held(system, c->dt, (int32_t)i);
            continue;
        }
        weft_vec3 move = weft_sub(moved(c, i), system->x[i]);
        inertia += inertia_of(c, i, move, &peak);
        system->x_next[i] = weft_add_scaled(system->x[i], more, move);
        system->v_next[i] = weft_add_scaled(weft_scale(1 - more, system->v[i]), rate, move);
    }
    int wild = !(weft_sane(system->x_next + begin, end - begin) && weft_sane(system->v_next + begin, end - begin));
    c->motion[begin / WEFT_BLOCK] = (motion){peak, wild};
    return inertia;
}

static void lessen_block(void *context, int64_t begin, int64_t end) {
    const iteration *c = context;
    float part = (float)(1 / c->self->excess);
    for (int64_t i = begin; i < end; i++)
        c->r[i] *= part;
}

static void change_places(weft_vec3 **a, weft_vec3 **b) {
    weft_vec3 *kept = *a;
    *a = *b;
    *b = kept;
}

/* A pair compares forces at two places for the same masses and step; it is usable when the cloth is not less stiff
 * along it than its inertia alone, but for some compression. */
static void iterate(iteration *c) {
    projective *self = c->self;
    const weft_system *system = c->system;
    weft_secants *secants = self->secants;
    double alpha[WEFT_SECANTS];
    memset(c->f, 0, (size_t)system->count * sizeof *c->f);
    weft_system_internal_force(system, c->x, c->v, c->f);
    c->s = self->evaluated && secants->most > 0 ? secants->s[secants->next] : NULL;
    c->change = c->s ? secants->y[secants->next] : NULL;
    double inertia = weft_parallel_sum(system->work, system->count, WEFT_BLOCK, residual_block, c);
    if (c->s && inertia > STILL * c->way)
        weft_secants_keep(secants, system->work, 0.5 * inertia);
    else
        secants->used = secants->next = 0;
    change_places(&self->x, &self->next_x);
    change_places(&self->f, &self->next_f);
    c->x = self->next_x;
    c->f = self->next_f;
    self->evaluated = 1;
    weft_secants_before(secants, system->work, c->r, alpha);
    weft_cholesky_solve(self->matrix->cholesky, system->work, 3, c->r, c->scratch);
    if (self->excess > 1)
        weft_parallel_for(system->work, vector_length(self->matrix), WEFT_BLOCK, lessen_block, c);
    weft_secants_after(secants, system->work, c->r, alpha);
}

static void forget(projective *self) {
    self->evaluated = 0;
    self->secants->used = 0;
    self->secants->next = 0;
}

/* Moves by the increment, in the last iteration to the end of the step. When the motion grows and one vertex has much
 * of it, it resonates: measured, the light vertex beside a pinned corner, whose springs no step of a frame's part
 * resolves, gains energy until the sheet jumps by centimetres. Secants keep such a motion up, and the matrix alone
 * damps it, so the next step goes without them. Returns whether anything runs away. */
static int move(iteration *c, int last) {
    double inertia = weft_parallel_sum(c->system->work, c->system->count, WEFT_BLOCK, last ? end_block : move_block, c);
    double peak = 0;
    int wild = 0;
    for (int64_t i = 0; i <= ((int64_t)c->system->count - 1) / WEFT_BLOCK; i++) {
        peak = fmax(peak, c->motion[i].peak);
        wild |= c->motion[i].wild;
    }
    if (wild || (peak * c->system->count > RESONANT * inertia && inertia > c->way))
        forget(c->self);
    return wild;
}

static weft_status take_scratch(iteration *c) {
    const weft_cholesky *cholesky = c->self->matrix->cholesky;
    weft_arena *arena = c->system->work->arena;
    size_t count = (size_t)c->system->count;
    c->x = c->self->next_x;
    c->f = c->self->next_f;
    weft_vec3 **vectors[] = {&c->v, &c->external};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        if (!(*vectors[i] = weft_arena_take(arena, count * sizeof(weft_vec3), "a projective step")))
            return WEFT_STATUS_NO_MEMORY;
    c->stride = weft_cholesky_length(cholesky);
    size_t bytes = (size_t)vector_length(c->self->matrix) * sizeof(float);
    c->r = weft_arena_take(arena, bytes, "a projective step");
    for (int side = 0; c->r && side < 3; side++) { /* secants read what lies between the sides, and behind them */
        int64_t from = side * c->stride + cholesky->count;
        int64_t to = side < 2 ? (side + 1) * c->stride : vector_length(c->self->matrix);
        memset(c->r + from, 0, (size_t)(to - from) * sizeof(float));
    }
    c->share = weft_arena_take(arena, (count / WEFT_BLOCK + 1) * sizeof *c->share, "a projective step");
    c->motion = weft_arena_take(arena, (count / WEFT_BLOCK + 1) * sizeof *c->motion, "a projective step");
    c->scratch = weft_arena_take(arena, (size_t)weft_cholesky_scratch(cholesky) * sizeof(float), "a solve");
    return c->r && c->scratch && c->share && c->motion ? WEFT_STATUS_OK : WEFT_STATUS_NO_MEMORY;
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
    WEFT_TRY(weft_projective_matrix_create(system, self->matrix->origin, &next));
    double excess = weft_projective_matrix_excess(self->matrix, next);
    if (self->matrix->h == 0 || !(excess <= MOST_EXCESS)) {
        weft_renewal_destroy(self->renewal);
        self->renewal = NULL;
        self->again = 0;
        forget(self);
        return order_and_install(self, settings, next);
    }
    int same = excess == 1 && weft_projective_matrix_excess(next, self->matrix) == 1;
    if (!same)
        forget(self);
    self->excess = excess;
    self->again = self->renewal != NULL;
    if (self->renewal || same) {
        weft_projective_matrix_destroy(next);
        return weft_ok();
    }
    self->wait = steps_to_renew(system->count);
    return weft_renewal_begin(next, system->inverse_mass, h, &self->renewal);
}

static weft_result follow_changes(projective *self, const weft_projective_settings *settings, const weft_system *system,
                                  double h) {
    if (self->renewal && self->wait-- == 0)
        WEFT_TRY(take_over(self, settings));
    return self->stale ? retune(self, settings, system, h) : weft_ok();
}

/* Numbers of the secants, then all pairs by vertex, since the order of elimination may change, then the last
 * evaluation. */
typedef struct memory_header {
    int32_t used, next, evaluated, unused;
    double h;
    double product[WEFT_SECANTS][WEFT_SECANTS];
} memory_header;

static size_t side_bytes(const projective *p) { return 3 * (size_t)p->matrix->count * sizeof(float); }
static size_t vector_bytes(const projective *p) { return (size_t)p->matrix->count * sizeof(weft_vec3); }

static size_t state_size(const void *self) {
    const projective *p = self;
    return sizeof(memory_header) + 2 * (size_t)p->secants->most * side_bytes(p) + 2 * vector_bytes(p);
}

static char *save_vector(const projective *p, const float *from, char *at) {
    int64_t stride = weft_cholesky_length(p->matrix->cholesky);
    for (int32_t i = 0; i < p->matrix->count; i++)
        for (int side = 0; side < 3; side++, at += sizeof *from)
            memcpy(at, from + side * stride + p->matrix->cholesky->place[i], sizeof *from);
    return at;
}

static const char *load_vector(const projective *p, const char *at, float *to) {
    int64_t stride = weft_cholesky_length(p->matrix->cholesky);
    for (int32_t i = 0; i < p->matrix->count; i++)
        for (int side = 0; side < 3; side++, at += sizeof *to)
            memcpy(to + side * stride + p->matrix->cholesky->place[i], at, sizeof *to);
    return at;
}

static void state_save(const void *self, void *buffer) {
    const projective *p = self;
    char *at = buffer;
    memory_header header = {p->secants->used, p->secants->next, p->evaluated, 0, p->matrix->h, {{0}}};
    memcpy(header.product, p->secants->product, sizeof header.product);
    memcpy(at, &header, sizeof header);
    at += sizeof header;
    for (int32_t i = 0; i < p->secants->most; i++) {
        at = save_vector(p, p->secants->s[i], at);
        at = save_vector(p, p->secants->y[i], at);
    }
    memcpy(at, p->x, vector_bytes(p));
    memcpy(at + vector_bytes(p), p->f, vector_bytes(p));
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

static int header_fits(const projective *p, const memory_header *h) {
    int32_t most = p->secants->most;
    if (h->used < 0 || h->used > most || h->next < 0 || (h->next >= most && h->next > 0) || !isfinite(h->h) ||
        h->h < 0 || h->evaluated < 0 || h->evaluated > 1)
        return 0;
    for (int32_t i = 0; i < h->used; i++)
        for (int32_t j = 0; j < h->used; j++)
            if (!isfinite(h->product[i][j]) || (i == j && !(h->product[i][i] > 0)))
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
    memcpy(p->secants->product, header.product, sizeof header.product);
    for (int32_t i = 0; i < p->secants->most; i++) {
        at = load_vector(p, at, p->secants->s[i]);
        at = load_vector(p, at, p->secants->y[i]);
    }
    memcpy(p->x, at, vector_bytes(p));
    memcpy(p->f, at + vector_bytes(p), vector_bytes(p));
    return weft_ok();
}

static weft_status step(const void *settings, const weft_system *system, double dt) {
    const weft_projective_settings *wanted = settings;
    projective *self = system->self;
    iteration c = {.self = self, .system = system, .dt = dt, .theta = wanted->theta, .h = wanted->theta * dt};
    int changed = 0;
    double since = weft_seconds();
    weft_result result = follow_changes(self, wanted, system, c.h);
    if (result.code == WEFT_OK)
        result = weft_projective_matrix_prepare(self->matrix, system->inverse_mass, c.h, &changed);
    if (result.code != WEFT_OK)
        return result.code == WEFT_NO_MEMORY ? WEFT_STATUS_NO_MEMORY : WEFT_STATUS_DIVERGED;
    if ((changed && self->restored_h != c.h) || !(system->dt_before > 0))
        forget(self);
    self->restored_h = 0;
    system->solve->assembly_seconds += weft_seconds() - since;
    weft_status status = take_scratch(&c);
    if (status != WEFT_STATUS_OK)
        return status;
    weft_system_external_force(system, system->x, system->v, c.external);
    c.common = common_acceleration(&c);
    c.way = weft_parallel_sum(system->work, system->count, WEFT_BLOCK, guess_block, &c);
    int wild = 0;
    for (int32_t k = 0; k < wanted->iterations; k++) {
        if (k > 0)
            weft_parallel_for(system->work, system->count, WEFT_BLOCK, velocity_block, &c);
        iterate(&c);
        wild = move(&c, k + 1 == wanted->iterations);
    }
    system->solve->newton += wanted->iterations;
    system->solve->iterations += wanted->iterations;
    system->solve->solve_seconds += weft_seconds() - since;
    return wild ? WEFT_STATUS_DIVERGED : WEFT_STATUS_OK;
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
