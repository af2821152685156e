/* The pairs of a vertex and a triangle, and of two edges, of two leaves that are near each other at the start of the
 * step. Every vertex and every edge is owned by one triangle, so that a pair comes up once (Bender & Deul 2013, section
 * 6). Leaves that move fast against each other are given as much more room as that takes. */
#include "contact/internal.h"

/* Of a step's way, beyond which there is no room left for the response to it. */
static const double ROOM = 1.25;
/* Beyond anything, and less than what parts empty boxes, m. */
static const double FAR = 1e30;

typedef struct leaves {
    contact_search *search;
    double most;  /* distance at which features are kept, m */
    float beyond; /* the same beyond the room that boxes have already */
} leaves;

static int has(const int32_t t[3], int32_t v) { return t[0] == v || t[1] == v || t[2] == v; }

/* Of boxes, where the step begins. */
static int are_near(const contact_box *a, const contact_box *b, float beyond) {
    int apart = 0;
    for (int k = 0; k < 4; k++)
        apart |= (a->low[0][k] - b->high[0][k] > beyond) | (b->low[0][k] - a->high[0][k] > beyond);
    return !apart;
}

static float below(double a) {
    float f = (float)a;
    return f - 1.2e-7F * f;
}

static void emit(const leaves *l, weft_pair_kind kind, int near, int32_t a, int32_t b, int32_t c, int32_t d) {
    weft_vec3 x[4];
    double weight[4];
    contact_pair made = {{a, b, c, d}, (int16_t)kind, (int16_t)near, 0, 0};
    contact_corners(l->search->contact->x, made.vertex, x);
    double square = weft_closest(kind, x, weight);
    if (square > l->most * l->most)
        return;
    made.apart = below(sqrt(square));
    contact_pair *pair = contact_bin_pair(l->search->bin);
    if (pair)
        *pair = made;
}

/* The vertices that triangle p owns against triangle q with its box. */
static void vertices_against(const leaves *l, int32_t p, int32_t q, const contact_box *box, int p_is_body) {
    const weft_contact *contact = l->search->contact;
    const int32_t *t = contact->triangle[p], *u = contact->triangle[q];
    uint16_t marks = contact->marks[p];
    for (int k = 0; k < 3; k++)
        if ((marks & OWNS_VERTEX << k) && !has(u, t[k]) && are_near(&contact->reach[t[k]], box, l->beyond)) {
            int near = !l->search->smooth || (p_is_body && marks & SHARP_VERTEX << k);
            emit(l, WEFT_VERTEX_TRIANGLE, near, t[k], u[0], u[1], u[2]);
        }
}

static void edges_against(const leaves *l, int32_t p, int32_t q, const contact_box *box_q) {
    const weft_contact *contact = l->search->contact;
    const contact_box *reach = contact->reach;
    const int32_t *t = contact->triangle[p], *u = contact->triangle[q];
    uint16_t marks = contact->marks[p], other = contact->marks[q];
    for (int i = 0; i < 3; i++) {
        int32_t a = t[i], b = t[(i + 1) % 3];
        if (!(marks & OWNS_EDGE << i))
            continue;
        contact_box box = contact_box_join(reach[a], reach[b]);
        if (!are_near(&box, box_q, l->beyond))
            continue;
        for (int j = 0; j < 3; j++) {
            int32_t c = u[j], d = u[(j + 1) % 3];
            if (!(other & OWNS_EDGE << j) || a == c || a == d || b == c || b == d)
                continue;
            contact_box second = contact_box_join(reach[c], reach[d]);
            if (are_near(&box, &second, l->beyond))
                emit(l, WEFT_EDGE_EDGE, !l->search->smooth || other & SHARP_EDGE << j, a, b, c, d);
        }
    }
}

static void triangle_against(const leaves *l, int32_t i, int32_t j) {
    const contact_tree *ta = &l->search->a->tree, *tb = &l->search->b->tree;
    const contact_box *p = &ta->triangle[i], *q = &tb->triangle[j];
    if (!are_near(p, q, l->beyond))
        return;
    vertices_against(l, ta->order[i], tb->order[j], q, 0);
    vertices_against(l, tb->order[j], ta->order[i], p, l->search->b->body != NULL);
    edges_against(l, ta->order[i], tb->order[j], q);
}

double contact_moved(const contact_search *s, const contact_meeting *meeting) {
    const contact_patch *p = &s->a->tree.patch[meeting->leaf[0]], *q = &s->b->tree.patch[meeting->leaf[1]];
    double most = 0;
    for (int e = 0; e < 2; e++) {
        weft_vec3 way = weft_sub(weft_sub(p->centre[e], q->centre[e]), meeting->apart);
        double moved = weft_length(way) + (p->bent[e] + q->bent[e] - meeting->bent);
        most = moved <= most ? most : moved; /* also when it is not a number */
    }
    return most * (1 + 1e-9);
}

void contact_meet(contact_search *s, int32_t leaf, int32_t other) {
    const contact_tree *ta = &s->a->tree, *tb = &s->b->tree;
    const contact_patch *p = &ta->patch[leaf], *q = &tb->patch[other];
    contact_meeting met = {.leaf = {leaf, other},
                           .first = s->bin->pair_count,
                           .apart = weft_sub(p->centre[0], q->centre[0]),
                           .bent = p->bent[0] + q->bent[0],
                           .limit = s->limit};
    met.moved = contact_moved(s, &met);
    if (!(met.moved <= met.limit))
        met.limit = met.moved < FAR ? ROOM * met.moved : FAR;
    leaves l = {s, s->near + met.limit, 0};
    l.beyond = (float)fmax(l.most - s->room, 0) * (1 + 1e-6F);
    int32_t end = contact_leaf_start(ta, leaf + 1), end_b = contact_leaf_start(tb, other + 1);
    for (int32_t i = contact_leaf_start(ta, leaf); i < end; i++) {
        int32_t from = contact_leaf_start(tb, other);
        if (s->a == s->b && from <= i)
            from = i + 1;
        for (int32_t j = from; j < end_b; j++)
            triangle_against(&l, i, j);
    }
    met.count = s->bin->pair_count - met.first;
    contact_meeting *meeting = contact_bin_meeting(s->bin);
    if (meeting)
        *meeting = met;
}
