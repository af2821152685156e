/* Rigid impact zones (Provot 1997; Bridson, Fedkiw & Anderson 2002, section 7.4): vertices that collide in spite of
 * impulses move as one rigid body, which keeps their momentum. Rigid motion on straight lines shrinks distances by the
 * cosine of half the angle at most, so nothing inside a zone collides. A zone with a body or a held vertex in it moves
 * with that. */
#include "contact/internal.h"

/* Largest rotation of a zone in a step, rad. */
static const double MOST_TURN = 1;

int32_t contact_root(int32_t *parent, int32_t v) {
    while (parent[v] != v)
        v = parent[v] = parent[parent[v]];
    return v;
}

void contact_join(int32_t *parent, int32_t a, int32_t b) {
    a = contact_root(parent, a);
    b = contact_root(parent, b);
    if (a != b)
        parent[a > b ? a : b] = a > b ? b : a;
}

/* Whether vertex a leads rather than b: that of the first object, and of one that changes its shape the one that goes
 * farthest, because what bulges pushes the zone by its tip. */
static int leads(const weft_contact *contact, int32_t a, int32_t b) {
    if (contact->object_of[a] != contact->object_of[b])
        return contact->object_of[a] < contact->object_of[b];
    const contact_object *object = &contact->object[contact->object_of[a]];
    double way_a = weft_distance(contact->x_next[a], contact->x[a]);
    double way_b = weft_distance(contact->x_next[b], contact->x[b]);
    if (object->frame[0] != object->frame[1] && way_a != way_b)
        return way_a > way_b;
    return a < b;
}

/* What a zone is led by: a vertex of a body, or held, that it collides with. */
static void lead(weft_contact *contact, int32_t root, int32_t vertex) {
    int32_t *leader = contact->leader;
    if (leader[root] == WEFT_NONE || leads(contact, vertex, leader[root]))
        leader[root] = vertex;
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
        contact_join(contact->parent, first, v);
    }
}

/* Called after all joins of a round: leaders of roots that were joined meet in the new root. */
static void join_leaders(weft_contact *contact) {
    for (int32_t i = 0; i < contact->cloth_vertices; i++)
        if (contact->parent[i] != WEFT_NONE && contact->leader[i] != WEFT_NONE)
            lead(contact, contact_root(contact->parent, i), contact->leader[i]);
}

static void lead_hit(weft_contact *contact, const contact_row *hit) {
    int32_t root = WEFT_NONE;
    for (int i = 0; i < 4; i++)
        if (contact->inverse_mass[hit->vertex[i]] > 0)
            root = contact_root(contact->parent, hit->vertex[i]);
    for (int i = 0; i < 4 && root != WEFT_NONE; i++)
        if (contact->inverse_mass[hit->vertex[i]] == 0)
            lead(contact, root, hit->vertex[i]);
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

/* I r = L for the inertia tensor xx xy xz yy yz zz; a little is added, so that a line of vertices can be solved too. */
static weft_vec3 solve_inertia(const double I[6], weft_vec3 L) {
    double more = 1e-9 * (I[0] + I[3] + I[5]) + 1e-300;
    double a = I[0] + more, b = I[1], c = I[2], d = I[3] + more, e = I[4], f = I[5] + more;
    double A = d * f - e * e, B = c * e - b * f, C = b * e - c * d;
    double det = a * A + b * B + c * C;
    double D = a * f - c * c, E = b * c - a * e, F = a * d - b * b;
    return weft_vec3_make((A * L.x + B * L.y + C * L.z) / det, (B * L.x + D * L.y + E * L.z) / det,
                          (C * L.x + E * L.y + F * L.z) / det);
}

typedef struct motion {
    double mass;
    weft_vec3 centre, way, speed; /* means of position, displacement, velocity */
    weft_vec3 turn, spin;         /* rotation of the step, rad, and angular velocity, rad/s */
} motion;

static motion motion_of(const weft_contact *contact, const member *m, int32_t count) {
    motion r = {0};
    for (int32_t i = 0; i < count; i++) {
        int32_t v = m[i].vertex;
        double mass = 1 / contact->inverse_mass[v];
        r.mass += mass;
        r.centre = weft_add_scaled(r.centre, mass, contact->x[v]);
        r.way = weft_add_scaled(r.way, mass, weft_sub(contact->x_next[v], contact->x[v]));
        r.speed = weft_add_scaled(r.speed, mass, contact->v_next[v]);
    }
    r.centre = weft_scale(1 / r.mass, r.centre);
    r.way = weft_scale(1 / r.mass, r.way);
    r.speed = weft_scale(1 / r.mass, r.speed);
    double I[6] = {0};
    weft_vec3 turn = {0, 0, 0}, spin = {0, 0, 0};
    for (int32_t i = 0; i < count; i++) {
        int32_t v = m[i].vertex;
        double mass = 1 / contact->inverse_mass[v];
        weft_vec3 p = weft_sub(contact->x[v], r.centre);
        turn = weft_add_scaled(turn, mass, weft_cross(p, weft_sub(contact->x_next[v], contact->x[v])));
        spin = weft_add_scaled(spin, mass, weft_cross(p, contact->v_next[v]));
        I[0] += mass * (p.y * p.y + p.z * p.z);
        I[1] -= mass * p.x * p.y;
        I[2] -= mass * p.x * p.z;
        I[3] += mass * (p.x * p.x + p.z * p.z);
        I[4] -= mass * p.y * p.z;
        I[5] += mass * (p.x * p.x + p.y * p.y);
    }
    r.turn = solve_inertia(I, turn);
    r.spin = solve_inertia(I, spin);
    return r;
}

static void set_vertex(weft_contact *contact, int32_t v, weft_vec3 x, weft_vec3 speed) {
    contact->x_next[v] = x;
    contact->v_next[v] = speed;
    contact->changed[v] = 1;
}

static void move_free(weft_contact *contact, const member *m, int32_t count) {
    motion r = motion_of(contact, m, count);
    double angle = weft_length(r.turn), sine = 0, cosine = 1;
    weft_vec3 axis = weft_normalize(r.turn);
    angle = angle < MOST_TURN ? angle : MOST_TURN;
    if (angle > 0) {
        sine = sin(angle);
        cosine = cos(angle);
    }
    for (int32_t i = 0; i < count; i++) {
        int32_t v = m[i].vertex;
        weft_vec3 p = weft_sub(contact->x[v], r.centre);
        weft_vec3 turned = weft_add_scaled(weft_scale(cosine, p), sine, weft_cross(axis, p));
        turned = weft_add_scaled(turned, (1 - cosine) * weft_dot(axis, p), axis);
        set_vertex(contact, v, weft_add(weft_add(r.centre, r.way), turned), weft_add(r.speed, weft_cross(r.spin, p)));
    }
}

static void move_led(weft_contact *contact, const member *m, int32_t count, int32_t leader, double dt) {
    const contact_object *object = &contact->object[contact->object_of[leader]];
    weft_vec3 way = weft_sub(contact->x_next[leader], contact->x[leader]);
    /* Of a mesh that changes its shape the leader alone says where to go. */
    int stiff = object->body && object->frame[0] == object->frame[1];
    int still = stiff ? weft_pose_same(&object->pose[0], &object->pose[1]) : weft_length(way) == 0;
    for (int32_t i = 0; i < count; i++) {
        int32_t v = m[i].vertex;
        weft_vec3 x = contact->x[v];
        if (!still && stiff)
            x = weft_pose_out(&object->pose[1], weft_pose_in(&object->pose[0], x));
        else if (!still)
            x = weft_add(x, way);
        set_vertex(contact, v, x, weft_scale(1 / dt, weft_sub(x, contact->x[v])));
    }
}

static int32_t list_members(const weft_contact *contact, member *members) {
    int32_t count = 0;
    for (int32_t i = 0; i < contact->cloth_vertices; i++)
        if (contact->parent[i] != WEFT_NONE)
            members[count++] = (member){contact_root(contact->parent, i), i};
    qsort(members, (size_t)count, sizeof *members, compare_members);
    return count;
}

weft_status contact_make_rigid(contact_step *step) {
    weft_contact *contact = step->contact;
    for (int32_t b = 0; b < contact->task_count; b++)
        for (int32_t i = 0; i < contact->task[b].bin->hit_count; i++)
            join_hit(contact, &contact->task[b].bin->hit[i]);
    join_leaders(contact);
    for (int32_t b = 0; b < contact->task_count; b++)
        for (int32_t i = 0; i < contact->task[b].bin->hit_count; i++)
            lead_hit(contact, &contact->task[b].bin->hit[i]);
    memset(contact->changed, 0, (size_t)contact->count);

    size_t bytes = (size_t)contact->cloth_vertices * sizeof(member);
    member *members = weft_arena_take(step->work->arena, bytes, "impact zones");
    if (!members)
        return WEFT_STATUS_NO_MEMORY;
    int32_t count = list_members(contact, members), zones = 0;
    for (int32_t begin = 0, end; begin < count; begin = end) {
        for (end = begin; end < count && members[end].root == members[begin].root; end++)
            ;
        int32_t leader = contact->leader[members[begin].root];
        if (leader == WEFT_NONE)
            move_free(contact, members + begin, end - begin);
        else
            move_led(contact, members + begin, end - begin, leader, step->dt);
        zones++;
    }
    step->report->zones = zones;
    return WEFT_STATUS_OK;
}
