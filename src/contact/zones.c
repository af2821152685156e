/* Rigid impact zones (Provot 1997; Bridson, Fedkiw and Anderson 2002, section 7.4). Vertices that still collide after
 * the impulses move as one rigid body, which preserves their momentum. Linear interpolation of a rigid motion shrinks
 * distances at most by the cosine of half the angle. Therefore nothing inside a zone collides. A zone that collides
 * with a body or a fixed vertex moves with it; that vertex is the zone's anchor. */
#include "contact/internal.h"

/* Largest rotation of a zone in a step, rad. */
static const double MAX_ROTATION = 1;

int32_t contact_set_root(int32_t *parent, int32_t v) {
    while (parent[v] != v)
        v = parent[v] = parent[parent[v]];
    return v;
}

void contact_set_join(int32_t *parent, int32_t a, int32_t b) {
    a = contact_set_root(parent, a);
    b = contact_set_root(parent, b);
    if (a != b)
        parent[a > b ? a : b] = a > b ? b : a;
}

/* Whether vertex a is a better anchor than b. The first object comes first. On a body that changes its shape, the
 * vertex that moves farthest comes first, because a bulge pushes the zone with its tip. */
static int is_better_anchor(const weft_contact *contact, int32_t a, int32_t b) {
    if (contact->object_of[a] != contact->object_of[b])
        return contact->object_of[a] < contact->object_of[b];
    const contact_object *object = &contact->object[contact->object_of[a]];
    double moved_a = weft_distance(contact->x_next[a], contact->x[a]);
    double moved_b = weft_distance(contact->x_next[b], contact->x[b]);
    if (object->frame[0] != object->frame[1] && moved_a != moved_b)
        return moved_a > moved_b;
    return a < b;
}

/* Offers a body vertex or a fixed vertex that the zone collides with as its anchor. */
static void offer_anchor(weft_contact *contact, int32_t root, int32_t vertex) {
    int32_t *anchor = contact->anchor;
    if (anchor[root] == WEFT_NONE || is_better_anchor(contact, vertex, anchor[root]))
        anchor[root] = vertex;
}

static void join_hit(weft_contact *contact, const contact_row *hit) {
    int32_t first = WEFT_NONE;
    for (int i = 0; i < 4; i++) {
        int32_t v = hit->vertex[i];
        if (contact->inverse_mass[v] == 0)
            continue;
        if (contact->parent[v] == WEFT_NONE)
            contact->parent[v] = v;
        if (first == WEFT_NONE)
            first = v;
        contact_set_join(contact->parent, first, v);
    }
}

/* Call after all joins of a round: collects the anchors of joined roots in the new root. */
static void merge_anchors(weft_contact *contact) {
    for (int32_t i = 0; i < contact->cloth_vertices; i++)
        if (contact->parent[i] != WEFT_NONE && contact->anchor[i] != WEFT_NONE)
            offer_anchor(contact, contact_set_root(contact->parent, i), contact->anchor[i]);
}

static void anchor_hit(weft_contact *contact, const contact_row *hit) {
    int32_t root = WEFT_NONE;
    for (int i = 0; i < 4; i++)
        if (contact->inverse_mass[hit->vertex[i]] > 0)
            root = contact_set_root(contact->parent, hit->vertex[i]);
    for (int i = 0; i < 4 && root != WEFT_NONE; i++)
        if (contact->inverse_mass[hit->vertex[i]] == 0)
            offer_anchor(contact, root, hit->vertex[i]);
}

typedef struct member {
    int32_t root, vertex;
} member;

static int compare_members(const void *a, const void *b) {
    const member *p = a, *q = b;
    if (p->root != q->root)
        return p->root < q->root ? -1 : 1;
    return p->vertex < q->vertex ? -1 : p->vertex > q->vertex;
}

/* Solves I r = L for the inertia tensor xx xy xz yy yz zz. The tensor is regularized, so that collinear vertices can be
 * solved too. */
static weft_vec3 solve_inertia(const double I[6], weft_vec3 L) {
    double regularization = 1e-9 * (I[0] + I[3] + I[5]) + 1e-300;
    double a = I[0] + regularization, b = I[1], c = I[2], d = I[3] + regularization, e = I[4],
           f = I[5] + regularization;
    double A = d * f - e * e, B = c * e - b * f, C = b * e - c * d;
    double det = a * A + b * B + c * C;
    double D = a * f - c * c, E = b * c - a * e, F = a * d - b * b;
    return weft_vec3_make((A * L.x + B * L.y + C * L.z) / det, (B * L.x + D * L.y + E * L.z) / det,
                          (C * L.x + E * L.y + F * L.z) / det);
}

typedef struct motion {
    double mass;
    weft_vec3 centre, displacement, velocity; /* centre of mass, mean displacement, mean velocity */
    weft_vec3 rotation, angular_velocity;     /* rotation in the step, rad; angular velocity, rad/s */
} motion;

static motion motion_of(const weft_contact *contact, const member *m, int32_t count) {
    motion r = {0};
    for (int32_t i = 0; i < count; i++) {
        int32_t v = m[i].vertex;
        double mass = 1 / contact->inverse_mass[v];
        r.mass += mass;
        r.centre = weft_add_scaled(r.centre, mass, contact->x[v]);
        r.displacement = weft_add_scaled(r.displacement, mass, weft_sub(contact->x_next[v], contact->x[v]));
        r.velocity = weft_add_scaled(r.velocity, mass, contact->v_next[v]);
    }
    r.centre = weft_scale(1 / r.mass, r.centre);
    r.displacement = weft_scale(1 / r.mass, r.displacement);
    r.velocity = weft_scale(1 / r.mass, r.velocity);
    double I[6] = {0};
    weft_vec3 moment = {0, 0, 0}, angular_momentum = {0, 0, 0};
    for (int32_t i = 0; i < count; i++) {
        int32_t v = m[i].vertex;
        double mass = 1 / contact->inverse_mass[v];
        weft_vec3 p = weft_sub(contact->x[v], r.centre);
        moment = weft_add_scaled(moment, mass, weft_cross(p, weft_sub(contact->x_next[v], contact->x[v])));
        angular_momentum = weft_add_scaled(angular_momentum, mass, weft_cross(p, contact->v_next[v]));
        I[0] += mass * (p.y * p.y + p.z * p.z);
        I[1] -= mass * p.x * p.y;
        I[2] -= mass * p.x * p.z;
        I[3] += mass * (p.x * p.x + p.z * p.z);
        I[4] -= mass * p.y * p.z;
        I[5] += mass * (p.x * p.x + p.y * p.y);
    }
    r.rotation = solve_inertia(I, moment);
    r.angular_velocity = solve_inertia(I, angular_momentum);
    return r;
}

static void set_vertex(weft_contact *contact, int32_t v, weft_vec3 x, weft_vec3 velocity) {
    contact->x_next[v] = x;
    contact->v_next[v] = velocity;
    contact->changed[v] = 1;
}

static void move_free(weft_contact *contact, const member *m, int32_t count) {
    motion r = motion_of(contact, m, count);
    double angle = weft_length(r.rotation), sine = 0, cosine = 1;
    weft_vec3 axis = weft_normalize(r.rotation);
    angle = angle < MAX_ROTATION ? angle : MAX_ROTATION;
    if (angle > 0) {
        sine = sin(angle);
        cosine = cos(angle);
    }
    for (int32_t i = 0; i < count; i++) {
        int32_t v = m[i].vertex;
        weft_vec3 p = weft_sub(contact->x[v], r.centre);
        weft_vec3 rotated = weft_add_scaled(weft_scale(cosine, p), sine, weft_cross(axis, p));
        rotated = weft_add_scaled(rotated, (1 - cosine) * weft_dot(axis, p), axis);
        set_vertex(contact, v, weft_add(weft_add(r.centre, r.displacement), rotated),
                   weft_add(r.velocity, weft_cross(r.angular_velocity, p)));
    }
}

static void move_anchored(weft_contact *contact, const member *m, int32_t count, int32_t anchor, double dt) {
    const contact_object *object = &contact->object[contact->object_of[anchor]];
    weft_vec3 displacement = weft_sub(contact->x_next[anchor], contact->x[anchor]);
    /* On a mesh that changes its shape, the anchor alone defines the displacement. */
    int rigid = object->body && object->frame[0] == object->frame[1];
    int at_rest = rigid ? weft_pose_same(&object->pose[0], &object->pose[1]) : weft_length(displacement) == 0;
    for (int32_t i = 0; i < count; i++) {
        int32_t v = m[i].vertex;
        weft_vec3 x = contact->x[v];
        if (!at_rest && rigid)
            x = weft_pose_out(&object->pose[1], weft_pose_in(&object->pose[0], x));
        else if (!at_rest)
            x = weft_add(x, displacement);
        set_vertex(contact, v, x, weft_scale(1 / dt, weft_sub(x, contact->x[v])));
    }
}

static int32_t list_members(const weft_contact *contact, member *members) {
    int32_t count = 0;
    for (int32_t i = 0; i < contact->cloth_vertices; i++)
        if (contact->parent[i] != WEFT_NONE)
            members[count++] = (member){contact_set_root(contact->parent, i), i};
    qsort(members, (size_t)count, sizeof *members, compare_members);
    return count;
}

weft_status contact_move_zones(contact_step *step) {
    weft_contact *contact = step->contact;
    for (int32_t b = 0; b < contact->task_count; b++)
        for (int32_t i = 0; i < contact->task[b].bin->hit_count; i++)
            join_hit(contact, &contact->task[b].bin->hit[i]);
    merge_anchors(contact);
    for (int32_t b = 0; b < contact->task_count; b++)
        for (int32_t i = 0; i < contact->task[b].bin->hit_count; i++)
            anchor_hit(contact, &contact->task[b].bin->hit[i]);
    memset(contact->changed, 0, (size_t)contact->count);

    size_t bytes = (size_t)contact->cloth_vertices * sizeof(member);
    member *members = weft_arena_take(step->work->arena, bytes, "impact zones");
    if (!members)
        return WEFT_STATUS_NO_MEMORY;
    int32_t count = list_members(contact, members), zones = 0;
    for (int32_t begin = 0, end; begin < count; begin = end) {
        for (end = begin; end < count && members[end].root == members[begin].root; end++)
            ;
        int32_t anchor = contact->anchor[members[begin].root];
        if (anchor == WEFT_NONE)
            move_free(contact, members + begin, end - begin);
        else
            move_anchored(contact, members + begin, end - begin, anchor, step->dt);
        zones++;
    }
    step->report->zones = zones;
    return WEFT_STATUS_OK;
}
