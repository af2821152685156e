/* The narrow phase: the vertex-triangle and edge-edge pairs of two leaves that are close at the start of the step, or
 * on their way through it. Each vertex and each edge is owned by one triangle, so that a pair is found only once
 * (Bender and Deul 2013, section 6).
 *
 * Only proximity is decided here. Single precision relative to a centre suffices, with a bound for its rounding errors.
 */
#include "contact/internal.h"
#include "contact/leaf_distance.h"

/* The margin of leaf pairs that deform fast, as a multiple of their deformation in the step. The excess over 1 leaves
 * room for the contact response. */
static const double DRIFT_FACTOR = 1.25;
/* Leaves are fast if their relative motion in the step exceeds this share of the margin. */
static const double FAST = 0.5;
/* Larger than any distance in a scene, m. */
static const double FAR = 1e30;

/* A leaf, relative to a centre. */
typedef struct side {
    const contact_object *object;
    int32_t begin, end; /* its triangles, in tree order */
    float low[3], high[3];
    float at[LEAF_CORNERS][3]; /* its vertices */
    uint8_t vertex_at[LEAF_CORNERS],
        edge_at[LEAF_CORNERS]; /* owners: 3 times the triangle in the leaf plus the corner */
    leaf_features features;
} side;

typedef struct leaf_test {
    contact_search *search;
    side a, b;
    leaf_sweep sweep; /* of a against b */
    float most;       /* distance within which features become candidate pairs, including the rounding bound, m */
    float rounding;   /* the rounding bound, m */
    float next;       /* least distance of all features that did not, including the rounding bound, m */
    uint16_t key[3 * LEAF_CORNERS * LEAF_CORNERS]; /* order of the pairs found */
} leaf_test;

static float smaller(float a, float b) { return b < a ? b : a; }
static float larger(float a, float b) { return b > a ? b : a; }

static void place_corners(const weft_contact *contact, const contact_object *object, int32_t leaf, weft_vec3 centre,
                          side *s) {
    const contact_tree *tree = &object->tree;
    const int32_t *corner = tree->corner + tree->first_corner[leaf];
    int32_t count = tree->first_corner[leaf + 1] - tree->first_corner[leaf];
    for (int32_t i = 0; i < count; i++) {
        weft_vec3 d = weft_sub(contact->x[object->first + corner[i]], centre);
        const float at[3] = {(float)d.x, (float)d.y, (float)d.z};
        for (int k = 0; k < 3; k++) {
            s->at[i][k] = at[k];
            s->low[k] = i == 0 ? at[k] : smaller(s->low[k], at[k]);
            s->high[k] = i == 0 ? at[k] : larger(s->high[k], at[k]);
        }
    }
}

/* Point `to` of `list` is that of the corner. */
static void put(float (*list)[LEAF_FEATURES], int32_t to, const float at[3]) {
    for (int k = 0; k < 3; k++)
        list[k][to] = at[k];
}

/* Repeats the last feature to fill vectors. */
static void fill_up(float (*list)[LEAF_FEATURES], int rows, int32_t count, int32_t lanes) {
    for (int32_t i = count; count > 0 && i % lanes != 0; i++)
        for (int k = 0; k < rows; k++)
            list[k][i] = list[k][count - 1];
}

static void place_triangle(leaf_features *f, int32_t i, const float *const corner[3]) {
    for (int k = 0; k < 9; k++)
        f->triangle[k][i] = f->triangle[k][i + LEAF_TRIANGLES] = corner[k / 3][k % 3];
}

/* Torn triangles own nothing. */
static void place_features(const weft_contact *contact, side *s) {
    const contact_tree *tree = &s->object->tree;
    leaf_features *f = &s->features;
    f->vertex_count = f->edge_count = 0;
    for (int32_t i = 0; i < LEAF_TRIANGLES; i++) {
        int32_t from = s->begin + i < s->end ? s->begin + i : s->end - 1;
        const uint8_t *c = tree->local + 3 * (ptrdiff_t)from;
        const float *const corner[3] = {s->at[c[0]], s->at[c[1]], s->at[c[2]]};
        uint16_t marks = contact->marks[tree->order[from]];
        place_triangle(f, i, corner);
        for (int k = 0; k < 3 && from == s->begin + i && !(marks & OPEN); k++) {
            if (marks & OWNS_VERTEX << k) {
                s->vertex_at[f->vertex_count] = (uint8_t)(3 * i + k);
                put(f->vertex, f->vertex_count++, corner[k]);
            }
            if (marks & OWNS_EDGE << k) {
                s->edge_at[f->edge_count] = (uint8_t)(3 * i + k);
                put(f->edge, f->edge_count, corner[k]);
                put(f->edge + 3, f->edge_count++, corner[(k + 1) % 3]);
            }
        }
    }
    fill_up(f->vertex, 3, f->vertex_count, 4);
    fill_up(f->edge, 6, f->edge_count, 8);
}

static void place_leaf(const weft_contact *contact, const contact_object *object, int32_t leaf, weft_vec3 centre,
                       side *s) {
    s->object = object;
    s->begin = contact_leaf_start(&object->tree, leaf);
    s->end = contact_leaf_start(&object->tree, leaf + 1);
    place_corners(contact, object, leaf, centre, s);
}

/* Appends a pair. Pairs are sorted by `key`, so that their order does not depend on that of the features. */
static void add_pair(leaf_test *m, const contact_pair *pair, int32_t first, uint16_t key) {
    contact_bin *bin = m->search->bin;
    if ((m->search->proximity_only && !pair->proximity) || !contact_bin_pair(bin))
        return;
    contact_pair *list = bin->pair + first;
    int32_t to = bin->pair_count - 1 - first;
    for (; to > 0 && m->key[to - 1] > key; to--) {
        list[to] = list[to - 1];
        m->key[to] = m->key[to - 1];
    }
    list[to] = *pair;
    m->key[to] = key;
}

/* The place of a pair in the list: by triangle of a, triangle of b, kind, and corners. */
static uint16_t key_of(int32_t i, int32_t j, int kind, int k, int l) {
    return (uint16_t)((((i * LEAF_TRIANGLES + j) * 3 + kind) * 3 + k) * 3 + l);
}

static int has_vertex(const int32_t t[3], int32_t v) { return t[0] == v || t[1] == v || t[2] == v; }

static float listed(const leaf_test *m, float distance) { return larger((1 - 1e-6F) * distance - m->rounding, 0); }

/* Tests a vertex of p against the triangles of q. `reverse`: p is the second leaf. */
static void test_vertex(leaf_test *m, const side *p, int32_t vertex, const side *q, const float *distance, int reverse,
                        int32_t first) {
    const weft_contact *contact = m->search->contact;
    int32_t i = p->vertex_at[vertex] / 3, k = p->vertex_at[vertex] % 3;
    int32_t owner = p->object->tree.order[p->begin + i], v = contact->triangle[owner][k];
    int same = m->a.object == m->b.object && m->a.begin == m->b.begin;
    for (int32_t j = 0; j < q->end - q->begin; j++) {
        if (distance[j] > m->most) {
            m->next = smaller(m->next, distance[j]);
            continue;
        }
        int32_t other = q->object->tree.order[q->begin + j];
        const int32_t *u = contact->triangle[other];
        if (has_vertex(u, v) || contact->marks[other] & OPEN)
            continue;
        int proximity = !m->search->exact_shape || (p->object->body && contact->marks[owner] & SHARP_VERTEX << k);
        int turned = reverse || (same && i > j);
        contact_pair pair = {
            {v, u[0], u[1], u[2]}, WEFT_VERTEX_TRIANGLE, (int16_t)proximity, listed(m, distance[j]), 0};
        add_pair(m, &pair, first, turned ? key_of(j, i, 1, k, 0) : key_of(i, j, 0, k, 0));
    }
}

static void test_edge(leaf_test *m, int32_t edge, const float *distance, int32_t first) {
    const weft_contact *contact = m->search->contact;
    const side *p = &m->a, *q = &m->b;
    int32_t i = p->edge_at[edge] / 3, k = p->edge_at[edge] % 3;
    const int32_t *t = contact->triangle[p->object->tree.order[p->begin + i]];
    int same = p->object == q->object && p->begin == q->begin;
    for (int32_t f = 0; f < q->features.edge_count; f++) {
        if (distance[f] > m->most) {
            m->next = smaller(m->next, distance[f]);
            continue;
        }
        int32_t j = q->edge_at[f] / 3, l = q->edge_at[f] % 3, other = q->object->tree.order[q->begin + j];
        const int32_t *u = contact->triangle[other];
        contact_pair pair = {
            {t[k], t[(k + 1) % 3], u[l], u[(l + 1) % 3]}, WEFT_EDGE_EDGE, 0, listed(m, distance[f]), 0};
        const int32_t *v = pair.vertex;
        if ((same && i >= j) || v[0] == v[2] || v[0] == v[3] || v[1] == v[2] || v[1] == v[3])
            continue;
        pair.proximity = !m->search->exact_shape || contact->marks[other] & SHARP_EDGE << l;
        add_pair(m, &pair, first, key_of(i, j, 2, k, l));
    }
}

static void test_features(leaf_test *m) {
    leaf_distances found;
    int32_t first = m->search->bin->pair_count;
    int same = m->a.object == m->b.object && m->a.begin == m->b.begin;
    place_features(m->search->contact, &m->a);
    place_features(m->search->contact, &m->b);
    leaf_distance(&m->a.features, &m->b.features, &m->sweep, same, &found);
    for (int32_t i = 0; i < m->a.features.vertex_count; i++)
        test_vertex(m, &m->a, i, &m->b, found.to_triangle[0][i], 0, first);
    for (int32_t i = 0; i < m->b.features.vertex_count && !same; i++)
        test_vertex(m, &m->b, i, &m->a, found.to_triangle[1][i], 1, first);
    for (int32_t i = 0; i < m->a.features.edge_count; i++)
        test_edge(m, i, found.edge_edge[i], first);
}

/* Leaves that move fast against each other are searched on their whole way. */
static void set_sweep(leaf_test *m, const contact_leaf_motion *p, const contact_leaf_motion *q,
                      contact_leaf_pair *found) {
    weft_vec3 way = weft_sub(weft_sub(p->centre[1], q->centre[1]), found->offset);
    double length = weft_length(way);
    m->sweep = (leaf_sweep){{0, 0, 0}, 0};
    if (!(length > FAST * m->search->cache_margin && length < FAR))
        return;
    found->sweep = way;
    way = weft_scale(1 / length, way);
    m->sweep = (leaf_sweep){{(float)way.x, (float)way.y, (float)way.z}, (float)length * (1 + 1e-6F)};
}

/* The gap of the boxes of both leaves on the sweep along the axis where it is largest, and their largest coordinate. */
static float box_gap(const leaf_test *m, float *largest) {
    float gap = -INFINITY;
    *largest = 0;
    for (int k = 0; k < 3; k++) {
        float way = m->sweep.length * m->sweep.along[k];
        float low = m->a.low[k] + smaller(way, 0), high = m->a.high[k] + larger(way, 0);
        gap = larger(gap, larger(low - m->b.high[k], m->b.low[k] - high));
        *largest = larger(*largest, larger(larger(-low, high), larger(-m->b.low[k], m->b.high[k])));
    }
    return gap;
}

contact_leaf_pair narrow_phase_find_pairs(contact_search *s, int32_t leaf, int32_t other) {
    const contact_leaf_motion *p = &s->a->tree.motion[leaf], *q = &s->b->tree.motion[other];
    contact_leaf_pair found = {.leaf = {leaf, other},
                               .first = s->bin->pair_count,
                               .offset = weft_sub(p->centre[0], q->centre[0]),
                               .deformation = p->deformation[0] + q->deformation[0],
                               .margin = s->cache_margin};
    leaf_test m;
    float largest;
    m.search = s;
    set_sweep(&m, p, q, &found);
    found.drift = pair_cache_drift(s, &found);
    if (!(found.drift <= found.margin))
        found.margin = found.drift < FAR ? DRIFT_FACTOR * found.drift : FAR;
    place_leaf(s->contact, s->a, leaf, p->centre[0], &m.a);
    place_leaf(s->contact, s->b, other, p->centre[0], &m.b);
    m.next = box_gap(&m, &largest);
    m.rounding = LEAF_ROUNDING * largest;
    m.most = (float)(s->contact_distance + found.margin) * (1 + 1e-6F) + m.rounding;
    if (!(m.next > m.most)) {
        m.next = (float)FAR;
        test_features(&m);
    }
    found.margin = fmax(found.margin, (double)(m.next - m.rounding) * (1 - 1e-6) - s->contact_distance);
    found.count = s->bin->pair_count - found.first;
    found.least_distance = INFINITY;
    for (int32_t i = found.first; i < s->bin->pair_count; i++)
        found.least_distance = smaller(found.least_distance, s->bin->pair[i].listed_distance);
    return found;
}
