/* Contacts as constraints of the implicit solve (Choi and Ko 2002, section 5.2; Baraff and Witkin 1998, section 5).
 * Finds the contacts at the start of a step. After each solve, a contact is released if its force would pull, and
 * slides if its force exceeds friction. New contacts are added. */
#include "contact/internal.h"
#include "core/seconds.h"

/* Largest slip in a step of a contact that counts as sticking, in thicknesses. */
static const double STICK_SLIP = 1e-3;
/* Relative change of friction that justifies another solve, once per step. */
static const double FRICTION_CHANGE = 0.1;
/* Penetration at which a released contact becomes active again, in thicknesses. */
static const double REACTIVATION_DEPTH = 0.05;
/* How often a constraint may change between sticking and sliding in a step. */
enum { MAX_FLIPS = 2 };

static int reserve(weft_contact *contact) {
    if (contact->constraint_count < contact->constraint_capacity)
        return 1;
    int32_t wanted = contact->constraint_capacity > 0 ? 2 * contact->constraint_capacity : 256;
    weft_constraint *constraint = realloc(contact->constraint, (size_t)wanted * sizeof *constraint);
    if (constraint)
        contact->constraint = constraint;
    contact_constraint *data = realloc(contact->constraint_data, (size_t)wanted * sizeof *data);
    if (data)
        contact->constraint_data = data;
    if (!constraint || !data)
        return 0;
    contact->constraint_capacity = wanted;
    return 1;
}

static weft_vec3 point_of(const weft_constraint *c, const weft_vec3 *x) {
    weft_vec3 sum = {0, 0, 0};
    for (int i = 0; i < 4; i++)
        if (c->weight[i] != 0)
            sum = weft_add_scaled(sum, c->weight[i], x[c->vertex[i]]);
    return sum;
}

static weft_vec3 tangential(weft_vec3 a, weft_vec3 n) { return weft_add_scaled(a, -weft_dot(a, n), n); }

/* The state of a contact before the first solve, from its position at x_end. */
static void set_initial_state(const contact_step *step, weft_constraint *c, const weft_vec3 *x_end) {
    weft_vec3 offset = weft_sub(point_of(c, x_end), c->end);
    double slip = weft_length(tangential(offset, c->normal));
    c->state = slip < STICK_SLIP * step->settings->thickness ? WEFT_STICKS : WEFT_SLIDES;
    if (weft_dot(offset, c->normal) > step->margin)
        c->state = WEFT_IS_FREE;
}

static int add(contact_step *step, const weft_constraint *c, const contact_constraint *data) {
    weft_contact *contact = step->contact;
    if (!reserve(contact))
        return 0;
    contact->constraint[contact->constraint_count] = *c;
    contact->constraint_data[contact->constraint_count] = *data;
    contact->constraint_count++;
    return 1;
}

/* Adds the gap of a pair as a constraint on its cloth vertices. */
static int add_pair(contact_step *step, contact_row *row) {
    const weft_contact *contact = step->contact;
    weft_constraint c = {.normal = row->normal, .friction = row->friction};
    contact_constraint data = {0};
    double gap = 0;
    int used = 0;
    for (int i = 0; i < 4; i++) {
        int32_t v = row->vertex[i];
        if (row->weight[i] == 0)
            continue;
        gap += row->weight[i] * weft_dot(row->normal, contact->x[v]);
        if (v < contact->cloth_vertices) {
            c.vertex[used] = v;
            c.weight[used++] = row->weight[i];
            c.end = weft_add_scaled(c.end, row->weight[i], contact->x[v]);
        } else {
            data.body_displacement =
                weft_add_scaled(data.body_displacement, -row->weight[i], weft_sub(contact->x_next[v], contact->x[v]));
        }
    }
    c.end = weft_add_scaled(weft_add(c.end, data.body_displacement), row->target - gap, row->normal);
    if (used == 1 && c.weight[0] < 0) { /* the normal must point away from the body, towards the cloth */
        c.weight[0] = -c.weight[0];
        c.end = weft_scale(-1, c.end);
        c.normal = weft_scale(-1, c.normal);
        data.body_displacement = weft_scale(-1, data.body_displacement);
    }
    set_initial_state(step, &c, contact->x_next);
    row->constraint = contact->constraint_count + 1;
    return add(step, &c, &data);
}

static weft_status add_pairs(contact_step *step) {
    const weft_contact *contact = step->contact;
    for (int32_t b = 0; b < contact->task_count; b++) {
        int body = contact->object[contact->task[b].b].body != NULL;
        if (body ? !step->settings->bodies : !step->settings->layers)
            continue;
        for (int32_t i = 0; i < contact->task[b].bin->row_count; i++)
            if (!add_pair(step, &contact->task[b].bin->row[i]))
                return WEFT_STATUS_NO_MEMORY;
    }
    return WEFT_STATUS_OK;
}

/* The constraint of a vertex with a shape, or WEFT_NONE. */
static int32_t find_constraint(const weft_contact *contact, int32_t vertex, int32_t object) {
    int32_t k = contact->first_constraint[vertex];
    while (k != WEFT_NONE && contact->constraint_data[k].object != object)
        k = contact->constraint_data[k].next;
    return k;
}

int contact_is_constrained(const weft_contact *contact, const contact_row *row) {
    if (contact->constraint_count == 0)
        return 0;
    int32_t k = row->shape > 0 ? find_constraint(contact, row->vertex[0], row->shape) : row->constraint - 1;
    return k >= 0 && contact->constraint[k].state != WEFT_IS_FREE;
}

/* Constrains vertex row->vertex[0] to the exact shape of a body, from a row of contact_probe_shapes. Returns 1, -1 when
 * the constraint exists already, or 0 when out of memory. */
static int add_shape(contact_step *step, int32_t object, const contact_row *row) {
    weft_contact *contact = step->contact;
    int32_t v = row->vertex[0];
    if (find_constraint(contact, v, object) != WEFT_NONE)
        return -1;
    weft_constraint c = {
        .vertex = {v, 0, 0, 0}, .weight = {1, 0, 0, 0}, .normal = row->normal, .friction = row->friction};
    contact_constraint data = {
        .body_displacement = row->body_displacement, .object = object, .next = contact->first_constraint[v]};
    /* The target: move with the body without slipping, then outward to the required distance. */
    weft_vec3 at = weft_add(contact->x[v], row->body_displacement);
    c.end = weft_add_scaled(at, row->target - row->bias - weft_dot(row->normal, at), row->normal);
    set_initial_state(step, &c, contact->x_next);
    if (!add(step, &c, &data))
        return 0;
    contact->first_constraint[v] = contact->constraint_count - 1;
    return 1;
}

/* Adds vertices that would end the step too close to a shape, at contact->x_next. Returns the number of new
 * constraints, or -1 when out of memory. */
static int32_t add_shapes(contact_step *step) {
    weft_contact *contact = step->contact;
    int32_t bodies = contact->object_count - contact->cloth_count, before = contact->constraint_count;
    if (contact_probe_shapes(step) != WEFT_STATUS_OK)
        return -1;
    int32_t blocks = bodies > 0 ? contact->shape_bin_count / bodies : 0; /* blocks of vertices per body */
    for (int32_t b = 0; blocks > 0 && b < contact->shape_bin_count; b++)
        for (int32_t i = 0; i < contact->shape_bin[b].row_count; i++)
            if (add_shape(step, contact->cloth_count + b / blocks, &contact->shape_bin[b].row[i]) == 0)
                return -1;
    return contact->constraint_count - before;
}

weft_status weft_contact_constrain(weft_contact *contact, const weft_contact_settings *settings, const weft_work *work,
                                   const weft_contact_state *state) {
    contact_step step = contact_step_of(contact, settings, work, state, NULL);
    contact->constraint_count = 0;
    contact->prepared = 0;
    contact->solve_round = 0;
    weft_status status = reserve(contact) ? contact_take_state(&step, state) : WEFT_STATUS_NO_MEMORY;
    for (int32_t i = 0; i < contact->cloth_vertices; i++)
        contact->first_constraint[i] = WEFT_NONE;
    if (status == WEFT_STATUS_OK && settings->bodies && add_shapes(&step) < 0)
        status = WEFT_STATUS_NO_MEMORY;
    double since = weft_seconds();
    if (status == WEFT_STATUS_OK)
        status = pair_cache_update_start(&step);
    if (status == WEFT_STATUS_OK)
        status = contact_find_rows(&step);
    contact->prepare_seconds = weft_seconds() - since;
    if (status == WEFT_STATUS_OK)
        status = add_pairs(&step);
    contact->prepared = status == WEFT_STATUS_OK;
    return status;
}

int32_t weft_contact_constraints(const weft_contact *contact, weft_constraint **list) {
    *list = contact->constraint;
    return contact->constraint_count;
}

weft_vec3 weft_contact_carried(const weft_contact *contact, int32_t constraint) {
    return contact->constraint_data[constraint].body_displacement;
}

void weft_contact_forget(weft_contact *contact) {
    contact->prepared = 0;
    contact->constraint_count = 0;
}

/* Coulomb friction as a force proportional to slip, so that it never drives the motion. The coefficient makes the force
 * reach its limit at the slip of the last solve. */
static int update_sliding(const contact_step *step, weft_constraint *c, contact_constraint *data, double limit,
                          double slip) {
    if (slip < STICK_SLIP * step->settings->thickness && data->flips < MAX_FLIPS) {
        c->state = WEFT_STICKS;
        data->flips++;
        return step->contact->solve_round == 0;
    }
    double force = c->slip_stiffness * slip;
    c->slip_stiffness = limit / fmax(slip, 1e-3 * STICK_SLIP * step->settings->thickness);
    return step->contact->solve_round == 0 && fabs(limit - force) > FRICTION_CHANGE * limit;
}

/* Starts sliding. The slip is estimated as what the force beyond the limit does to the effective mass. */
static int start_sliding(const contact_step *step, weft_constraint *c, contact_constraint *data, double limit,
                         double tangential_force) {
    if (tangential_force <= limit || data->flips >= MAX_FLIPS)
        return 0;
    c->state = WEFT_SLIDES;
    c->slip_stiffness =
        limit * contact_row_mass(step->contact, c->vertex, c->weight) / ((tangential_force - limit) * step->response);
    data->flips++;
    return step->contact->solve_round == 0;
}

/* Activates a free contact that is penetrated nevertheless. */
static int reactivate(const contact_step *step, weft_constraint *c, const contact_constraint *data, double gap) {
    if (gap > -(data->released ? REACTIVATION_DEPTH * step->settings->thickness : step->margin))
        return 0;
    c->state = WEFT_SLIDES;
    c->slip_stiffness = 0;
    return 1;
}

/* Updates the state of one contact. Returns whether the change requires another solve. */
static int update_constraint(const contact_step *step, weft_constraint *c, contact_constraint *data,
                             const weft_vec3 *x_end, weft_vec3 force) {
    weft_vec3 offset = weft_sub(point_of(c, x_end), c->end);
    double normal_force = weft_dot(force, c->normal), limit = c->friction * normal_force;
    if (c->state == WEFT_IS_FREE)
        return reactivate(step, c, data, weft_dot(offset, c->normal));
    if (normal_force < 0) {
        c->state = WEFT_IS_FREE;
        data->released = 1;
        return 1;
    }
    if (c->state == WEFT_STICKS)
        return start_sliding(step, c, data, limit, weft_length(tangential(force, c->normal)));
    return update_sliding(step, c, data, limit, weft_length(tangential(offset, c->normal)));
}

int32_t weft_contact_reconsider(weft_contact *contact, const weft_contact_settings *settings, const weft_work *work,
                                const weft_contact_state *state, double h, const weft_vec3 *x_end,
                                const weft_vec3 *force) {
    contact_step step = contact_step_of(contact, settings, work, state, NULL);
    step.response = h * h;
    int32_t changed = 0;
    memcpy(contact->x_next, x_end, (size_t)contact->cloth_vertices * sizeof *x_end);
    for (int32_t k = 0; k < contact->constraint_count; k++)
        changed += update_constraint(&step, &contact->constraint[k], &contact->constraint_data[k], x_end, force[k]);
    contact->solve_round++;
    int32_t added = settings->bodies ? add_shapes(&step) : 0;
    return added < 0 ? -1 : changed + added;
}

/* Layers that the solve pushed apart get no velocity from it. A sticking contact gets the velocity of what it sticks
 * to. */
void contact_stop_constrained(contact_step *step) {
    weft_contact *contact = step->contact;
    for (int32_t k = 0; k < contact->constraint_count; k++) {
        const weft_constraint *c = &contact->constraint[k];
        if (c->state == WEFT_IS_FREE)
            continue;
        double mass = contact_row_mass(contact, c->vertex, c->weight);
        if (mass == 0)
            continue;
        weft_vec3 speed =
            weft_add_scaled(point_of(c, contact->v_next), -1 / step->dt, contact->constraint_data[k].body_displacement);
        if (c->state == WEFT_SLIDES)
            speed = weft_scale(weft_dot(speed, c->normal), c->normal);
        for (int i = 0; i < 4; i++)
            if (c->weight[i] != 0) {
                weft_vec3 *v = &contact->v_next[c->vertex[i]];
                *v = weft_add_scaled(*v, -c->weight[i] * contact->inverse_mass[c->vertex[i]] * mass, speed);
            }
        step->report->contacts++;
    }
}
