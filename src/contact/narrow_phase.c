/* The pairs of a vertex and a triangle, and of two edges, of two leaves that are near each other at the start of the
 * step. Every vertex and every edge is owned by one triangle, so that a pair comes up once (Bender & Deul 2013, section
 * 6). Leaves that move fast against each other are given as much more room as that takes. What is asked here is only
 * which features are near: in single precision, relative to a centre, with room for its rounding. */
#include "contact/internal.h"

/* Of a step's way, beyond which there is no room left for the response to it. */
static const double ROOM = 1.25;
/* Beyond anything, and less than what parts empty boxes, m. */
static const double FAR = 1e30;
/* By how much distances are too large at most, as a part of the largest coordinate. Edges that are parallel but for the
 * rounding of their directions, a thousandth, decide: where they cross, the distance is found at their ends. */
static const float ROUNDING = 4e-3F;

typedef struct point {
    float x, y, z;
} point;

/* Scalars, not arrays: what is written by parts and read as a whole has to wait. */
typedef struct box {
    point low, high;
} box;

/* A leaf relative to a centre. */
typedef struct side {
    const contact_object *object;
    int32_t begin, end; /* its triangles, in the order of the tree */
    point at[3 * LEAF]; /* its corners */
    box triangle[LEAF];
    box around; /* all of it */
} side;

typedef struct meet {
    contact_search *search;
    side a, b;
    float most;     /* distance at which features are kept, with room for rounding, m */
    float rounding; /* that room, m */
} meet;

static point minus(point a, point b) { return (point){a.x - b.x, a.y - b.y, a.z - b.z}; }
static float dot(point a, point b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static point cross(point a, point b) {
    return (point){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static float lesser(float a, float b) { return b < a ? b : a; }
static float larger(float a, float b) { return b > a ? b : a; }

/* Squared distances, m2. */

static float to_edge(point p, point a, point ab) {
    point ap = minus(p, a);
    float square = dot(ab, ab), t = dot(ap, ab);
    t = t <= 0 ? 0 : t >= square ? 1 : t / square;
    point d = {ap.x - t * ab.x, ap.y - t * ab.y, ap.z - t * ab.z};
    return dot(d, d);
}

static float to_triangle(point p, point a, point b, point c) {
    point ab = minus(b, a), bc = minus(c, b), ca = minus(a, c), normal = cross(ab, bc);
    float best = lesser(to_edge(p, a, ab), lesser(to_edge(p, b, bc), to_edge(p, c, ca)));
    int inside = dot(cross(ab, minus(p, a)), normal) >= 0 && dot(cross(bc, minus(p, b)), normal) >= 0 &&
                 dot(cross(ca, minus(p, c)), normal) >= 0;
    float height = dot(minus(p, a), normal), square = dot(normal, normal);
    return inside && square > 0 ? lesser(best, height * height / square) : best;
}

static float between_edges(point a, point b, point c, point d) {
    point ab = minus(b, a), cd = minus(d, c), r = minus(a, c), normal = cross(ab, cd);
    float best = lesser(lesser(to_edge(a, c, cd), to_edge(b, c, cd)), lesser(to_edge(c, a, ab), to_edge(d, a, ab)));
    float square = dot(normal, normal), s = -dot(cross(r, cd), normal), t = -dot(cross(r, ab), normal);
    float height = dot(r, normal);
    int inside = square > 0 && s >= 0 && s <= square && t >= 0 && t <= square;
    return inside ? lesser(best, height * height / square) : best;
}

/* How far they are apart along an axis, below 0 when they overlap. */
static inline float gap_between(box a, box b) {
    float x = larger(a.low.x - b.high.x, b.low.x - a.high.x), y = larger(a.low.y - b.high.y, b.low.y - a.high.y);
    return larger(larger(x, y), larger(a.low.z - b.high.z, b.low.z - a.high.z));
}

static inline box box_of(point a, point b) {
    return (box){{lesser(a.x, b.x), lesser(a.y, b.y), lesser(a.z, b.z)},
                 {larger(a.x, b.x), larger(a.y, b.y), larger(a.z, b.z)}};
}

static inline box joined(box a, box b) {
    return (box){{lesser(a.low.x, b.low.x), lesser(a.low.y, b.low.y), lesser(a.low.z, b.low.z)},
                 {larger(a.high.x, b.high.x), larger(a.high.y, b.high.y), larger(a.high.z, b.high.z)}};
}

/* Torn triangles have empty boxes. */
static void gather(const weft_contact *contact, const contact_object *object, int32_t leaf, weft_vec3 centre, side *s) {
    const contact_tree *tree = &object->tree;
    const int32_t *corner = tree->corner + tree->first_corner[leaf];
    int32_t count = tree->first_corner[leaf + 1] - tree->first_corner[leaf];
    s->object = object;
    s->begin = contact_leaf_start(tree, leaf);
    s->end = contact_leaf_start(tree, leaf + 1);
    for (int32_t i = 0; i < count; i++) {
        weft_vec3 d = weft_sub(contact->x[object->first + corner[i]], centre);
        s->at[i] = (point){(float)d.x, (float)d.y, (float)d.z};
    }
    s->around = box_of(s->at[0], s->at[0]);
    for (int32_t i = s->begin; i < s->end; i++) {
        const uint8_t *c = tree->local + 3 * (ptrdiff_t)i;
        box made = joined(box_of(s->at[c[0]], s->at[c[1]]), box_of(s->at[c[2]], s->at[c[2]]));
        s->around = joined(s->around, made);
        if (contact->marks[tree->order[i]] & OPEN)
            made.low.x = INFINITY;
        s->triangle[i - s->begin] = made;
    }
}

static void keep(const meet *m, weft_pair_kind kind, int near, const int32_t vertex[4], float square) {
    int left_out = square > m->most * m->most || (m->search->near_only && !near);
    contact_pair *pair = left_out ? NULL : contact_bin_pair(m->search->bin);
    if (pair)
        *pair = (contact_pair){{vertex[0], vertex[1], vertex[2], vertex[3]},
                               (int16_t)kind,
                               (int16_t)near,
                               larger((1 - 1e-6F) * sqrtf(square) - m->rounding, 0),
                               0};
}

static int has(const int32_t t[3], int32_t v) { return t[0] == v || t[1] == v || t[2] == v; }

/* The vertices that triangle i of p owns against triangle j of q. */
static void vertices_against(const meet *m, const side *p, int32_t i, const side *q, int32_t j) {
    const weft_contact *contact = m->search->contact;
    int32_t first = p->object->tree.order[i], second = q->object->tree.order[j];
    const int32_t *t = contact->triangle[first], *u = contact->triangle[second];
    const uint8_t *c = p->object->tree.local + 3 * (ptrdiff_t)i, *d = q->object->tree.local + 3 * (ptrdiff_t)j;
    uint16_t marks = contact->marks[first];
    for (int k = 0; k < 3; k++) {
        point at = p->at[c[k]];
        if (!(marks & OWNS_VERTEX << k) || has(u, t[k]) ||
            gap_between(box_of(at, at), q->triangle[j - q->begin]) > m->most)
            continue;
        int near = !m->search->smooth || (p->object->body && marks & SHARP_VERTEX << k);
        const int32_t vertex[4] = {t[k], u[0], u[1], u[2]};
        keep(m, WEFT_VERTEX_TRIANGLE, near, vertex, to_triangle(at, q->at[d[0]], q->at[d[1]], q->at[d[2]]));
    }
}

static void edges_against(const meet *m, int32_t i, int32_t j) {
    const weft_contact *contact = m->search->contact;
    const contact_tree *ta = &m->a.object->tree, *tb = &m->b.object->tree;
    const int32_t *t = contact->triangle[ta->order[i]], *u = contact->triangle[tb->order[j]];
    const uint8_t *c = ta->local + 3 * (ptrdiff_t)i, *d = tb->local + 3 * (ptrdiff_t)j;
    uint16_t marks = contact->marks[ta->order[i]], other = contact->marks[tb->order[j]];
    for (int k = 0; k < 3; k++) {
        if (!(marks & OWNS_EDGE << k))
            continue;
        point a = m->a.at[c[k]], b = m->a.at[c[(k + 1) % 3]];
        box first = box_of(a, b);
        if (gap_between(first, m->b.triangle[j - m->b.begin]) > m->most)
            continue;
        for (int l = 0; l < 3; l++) {
            const int32_t vertex[4] = {t[k], t[(k + 1) % 3], u[l], u[(l + 1) % 3]};
            if (!(other & OWNS_EDGE << l) || vertex[0] == vertex[2] || vertex[0] == vertex[3] ||
                vertex[1] == vertex[2] || vertex[1] == vertex[3])
                continue;
            point e = m->b.at[d[l]], f = m->b.at[d[(l + 1) % 3]];
            if (!(gap_between(first, box_of(e, f)) > m->most))
                keep(m, WEFT_EDGE_EDGE, !m->search->smooth || other & SHARP_EDGE << l, vertex,
                     between_edges(a, b, e, f));
        }
    }
}

static void find_pairs(const meet *m) {
    for (int32_t i = m->a.begin; i < m->a.end; i++) {
        int32_t from = m->a.object == m->b.object && m->b.begin <= i ? i + 1 : m->b.begin;
        for (int32_t j = from; j < m->b.end; j++) {
            if (gap_between(m->a.triangle[i - m->a.begin], m->b.triangle[j - m->b.begin]) > m->most)
                continue;
            vertices_against(m, &m->a, i, &m->b, j);
            vertices_against(m, &m->b, j, &m->a, i);
            edges_against(m, i, j);
        }
    }
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

/* The largest coordinate. */
static float size_of(box b) {
    float low = lesser(b.low.x, lesser(b.low.y, b.low.z)), high = larger(b.high.x, larger(b.high.y, b.high.z));
    return larger(-low, high);
}

void narrow_phase_find_pairs(contact_search *s, int32_t leaf, int32_t other) {
    const contact_patch *p = &s->a->tree.patch[leaf], *q = &s->b->tree.patch[other];
    contact_meeting met = {.leaf = {leaf, other},
                           .first = s->bin->pair_count,
                           .apart = weft_sub(p->centre[0], q->centre[0]),
                           .bent = p->bent[0] + q->bent[0],
                           .limit = s->limit};
    met.moved = contact_moved(s, &met);
    if (!(met.moved <= met.limit))
        met.limit = met.moved < FAR ? ROOM * met.moved : FAR;
    meet m;
    m.search = s;
    gather(s->contact, s->a, leaf, p->centre[0], &m.a);
    gather(s->contact, s->b, other, p->centre[0], &m.b);
    m.rounding = ROUNDING * size_of(joined(m.a.around, m.b.around));
    m.most = (float)(s->near + met.limit) * (1 + 1e-6F) + m.rounding;
    double gap = (double)(gap_between(m.a.around, m.b.around) - m.rounding) - s->near;
    if (gap > met.limit)
        met.limit = gap;
    else
        find_pairs(&m);
    met.count = s->bin->pair_count - met.first;
    contact_meeting *meeting = contact_bin_meeting(s->bin);
    if (meeting)
        *meeting = met;
}
