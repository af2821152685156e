/* Contacts at the start of a step: pairs closer than the thickness, and vertices that would end the step inside a
 * shape. Repulsion with Coulomb friction (Bridson, Fedkiw and Anderson 2002, section 7.2) is formulated as constraints
 * on the end of the step. Gauss-Seidel sweeps solve them with accumulated impulses. Thus friction holds up to its limit
 * even below other layers. */
#include "contact/internal.h"

/* Fraction of the missing distance by which layers that are too close are moved apart in a step. */
static const double RELAX = 0.25;

static const weft_body_place *place_of(const weft_contact *contact, int32_t vertex) {
    const weft_body_view *body = contact->object[contact->object_of[vertex]].body;
    return body ? body->settings : NULL;
}

/* The body of a pair, or null. If there is one, it owns the first or the last vertex. */
static const weft_body_place *body_of(const weft_contact *contact, const contact_pair *pair) {
    const weft_body_place *place = place_of(contact, pair->vertex[0]);
    return place ? place : place_of(contact, pair->vertex[3]);
}

double contact_friction(const contact_step *step, const contact_pair *pair) {
    const weft_contact *contact = step->contact;
    const weft_body_place *place = body_of(contact, pair);
    if (place)
        return step->settings->friction * place->friction;
    double a = contact->object[contact->object_of[pair->vertex[0]]].cloth->fabric->friction;
    double b = contact->object[contact->object_of[pair->vertex[3]]].cloth->fabric->friction;
    return step->settings->friction * sqrt(a * b);
}

/* Distance beyond which a pair is not a contact, m. */
double contact_reach(const contact_step *step, const contact_pair *pair) {
    const weft_body_place *place = body_of(step->contact, pair);
    return step->settings->thickness + (place ? place->thickness : 0);
}

/* The distance that a pair must keep, m. Neighbours in the same cloth that are closer than the thickness at rest keep
 * 0.9 of their rest distance. */
double contact_thickness(const contact_step *step, const contact_pair *pair) {
    const weft_contact *contact = step->contact;
    double thickness = contact_reach(step, pair);
    if (contact->object_of[pair->vertex[0]] != contact->object_of[pair->vertex[3]])
        return thickness;
    weft_vec3 rest[4];
    double weight[4];
    contact_corners(contact->rest, pair->vertex, rest);
    return fmin(thickness, 0.9 * sqrt(weft_closest((weft_pair_kind)pair->kind, rest, weight)));
}

double contact_row_mass(const weft_contact *contact, const int32_t vertex[4], const double weight[4]) {
    double sum = 0;
    for (int i = 0; i < 4; i++)
        if (weight[i] != 0) /* a vertex that touches a shape has no other vertices */
            sum += weight[i] * weight[i] * contact->inverse_mass[vertex[i]];
    return sum > 0 ? 1 / sum : 0;
}

static double target_gap(double distance, double thickness) {
    return distance < thickness ? distance + RELAX * (thickness - distance) : thickness;
}

static void test_pair(const contact_step *step, contact_pair *pair, contact_bin *bin) {
    const weft_contact *contact = step->contact;
    weft_vec3 x[4];
    double weight[4];
    contact_corners(contact->x, pair->vertex, x);
    double reach = contact_reach(step, pair);
    if (weft_gap((weft_pair_kind)pair->kind, x) >= reach)
        return;
    double square = weft_closest((weft_pair_kind)pair->kind, x, weight);
    pair->distance = (float)sqrt(square);
    if (square >= reach * reach || square == 0)
        return;
    /* The ends of edges are vertices, which have their own pairs. */
    if (pair->kind == WEFT_EDGE_EDGE && (weight[0] == 0 || weight[1] == 0 || weight[2] == 0 || weight[3] == 0))
        return;
    double distance = sqrt(square), thickness = contact_thickness(step, pair);
    double mass = contact_row_mass(contact, pair->vertex, weight);
    contact_row *row = distance < thickness && mass > 0 ? contact_bin_row(bin) : NULL;
    if (!row)
        return;
    *row = (contact_row){.normal = weft_scale(1 / distance, weft_weighted(x, weight)),
                         .target = target_gap(distance, thickness),
                         .mass = mass,
                         .friction = contact_friction(step, pair)};
    memcpy(row->vertex, pair->vertex, sizeof row->vertex);
    memcpy(row->weight, weight, sizeof row->weight);
}

/* Collision response would hold the cloth inside the body while the distance function pushes it out. That would tear
 * the cloth apart. */
int contact_is_escaping(const contact_step *step, const contact_task *task) {
    const weft_contact *contact = step->contact;
    return step->crossed && task->b >= contact->cloth_count &&
           step->crossed[(int64_t)task->a * contact->object_count + task->b] > 0;
}

static void test_pairs(void *context, int64_t begin, int64_t end) {
    const contact_step *step = context;
    const contact_task *task = &step->contact->task[begin / WEFT_BLOCK];
    const weft_body_view *body = step->contact->object[task->b].body;
    contact_bin *bin = task->bin;
    (void)end;
    bin->row_count = 0;
    if (contact_is_escaping(step, task) && ((const weft_body_functions *)body->component->functions)->distance)
        return; /* pairs do not know which side is outside, but the shape does */
    double reach = step->settings->thickness + (body ? ((const weft_body_place *)body->settings)->thickness : 0);
    for (int32_t m = 0; m < bin->leaf_pair_count; m++) {
        const contact_leaf_pair *leaf_pair = &bin->leaf_pair[m];
        for (int32_t i = leaf_pair->first; i < leaf_pair->first + leaf_pair->count; i++) {
            bin->pair[i].distance = 0;
            if (bin->pair[i].proximity && !contact_stays_apart(leaf_pair, &bin->pair[i], reach))
                test_pair(step, &bin->pair[i], bin);
        }
    }
}

/* Tests vertex i at the end of the step against the exact shape of a body. */
static void test_shape(const contact_step *step, const contact_object *object, int32_t i, contact_bin *bin) {
    const weft_contact *contact = step->contact;
    const weft_body_functions *functions = object->body->component->functions;
    const weft_body_place *place = object->body->settings;
    const weft_pose *start = &object->pose[0], *end = &object->pose[1];
    double thickness = step->settings->thickness + place->thickness;
    weft_vec3 p = weft_pose_in(end, contact->x_next[i]), normal, ignored;
    double after = end->scale * functions->distance(object->body->settings, p, &normal);
    if (after >= thickness + step->touch_margin)
        return;
    weft_vec3 q = weft_pose_in(start, contact->x[i]);
    double before = start->scale * functions->distance(object->body->settings, q, &ignored);
    contact_row *row = contact_bin_row(bin);
    if (!row)
        return;
    *row = (contact_row){.vertex = {i, i, i, i},
                         .shape = (int32_t)(object - contact->object),
                         .weight = {1, 0, 0, 0},
                         .normal = weft_pose_turn(end, normal),
                         .body_displacement = weft_sub(contact->x_next[i], weft_pose_out(start, p)),
                         .target = target_gap(before, thickness),
                         .mass = 1 / contact->inverse_mass[i],
                         .friction = step->settings->friction * place->friction};
    row->bias = after - weft_dot(row->normal, contact->x_next[i]);
}

typedef struct shapes {
    contact_step *step;
    const contact_object *object;
    contact_bin *bin; /* bin of the first block of vertices */
    contact_box box;  /* vertices outside its end box are too far away */
} shapes;

static int inside(const contact_box *box, weft_vec3 p) {
    const float *low = box->low[1], *high = box->high[1];
    return p.x >= (double)low[0] && p.x <= (double)high[0] && p.y >= (double)low[1] && p.y <= (double)high[1] &&
           p.z >= (double)low[2] && p.z <= (double)high[2];
}

static void test_shapes(void *context, int64_t begin, int64_t end) {
    const shapes *s = context;
    const weft_contact *contact = s->step->contact;
    const weft_body_functions *functions = s->object->body->component->functions;
    contact_bin *bin = &s->bin[begin / WEFT_BLOCK];
    bin->row_count = 0;
    for (int32_t i = (int32_t)begin; i < (int32_t)end; i++)
        if (contact->inverse_mass[i] > 0 && (!s->step->loose_only || contact->loose[i]) &&
            (functions->unbounded || inside(&s->box, contact->x_next[i])))
            test_shape(s->step, s->object, i, bin);
}

static void apply(const weft_contact *contact, const int32_t vertex[4], const double weight[4], weft_vec3 impulse,
                  weft_vec3 *of) {
    for (int i = 0; i < 4; i++)
        if (weight[i] != 0)
            of[vertex[i]] = weft_add_scaled(of[vertex[i]], weight[i] * contact->inverse_mass[vertex[i]], impulse);
}

/* Accumulates the normal impulse that closes the `missing` gap or velocity, and returns the absolute change. The total
 * impulse never pulls. */
static double normal_impulse(const contact_row *row, double missing, double *total, weft_vec3 *impulse) {
    double before = *total;
    *total = fmax(before + row->mass * missing, 0);
    *impulse = weft_scale(*total - before, row->normal);
    return fabs(*total - before);
}

/* Accumulates the friction impulse against the tangential part of `now`, a relative displacement or velocity. Its
 * length stays within `limit`. */
static weft_vec3 friction_impulse(const contact_row *row, weft_vec3 now, double limit, weft_vec3 *total) {
    weft_vec3 slide = weft_add_scaled(now, -weft_dot(now, row->normal), row->normal), before = *total;
    weft_vec3 wanted = weft_add_scaled(before, -row->mass, slide);
    double length = weft_length(wanted);
    *total = length > limit ? weft_scale(limit / length, wanted) : wanted;
    return weft_sub(*total, before);
}

static weft_vec3 displacement(const weft_contact *contact, const contact_row *row) {
    weft_vec3 sum = weft_scale(-1, row->body_displacement);
    for (int i = 0; i < 4; i++)
        if (row->weight[i] != 0)
            sum = weft_add_scaled(sum, row->weight[i],
                                  weft_sub(contact->x_next[row->vertex[i]], contact->x[row->vertex[i]]));
    return sum;
}

double contact_row_solve(const contact_step *step, contact_row *row) {
    const weft_contact *contact = step->contact;
    weft_vec3 x[4], v[4], impulse;
    contact_corners(contact->x_next, row->vertex, x);
    double gap = weft_dot(row->normal, weft_weighted(x, row->weight)) + row->bias;
    double moved = normal_impulse(row, row->target - gap, &row->position_impulse, &impulse) / row->mass;
    apply(contact, row->vertex, row->weight, impulse, contact->x_next);
    if (row->position_impulse == 0 && moved == 0)
        return 0;
    impulse = friction_impulse(row, displacement(contact, row), row->friction * row->position_impulse,
                               &row->position_friction);
    apply(contact, row->vertex, row->weight, impulse, contact->x_next);

    contact_corners(contact->v_next, row->vertex, v);
    weft_vec3 speed = weft_add_scaled(weft_weighted(v, row->weight), -1 / step->dt, row->body_displacement);
    normal_impulse(row, row->position_impulse > 0 ? -weft_dot(speed, row->normal) : -row->velocity_impulse / row->mass,
                   &row->velocity_impulse, &impulse);
    apply(contact, row->vertex, row->weight, impulse, contact->v_next);
    contact_corners(contact->v_next, row->vertex, v);
    speed = weft_add_scaled(weft_weighted(v, row->weight), -1 / step->dt, row->body_displacement);
    impulse = friction_impulse(row, speed, row->friction * row->velocity_impulse, &row->velocity_friction);
    apply(contact, row->vertex, row->weight, impulse, contact->v_next);
    return moved;
}

/* Solves all rows of a bin once. Returns the largest change of a gap, m. */
static double solve_bin(contact_step *step, const contact_bin *bin) {
    double moved = 0;
    for (int32_t i = 0; i < bin->row_count; i++) {
        double change = contact_row_solve(step, &bin->row[i]);
        moved = change > moved ? change : moved;
    }
    return moved;
}

static double solve_shape_bins(contact_step *step) {
    double moved = 0;
    for (int32_t b = 0; b < step->contact->shape_bin_count; b++) {
        double change = solve_bin(step, &step->contact->shape_bin[b]);
        moved = change > moved ? change : moved;
    }
    return moved;
}

static double solve_pair_bins(contact_step *step) {
    double moved = 0;
    for (int32_t b = 0; b < step->contact->task_count; b++) {
        double change = solve_bin(step, step->contact->task[b].bin);
        moved = change > moved ? change : moved;
    }
    return moved;
}

weft_status contact_probe_shapes(contact_step *step) {
    weft_contact *contact = step->contact;
    int32_t bodies = contact->object_count - contact->cloth_count;
    for (int32_t i = 0; i < bodies; i++) {
        contact_object *object = &contact->object[contact->cloth_count + i];
        contact_bin *bin = contact->shape_bin + (ptrdiff_t)i * (contact->shape_bin_count / bodies);
        for (int32_t k = 0; k < contact->shape_bin_count / bodies; k++)
            bin[k].row_count = 0;
        if (object->absent || !((const weft_body_functions *)object->body->component->functions)->distance)
            continue;
        if (contact_fit_body(step, object) != WEFT_STATUS_OK)
            return WEFT_STATUS_NO_MEMORY;
        shapes s = {step, object, bin, object->bounds};
        for (int k = 0; k < 3; k++) {
            s.box.low[1][k] -= (float)step->settings->thickness;
            s.box.high[1][k] += (float)step->settings->thickness;
        }
        weft_parallel_for(step->work, contact->cloth_vertices, WEFT_BLOCK, test_shapes, &s);
    }
    return contact_check_bins(contact);
}

weft_status contact_solve_shapes(contact_step *step) {
    weft_status status = contact_probe_shapes(step);
    solve_shape_bins(step);
    return status;
}

static int is_pulled_inside(const contact_step *step, const contact_object *object, int32_t i) {
    const weft_contact *contact = step->contact;
    const weft_body_functions *functions = object->body->component->functions;
    const weft_vec3 *x[2] = {contact->x, contact->x_next};
    weft_vec3 ignored;
    double distance[2];
    for (int e = 0; e < 2; e++)
        distance[e] = object->pose[e].scale *
                      functions->distance(object->body->settings, weft_pose_in(&object->pose[e], x[e][i]), &ignored);
    return distance[0] >= -step->margin && distance[1] < -step->margin;
}

int32_t contact_count_pins_inside(const contact_step *step, const contact_object *cloth, const contact_object *body) {
    int32_t count = 0;
    if (!step->fast || !body->rounded || body->absent)
        return 0;
    for (int32_t i = cloth->first; i < cloth->first + cloth->vertex_count; i++)
        count += step->contact->inverse_mass[i] == 0 && is_pulled_inside(step, body, i);
    return count;
}

weft_status contact_find_rows(contact_step *step) {
    contact_for_tasks(step->work, step->contact->task_count, test_pairs, step);
    return contact_check_bins(step->contact);
}

/* Constraints of the implicit solve are already counted by contact_stop_constrained. */
static int32_t count_active(const weft_contact *contact, const contact_bin *bin) {
    int32_t active = 0;
    for (int32_t i = 0; i < bin->row_count; i++)
        active += bin->row[i].position_impulse > 0 && !contact_is_constrained(contact, &bin->row[i]);
    return active;
}

void contact_solve_rows(contact_step *step) {
    weft_contact *contact = step->contact;
    double moved = HUGE_VAL;
    for (int32_t sweeps = 0; sweeps < step->settings->sweeps && moved > step->margin; sweeps++) {
        contact_limit_strain(step);
        moved = solve_pair_bins(step);
        double shapes_moved = solve_shape_bins(step);
        moved = shapes_moved > moved ? shapes_moved : moved;
    }
    for (int32_t b = 0; b < contact->task_count; b++)
        step->report->contacts += count_active(contact, contact->task[b].bin);
    for (int32_t b = 0; b < contact->shape_bin_count; b++)
        step->report->contacts += count_active(contact, &contact->shape_bin[b]);
}
