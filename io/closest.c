/* Closest point on a triangle mesh, by a tree of bounding boxes.
 *
 * The tree is split at the median along the widest axis; a search visits the nearer half first. The closest point of
 * one triangle is found by its Voronoi regions: Ericson, "Real-Time Collision Detection", 2005, section 5.1.5. */
#include "io/closest.h"

#include <stdlib.h>

#include "weft/vec.h"

enum { LEAF = 4, DEPTH = 64 };

typedef struct box {
    weft_vec3 low, high;
} box;

typedef struct node {
    box box;
    int32_t begin, end; /* range of `order` */
    int32_t right;      /* index of the second child, 0 in a leaf; the first child follows its parent */
} node;

struct weft_closest {
    const weft_vec3 *x;
    const int32_t (*triangle)[3];
    int32_t *order; /* triangles (count) */
    weft_vec3 *middle;
    node *node;
    int32_t node_count;
};

/* -- building -- */

static double component(weft_vec3 v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

static box join(box b, weft_vec3 p) {
    b.low = weft_vec3_make(fmin(b.low.x, p.x), fmin(b.low.y, p.y), fmin(b.low.z, p.z));
    b.high = weft_vec3_make(fmax(b.high.x, p.x), fmax(b.high.y, p.y), fmax(b.high.z, p.z));
    return b;
}

static int is_before(const weft_closest *c, int32_t a, int32_t b, int axis) {
    double x = component(c->middle[a], axis), y = component(c->middle[b], axis);
    return x < y || (x == y && a < b);
}

/* Partially sorts [begin, end) so that position `at` holds the element of that rank (Hoare's selection). */
static void select_median(weft_closest *c, int32_t begin, int32_t end, int32_t at, int axis) {
    int32_t *order = c->order;
    while (end - begin > 1) {
        int32_t pivot = order[begin + (end - begin - 1) / 2], i = begin - 1, j = end;
        for (;;) {
            do
                i++;
            while (is_before(c, order[i], pivot, axis));
            do
                j--;
            while (is_before(c, pivot, order[j], axis));
            if (i >= j)
                break;
            int32_t swap = order[i];
            order[i] = order[j];
            order[j] = swap;
        }
        if (at <= j)
            end = j + 1;
        else
            begin = j + 1;
    }
}

static int widest_axis(const weft_closest *c, int32_t begin, int32_t end) {
    box b = {c->middle[c->order[begin]], c->middle[c->order[begin]]};
    for (int32_t i = begin; i < end; i++)
        b = join(b, c->middle[c->order[i]]);
    weft_vec3 size = weft_sub(b.high, b.low);
    return size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
}

static box bound(const weft_closest *c, int32_t begin, int32_t end) {
    weft_vec3 first = c->x[c->triangle[c->order[begin]][0]];
    box b = {first, first};
    for (int32_t i = begin; i < end; i++)
        for (int k = 0; k < 3; k++)
            b = join(b, c->x[c->triangle[c->order[i]][k]]);
    return b;
}

/* The recursion depth is the depth of the tree, log2(count). */
static void build(weft_closest *c, int32_t begin, int32_t end) { // NOLINT(misc-no-recursion)
    node *n = &c->node[c->node_count++];
    *n = (node){.box = bound(c, begin, end), .begin = begin, .end = end};
    if (end - begin <= LEAF)
        return;
    int32_t middle = begin + (end - begin) / 2;
    select_median(c, begin, end, middle, widest_axis(c, begin, end));
    build(c, begin, middle);
    n->right = c->node_count;
    build(c, middle, end);
}

weft_result weft_closest_create(const weft_vec3 *x, const int32_t (*triangle)[3], int32_t count, weft_closest **made) {
    weft_closest *c = calloc(1, sizeof *c);
    /* Nodes with more than LEAF triangles have children of at least 2, so there are fewer nodes than triangles + 1. */
    size_t triangles = (size_t)count, nodes = triangles + 1;
    *made = c;
    if (c) {
        *c = (weft_closest){.x = x, .triangle = triangle};
        c->order = malloc(triangles * sizeof *c->order);
        c->middle = malloc(triangles * sizeof *c->middle);
        c->node = malloc(nodes * sizeof *c->node);
    }
    if (!c || !c->order || !c->middle || !c->node) {
        weft_closest_destroy(c);
        *made = NULL;
        return weft_fail_memory("the search for the closest triangle", nodes * (sizeof *c->node + sizeof *c->middle));
    }
    for (int32_t t = 0; t < count; t++) {
        c->order[t] = t;
        c->middle[t] = weft_add(weft_add(x[triangle[t][0]], x[triangle[t][1]]), x[triangle[t][2]]);
    }
    build(c, 0, count);
    return weft_ok();
}

void weft_closest_destroy(weft_closest *c) {
    if (!c)
        return;
    free(c->node);
    free(c->middle);
    free(c->order);
    free(c);
}

/* -- searching -- */

static void set_weights(weft_closest_hit *hit, double a, double b, double c) {
    hit->weight[0] = a;
    hit->weight[1] = b;
    hit->weight[2] = c;
}

/* Barycentric weights of the point of triangle abc closest to p. d1 to d6 are dot products with the edges ab and ac. */
static void project(weft_vec3 p, weft_vec3 a, weft_vec3 b, weft_vec3 c, weft_closest_hit *hit) {
    weft_vec3 ab = weft_sub(b, a), ac = weft_sub(c, a);
    weft_vec3 ap = weft_sub(p, a), bp = weft_sub(p, b), cp = weft_sub(p, c);
    double d1 = weft_dot(ab, ap), d2 = weft_dot(ac, ap), d3 = weft_dot(ab, bp), d4 = weft_dot(ac, bp);
    double d5 = weft_dot(ab, cp), d6 = weft_dot(ac, cp);
    double va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
    if (d1 <= 0 && d2 <= 0) {
        set_weights(hit, 1, 0, 0);
    } else if (d3 >= 0 && d4 <= d3) {
        set_weights(hit, 0, 1, 0);
    } else if (vc <= 0 && d1 >= 0 && d3 <= 0) {
        double s = d1 / (d1 - d3);
        set_weights(hit, 1 - s, s, 0);
    } else if (d6 >= 0 && d5 <= d6) {
        set_weights(hit, 0, 0, 1);
    } else if (vb <= 0 && d2 >= 0 && d6 <= 0) {
        double s = d2 / (d2 - d6);
        set_weights(hit, 1 - s, 0, s);
    } else if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
        double s = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        set_weights(hit, 0, 1 - s, s);
    } else {
        double v = vb / (va + vb + vc), w = vc / (va + vb + vc);
        set_weights(hit, 1 - v - w, v, w);
    }
}

weft_closest_hit weft_closest_of(const weft_vec3 *x, const int32_t (*triangle)[3], int32_t t, weft_vec3 p) {
    weft_vec3 corner[3];
    weft_closest_hit hit = {.triangle = t};
    for (int k = 0; k < 3; k++)
        corner[k] = x[triangle[t][k]];
    project(p, corner[0], corner[1], corner[2], &hit);
    for (int k = 0; k < 3; k++)
        hit.point = weft_add_scaled(hit.point, hit.weight[k], corner[k]);
    weft_vec3 away = weft_sub(p, hit.point);
    hit.squared = weft_dot(away, away);
    return hit;
}

static double outside(double x, double low, double high) { return x < low ? low - x : x > high ? x - high : 0; }

static double box_squared(const box *b, weft_vec3 p) {
    double x = outside(p.x, b->low.x, b->high.x), y = outside(p.y, b->low.y, b->high.y),
           z = outside(p.z, b->low.z, b->high.z);
    return x * x + y * y + z * z;
}

/* Rounding can change the distance to a box by about 1e-16 of the squared distance. Boxes slightly beyond the best
 * distance are therefore visited too. This finds the lowest index among triangles at equal distance. */
static const double SLACK = 1 + 1e-12;

static void search_leaf(const weft_closest *c, const node *n, weft_vec3 p, weft_closest_hit *best) {
    for (int32_t i = n->begin; i < n->end; i++) {
        weft_closest_hit hit = weft_closest_of(c->x, c->triangle, c->order[i], p);
        if (hit.squared < best->squared || (hit.squared == best->squared && hit.triangle < best->triangle))
            *best = hit;
    }
}

weft_closest_hit weft_closest_find(const weft_closest *c, weft_vec3 p) {
    int32_t stack[DEPTH], used = 0;
    weft_closest_hit best = weft_closest_of(c->x, c->triangle, c->order[0], p);
    stack[used++] = 0;
    while (used > 0) {
        int32_t index = stack[--used];
        const node *n = &c->node[index];
        if (box_squared(&n->box, p) > best.squared * SLACK)
            continue;
        if (n->right == 0) {
            search_leaf(c, n, p, &best);
            continue;
        }
        int left_first = box_squared(&n[1].box, p) <= box_squared(&c->node[n->right].box, p);
        stack[used++] = left_first ? n->right : index + 1;
        stack[used++] = left_first ? index + 1 : n->right;
    }
    return best;
}
