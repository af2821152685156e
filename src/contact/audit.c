/* Counts edges that pass through triangles. The audit checks contact, so it shares no code with it. It builds its own
 * bounding-volume tree over the current positions. It uses the signs of tetrahedron volumes in long double, without
 * margins. An edge that only touches a triangle does not count. */
#include <math.h>

#include "contact/response.h"
#include "core/memory.h"
#include "weft/sort.h"

typedef struct bounds {
    double low[3], high[3];
} bounds;

typedef struct leaf {
    bounds box;
    int32_t triangle;
} leaf;

typedef struct edge {
    int32_t a, b;
} edge;

typedef struct audit {
    const weft_audit_surface *surface;
    leaf *leaves;
    int32_t leaf_count;
    bounds *node; /* over ranges of leaves, numbered as in `build` */
    edge *edges;
    int64_t edge_count;
} audit;

static double coordinate(weft_vec3 p, int k) { return k == 0 ? p.x : k == 1 ? p.y : p.z; }

static bounds around(const weft_vec3 *x, const int32_t *vertex, int count) {
    bounds box;
    for (int k = 0; k < 3; k++) {
        box.low[k] = box.high[k] = coordinate(x[vertex[0]], k);
        for (int i = 1; i < count; i++) {
            box.low[k] = fmin(box.low[k], coordinate(x[vertex[i]], k));
            box.high[k] = fmax(box.high[k], coordinate(x[vertex[i]], k));
        }
    }
    return box;
}

static int overlap(const bounds *a, const bounds *b) {
    for (int k = 0; k < 3; k++)
        if (a->low[k] > b->high[k] || b->low[k] > a->high[k])
            return 0;
    return 1;
}

static int compare_along(const leaf *p, const leaf *q, int k) {
    double a = p->box.low[k] + p->box.high[k], b = q->box.low[k] + q->box.high[k];
    return a < b ? -1 : a > b;
}

static int compare_x(const void *p, const void *q) { return compare_along(p, q, 0); }
static int compare_y(const void *p, const void *q) { return compare_along(p, q, 1); }
static int compare_z(const void *p, const void *q) { return compare_along(p, q, 2); }

static int compare_edges(const void *p, const void *q) {
    const edge *e = p, *f = q;
    if (e->a != f->a)
        return e->a < f->a ? -1 : 1;
    return e->b < f->b ? -1 : e->b > f->b;
}

/* Sorts leaves [begin, end) and computes the box of their node. A range of n leaves takes the 2 n - 1 node numbers from
 * `node` on. */
static void build(audit *t, int32_t begin, int32_t end, int32_t node) {
    bounds box = t->leaves[begin].box;
    for (int32_t i = begin + 1; i < end; i++)
        for (int k = 0; k < 3; k++) {
            box.low[k] = fmin(box.low[k], t->leaves[i].box.low[k]);
            box.high[k] = fmax(box.high[k], t->leaves[i].box.high[k]);
        }
    t->node[node] = box;
    if (end - begin <= 2)
        return;
    int axis = 0;
    for (int k = 1; k < 3; k++)
        if (box.high[k] - box.low[k] > box.high[axis] - box.low[axis])
            axis = k;
    int (*const order[3])(const void *, const void *) = {compare_x, compare_y, compare_z};
    weft_sort(t->leaves + begin, (size_t)(end - begin), sizeof *t->leaves, order[axis]);
    int32_t middle = (begin + end) / 2;
    build(t, begin, middle, node + 1);
    build(t, middle, end, node + 2 * (middle - begin));
}

static void audit_destroy(audit *t) {
    free(t->edges);
    free(t->node);
    free(t->leaves);
}

static weft_result audit_create(const weft_audit_surface *surface, audit *t) {
    size_t n = (size_t)surface->triangle_count;
    *t = (audit){.surface = surface};
    t->leaves = weft_allocate(n, sizeof *t->leaves);
    t->node = weft_allocate(2 * n, sizeof *t->node);
    t->edges = weft_allocate(3 * n, sizeof *t->edges);
    if (!t->leaves || !t->node || !t->edges)
        return weft_fail_memory("the audit of intersections", 2 * n * sizeof *t->node);
    for (int32_t i = 0; i < surface->triangle_count; i++) {
        if (surface->skip && surface->skip[i])
            continue;
        t->leaves[t->leaf_count++] = (leaf){around(surface->x, surface->triangle[i], 3), i};
        for (int k = 0; k < 3; k++) {
            int32_t a = surface->triangle[i][k], b = surface->triangle[i][(k + 1) % 3];
            t->edges[t->edge_count++] = a < b ? (edge){a, b} : (edge){b, a};
        }
    }
    if (t->leaf_count > 0)
        build(t, 0, t->leaf_count, 0);
    weft_sort(t->edges, (size_t)t->edge_count, sizeof *t->edges, compare_edges);
    int64_t unique = 0;
    for (int64_t i = 0; i < t->edge_count; i++)
        if (i == 0 || compare_edges(&t->edges[i], &t->edges[i - 1]) != 0)
            t->edges[unique++] = t->edges[i];
    t->edge_count = unique;
    return weft_ok();
}

/* The sign of the volume of the tetrahedron a b c d. */
static int side(weft_vec3 a, weft_vec3 b, weft_vec3 c, weft_vec3 d) {
    long double bx = (long double)b.x - a.x, by = (long double)b.y - a.y, bz = (long double)b.z - a.z;
    long double cx = (long double)c.x - a.x, cy = (long double)c.y - a.y, cz = (long double)c.z - a.z;
    long double dx = (long double)d.x - a.x, dy = (long double)d.y - a.y, dz = (long double)d.z - a.z;
    long double volume = bx * (cy * dz - cz * dy) + by * (cz * dx - cx * dz) + bz * (cx * dy - cy * dx);
    return volume > 0 ? 1 : volume < 0 ? -1 : 0;
}

/* Whether a line in the plane of the triangle a b c separates it from the edge p q. */
static int are_separated(weft_vec3 p, weft_vec3 q, weft_vec3 a, weft_vec3 b, weft_vec3 c) {
    static const double LEAST = 1e-9; /* smallest gap, as a fraction of the extent of both */
    const weft_vec3 along[4] = {weft_sub(b, a), weft_sub(c, b), weft_sub(a, c), weft_sub(q, p)};
    weft_vec3 normal = weft_cross(along[0], along[1]);
    for (int k = 0; k < 4; k++) {
        weft_vec3 axis = weft_cross(normal, along[k]);
        double at_p = weft_dot(axis, weft_sub(p, a)), at_q = weft_dot(axis, weft_sub(q, a));
        double at_b = weft_dot(axis, along[0]), at_c = weft_dot(axis, weft_sub(c, a));
        double low = fmin(0, fmin(at_b, at_c)), high = fmax(0, fmax(at_b, at_c));
        double from = fmin(at_p, at_q), to = fmax(at_p, at_q);
        if (fmax(from - high, low - to) > LEAST * (fmax(high, to) - fmin(low, from)))
            return 1;
    }
    return 0;
}

/* When all five points are coplanar, as in a triangle that was split, the signs are rounding noise. They may all agree
 * although edge and triangle are far apart, so `are_separated` decides. */
static int passes(weft_vec3 p, weft_vec3 q, weft_vec3 a, weft_vec3 b, weft_vec3 c) {
    if (side(a, b, c, p) * side(a, b, c, q) >= 0)
        return 0;
    int ab = side(p, q, a, b), bc = side(p, q, b, c), ca = side(p, q, c, a);
    return ab != 0 && ab == bc && bc == ca && !are_separated(p, q, a, b, c);
}

typedef struct probe {
    const audit *t;
    weft_vec3 p, q;
    bounds box;
    edge not_at; /* triangles at these vertices do not count */
    weft_audit_crossing note;
    weft_audit_list *list; /* may be null */
    int64_t crossings;
} probe;

static void note(probe *s, int32_t triangle) {
    s->crossings++;
    if (!s->list || s->list->count >= s->list->capacity)
        return;
    s->note.triangle = triangle;
    s->list->item[s->list->count++] = s->note;
}

static void probe_leaf(probe *s, const leaf *l) {
    const int32_t *v = s->t->surface->triangle[l->triangle];
    const weft_vec3 *x = s->t->surface->x;
    for (int k = 0; k < 3; k++)
        if (v[k] == s->not_at.a || v[k] == s->not_at.b)
            return;
    if (overlap(&s->box, &l->box) && passes(s->p, s->q, x[v[0]], x[v[1]], x[v[2]]))
        note(s, l->triangle);
}

static void probe_tree(probe *s, int32_t begin, int32_t end, int32_t node) {
    if (!overlap(&s->box, &s->t->node[node]))
        return;
    if (end - begin <= 2) {
        for (int32_t i = begin; i < end; i++)
            probe_leaf(s, &s->t->leaves[i]);
        return;
    }
    int32_t middle = (begin + end) / 2;
    probe_tree(s, begin, middle, node + 1);
    probe_tree(s, middle, end, node + 2 * (middle - begin));
}

static int64_t edges_through(const audit *from, const audit *through, int of_b, weft_audit_list *list) {
    int64_t crossings = 0;
    for (int64_t i = 0; i < from->edge_count && through->leaf_count > 0; i++) {
        edge e = from->edges[i];
        const int32_t vertex[2] = {e.a, e.b};
        probe s = {.t = through, .p = from->surface->x[e.a], .q = from->surface->x[e.b]};
        s.box = around(from->surface->x, vertex, 2);
        s.not_at = from == through ? e : (edge){-1, -1};
        s.note = (weft_audit_crossing){{e.a, e.b}, 0, of_b};
        s.list = list;
        probe_tree(&s, 0, through->leaf_count, 0);
        crossings += s.crossings;
    }
    return crossings;
}

static bounds around_all(const weft_audit_surface *surface) {
    bounds box = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    for (int32_t i = 0; i < surface->vertex_count; i++)
        for (int k = 0; k < 3; k++) {
            double at = coordinate(surface->x[i], k);
            box.low[k] = at < box.low[k] ? at : box.low[k];
            box.high[k] = at > box.high[k] ? at : box.high[k];
        }
    return box;
}

/* Most pairs of cloths are far apart. No trees are built for these. */
static int are_far(const weft_audit_surface *a, const weft_audit_surface *b) {
    bounds first = around_all(a), second = around_all(b);
    return !overlap(&first, &second);
}

weft_result weft_audit_listed(const weft_audit_surface *a, const weft_audit_surface *b, weft_audit_list *list,
                              int64_t *crossings) {
    audit first, second = {0};
    *crossings = 0;
    if (b && are_far(a, b))
        return weft_ok();
    weft_result result = audit_create(a, &first);
    if (result.code == WEFT_OK && b)
        result = audit_create(b, &second);
    if (result.code == WEFT_OK)
        *crossings = edges_through(&first, b ? &second : &first, 0, list);
    if (result.code == WEFT_OK && b)
        *crossings += edges_through(&second, &first, 1, list);
    audit_destroy(&second);
    audit_destroy(&first);
    return result;
}

weft_result weft_audit(const weft_audit_surface *a, const weft_audit_surface *b, int64_t *crossings) {
    return weft_audit_listed(a, b, NULL, crossings);
}
