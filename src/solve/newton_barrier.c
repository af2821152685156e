/* An implicit step with contact as one minimisation (Li et al. 2020, Incremental potential contact): inertia, elastic
 * energy, external work, barrier and friction. Each Newton step is shortened until it is free of contact and does not
 * raise the potential, so no contact is missed and no energy created. */
#include <math.h>

#include "core/memory.h"
#include "solve/coupling.h"
#include "solve/equations.h"
#include "solve/newton.h"
#include "weft/vec.h"

/* Newton's method stops when the root mean square of its corrections is below the first, and none is above the second,
 * m/s. Single vertices where cloth buckles converge slowly and matter little. */
static const double SLOW_MEAN = 0.005, SLOW_MOST = 0.1;
/* Relative residual of the linear solves, measured by its energy: the forces of a few stiff contacts would outweigh all
 * others in a plain norm, and leave the rest of the cloth unsolved. Tighter solves do not save a Newton step. At 0.1 a
 * strip that is pulled slowly over a rod has 1.4 % too much friction (experiment `friction`), and folds of a falling
 * strip depend on details. Where nothing touches, the solve is easy, and two Newton steps are often all: at 0.1 flying
 * cloth would gain a hundredth of the speed of gravity. */
static const double LOOSE = 0.03, LOOSE_IN_FLIGHT = 0.01;
/* Friction acts with new normal forces once corrections are below this multiple of the limits above. Waiting for the
 * limits themselves would cost two or three more Newton steps. */
static const double NEARLY_SLOW = 4;
/* A prediction that raises the potential is tried for one Newton step if its potential is below MOST_RAISED of the old
 * one, and if at most MOST_SQUEEZED of the rise is in contact. Stretched cloth is mended by that step, squeezed contact
 * is not. Pins and bodies that move do work, so there the old potential is no measure, and the prediction is kept. */
static const double MOST_RAISED = 20, MOST_SQUEEZED = 0.04;
/* MOST_IN_CHANGING_AIR: steps before the forces of wind are linearised for good. MOST_WAITING: steps within which pins
 * and bodies must have arrived. MOST_PATIENT: steps after which the time step fails, if it may. Shorter time steps cost
 * less than more of these. */
enum {
    MOST_STEPS = 150,
    MOST_PATIENT = 50,
    MOST_WAITING = 25,
    MOST_IN_CHANGING_AIR = 3,
    MOST_HALVINGS = 24,
    MOST_RENEWALS = 1
};

typedef struct minimisation {
    weft_newton *n;
    const weft_contact_solver *contact;
    weft_vec3 *to; /* end of the search line (count) */
    weft_newton_drag drag;
    const int32_t *part; /* of each vertex: the root of what elements join (count) */
    int is_driven;       /* 1: pins or bodies move in this step */
    double ceiling;      /* potential of the old positions, J, while the start is on trial; otherwise infinite */
    weft_newton_longer longer;
    double dissipation; /* of damping and air along the whole line, beyond what their forces at its start do, J */
} minimisation;

static void place_block(void *context, int64_t begin, int64_t end) {
    const struct {
        const minimisation *m;
        double fraction;
    } *p = context;
    const weft_newton *n = p->m->n;
    for (int64_t i = begin; i < end; i++) {
        n->x[i] = p->fraction == 1 ? p->m->to[i]
                                   : weft_add_scaled(n->x_last[i], p->fraction, weft_sub(p->m->to[i], n->x_last[i]));
        n->v[i] = weft_scale(1 / n->h, weft_sub(n->x[i], n->X[i]));
    }
}

/* Goes to a fraction of the way from x_last to the end of the line. */
static void place(const minimisation *m, double fraction) {
    struct {
        const minimisation *m;
        double fraction;
    } p = {m, fraction};
    weft_parallel_for(m->n->at_end.work, m->n->at_end.count, WEFT_BLOCK, place_block, &p);
}

static double potential(const minimisation *m, double fraction) {
    place(m, fraction);
    return weft_newton_potential(m->n) + m->contact->barrier->energy(m->contact->context, fraction) +
           m->dissipation * fraction * fraction;
}

static int is_held(const weft_newton *n, int32_t i) { return n->at_end.inverse_mass[i] == 0; }

/* Whether pins or bodies still have to move to their places at the end of the step. */
static int prescribed_remain(const minimisation *m) {
    const weft_newton *n = m->n;
    for (int32_t i = 0; i < n->at_end.count; i++)
        if (is_held(n, i) && (n->x[i].x != n->at_end.target[i].x || n->x[i].y != n->at_end.target[i].y ||
                              n->x[i].z != n->at_end.target[i].z))
            return 1;
    return m->contact->barrier->bodies_remain(m->contact->context);
}

static void remember(const minimisation *m) {
    memcpy(m->n->x_last, m->n->x, (size_t)m->n->at_end.count * sizeof *m->n->x);
}

/* Implicit Euler instead of a two-step scheme. Such a scheme would continue the motion before an impact: cloth that is
 * stopped would bounce with half its speed. */
static void restart(weft_newton *n) {
    size_t bytes = (size_t)n->at_end.count * sizeof *n->x;
    memcpy((weft_vec3 *)n->X, n->at_end.x, bytes);
    memcpy((weft_vec3 *)n->V, n->at_end.v, bytes);
    n->h = n->dt;
    n->extrapolates = 0;
}

/* The inertial prediction, as the end of the search line. */
static void predict(const minimisation *m) {
    const weft_newton *n = m->n;
    for (int32_t i = 0; i < n->at_end.count; i++)
        m->to[i] = is_held(n, i) ? n->at_end.target[i] : weft_add_scaled(n->X[i], n->h, n->V[i]);
}

/* Whether velocities or corrections v (count) are below a multiple of the limits. */
static int is_slow(const weft_newton *n, const weft_vec3 *v, double multiple) {
    double sum = 0, most = 0;
    int32_t free = 0;
    for (int32_t i = 0; i < n->at_end.count; i++)
        if (!is_held(n, i)) {
            double square = weft_dot(v[i], v[i]);
            sum += square;
            most = fmax(most, square);
            free++;
        }
    double mean = multiple * SLOW_MEAN, largest = multiple * SLOW_MOST;
    return sum <= mean * mean * free && most <= largest * largest;
}

/* Chooses between the inertial prediction, at `fraction` of the search line, and the old positions, at 0. The
 * prediction is on trial if it raises the potential in a way that a Newton step may mend. */
static double judge_prediction(minimisation *m, double fraction) {
    const weft_barrier_solver *barrier = m->contact->barrier;
    double before = potential(m, 0), after = potential(m, fraction);
    m->ceiling = INFINITY;
    if (after <= before)
        return fraction;
    if (after > MOST_RAISED * before || is_slow(m->n, m->n->v, NEARLY_SLOW)) /* at rest the prediction is only noise */
        return 0;
    if (m->is_driven)
        return fraction;
    double squeezed = barrier->energy(m->contact->context, fraction) - barrier->energy(m->contact->context, 0);
    if (squeezed > MOST_SQUEEZED * (after - before))
        return 0;
    m->ceiling = before;
    return fraction;
}

/* Starts from the inertial prediction, in which what would be hit gives way, if that does not raise the potential,
 * otherwise from the old positions. Always the old positions would make cloth stick on slopes, always the prediction
 * would create energy at rest. */
static weft_status choose_start(minimisation *m) {
    weft_newton *n = m->n;
    const weft_barrier_solver *barrier = m->contact->barrier;
    size_t bytes = (size_t)n->at_end.count * sizeof *n->x;
    double fraction = 1;
    predict(m);
    memcpy(n->x, m->to, bytes);
    weft_status status = barrier->begin(m->contact->context, n->dt);
    memcpy(n->x, n->at_end.x, bytes);
    remember(m);
    m->is_driven = prescribed_remain(m);
    if (status == WEFT_STATUS_OK)
        status = barrier->aim(m->contact->context, m->to, !n->extrapolates, &fraction);
    if (status == WEFT_STATUS_OK && fraction < 1 && n->extrapolates) {
        restart(n);
        predict(m);
        status = barrier->aim(m->contact->context, m->to, 1, &fraction);
    }
    if (status != WEFT_STATUS_OK)
        return status;
    place(m, 0);
    weft_newton_drag_begin(n, &m->drag);
    weft_newton_drag_force(n, &m->drag, n->v, n->external);
    fraction = judge_prediction(m, fraction);
    place(m, fraction);
    barrier->accept(m->contact->context, fraction);
    return status;
}

/* Goes back to the old positions, because the first Newton step has not brought the prediction below their potential.
 */
static weft_status start_from_old_positions(minimisation *m) {
    weft_newton *n = m->n;
    const weft_barrier_solver *barrier = m->contact->barrier;
    size_t bytes = (size_t)n->at_end.count * sizeof *n->x;
    double fraction;
    m->ceiling = INFINITY;
    m->longer.gone = 0;
    memcpy(n->x, n->at_end.x, bytes);
    memcpy(m->to, n->at_end.x, bytes);
    remember(m);
    weft_status status = barrier->begin(m->contact->context, n->dt);
    if (status == WEFT_STATUS_OK)
        status = barrier->aim(m->contact->context, m->to, 0, &fraction);
    if (status != WEFT_STATUS_OK)
        return status;
    place(m, 0);
    barrier->accept(m->contact->context, 0);
    return status;
}

/* Adds the contacts to the assembled system. Returns 0 when memory is out. */
static int add_touches(const minimisation *m, const weft_touch *touch, int32_t count, weft_coupling *coupling) {
    const weft_newton *n = m->n;
    weft_term *term = weft_arena_take(n->at_end.work->arena, ((size_t)count + 1) * sizeof *term, "contact");
    if (!term)
        return 0;
    double square = n->h * n->h;
    for (int32_t k = 0; k < count; k++) {
        const weft_touch *t = &touch[k];
        term[k] = (weft_term){.normal = t->normal, .stiffness = square * t->stiffness, .across = square * t->across};
        memcpy(term[k].vertex, t->vertex, sizeof t->vertex);
        memcpy(term[k].weight, t->weight, sizeof t->weight);
        term[k].slide = t->slide;
        weft_vec3 force = weft_sub(t->force, weft_scale(1 / square, weft_term_load(&term[k], t->carried)));
        for (int i = 0; i < 4; i++)
            n->b[t->vertex[i]] =
                weft_add_scaled(weft_add_scaled(n->b[t->vertex[i]], n->h * t->weight[i], force), n->h, t->fading[i]);
    }
    if (!weft_coupling_create(n->at_end.work->arena, n->at_end.count, term, count, coupling))
        return 0;
    weft_coupling_add_diagonal(coupling, n->self->matrix);
    n->self->matrix->coupling = coupling;
    return 1;
}

/* All forces at the iterate. At the start of the search line dissipative forces count as external ones. */
static void find_forces(const minimisation *m) {
    const weft_newton *n = m->n;
    memset(n->dv, 0, (size_t)n->at_end.count * sizeof *n->dv);
    weft_newton_drag_force(n, &m->drag, n->v, n->external);
    memcpy(n->f, n->external, (size_t)n->at_end.count * sizeof *n->f);
    weft_system_internal_force(&n->at_end, n->x, n->dv, n->f);
}

/* Along the search line dissipative forces change in proportion to the velocity. */
static void measure_dissipation(minimisation *m) {
    const weft_newton *n = m->n;
    m->dissipation = 0;
    for (int32_t i = 0; i < n->at_end.count; i++)
        n->u[i] = weft_add(n->v[i], n->dv[i]);
    weft_newton_drag_force(n, &m->drag, n->u, n->b);
    for (int32_t i = 0; i < n->at_end.count; i++)
        if (!is_held(n, i))
            m->dissipation -= 0.5 * n->h * weft_dot(weft_sub(n->b[i], n->external[i]), n->dv[i]);
}

/* How far Newton's method has come. */
typedef enum weft_progress { STILL_FAST, NEARLY_THERE, THERE } weft_progress;

/* Solves for the end of the search line. */
static weft_status find_direction(minimisation *m, const weft_implicit_settings *settings, weft_solve *report,
                                  weft_progress *progress) {
    weft_newton *n = m->n;
    const weft_touch *list;
    int32_t count;
    weft_coupling coupling;
    weft_status status = m->contact->barrier->touches(m->contact->context, &list, &count);
    if (status != WEFT_STATUS_OK)
        return status;
    find_forces(m);
    n->first = 0;
    weft_newton_assemble(n, report);
    if (!add_touches(m, list, count, &coupling))
        return WEFT_STATUS_NO_MEMORY;
    weft_implicit_settings loose = *settings;
    n->energy_tolerance = fmax(settings->tolerance, count > 0 ? LOOSE : LOOSE_IN_FLIGHT);
    loose.tolerance = 0; /* only the energy counts */
    weft_pcg_report pcg = weft_newton_solve_assembled(n, &loose, report);
    n->self->matrix->coupling = NULL;
    if (pcg.status == WEFT_PCG_NO_MEMORY)
        return WEFT_STATUS_NO_MEMORY;
    if (pcg.status == WEFT_PCG_NOT_FINITE || pcg.status == WEFT_PCG_NOT_POSITIVE)
        return WEFT_STATUS_DIVERGED;
    if (!weft_newton_keep_momentum(n, m->part, list, count))
        return WEFT_STATUS_NO_MEMORY;
    status = m->contact->barrier->solved(m->contact->context, list, n->dv, n->h);
    *progress = is_slow(n, n->dv, 1) ? THERE : is_slow(n, n->dv, NEARLY_SLOW) ? NEARLY_THERE : STILL_FAST;
    weft_newton_lengthen(n, &m->longer);
    measure_dissipation(m);
    for (int32_t i = 0; i < n->at_end.count; i++)
        m->to[i] = is_held(n, i) ? n->at_end.target[i] : weft_add_scaled(n->x[i], n->h, n->dv[i]);
    return status;
}

/* The fraction at which the parabola through the potentials at 0, `fraction` and twice that is least. */
static double least_of_parabola(double fraction, double before, double after, double beyond) {
    double bend = before - 2 * after + beyond, slope = 4 * after - 3 * before - beyond;
    return bend > 0 ? fraction * fmin(fmax(-slope / (2 * bend), 0.1), 1.9) : fraction;
}

/* The best of a lengthened correction, of the correction itself and of the least of the parabola through both; 0 when
 * the lengthened one is no better than the correction itself, which then is the first that search() tries. */
static double search_beyond(const minimisation *m, double before, double fraction) {
    double once = 1 / m->longer.scale, at_once = potential(m, once), at_end = potential(m, fraction);
    if (at_end <= fmin(at_once, before))
        return fraction;
    double slope = (at_once - before) / once;
    double bend = ((at_end - before) / fraction - slope) / (fraction - once);
    double least = bend > 0 ? fmin(0.5 * (once - slope / bend), 0.9 * fraction) : once;
    return least > 1.1 * once && potential(m, least) < fmin(at_once, before) ? least : 0;
}

/* The longest of the fractions `fraction`, a half, a quarter of it and so on that does not raise the potential; 0 when
 * there is none. A shortened one is improved by a parabola: where the linearisation is too soft, halving would
 * overshoot again and again. */
static double search(const minimisation *m, double fraction) {
    double before = potential(m, 0), beyond = 0;
    if (fraction * m->longer.scale > 1) {
        double longer = search_beyond(m, before, fraction);
        if (longer > 0)
            return longer;
        fraction = 1 / m->longer.scale;
    }
    for (int i = 0; i < MOST_HALVINGS; i++, fraction /= 2) {
        double after = potential(m, fraction);
        if (after <= before + 1e-12 * fabs(before)) {
            double better = i > 0 ? least_of_parabola(fraction, before, after, beyond) : fraction;
            return better != fraction && potential(m, better) < after ? better : fraction;
        }
        beyond = after;
    }
    return 0;
}

/* Nothing gives way here, even while pins and bodies have not arrived. Impulses ask no energy: in a stack they push
 * other pairs through each other, and one that closes by a factor of five in each update ends the step. */
static weft_status go(minimisation *m, int remain, double *fraction) {
    const weft_barrier_solver *barrier = m->contact->barrier;
    remember(m);
    weft_status status = barrier->aim(m->contact->context, m->to, 0, fraction);
    if (status != WEFT_STATUS_OK)
        return status;
    if (!remain) /* pins and bodies may raise the potential */
        *fraction = search(m, *fraction);
    if (m->ceiling < INFINITY && potential(m, *fraction) > m->ceiling)
        return start_from_old_positions(m);
    m->ceiling = INFINITY;
    m->longer.gone = remain ? 0 : *fraction * m->longer.scale; /* lengthening needs the potential as a judge */
    place(m, *fraction);
    barrier->accept(m->contact->context, *fraction);
    return status;
}

/* How many Newton steps a step may take: fewer where it may fail, because shorter time steps cost less. */
static int is_tired(const minimisation *m, int k, int remain) {
    return (remain && k == MOST_WAITING) || (k == MOST_PATIENT && m->contact->gives_up);
}

static weft_status fail(weft_solve *report, weft_trouble trouble) {
    report->trouble = trouble;
    return WEFT_STATUS_DIVERGED;
}

/* Iterates to the end of the step. */
static weft_status iterate(minimisation *m, const weft_implicit_settings *settings, weft_solve *report) {
    weft_arena *arena = m->n->at_end.work->arena;
    weft_arena_mark mark = weft_arena_here(arena);
    weft_status status = choose_start(m);
    int remain = 1, renewals = 0;
    weft_progress progress = STILL_FAST;
    m->longer.gone = 0;
    for (int k = 0; k < MOST_STEPS && status == WEFT_STATUS_OK; k++) {
        double fraction = 0;
        weft_arena_release(arena, mark);
        remain = prescribed_remain(m);
        if (is_tired(m, k, remain))
            return fail(report, remain ? WEFT_TROUBLE_WAITING : WEFT_TROUBLE_UPDATES);
        if (k == MOST_IN_CHANGING_AIR)
            weft_newton_drag_freeze(m->n, &m->drag);
        status = find_direction(m, settings, report, &progress);
        if (status == WEFT_STATUS_OK)
            status = go(m, remain, &fraction);
        int arrived = progress == THERE || fraction == 0;
        if (status == WEFT_STATUS_OK && !remain && k > 0 && (arrived || progress == NEARLY_THERE)) {
            int renewed = 0;
            if (renewals++ < MOST_RENEWALS)
                status = m->contact->barrier->renew_friction(m->contact->context, &renewed);
            if (arrived && !renewed)
                break;
        }
        report->newton_not_converged += k == MOST_STEPS - 1;
    }
    if (status == WEFT_STATUS_OK && remain)
        return fail(report, WEFT_TROUBLE_WAITING);
    return status == WEFT_STATUS_OK ? m->contact->barrier->end(m->contact->context) : status;
}

/* Whether the step must be made again, because it created energy. */
static int gains_energy(const minimisation *m) {
    return !m->is_driven && weft_newton_gains_energy(m->n, m->contact->barrier->stored(m->contact->context));
}

weft_status weft_newton_minimise(weft_newton *n, const weft_implicit_settings *settings, weft_solve *report) {
    weft_arena *arena = n->at_end.work->arena;
    minimisation m = {.n = n,
                      .contact = n->at_end.contact,
                      .to = weft_arena_take(arena, (size_t)n->at_end.count * sizeof *m.to, "a search line"),
                      .longer.last = weft_arena_take(arena, (size_t)n->at_end.count * sizeof *m.to, "corrections"),
                      .part = weft_newton_parts(n)};
    if (!m.to || !m.longer.last || !m.part || !weft_newton_drag_create(n, &m.drag))
        return WEFT_STATUS_NO_MEMORY;
    weft_status status = iterate(&m, settings, report);
    if (status == WEFT_STATUS_OK && n->extrapolates && gains_energy(&m)) {
        restart(n);
        status = iterate(&m, settings, report);
    }
    return status == WEFT_STATUS_OK && m.contact->gives_up && gains_energy(&m) ? fail(report, WEFT_TROUBLE_ENERGY)
                                                                               : status;
}
