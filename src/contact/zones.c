/* Rigid impact zones (Provot 1997; Bridson, Fedkiw and Anderson 2002, section 7.4). Vertices that still collide after
 * the impulses move as one rigid body, which preserves their momentum. Linear interpolation of a rigid motion shrinks
 * distances at most by the cosine of half the angle. Therefore nothing inside a zone collides. Vertices of a zone that
 * collide with a body or a fixed vertex move with it; that vertex is their anchor. */
#include "contact/bounds.h"
#include "core/elementary.h"

#include "contact/internal.h"
#include "weft/sort.h"

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
    double regularization = 1e-9 * (I[0] + I[3] + I[5]);
    double a = I[0] + regularization, b = I[1], c = I[2], d = I[3] + regularization, e = I[4],
           f = I[5] + regularization;
    double A = d * f - e * e, B = c * e - b * f, C = b * e - c * d;
    double det = a * A + b * B + c * C;
    if (!(det > 0)) /* a single vertex */
        return weft_vec3_make(0, 0, 0);
    double D = a * f - c * c, E = b * c - a * e, F = a * d - b * b;
    return weft_vec3_make((A * L.x + B * L.y + C * L.z) / det, (B * L.x + D * L.y + E * L.z) / det,
                          (C * L.x + E * L.y + F * L.z) / det);
}

typedef struct motion {
    double mass;
    weft_vec3 centre, displacement, velocity; /* centre of mass, mean displacement, mean velocity */
    weft_vec3 rotation, angular_velocity;     /* rotation in the step, rad; angular velocity, rad/s */
} motion;

/* The rigid motion that has the momentum of the vertices' own motions. */
static motion motion_of(const weft_contact *contact, const contact_bounds *own, const member *m, int32_t count) {
    motion r = {0};
    for (int32_t i = 0; i < count; i++) {
        int32_t v = m[i].vertex;
        double mass = 1 / contact->inverse_mass[v];
        r.mass += mass;
        r.centre = weft_add_scaled(r.centre, mass, contact->x[v]);
        r.displacement = weft_add_scaled(r.displacement, mass, weft_sub(own->x[v], contact->x[v]));
        r.velocity = weft_add_scaled(r.velocity, mass, own->v[v]);
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
        moment = weft_add_scaled(moment, mass, weft_cross(p, weft_sub(own->x[v], contact->x[v])));
        angular_momentum = weft_add_scaled(angular_momentum, mass, weft_cross(p, own->v[v]));
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

/* Blends the vertex's own motion with the common one. */
static int set_vertex(weft_contact *contact, const contact_bounds *own, int32_t v, weft_vec3 x, weft_vec3 velocity) {
    double share = own->share[v];
    if (share > 0) {
        x = weft_add_scaled(x, share, weft_sub(own->x[v], x));
        velocity = weft_add_scaled(velocity, share, weft_sub(own->v[v], velocity));
    }
    int moved = memcmp(&contact->x_next[v], &x, sizeof x) != 0;
    contact->x_next[v] = x;
    contact->v_next[v] = velocity;
    contact->changed[v] |= (uint8_t)moved;
    return moved;
}

static int move_free(weft_contact *contact, const contact_bounds *own, const member *m, int32_t count) {
    motion r = motion_of(contact, own, m, count);
    double angle = weft_length(r.rotation), sine = 0, cosine = 1;
    weft_vec3 axis = weft_normalize(r.rotation);
    int moved = 0;
    angle = angle < MAX_ROTATION ? angle : MAX_ROTATION;
    if (angle > 0) {
        sine = weft_sin(angle);
        cosine = weft_cos(angle);
    }
    for (int32_t i = 0; i < count; i++) {
        int32_t v = m[i].vertex;
        weft_vec3 p = weft_sub(contact->x[v], r.centre);
        weft_vec3 rotated = weft_add_scaled(weft_scale(cosine, p), sine, weft_cross(axis, p));
        rotated = weft_add_scaled(rotated, (1 - cosine) * weft_dot(axis, p), axis);
        moved |= set_vertex(contact, own, v, weft_add(weft_add(r.centre, r.displacement), rotated),
                            weft_add(r.velocity, weft_cross(r.angular_velocity, p)));
    }
    return moved;
}

/* Moves a vertex with its anchor. On a mesh that changes its shape, the anchor alone defines the displacement. */
static int move_anchored(weft_contact *contact, const contact_bounds *own, int32_t v, double dt) {
    int32_t anchor = contact->anchor[v];
    const contact_object *object = &contact->object[contact->object_of[anchor]];
    weft_vec3 x = contact->x[v];
    int rigid = object->body && object->frame[0] == object->frame[1];
    if (!rigid)
        x = weft_add(x, weft_sub(contact->x_next[anchor], contact->x[anchor]));
    else if (!weft_pose_same(&object->pose[0], &object->pose[1]))
        x = weft_pose_out(&object->pose[1], weft_pose_in(&object->pose[0], x));
    return set_vertex(contact, own, v, x, weft_scale(1 / dt, weft_sub(x, contact->x[v])));
}

/* Lists the vertices of zones without an anchor. */
static int32_t list_members(const weft_contact *contact, member *members) {
    int32_t count = 0;
    for (int32_t i = 0; i < contact->cloth_vertices; i++)
        if (contact->parent[i] != WEFT_NONE && contact->anchor[i] == WEFT_NONE)
            members[count++] = (member){contact_set_root(contact->parent, i), i};
    weft_sort(members, (size_t)count, sizeof *members, compare_members);
    return count;
}

weft_status contact_move_bounded(contact_step *step, const contact_bounds *bounds, int *moved) {
    weft_contact *contact = step->contact;
    size_t bytes = (size_t)contact->cloth_vertices * sizeof(member);
    member *members = weft_arena_take(step->work->arena, bytes, "impact zones");
    if (!members)
        return WEFT_STATUS_NO_MEMORY;
    int32_t count = list_members(contact, members), zones = 0;
    *moved = 0;
    for (int32_t begin = 0, end; begin < count; begin = end) {
        for (end = begin; end < count && members[end].root == members[begin].root; end++)
            ;
        *moved |= move_free(contact, bounds, members + begin, end - begin);
    }
    for (int32_t i = 0; i < contact->cloth_vertices; i++) {
        zones += contact->parent[i] == i;
        if (contact->parent[i] != WEFT_NONE && contact->anchor[i] != WEFT_NONE)
            *moved |= move_anchored(contact, bounds, i, step->dt);
    }
    step->report->zones = zones;
    return WEFT_STATUS_OK;
}
