/* Displacement bounds. Where rounds of impulses leave collisions, each vertex of a collision gives up a part of its own
 * motion. For that part it follows a common motion, within which nothing collides: that of the body or pin that it runs
 * into, or the rigid motion of its zone (Provot 1997; Bridson, Fedkiw and Anderson 2002, section 7.4).
 *
 * The share of its own motion halves with each collision, and ends at 0. Anchors spread from vertex to vertex through
 * collisions, so that cloth in front of a moving body is pushed by what the body pushes. Later rounds bound more and
 * more neighbours too, and finally whole cloths. With bodies and pins at rest, everything that collides ends at rest or
 * in one rigid motion, which has no collisions. Objects that move differently may leave some. */
#include "contact/bounds.h"

#include "contact/internal.h"

/* A vertex has no motion of its own after more collisions than SOFT. From round GROW on, neighbours are bounded too:
 * one ring of them, then two, four, and so on. */
enum { SOFT = 2, GROW = 12 };

weft_status contact_bounds_begin(contact_step *step, contact_bounds *bounds) {
    weft_contact *contact = step->contact;
    size_t n = (size_t)contact->cloth_vertices;
    bounds->x = weft_arena_take(step->work->arena, n * sizeof *bounds->x, "displacement bounds");
    bounds->v = weft_arena_take(step->work->arena, n * sizeof *bounds->v, "displacement bounds");
    bounds->share = weft_arena_take(step->work->arena, n * sizeof *bounds->share, "displacement bounds");
    bounds->inside = weft_arena_take(step->work->arena, n, "displacement bounds");
    if (!bounds->x || !bounds->v || !bounds->share || !bounds->inside)
        return WEFT_STATUS_NO_MEMORY;
    memcpy(bounds->x, contact->x_next, n * sizeof *bounds->x);
    memcpy(bounds->v, contact->v_next, n * sizeof *bounds->v);
    for (size_t i = 0; i < n; i++) {
        bounds->share[i] = 1;
        contact->parent[i] = contact->anchor[i] = WEFT_NONE;
    }
    return WEFT_STATUS_OK;
}

/* -- anchors -- */

static int is_moving(const weft_contact *contact, int32_t v) {
    const contact_object *object = &contact->object[contact->object_of[v]];
    if (object->body)
        return !weft_pose_same(&object->pose[0], &object->pose[1]) || object->frame[0] != object->frame[1];
    return weft_distance(contact->x_next[v], contact->x[v]) > 0;
}

/* Whether vertex a is a better anchor than b. What moves pushes what rests; the reverse would let it pass through. On a
 * body that changes its shape, the vertex that moves farthest comes first, because a bulge pushes with its tip. */
static int is_better_anchor(const weft_contact *contact, int32_t a, int32_t b) {
    int moving_a = is_moving(contact, a), moving_b = is_moving(contact, b);
    if (moving_a != moving_b)
        return moving_a;
    if (contact->object_of[a] != contact->object_of[b])
        return contact->object_of[a] < contact->object_of[b];
    const contact_object *object = &contact->object[contact->object_of[a]];
    double way_a = weft_distance(contact->x_next[a], contact->x[a]);
    double way_b = weft_distance(contact->x_next[b], contact->x[b]);
    if (object->frame[0] != object->frame[1] && way_a != way_b)
        return way_a > way_b;
    return a < b;
}

/* Gives the free vertices of a hit the best of their anchors. Returns whether any changed. */
static int spread_anchor(weft_contact *contact, const contact_row *hit) {
    int32_t best = WEFT_NONE;
    int changed = 0;
    for (int i = 0; i < 4; i++) {
        int32_t v = hit->vertex[i], anchor = contact->inverse_mass[v] == 0 ? v : contact->anchor[v];
        if (anchor != WEFT_NONE && (best == WEFT_NONE || is_better_anchor(contact, anchor, best)))
            best = anchor;
    }
    for (int i = 0; i < 4 && best != WEFT_NONE; i++) {
        int32_t v = hit->vertex[i];
        if (contact->inverse_mass[v] > 0 && contact->anchor[v] != best) {
            contact->anchor[v] = best;
            changed = 1;
        }
    }
    return changed;
}

/* -- hits -- */

static void each_hit(const weft_contact *contact, void (*act)(void *context, const contact_row *hit), void *context) {
    for (int32_t b = 0; b < contact->task_count; b++)
        for (int32_t i = 0; i < contact->task[b].bin->hit_count; i++)
            act(context, &contact->task[b].bin->hit[i]);
}

typedef struct tightening {
    weft_contact *contact;
    contact_bounds *bounds;
    int anchors_changed;
} tightening;

static void mark_hit(void *context, const contact_row *hit) {
    const tightening *t = context;
    for (int i = 0; i < 4; i++)
        t->contact->changed[hit->vertex[i]] |= t->contact->inverse_mass[hit->vertex[i]] > 0;
}

static void join_hit(void *context, const contact_row *hit) {
    const tightening *t = context;
    int32_t first = WEFT_NONE;
    for (int i = 0; i < 4; i++) {
        int32_t v = hit->vertex[i];
        if (t->contact->inverse_mass[v] == 0)
            continue;
        if (t->contact->parent[v] == WEFT_NONE)
            t->contact->parent[v] = v;
        first = first == WEFT_NONE ? v : first;
        contact_set_join(t->contact->parent, first, v);
    }
}

static void spread_hit(void *context, const contact_row *hit) {
    tightening *t = context;
    t->anchors_changed |= spread_anchor(t->contact, hit);
}

static void halve_shares(const tightening *t) {
    const double least = ldexp(1, -SOFT);
    for (int32_t i = 0; i < t->contact->cloth_vertices; i++)
        if (t->contact->changed[i])
            t->bounds->share[i] = t->bounds->share[i] <= least ? 0 : 0.5 * t->bounds->share[i];
}

/* -- neighbours -- */

/* Treats a triangle like a hit. */
static void bound_triangle(tightening *t, const int32_t triangle[3]) {
    contact_row row = {.vertex = {triangle[0], triangle[1], triangle[2], triangle[2]}};
    mark_hit(t, &row);
    join_hit(t, &row);
    spread_anchor(t->contact, &row);
}

/* Bounds one more ring of neighbours. Returns whether there were any. */
static int bound_ring(tightening *t) {
    weft_contact *contact = t->contact;
    uint8_t *inside = t->bounds->inside;
    int any = 0;
    for (int32_t i = 0; i < contact->cloth_vertices; i++)
        inside[i] = contact->parent[i] != WEFT_NONE;
    for (int32_t i = 0; i < contact->triangle_count; i++) {
        const int32_t *v = contact->triangle[i];
        if (v[0] >= contact->cloth_vertices || contact->marks[i] & OPEN ||
            !(inside[v[0]] | inside[v[1]] | inside[v[2]]))
            continue;
        bound_triangle(t, v);
        any |= !(inside[v[0]] & inside[v[1]] & inside[v[2]]);
    }
    return any;
}

weft_status contact_bounds_tighten(contact_step *step, contact_bounds *bounds, int32_t round, int *moved) {
    weft_contact *contact = step->contact;
    tightening t = {.contact = contact, .bounds = bounds};
    memset(contact->changed, 0, (size_t)contact->count);
    each_hit(contact, mark_hit, &t);
    each_hit(contact, join_hit, &t);
    do {
        t.anchors_changed = 0;
        each_hit(contact, spread_hit, &t);
    } while (t.anchors_changed);
    for (int32_t ring = 0, grows = round >= GROW; grows && ring < 1 << (round - GROW < 20 ? round - GROW : 20); ring++)
        grows = bound_ring(&t);
    halve_shares(&t);
    return contact_move_bounded(step, bounds, moved);
}
