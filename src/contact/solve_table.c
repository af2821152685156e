/* Contacts for the integrator's solve: the table of functions that an implicit step calls. */
#include "contact/solve_table.h"

#include "contact/barrier.h"
#include "core/seconds.h"
#include "weft/vec.h"

typedef struct prediction {
    const weft_system *system;
    double dt;
} prediction;

/* Extrapolates the motion: the change of velocity of the previous step once more, or none at the start. */
static void predict(void *context, int64_t begin, int64_t end) {
    const prediction *p = context;
    const weft_system *s = p->system;
    double more = s->dt_before > 0 ? p->dt / s->dt_before : 0;
    for (int64_t i = begin; i < end; i++) {
        weft_vec3 gain = more > 0 ? weft_sub(s->v[i], s->v_before[i]) : weft_vec3_make(0, 0, 0);
        s->v_next[i] = weft_add_scaled(s->v[i], more, gain);
        s->x_next[i] = s->target[i];
        if (s->inverse_mass[i] > 0)
            s->x_next[i] = weft_add_scaled(s->x[i], p->dt, s->v_next[i]);
    }
}

static int32_t constraints(void *context, const weft_system *system, double dt, weft_constraint **list) {
    weft_contact_solve *c = context;
    double since = weft_seconds();
    prediction p = {system, dt};
    c->state.dt = dt;
    weft_parallel_for(c->work, system->count, WEFT_BLOCK, predict, &p);
    weft_status status = weft_contact_constrain(c->contact, c->settings, c->work, &c->state);
    c->seconds += weft_seconds() - since;
    return status == WEFT_STATUS_OK ? weft_contact_constraints(c->contact, list) : -1;
}

static int32_t reconsider(void *context, double h, const weft_vec3 *x_end, const weft_vec3 *force,
                          weft_constraint **list, int32_t *count) {
    weft_contact_solve *c = context;
    double since = weft_seconds();
    int32_t changed = weft_contact_reconsider(c->contact, c->settings, c->work, &c->state, h, x_end, force);
    *count = weft_contact_constraints(c->contact, list);
    c->seconds += weft_seconds() - since;
    return changed;
}

/* The barrier needs a start without intersections, and the triangles of all shapes. */
static int uses_barrier(const weft_contact_solve *solve) {
    const weft_contact_settings *settings = solve->settings;
    return settings->method == WEFT_CONTACT_BARRIER && settings->mode == WEFT_CONTACT_EXACT && !solve->state.tangled;
}

const weft_contact_solver *weft_contact_solver_begin(weft_contact_solve *solve) {
    solve->seconds = 0;
    solve->declined = solve->minimised = solve->too_far = 0;
    if (!solve->contact)
        return NULL;
    weft_contact_forget(solve->contact);
    solve->solver = (weft_contact_solver){constraints, reconsider, solve, solve->settings->solves, NULL, 0};
    if (uses_barrier(solve)) {
        solve->solver.barrier = &WEFT_BARRIER_SOLVER;
        solve->solver.gives_up = solve->state.gives_up;
        return &solve->solver;
    }
    int constrains = solve->settings->method != WEFT_CONTACT_IMPULSES;
    return constrains && (solve->settings->bodies || solve->settings->layers) ? &solve->solver : NULL;
}
