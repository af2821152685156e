/* Contact constraints in the linear solve of an implicit step. A vertex on a body is filtered, and the residual is the
 * contact force (Baraff and Witkin 1998, section 5). A contact that involves several cloth vertices cannot be a
 * forbidden direction of one vertex: a needle tip in a triangle, two edges, two layers. It becomes a penalty spring
 * much stiffer than the cloth there. */
#include "solve/constrained.h"

#include <string.h>

/* Stiffness of a contact spring relative to the diagonal of its vertices, which limits its compliance. */
static const double STIFFNESS = 30;

static int is_single(const weft_constraint *k) { return k->weight[0] == 1 && k->weight[1] == 0; }

int weft_constrained_create(weft_constrained *c, const weft_vec3 *b) {
    weft_arena *arena = c->system->work->arena;
    size_t rows = (size_t)c->system->count;
    c->free_b = weft_arena_take(arena, rows * sizeof *c->free_b, "contact in the solve");
    c->free_diagonal = weft_arena_take(arena, 9 * rows * sizeof *c->free_diagonal, "contact in the solve");
    c->joined = weft_arena_take(arena, rows, "contact in the solve");
    c->product = weft_arena_take(arena, rows * sizeof *c->product, "contact in the solve");
    if (!c->product || !c->free_b || !c->free_diagonal || !c->joined)
        return 0;
    memcpy(c->free_b, b, rows * sizeof *b);
    memcpy(c->free_diagonal, c->matrix->diagonal, 9 * rows * sizeof *c->free_diagonal);
    return 1;
}

/* x at the end of the step if dv = 0. */
static weft_vec3 end_without_dv(const weft_constrained *c, int32_t i) {
    return weft_add_scaled(c->X[i], c->h, c->v[i]);
}

static void forbid(const weft_constrained *c, const weft_constraint *k) {
    int32_t i = k->vertex[0];
    weft_vec3 change = weft_scale(1 / c->h, weft_sub(k->end, end_without_dv(c, i)));
    if (k->state == WEFT_STICKS)
        weft_filter_hold(c->filter, i, change);
    else
        weft_filter_forbid(c->filter, i, k->normal, weft_dot(k->normal, change));
}

/* Effective stiffness 1 / sum of w^2 / a, where a is the mean diagonal entry of a movable vertex. */
static double effective_stiffness(const weft_constrained *c, const weft_constraint *k) {
    double sum = 0;
    for (int i = 0; i < 4; i++) {
        const float *d = c->free_diagonal + 9 * (size_t)k->vertex[i];
        if (k->weight[i] != 0 && c->system->inverse_mass[k->vertex[i]] > 0)
            sum += 3 * k->weight[i] * k->weight[i] / (double)(d[0] + d[4] + d[8]);
    }
    return sum > 0 ? 1 / sum : 0;
}

/* Remaining distance to the constraint's end position: before the solve, or after it with the solution dv. */
static weft_vec3 remaining(const weft_constrained *c, const weft_constraint *k, const weft_vec3 *dv) {
    weft_vec3 left = k->end;
    for (int i = 0; i < 4; i++)
        if (k->weight[i] != 0) {
            left = weft_add_scaled(left, -k->weight[i], end_without_dv(c, k->vertex[i]));
            if (dv)
                left = weft_add_scaled(left, -k->weight[i] * c->h, dv[k->vertex[i]]);
        }
    return left;
}

static double expected_slip(const weft_constrained *c, const weft_constraint *k, int first) {
    const weft_system *system = c->system;
    double more = first && system->dt_before > 0 ? c->dt / system->dt_before : 0;
    weft_vec3 way = weft_scale(-1, remaining(c, k, NULL));
    for (int i = 0; i < 4; i++)
        if (k->weight[i] != 0 && more > 0) {
            weft_vec3 gain = weft_sub(system->v[k->vertex[i]], system->v_before[k->vertex[i]]);
            way = weft_add_scaled(way, k->weight[i] * c->h * more, gain);
        }
    return weft_length(weft_add_scaled(way, -weft_dot(way, k->normal), k->normal));
}

void weft_constrained_predict(weft_constrained *c, int first) {
    for (int32_t r = 0; r < c->count; r++) {
        weft_constraint *k = &c->list[r];
        double change = 0, mobility = 0;
        for (int i = 0; i < 4; i++)
            if (k->weight[i] != 0) {
                double by = k->weight[i] * c->system->inverse_mass[k->vertex[i]];
                change += by * weft_dot(k->normal, c->free_b[k->vertex[i]]);
                mobility += by * k->weight[i];
            }
        if (change > 0)
            k->state = WEFT_IS_FREE;
        double slip = k->state == WEFT_SLIDES ? expected_slip(c, k, first) : 0;
        if (slip > 0 && mobility > 0)
            k->slip_stiffness = k->friction * -change / (mobility * c->h * slip);
    }
}

/* Adds the spring force at dv = 0 to the right-hand side. */
static void add_load(const weft_constrained *c, const weft_constraint *k, const weft_term *term, weft_vec3 *b) {
    weft_vec3 pull = weft_term_load(term, remaining(c, k, NULL));
    for (int i = 0; i < 4; i++)
        if (term->weight[i] != 0) {
            b[k->vertex[i]] = weft_add_scaled(b[k->vertex[i]], k->weight[i] / c->h, pull);
            c->joined[k->vertex[i]] = 1;
        }
}

/* A filtered contact needs a term only for friction. Friction is never stiffer than sticking. */
static void set_term(const weft_constrained *c, const weft_constraint *k, int filtered, weft_term *term) {
    *term = (weft_term){.normal = k->normal};
    memcpy(term->vertex, k->vertex, sizeof term->vertex);
    if (k->state == WEFT_IS_FREE || (filtered && k->state == WEFT_STICKS))
        return;
    memcpy(term->weight, k->weight, sizeof term->weight);
    term->stiffness = STIFFNESS * effective_stiffness(c, k);
    term->across = term->stiffness;
    if (k->state == WEFT_SLIDES && k->slip_stiffness * c->h * c->h < term->stiffness)
        term->across = k->slip_stiffness * c->h * c->h;
    if (filtered)
        term->stiffness = term->across;
}

/* The matrix holds masses in float, which is too coarse for the momentum exchanged in contact. The rounding error is
 * applied to the dv of the previous solve and moved to the right-hand side. */
static void correct_mass_rounding(const weft_constrained *c, const weft_vec3 *dv, weft_vec3 *b) {
    static const int PLACE[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
    for (int32_t i = 0; i < c->system->count; i++) {
        const double m = c->system->mass[i], x[3] = {dv[i].x, dv[i].y, dv[i].z};
        const float *excess = c->matrix->excess + 9 * (size_t)i;
        double sum[6] = {m, 0, 0, m, 0, m}, rest[3] = {0, 0, 0};
        for (int k = 0; k < 6 && c->air; k++)
            sum[k] += c->h * c->air[6 * (size_t)i + k];
        for (int r = 0; r < 3; r++)
            for (int k = 0; k < 3; k++)
                rest[r] += (sum[PLACE[r][k]] - 0.5 * ((double)excess[3 * r + k] + (double)excess[3 * k + r])) * x[k];
        b[i] = weft_sub(b[i], weft_vec3_make(rest[0], rest[1], rest[2]));
    }
}

int weft_constrained_apply(weft_constrained *c, const weft_vec3 *dv, weft_vec3 *b) {
    weft_arena *arena = c->system->work->arena;
    size_t rows = (size_t)c->system->count;
    memcpy(b, c->free_b, rows * sizeof *b);
    memcpy(c->matrix->diagonal, c->free_diagonal, 9 * rows * sizeof *c->free_diagonal);
    memset(c->joined, 0, rows);
    if (dv)
        correct_mass_rounding(c, dv, b);
    c->term = weft_arena_take(arena, (size_t)c->count * sizeof *c->term, "contact in the solve");
    c->filtered = weft_arena_take(arena, (size_t)c->count, "contact in the solve");
    if (!c->term || !c->filtered)
        return 0;
    for (int32_t r = 0; r < c->count; r++) {
        const weft_constraint *k = &c->list[r];
        /* one contact per vertex: two nearly equal normals would move it far for a small gap */
        c->filtered[r] = k->state != WEFT_IS_FREE && is_single(k) && c->filter->state[k->vertex[0]] == 0;
        set_term(c, k, c->filtered[r], &c->term[r]);
        if (c->filtered[r])
            forbid(c, k);
        add_load(c, k, &c->term[r], b);
    }
    if (!weft_coupling_create(arena, c->system->count, c->term, c->count, &c->coupling))
        return 0;
    weft_coupling_add_diagonal(&c->coupling, c->matrix);
    c->matrix->coupling = &c->coupling;
    return 1;
}

void weft_constrained_forces(const weft_constrained *c, const weft_vec3 *b, const weft_vec3 *dv, weft_vec3 *x_end,
                             weft_vec3 *force) {
    for (int32_t i = 0; i < c->system->count; i++)
        x_end[i] = weft_add_scaled(end_without_dv(c, i), c->h, dv[i]);
    weft_coupling_load(&c->coupling, c->system->work, dv);
    for (int32_t r = 0; r < c->count; r++) {
        const weft_constraint *k = &c->list[r];
        int32_t i = k->vertex[0];
        force[r] = weft_vec3_make(0, 0, 0);
        if (k->state == WEFT_IS_FREE)
            continue;
        force[r] = weft_scale(1 / (c->h * c->h), weft_term_load(&c->term[r], remaining(c, k, dv)));
        if (!c->filtered[r])
            continue;
        weft_bsr_rows(c->matrix, dv, c->product, i, i + 1);
        weft_coupling_add(&c->coupling, c->product, i, i + 1);
        force[r] = weft_add_scaled(force[r], 1 / c->h, weft_sub(c->product[i], b[i]));
    }
}
