/* Newton's method with a line search for an implicit step (Baraff and Witkin 1998; Choi and Ko 2002). A single
 * iteration is the semi-implicit step of both papers. The line search minimises the incremental potential by
 * backtracking: J. Nocedal, S. Wright, Numerical Optimization, 2nd ed., 2006, chapter 3. */
#include <math.h>

#include "core/memory.h"
#include "solve/newton.h"
#include "weft/vec.h"

/* Whether the solve fixes the motion of a vertex, so that the line search does not shorten it: held or in contact. */
static int is_prescribed(const weft_newton *n, int64_t i) {
    return n->at_end.inverse_mass[i] == 0 || n->self->filter->state[i] > 0 || (n->joined && n->joined[i]);
}

/* Squared residual of the equations of motion at the iterate, weighted by mass. Prescribed vertices have none. */
static double residual_of_block(void *context, int64_t begin, int64_t end) {
    const weft_newton *n = context;
    double sum = 0;
    for (int64_t i = begin; i < end; i++) {
        double w = n->at_end.inverse_mass[i];
        weft_vec3 r = weft_add_scaled(weft_sub(n->V[i], n->v[i]), n->h * w, n->f[i]);
        sum += w > 0 && !is_prescribed(n, i) ? n->at_end.mass[i] * weft_dot(r, r) : 0;
    }
    return sum;
}

static double residual_norm(const weft_newton *n) {
    return sqrt(weft_parallel_sum(n->at_end.work, n->at_end.count, WEFT_BLOCK, residual_of_block, (void *)n));
}

static void copy_external_block(void *context, int64_t begin, int64_t end) {
    const weft_newton *n = context;
    memcpy(n->f + begin, n->external + begin, (size_t)(end - begin) * sizeof *n->f);
}

/* Evaluates the forces at the iterate and returns the norm of the residual. The external forces are kept for the line
 * search from this iterate. */
static double residual(const weft_newton *n) {
    if (n->frozen)
        weft_newton_frozen_force(n, n->frozen, n->v, n->external);
    else
        weft_system_external_force(&n->at_end, n->x, n->v, n->external);
    weft_parallel_for(n->at_end.work, n->at_end.count, WEFT_BLOCK, copy_external_block, (void *)n);
    weft_system_internal_force(&n->at_end, n->x, n->v, n->f);
    return residual_norm(n);
}

/* The same within a line search, which keeps the external forces of its start. */
static double residual_on_line(const weft_newton *n) {
    if (n->frozen) {
        weft_newton_frozen_force(n, n->frozen, n->v, n->f);
        weft_system_internal_force(&n->at_end, n->x, n->v, n->f);
    } else {
        weft_system_force(&n->at_end, n->x, n->v, n->f);
    }
    return residual_norm(n);
}

/* A point on the line from the last iterate (fraction 0) to the solution (1). Prescribed vertices are always at its
 * end. */
typedef struct search_point {
    const weft_newton *n;
    double fraction;
} search_point;

/* n->dv holds the velocity at the end of the line; at its start the velocity is (x_last - X) / h. */
static void move_to_block(void *context, int64_t begin, int64_t end) {
    const search_point *p = context;
    const weft_newton *n = p->n;
    for (int64_t i = begin; i < end; i++) {
        weft_vec3 v = n->dv[i];
        if (p->fraction < 1 && !is_prescribed(n, i)) {
            weft_vec3 first = weft_scale(1 / n->h, weft_sub(n->x_last[i], n->X[i]));
            v = weft_add_scaled(first, p->fraction, weft_sub(v, first));
        }
        n->v[i] = v;
        n->x[i] = weft_add_scaled(n->X[i], n->h, v);
    }
}

static void move_to(const weft_newton *n, double fraction) {
    search_point p = {n, fraction};
    weft_parallel_for(n->at_end.work, n->at_end.count, WEFT_BLOCK, move_to_block, &p);
}

/* External forces that are linear in the velocity have a potential within the step. */
static double drag_potential(const weft_newton *n, int64_t i) {
    const weft_newton_drag *drag = n->frozen;
    weft_vec3 v = weft_scale(1 / n->h, weft_sub(n->x[i], n->X[i])), faster = weft_sub(v, drag->v[i]);
    return 0.5 * n->h * weft_dot(faster, weft_newton_times(drag->damping + 6 * i, faster)) -
           weft_dot(drag->force[i], weft_sub(n->x[i], n->at_end.x[i]));
}

static double inertia_block(void *context, int64_t begin, int64_t end) {
    const weft_newton *n = context;
    double sum = 0;
    for (int64_t i = begin; i < end; i++) {
        if (n->at_end.inverse_mass[i] == 0)
            continue;
        weft_vec3 ahead = weft_sub(n->x[i], weft_add_scaled(n->X[i], n->h, n->V[i]));
        sum += n->at_end.mass[i] / (2 * n->h * n->h) * weft_dot(ahead, ahead);
        if (n->frozen)
            sum += drag_potential(n, i);
        else
            sum -= weft_dot(n->external[i], weft_sub(n->x[i], n->at_end.x[i]));
    }
    return sum;
}

/* The function that an implicit step minimises, without damping: elastic energy, work against external forces, inertia.
 */
double weft_newton_potential(const weft_newton *n) {
    return weft_system_energy(&n->at_end, n->x) +
           weft_parallel_sum(n->at_end.work, n->at_end.count, WEFT_BLOCK, inertia_block, (void *)n);
}

/* Whether the full update, just made, reduces the residual. */
static int residual_falls(const weft_newton *n) {
    double after = residual_on_line(n);
    move_to(n, 0);
    double before = residual_on_line(n);
    move_to(n, 1);
    return after <= before;
}

/* A full update may overshoot where springs start or stop acting, more so in longer steps. It is halved until the
 * potential does not grow. The potential lacks damping, so a full update that reduces the residual is accepted too. If
 * no fraction succeeds, the one with the least potential is taken. The external forces n->external must be those of
 * the last iterate. Returns the fraction, and in `fall` by how much the potential fell on the whole line, J. */
static double line_search(const weft_newton *n, const weft_implicit_settings *settings, double *fall) {
    enum { HALVINGS = 30 };
    if (!settings->line_search) {
        move_to(n, 1);
        return 1;
    }
    move_to(n, 0);
    double before = weft_newton_potential(n), least = INFINITY, best = 1, fraction = 1;
    for (int i = 0; i < HALVINGS; i++, fraction /= 2) {
        move_to(n, fraction);
        double after = weft_newton_potential(n);
        if (i == 0)
            *fall = before - after;
        if (after <= before + 1e-12 * fabs(before) || (i == 0 && residual_falls(n)))
            return fraction;
        if (after < least) {
            least = after;
            best = fraction;
        }
    }
    move_to(n, best);
    return best;
}

/* dv becomes the velocity at the end of the search line. */
static void set_search_end_block(void *context, int64_t begin, int64_t end) {
    const weft_newton *n = context;
    for (int64_t i = begin; i < end; i++) {
        n->dv[i] = weft_add(n->v[i], n->dv[i]);
        n->x_last[i] = n->x[i];
    }
}

/* The potential with all vertices at the start of the step. At fraction 0 of a search prescribed ones have moved
 * already. */
static double potential_at_step_start(weft_newton *n) {
    weft_vec3 *end = n->x;
    n->x = (weft_vec3 *)n->at_end.x;
    double began = weft_newton_potential(n);
    n->x = end;
    return began;
}

/* Increase of the potential since the start of the step. An impact rotates the adjacent cloth by large angles, which
 * costs nothing in the linearised forces. Where flat cloth at speed v is stopped, edges of length l grow to
 * sqrt(l^2 + (h v)^2). */
static double energy_gain(weft_newton *n, const weft_implicit_settings *settings) {
    return n->constraint_count > 0 && settings->line_search ? weft_newton_potential(n) - potential_at_step_start(n) : 0;
}

/* Whether the energy that is left decides when to stop. Contact constraints add forces that have no potential. */
static int stops_by_energy(const weft_newton *n, const weft_implicit_settings *settings) {
    return settings->newton > 1 && settings->newton_tolerance == 0 && settings->line_search && !n->constraint;
}

/* Wind may push to the other side of a triangle with each update, so that Newton's method would not end. It is
 * linearised about the start of the step, as with a single update. Returns 0 when memory is out. */
static int freeze_wind(weft_newton *n, weft_newton_drag *drag) {
    if (!weft_system_has_wind(n->at_end.equations))
        return 1;
    if (!weft_newton_drag_create(n, drag))
        return 0;
    weft_newton_drag_freeze(n, drag);
    n->frozen = drag;
    return 1;
}

/* Extra iterations in contact, at most: a local impact must not make the whole step expensive. */
enum { MOST_EXTRA_IN_CONTACT = 4 };

/* Extra iterations follow if the line search shortened the last update. The velocity is that of the update, so each
 * such step would slow the cloth down. Cloth much stiffer in shear than in stretch would hardly fall. They also follow
 * if contact raised the energy, as long as they at least halve the gain: moving bodies and pins may add energy rightly.
 */
weft_status weft_newton_iterate(weft_newton *n, const weft_implicit_settings *settings, weft_solve *report) {
    weft_arena *arena = n->at_end.work->arena;
    weft_newton_drag drag;
    int by_energy = stops_by_energy(n, settings);
    if (by_energy && !freeze_wind(n, &drag))
        return WEFT_STATUS_NO_MEMORY;
    weft_arena_mark mark = weft_arena_here(arena);
    double first_residual = residual(n), gain = 0;
    int32_t iterations = settings->newton, extra = settings->finish, unfinished = 0, was_shortened = 0;
    if (n->constraint && extra > MOST_EXTRA_IN_CONTACT)
        extra = MOST_EXTRA_IN_CONTACT;
    for (int32_t k = 0; k < iterations || (unfinished && k < iterations + extra); k++) {
        n->first = k == 0;
        weft_arena_release(arena, mark);
        weft_pcg_report pcg = weft_newton_solve(n, settings, report);
        if (pcg.status == WEFT_PCG_NO_MEMORY || weft_arena_failure(arena))
            return WEFT_STATUS_NO_MEMORY;
        if (pcg.status == WEFT_PCG_NOT_FINITE || pcg.status == WEFT_PCG_NOT_POSITIVE)
            return WEFT_STATUS_DIVERGED;

        weft_parallel_for(n->at_end.work, n->at_end.count, WEFT_BLOCK, set_search_end_block, n);
        double fall = 0;
        weft_newton_stop stop = by_energy ? weft_newton_stop_begin(n, k == 0) : (weft_newton_stop){0};
        double fraction = line_search(n, settings, &fall), gain_before = gain;
        gain = energy_gain(n, settings);
        unfinished = fraction < 1 || (gain > 0 && (k == 0 || gain < gain_before / 2));

        if (by_energy && !unfinished && weft_newton_is_done(&stop, fall, was_shortened))
            return WEFT_STATUS_OK;
        was_shortened |= fraction < 1;
        /* residual() also evaluates the forces for the next linearisation */
        double left = iterations > 1 || unfinished ? residual(n) : 0;
        if (iterations > 1 && left <= settings->newton_tolerance * first_residual)
            return WEFT_STATUS_OK;
    }
    report->newton_not_converged += iterations > 1 && settings->newton_tolerance > 0;
    return WEFT_STATUS_OK;
}
