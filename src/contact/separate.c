/* Separates surfaces that touch exactly at the start of a simulation. At zero distance the side is undefined, and a
 * layer without a side passes through. Before the first step such layers are moved apart by a hundredth of the
 * thickness. From then on the geometry defines the side.
 *
 * Bodies do not move. Of two cloths, or two parts of one cloth, the later one moves. It moves to the side from which
 * its weight presses it onto the other, if the weight decides that. A part that is folded onto itself opens along its
 * own normals. */
#include "contact/internal.h"

/* In thicknesses. TOUCHES: the distance that counts as touching; it exceeds the rounding of single-precision files.
 * APART: the displacement per round. */
static const double TOUCHES = WEFT_CONTACT_TOUCHES, APART = 1e-2;
/* Below this cosine two directions do not decide which side of each other they are on. */
static const double SIDEWAYS = 0.3;

/* How two objects lie on each other: sums over their touching pairs. The earlier one stays and the later one moves.
 * Bodies are earlier than all cloths. */
typedef struct arrangement {
    double front;  /* distance of the later object in front of the earlier one, m */
    double apart;  /* distance of the two objects, m */
    double lift;   /* weight of the later object against the normals of the earlier one, N */
    double weight; /* magnitude of that weight, N */
    int32_t count;
    double sign; /* side of the earlier object on which the later one lies, relative to its normals; 0: not yet known */
} arrangement;

typedef struct separation {
    contact_step *step;
    const weft_vec3 *weight; /* of each cloth, N */
    weft_vec3 *normal;       /* of each vertex (count) */
    weft_vec3 *side;  /* unit direction in which a vertex was pushed off a body, or off a layer that was itself pushed
                         (count) */
    weft_vec3 *push;  /* sum of the directions of this round (count) */
    uint8_t *on_body; /* 1: `push` is off bodies, which take precedence over layers (count) */
    int32_t *part;    /* lowest vertex of the part; -1 for bodies (count) */
    arrangement *arrangements; /* (object_count x cloth_count) */
    weft_contact_separation *done;
} separation;

typedef struct touch {
    const contact_pair *pair;
    double weight[4];
    weft_vec3 apart; /* from feature 0 of the pair to feature 1, m */
    int stays;       /* the feature that does not move, 0 or 1 */
} touch;

static int first_of(const touch *t, int feature) {
    return feature == 0 ? 0 : t->pair->kind == WEFT_VERTEX_TRIANGLE ? 1 : 2;
}

static int end_of(const touch *t, int feature) { return feature == 1 ? 4 : first_of(t, 1); }

static int32_t object_at(const separation *p, const touch *t, int feature) {
    return p->step->contact->object_of[t->pair->vertex[feature == 0 ? 0 : 3]];
}

static arrangement *arrangement_of(const separation *p, const touch *t) {
    int32_t stays = object_at(p, t, t->stays), goes = object_at(p, t, !t->stays);
    return &p->arrangements[(ptrdiff_t)stays * p->step->contact->cloth_count + goes];
}

static weft_vec3 mean_of(const touch *t, int feature, const weft_vec3 *of) {
    weft_vec3 sum = {0, 0, 0};
    for (int i = first_of(t, feature); i < end_of(t, feature); i++)
        sum = weft_add_scaled(sum, fabs(t->weight[i]), of[t->pair->vertex[i]]);
    return sum;
}

static int is_interior(const touch *t) {
    return t->weight[0] != 0 && t->weight[1] != 0 && t->weight[2] != 0 && t->weight[3] != 0;
}

static int same_part(const separation *p, const touch *t) {
    const int32_t *v = t->pair->vertex;
    return p->part[v[0]] >= 0 && p->part[v[0]] == p->part[v[3]];
}

/* Whether a pair touches and can move. Edges that touch at an end are skipped, because their vertices have pairs of
 * their own. */
static int find_touch(const separation *p, const contact_pair *pair, touch *t) {
    const contact_step *step = p->step;
    const weft_contact *contact = step->contact;
    weft_vec3 x[4];
    *t = (touch){.pair = pair};
    contact_corners(contact->x, pair->vertex, x);
    double square = weft_closest((weft_pair_kind)pair->kind, x, t->weight), most = TOUCHES * step->settings->thickness;
    if (square > most * most || (pair->kind == WEFT_EDGE_EDGE && !is_interior(t)) ||
        contact_row_mass(contact, pair->vertex, t->weight) == 0)
        return 0;
    t->apart = weft_scale(-1, weft_weighted(x, t->weight));
    int32_t a = p->part[pair->vertex[0]], b = p->part[pair->vertex[3]];
    t->stays = b < a;
    return 1;
}

/* The side of `object` on which the later object lies. A body that encloses a volume has an outside. On other objects a
 * layer lies on the side from which its weight presses. If the weight does not decide, the present position does.
 * Otherwise the layer is in front. */
static double sign_of(const weft_contact *contact, int32_t object, const arrangement *l) {
    const contact_object *o = &contact->object[object];
    if (o->body && (!o->body->mesh || o->body->mesh->boundary_count == 0)) {
        double volume = 0;
        for (int32_t i = 0; i < o->triangle_count; i++) {
            weft_vec3 x[3];
            for (int k = 0; k < 3; k++)
                x[k] = weft_sub(contact->x[contact->triangle[o->first_triangle + i][k]], contact->x[o->first]);
            volume += weft_dot(x[0], weft_cross(x[1], x[2]));
        }
        return volume < 0 ? -1 : 1;
    }
    if (fabs(l->lift) > 0.5 * l->weight)
        return l->lift < 0 ? -1 : 1;
    return l->front < -0.5 * l->apart ? -1 : 1;
}

static void measure(separation *p, const touch *t) {
    if (same_part(p, t))
        return;
    weft_vec3 normal = mean_of(t, t->stays, p->normal), apart = weft_scale(t->stays == 0 ? 1 : -1, t->apart);
    arrangement *l = arrangement_of(p, t);
    weft_vec3 weight = p->weight[object_at(p, t, !t->stays)];
    l->front += weft_dot(normal, apart);
    l->apart += weft_length(apart);
    l->lift -= weft_dot(normal, weight);
    l->weight += weft_length(weight);
    l->count++;
}

/* The normal of the plane that the two features span; 0 when they span none. */
static weft_vec3 spanned_normal(const separation *p, const touch *t) {
    weft_vec3 x[4];
    contact_corners(p->step->contact->x, t->pair->vertex, x);
    if (t->pair->kind == WEFT_EDGE_EDGE)
        return weft_normalize(weft_cross(weft_normalize(weft_sub(x[1], x[0])), weft_normalize(weft_sub(x[3], x[2]))));
    if (!is_interior(t))
        return p->normal[t->pair->vertex[0]];
    return weft_normalize(weft_cross(weft_sub(x[2], x[1]), weft_sub(x[3], x[1])));
}

/* The direction in which to push the later feature off the earlier one. */
static weft_vec3 push_direction(const separation *p, const touch *t) {
    weft_vec3 off = mean_of(t, t->stays, p->side);
    if (weft_dot(off, off) == 0)
        off = weft_scale(arrangement_of(p, t)->sign, mean_of(t, t->stays, p->normal));
    off = weft_normalize(off);
    weft_vec3 normal = spanned_normal(p, t);
    double cosine = weft_dot(normal, off);
    return fabs(cosine) < SIDEWAYS ? off : weft_scale(cosine < 0 ? -1 : 1, normal);
}

/* Returns whether any vertex of the feature is free to move. Vertices that touch a body are pushed by bodies only in
 * this round. */
static int add_push(separation *p, const touch *t, int feature, weft_vec3 direction, int off_body) {
    const weft_contact *contact = p->step->contact;
    int free = 0;
    for (int i = first_of(t, feature); i < end_of(t, feature); i++) {
        int32_t v = t->pair->vertex[i];
        if (t->weight[i] == 0 || contact->inverse_mass[v] == 0)
            continue;
        free = 1;
        if (off_body && !p->on_body[v])
            p->push[v] = weft_vec3_make(0, 0, 0);
        p->on_body[v] |= (uint8_t)off_body;
        if (off_body == p->on_body[v])
            p->push[v] = weft_add(p->push[v], direction);
    }
    return free;
}

/* Counts are reset in each round, so that the last round counts the touches that are left. */
static void count_touch(separation *p, const touch *t) {
    if (p->done->left == 0) {
        p->done->cloth = object_at(p, t, !t->stays);
        p->done->object = object_at(p, t, t->stays);
    }
    p->done->left++;
}

static void push_touch_apart(separation *p, const touch *t) {
    if (same_part(p, t)) {
        weft_vec3 a = weft_normalize(mean_of(t, 0, p->normal)), b = weft_normalize(mean_of(t, 1, p->normal));
        int opposed = weft_dot(a, b) < -SIDEWAYS;
        if (!opposed && !is_interior(t)) /* neighbours that meet in a point or along a seam */
            return;
        count_touch(p, t);
        if (opposed) {
            add_push(p, t, 0, a, 0);
            add_push(p, t, 1, b, 0);
        }
        return;
    }
    int body = object_at(p, t, t->stays) >= p->step->contact->cloth_count;
    weft_vec3 direction = push_direction(p, t);
    count_touch(p, t);
    if (!add_push(p, t, !t->stays, direction, body))
        add_push(p, t, t->stays, weft_scale(-1, direction), 0);
}

static void each_touch(separation *p, void (*act)(separation *p, const touch *t)) {
    const weft_contact *contact = p->step->contact;
    touch t;
    for (int32_t b = 0; b < contact->task_count; b++) {
        const contact_bin *bin = contact->task[b].bin;
        for (int32_t m = 0; m < bin->leaf_pair_count; m++)
            for (int32_t i = 0; i < bin->leaf_pair[m].count; i++)
                if (find_touch(p, &bin->pair[bin->leaf_pair[m].first + i], &t))
                    act(p, &t);
    }
}

static void choose_signs(separation *p) {
    const weft_contact *contact = p->step->contact;
    for (int32_t i = 0; i < contact->object_count; i++)
        for (int32_t c = 0; c < contact->cloth_count; c++) {
            arrangement *l = &p->arrangements[(ptrdiff_t)i * contact->cloth_count + c];
            if (l->sign == 0 && l->count > 0)
                l->sign = sign_of(contact, i, l);
        }
}

/* Returns whether any vertex was moved. */
static int move_vertices(separation *p) {
    weft_contact *contact = p->step->contact;
    int any = 0;
    for (int32_t i = 0; i < contact->cloth_vertices; i++) {
        weft_vec3 direction = weft_normalize(p->push[i]);
        if (weft_dot(direction, direction) == 0)
            continue;
        any = 1;
        if (p->on_body[i] || weft_dot(p->side[i], p->side[i]) == 0)
            p->side[i] = direction;
        contact->x[i] = weft_add_scaled(contact->x[i], APART * p->step->settings->thickness, direction);
    }
    return any;
}

static weft_status separate_in_rounds(separation *p) {
    weft_contact *contact = p->step->contact;
    size_t n = (size_t)contact->count;
    int32_t rounds = 4 + 2 * contact->cloth_count; /* a stack separates layer by layer */
    for (int32_t round = 0;; round++) {
        memcpy(contact->x_next, contact->x, (size_t)contact->cloth_vertices * sizeof *contact->x);
        weft_status status = pair_cache_update_start(p->step);
        if (status != WEFT_STATUS_OK)
            return status;
        memset(p->push, 0, n * sizeof *p->push);
        memset(p->on_body, 0, n);
        p->done->left = 0;
        each_touch(p, measure);
        choose_signs(p);
        each_touch(p, push_touch_apart);
        if (round == 0)
            p->done->touching = p->done->left;
        if (p->done->left == 0 || round == rounds || !move_vertices(p))
            return WEFT_STATUS_OK;
    }
}

static void find_normals(const weft_contact *contact, weft_vec3 *normal) {
    const weft_vec3 *x = contact->x;
    for (int32_t i = 0; i < contact->triangle_count; i++) {
        const int32_t *v = contact->triangle[i];
        weft_vec3 area = weft_cross(weft_sub(x[v[1]], x[v[0]]), weft_sub(x[v[2]], x[v[0]]));
        for (int k = 0; k < 3; k++)
            normal[v[k]] = weft_add(normal[v[k]], area);
    }
    for (int32_t i = 0; i < contact->count; i++)
        normal[i] = weft_normalize(normal[i]);
}

static void find_parts(const weft_contact *contact, int32_t *part) {
    for (int32_t i = 0; i < contact->count; i++)
        part[i] = i < contact->cloth_vertices ? i : -1;
    for (int32_t t = 0; t < contact->triangle_count && contact->triangle[t][0] < contact->cloth_vertices; t++)
        for (int k = 0; k < 3; k++)
            contact_set_join(part, contact->triangle[t][k], contact->triangle[t][(k + 1) % 3]);
    for (int32_t i = 0; i < contact->cloth_vertices; i++)
        part[i] = contact_set_root(part, i);
}

static void copy_positions(const separation *p, weft_vec3 *x) {
    const weft_contact *contact = p->step->contact;
    for (int32_t i = 0; i < contact->cloth_vertices; i++) {
        double moved = weft_distance(contact->x[i], x[i]);
        p->done->vertices += moved > 0;
        p->done->farthest = fmax(p->done->farthest, moved);
        x[i] = contact->x[i];
    }
}

weft_status weft_contact_separate(weft_contact *contact, const weft_contact_settings *settings, const weft_work *work,
                                  const weft_contact_state *state, const weft_vec3 *weight, weft_vec3 *x,
                                  weft_contact_separation *done) {
    contact_step step = contact_step_of(contact, settings, work, state, NULL);
    step.fast = 0; /* rounded shapes are tested by their triangles */
    contact->pairs_valid = 0;
    size_t n = (size_t)contact->count, pairs = (size_t)contact->object_count * (size_t)contact->cloth_count;
    separation p = {.step = &step, .weight = weight, .done = done};
    *done = (weft_contact_separation){.cloth = WEFT_NONE, .object = WEFT_NONE};
    p.normal = weft_allocate(n, sizeof *p.normal);
    p.side = weft_allocate(n, sizeof *p.side);
    p.push = weft_allocate(n, sizeof *p.push);
    p.on_body = weft_allocate(n, 1);
    p.part = weft_allocate(n, sizeof *p.part);
    p.arrangements = weft_allocate(pairs, sizeof *p.arrangements);
    weft_status status = p.normal && p.side && p.push && p.on_body && p.part && p.arrangements
                             ? contact_take_state(&step, state)
                             : WEFT_STATUS_NO_MEMORY;
    if (status == WEFT_STATUS_OK) {
        find_normals(contact, p.normal);
        find_parts(contact, p.part);
        status = separate_in_rounds(&p);
    }
    if (status == WEFT_STATUS_OK)
        copy_positions(&p, x);
    weft_contact_forget(contact);
    contact->pairs_valid = 0;
    void *owned[] = {p.arrangements, p.part, p.on_body, p.push, p.side, p.normal};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; i++)
        free(owned[i]);
    return status;
}
