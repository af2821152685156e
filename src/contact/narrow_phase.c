/* The narrow phase: the vertex-triangle and edge-edge pairs of two leaves that are close at the start of the step. Each
 * vertex and each edge is owned by one triangle, so that a pair is found only once (Bender and Deul 2013, section 6).
 * Leaves that move fast relative to each other get a larger margin.
 *
 * Only proximity is decided here. Single precision relative to a centre suffices, with a bound for its rounding errors.
 */
#include "contact/internal.h"

/* The margin of fast leaf pairs, as a multiple of their relative motion in the step. The excess over 1 leaves room for
 * the contact response. */
static const double DRIFT_FACTOR = 1.25;
/* Larger than any distance in a scene, smaller than the gap to an empty box, m. */
static const double FAR = 1e30;
/* Upper bound of the error by which distances are too large, relative to the largest coordinate. The worst case is two
 * edges that are parallel up to the rounding of their directions, about a thousandth. Where such edges cross, the
 * distance found is that at their ends. */
static const float ROUNDING = 4e-3F;

typedef struct point {
    float x, y, z;
} point;

/* Scalars instead of arrays: reading an array as a whole right after its elements were written would stall. */
typedef struct box {
    point low, high;
} box;

/* A leaf, relative to a centre. */
typedef struct side {
    const contact_object *object;
    int32_t begin, end;           /* its triangles, in tree order */
    point at[3 * LEAF_TRIANGLES]; /* its vertices */
    box triangle[LEAF_TRIANGLES];
    box around; /* the whole leaf */
} side;

typedef struct leaf_test {
    contact_search *search;
    side a, b;
    float most;     /* distance within which features become candidate pairs, including the rounding bound, m */
    float rounding; /* the rounding bound, m */
} leaf_test;

static point minus(point a, point b) { return (point){a.x - b.x, a.y - b.y, a.z - b.z}; }
static float dot(point a, point b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static point cross(point a, point b) {
    return (point){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static float smaller(float a, float b) { return b < a ? b : a; }
static float larger(float a, float b) { return b > a ? b : a; }

/* Squared distances, m2. */

static float squared_to_edge(point p, point a, point ab) {
    point ap = minus(p, a);
    float square = dot(ab, ab), t = dot(ap, ab);
    t = t <= 0 ? 0 : t >= square ? 1 : t / square;
    point d = {ap.x - t * ab.x, ap.y - t * ab.y, ap.z - t * ab.z};
    return dot(d, d);
}

static float squared_to_triangle(point p, point a, point b, point c) {
    point ab = minus(b, a), bc = minus(c, b), ca = minus(a, c), normal = cross(ab, bc);
    float best = smaller(squared_to_edge(p, a, ab), smaller(squared_to_edge(p, b, bc), squared_to_edge(p, c, ca)));
    int inside = dot(cross(ab, minus(p, a)), normal) >= 0 && dot(cross(bc, minus(p, b)), normal) >= 0 &&
                 dot(cross(ca, minus(p, c)), normal) >= 0;
    float height = dot(minus(p, a), normal), square = dot(normal, normal);
    return inside && square > 0 ? smaller(best, height * height / square) : best;
}

static float squared_between_edges(point a, point b, point c, point d) {
    point ab = minus(b, a), cd = minus(d, c), r = minus(a, c), normal = cross(ab, cd);
    float best = smaller(smaller(squared_to_edge(a, c, cd), squared_to_edge(b, c, cd)),
                         smaller(squared_to_edge(c, a, ab), squared_to_edge(d, a, ab)));
    float square = dot(normal, normal), s = -dot(cross(r, cd), normal), t = -dot(cross(r, ab), normal);
    float height = dot(r, normal);
    int inside = square > 0 && s >= 0 && s <= square && t >= 0 && t <= square;
    return inside ? smaller(best, height * height / square) : best;
}

/* The largest gap of two boxes along an axis; negative when they overlap. */
static inline float box_gap(box a, box b) {
    float x = larger(a.low.x - b.high.x, b.low.x - a.high.x), y = larger(a.low.y - b.high.y, b.low.y - a.high.y);
    return larger(larger(x, y), larger(a.low.z - b.high.z, b.low.z - a.high.z));
}

static inline box box_of(point a, point b) {
    return (box){{smaller(a.x, b.x), smaller(a.y, b.y), smaller(a.z, b.z)},
                 {larger(a.x, b.x), larger(a.y, b.y), larger(a.z, b.z)}};
}

static inline box box_join(box a, box b) {
    return (box){{smaller(a.low.x, b.low.x), smaller(a.low.y, b.low.y), smaller(a.low.z, b.low.z)},
                 {larger(a.high.x, b.high.x), larger(a.high.y, b.high.y), larger(a.high.z, b.high.z)}};
}

/* Torn triangles get empty boxes. */
static void gather_leaf(const weft_contact *contact, const contact_object *object, int32_t leaf, weft_vec3 centre,
                        side *s) {
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
        box made = box_join(box_of(s->at[c[0]], s->at[c[1]]), box_of(s->at[c[2]], s->at[c[2]]));
        s->around = box_join(s->around, made);
        if (contact->marks[tree->order[i]] & OPEN)
            made.low.x = INFINITY;
        s->triangle[i - s->begin] = made;
    }
}

static void add_pair(const leaf_test *m, weft_pair_kind kind, int proximity, const int32_t vertex[4], float square) {
    int rejected = square > m->most * m->most || (m->search->proximity_only && !proximity);
    contact_pair *pair = rejected ? NULL : contact_bin_pair(m->search->bin);
    if (pair)
        *pair = (contact_pair){{vertex[0], vertex[1], vertex[2], vertex[3]},
                               (int16_t)kind,
                               (int16_t)proximity,
                               larger((1 - 1e-6F) * sqrtf(square) - m->rounding, 0),
                               0};
}

static int has_vertex(const int32_t t[3], int32_t v) { return t[0] == v || t[1] == v || t[2] == v; }

/* Tests the vertices that triangle i of p owns against triangle j of q. */
static void test_vertices(const leaf_test *m, const side *p, int32_t i, const side *q, int32_t j) {
    const weft_contact *contact = m->search->contact;
    int32_t first = p->object->tree.order[i], second = q->object->tree.order[j];
    const int32_t *t = contact->triangle[first], *u = contact->triangle[second];
    const uint8_t *c = p->object->tree.local + 3 * (ptrdiff_t)i, *d = q->object->tree.local + 3 * (ptrdiff_t)j;
    uint16_t marks = contact->marks[first];
    for (int k = 0; k < 3; k++) {
        point at = p->at[c[k]];
        if (!(marks & OWNS_VERTEX << k) || has_vertex(u, t[k]) ||
            box_gap(box_of(at, at), q->triangle[j - q->begin]) > m->most)
            continue;
        int proximity = !m->search->exact_shape || (p->object->body && marks & SHARP_VERTEX << k);
        const int32_t vertex[4] = {t[k], u[0], u[1], u[2]};
        add_pair(m, WEFT_VERTEX_TRIANGLE, proximity, vertex,
                 squared_to_triangle(at, q->at[d[0]], q->at[d[1]], q->at[d[2]]));
    }
}

static void test_edges(const leaf_test *m, int32_t i, int32_t j) {
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
        if (box_gap(first, m->b.triangle[j - m->b.begin]) > m->most)
            continue;
        for (int l = 0; l < 3; l++) {
            const int32_t vertex[4] = {t[k], t[(k + 1) % 3], u[l], u[(l + 1) % 3]};
            if (!(other & OWNS_EDGE << l) || vertex[0] == vertex[2] || vertex[0] == vertex[3] ||
                vertex[1] == vertex[2] || vertex[1] == vertex[3])
                continue;
            point e = m->b.at[d[l]], f = m->b.at[d[(l + 1) % 3]];
            if (!(box_gap(first, box_of(e, f)) > m->most))
                add_pair(m, WEFT_EDGE_EDGE, !m->search->exact_shape || other & SHARP_EDGE << l, vertex,
                         squared_between_edges(a, b, e, f));
        }
    }
}

static void test_triangles(const leaf_test *m) {
    for (int32_t i = m->a.begin; i < m->a.end; i++) {
        int32_t from = m->a.object == m->b.object && m->b.begin <= i ? i + 1 : m->b.begin;
        for (int32_t j = from; j < m->b.end; j++) {
            if (box_gap(m->a.triangle[i - m->a.begin], m->b.triangle[j - m->b.begin]) > m->most)
                continue;
            test_vertices(m, &m->a, i, &m->b, j);
            test_vertices(m, &m->b, j, &m->a, i);
            test_edges(m, i, j);
        }
    }
}

double pair_cache_drift(const contact_search *s, const contact_leaf_pair *leaf_pair) {
    const contact_leaf_motion *p = &s->a->tree.motion[leaf_pair->leaf[0]], *q = &s->b->tree.motion[leaf_pair->leaf[1]];
    double most = 0;
    for (int e = 0; e < 2; e++) {
        weft_vec3 shift = weft_sub(weft_sub(p->centre[e], q->centre[e]), leaf_pair->offset);
        double moved = weft_length(shift) + (p->deformation[e] + q->deformation[e] - leaf_pair->deformation);
        most = moved <= most ? most : moved; /* a NaN is kept */
    }
    return most * (1 + 1e-9);
}

static float largest_coordinate(box b) {
    float low = smaller(b.low.x, smaller(b.low.y, b.low.z)), high = larger(b.high.x, larger(b.high.y, b.high.z));
    return larger(-low, high);
}

void narrow_phase_find_pairs(contact_search *s, int32_t leaf, int32_t other) {
    const contact_leaf_motion *p = &s->a->tree.motion[leaf], *q = &s->b->tree.motion[other];
    contact_leaf_pair found = {.leaf = {leaf, other},
                               .first = s->bin->pair_count,
                               .offset = weft_sub(p->centre[0], q->centre[0]),
                               .deformation = p->deformation[0] + q->deformation[0],
                               .margin = s->cache_margin};
    found.drift = pair_cache_drift(s, &found);
    if (!(found.drift <= found.margin))
        found.margin = found.drift < FAR ? DRIFT_FACTOR * found.drift : FAR;
    leaf_test m;
    m.search = s;
    gather_leaf(s->contact, s->a, leaf, p->centre[0], &m.a);
    gather_leaf(s->contact, s->b, other, p->centre[0], &m.b);
    m.rounding = ROUNDING * largest_coordinate(box_join(m.a.around, m.b.around));
    m.most = (float)(s->contact_distance + found.margin) * (1 + 1e-6F) + m.rounding;
    double gap = (double)(box_gap(m.a.around, m.b.around) - m.rounding) - s->contact_distance;
    if (gap > found.margin)
        found.margin = gap;
    else
        test_triangles(&m);
    found.count = s->bin->pair_count - found.first;
    found.least_distance = INFINITY;
    for (int32_t i = found.first; i < s->bin->pair_count; i++)
        found.least_distance = smaller(found.least_distance, s->bin->pair[i].listed_distance);
    contact_leaf_pair *leaf_pair = contact_bin_leaf_pair(s->bin);
    if (leaf_pair)
        *leaf_pair = found;
}
