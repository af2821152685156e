/* Constrained Delaunay triangulation by insertion (C. L. Lawson, "Software for C1 surface interpolation", 1977).
 * Missing segments are recovered by edge flips (S. W. Sloan, "A fast algorithm for generating constrained Delaunay
 * triangulations", Computers & Structures 1993).
 *
 * Points are rounded to integers below 2^21, and all tests are exact in 128 bits: the in-circle determinant of
 * differences below 2^25 is below 2^104. Ties of four points on a circle are therefore ties, not loops of flips. */
#include "wear/garment/delaunay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "weft/mesh.h"

__extension__ typedef __int128 wide;

enum { LATTICE = 1 << 20, FAR = 1 << 23, SUPER = 3 };

typedef struct lattice_point {
    int64_t x, y;
} lattice_point;

/* A triangle. `next[i]` is the triangle beyond the edge that does not contain corner i, or WEFT_NONE. */
typedef struct facet {
    int32_t corner[3], next[3];
    uint8_t fixed[3]; /* whether that edge is a segment */
    uint8_t border[3];
} facet;

#define NONE (-1)

typedef struct triangulation {
    const lattice_point *at;
    facet *facet;
    int32_t count;
    int32_t *of_point; /* a facet at each point */
    int32_t *stack;    /* facets whose edges may have to be flipped */
    int32_t stacked, room;
} triangulation;

static int64_t side(lattice_point a, lattice_point b, lattice_point c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/* Whether d is inside of the circle through the counter-clockwise a, b, c. */
static int in_circle(lattice_point a, lattice_point b, lattice_point c, lattice_point d) {
    int64_t ax = a.x - d.x, ay = a.y - d.y, bx = b.x - d.x, by = b.y - d.y, cx = c.x - d.x, cy = c.y - d.y;
    wide det = (wide)(ax * ax + ay * ay) * (bx * cy - cx * by) - (wide)(bx * bx + by * by) * (ax * cy - cx * ay) +
               (wide)(cx * cx + cy * cy) * (ax * by - bx * ay);
    return det > 0;
}

static int corner_of(const facet *f, int32_t point) {
    return f->corner[0] == point ? 0 : f->corner[1] == point ? 1 : 2;
}

static int edge_towards(const facet *f, int32_t neighbour) {
    return f->next[0] == neighbour ? 0 : f->next[1] == neighbour ? 1 : 2;
}

static void relink(triangulation *t, int32_t of, int32_t from, int32_t to) {
    if (of != NONE)
        t->facet[of].next[edge_towards(&t->facet[of], from)] = to;
}

static int push(triangulation *t, int32_t f) {
    if (t->stacked == t->room) {
        int32_t room = 2 * t->room + 64;
        int32_t *stack = realloc(t->stack, (size_t)room * sizeof *stack);
        if (!stack)
            return 0;
        t->stack = stack;
        t->room = room;
    }
    t->stack[t->stacked++] = f;
    return 1;
}

/* Replaces the edge of f opposite to its corner i by the other diagonal of the two facets beside it.
 *
 *        c                c
 *      / | \            /   \
 *     p  |  q    ->    p --- q      f = (p, a, c): its edge a-c; g = (q, c, a)
 *      \ | /            \   /
 *        a                a                                                                                         */
static void flip(triangulation *t, int32_t f, int i) {
    facet *F = &t->facet[f];
    int32_t g = F->next[i];
    facet *G = &t->facet[g];
    int j = edge_towards(G, f);
    int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
    int32_t p = F->corner[i], a = F->corner[i1], c = F->corner[i2], q = G->corner[j];
    int32_t beyond_ap = F->next[i2], beyond_cp = F->next[i1], beyond_cq = G->next[j2], beyond_aq = G->next[j1];
    uint8_t ap = F->fixed[i2], cp = F->fixed[i1], cq = G->fixed[j2], aq = G->fixed[j1];
    uint8_t ap_border = F->border[i2], cp_border = F->border[i1], cq_border = G->border[j2], aq_border = G->border[j1];
    *F = (facet){{p, a, q}, {beyond_aq, g, beyond_ap}, {aq, 0, ap}, {aq_border, 0, ap_border}};
    *G = (facet){{p, q, c}, {beyond_cq, beyond_cp, f}, {cq, cp, 0}, {cq_border, cp_border, 0}};
    relink(t, beyond_aq, g, f);
    relink(t, beyond_cp, f, g);
    t->of_point[p] = t->of_point[a] = t->of_point[q] = f;
    t->of_point[c] = g;
}

/* Whether the edge opposite to corner i violates the Delaunay condition and may be flipped. */
static int wants_flip(const triangulation *t, const facet *f, int i) {
    if (f->next[i] == NONE || f->fixed[i])
        return 0;
    const facet *g = &t->facet[f->next[i]];
    int32_t q = g->corner[edge_towards(g, (int32_t)(f - t->facet))];
    return in_circle(t->at[f->corner[0]], t->at[f->corner[1]], t->at[f->corner[2]], t->at[q]);
}

static int make_delaunay(triangulation *t) {
    while (t->stacked > 0) {
        int32_t f = t->stack[--t->stacked];
        for (int i = 0; i < 3; i++)
            if (wants_flip(t, &t->facet[f], i)) {
                int32_t g = t->facet[f].next[i];
                flip(t, f, i);
                if (!push(t, f) || !push(t, g))
                    return 0;
                break;
            }
    }
    return 1;
}

/* The facet that contains p, or has it on its edge. Walks from `start` towards it. */
static int32_t locate(const triangulation *t, lattice_point p, int32_t start) {
    int32_t f = start, turn = 0;
    for (;;) {
        const facet *F = &t->facet[f];
        int32_t further = NONE;
        for (int k = 0; k < 3 && further == NONE; k++) {
            int i = (k + turn) % 3; /* varied, so that the walk cannot go round in circles */
            if (side(t->at[F->corner[(i + 1) % 3]], t->at[F->corner[(i + 2) % 3]], p) < 0)
                further = F->next[i];
        }
        if (further == NONE)
            return f;
        f = further;
        turn = (turn + 1) % 3;
    }
}

static int same(lattice_point a, lattice_point b) { return a.x == b.x && a.y == b.y; }

/* Splits the facet into three at the point. A point on an edge makes a flat one, which the flips remove: its circle is
 * a half-plane, whose in-circle determinant has the right sign too. */
static void split(triangulation *t, int32_t f, int32_t p) {
    facet old = t->facet[f];
    int32_t g = t->count, h = t->count + 1;
    t->count += 2;
    t->facet[f] = (facet){{p, old.corner[1], old.corner[2]}, {old.next[0], g, h}, {0}, {0}};
    t->facet[g] = (facet){{p, old.corner[2], old.corner[0]}, {old.next[1], h, f}, {0}, {0}};
    t->facet[h] = (facet){{p, old.corner[0], old.corner[1]}, {old.next[2], f, g}, {0}, {0}};
    relink(t, old.next[1], f, g);
    relink(t, old.next[2], f, h);
    t->of_point[p] = f;
    t->of_point[old.corner[0]] = g;
    t->of_point[old.corner[1]] = t->of_point[old.corner[2]] = f;
}

/* The facet that has the edge from a to b, with b after a; NONE if there is none. */
static int32_t facet_with_edge(const triangulation *t, int32_t a, int32_t b) {
    int32_t first = t->of_point[a], f = first;
    do {
        const facet *F = &t->facet[f];
        int i = corner_of(F, a);
        if (F->corner[(i + 1) % 3] == b)
            return f;
        f = F->next[(i + 1) % 3]; /* all points are inside of the first triangle, so their facets form a circle */
    } while (f != first && f != NONE);
    return NONE;
}

static void fix_edge(triangulation *t, int32_t a, int32_t b, int border) {
    for (int k = 0; k < 2; k++) {
        facet *F = &t->facet[facet_with_edge(t, k ? b : a, k ? a : b)];
        int i = 3 - corner_of(F, a) - corner_of(F, b);
        F->fixed[i] = 1;
        F->border[i] |= (uint8_t)border; /* a fold may lie on the border */
    }
}

/* Whether the edge of f opposite to corner i crosses the line from a to b, apart from its ends. */
static int crosses(const triangulation *t, const facet *f, int i, int32_t a, int32_t b) {
    int32_t c = f->corner[(i + 1) % 3], d = f->corner[(i + 2) % 3];
    if (c == a || c == b || d == a || d == b)
        return 0;
    int64_t left = side(t->at[a], t->at[b], t->at[c]), right = side(t->at[a], t->at[b], t->at[d]);
    int64_t start = side(t->at[c], t->at[d], t->at[a]), end = side(t->at[c], t->at[d], t->at[b]);
    return ((left > 0) != (right > 0)) && ((start > 0) != (end > 0)) && left != 0 && right != 0;
}

static int is_convex(const triangulation *t, int32_t f, int i) {
    const facet *F = &t->facet[f], *G = &t->facet[F->next[i]];
    int32_t p = F->corner[i], a = F->corner[(i + 1) % 3], c = F->corner[(i + 2) % 3], q = G->corner[edge_towards(G, f)];
    return side(t->at[p], t->at[a], t->at[q]) > 0 && side(t->at[p], t->at[q], t->at[c]) > 0;
}

/* A facet whose edge, opposite to `*edge`, crosses the line from a to b: the first one from a on. NONE: none crosses.
 */
static int32_t first_crossing(const triangulation *t, int32_t a, int32_t b, int *edge) {
    int32_t first = t->of_point[a], f = first;
    do {
        const facet *F = &t->facet[f];
        int i = corner_of(F, a);
        if (crosses(t, F, i, a, b)) {
            *edge = i;
            return f;
        }
        f = F->next[(i + 1) % 3];
    } while (f != first && f != NONE);
    return NONE;
}

/* Follows the line from a towards b and flips the first crossed edge that can be. Each flip of a crossed edge in a
 * convex quadrilateral either removes a crossing or moves it on, and Sloan shows that the process ends. */
static int recover(triangulation *t, int32_t a, int32_t b) {
    int64_t left = 16 * (int64_t)t->count + 64;
    int edge;
    while (facet_with_edge(t, a, b) == NONE) {
        int32_t f = first_crossing(t, a, b, &edge);
        if (f == NONE || left-- == 0)
            return 0;                    /* a point lies on the line */
        while (!is_convex(t, f, edge)) { /* on to the next crossed edge */
            if (t->facet[f].fixed[edge])
                return 0;
            int32_t g = t->facet[f].next[edge];
            int from = edge_towards(&t->facet[g], f), found = 0;
            for (int k = 1; k < 3 && !found; k++)
                if (crosses(t, &t->facet[g], (from + k) % 3, a, b)) {
                    edge = (from + k) % 3;
                    found = 1;
                }
            if (!found)
                return 0;
            f = g;
        }
        if (t->facet[f].fixed[edge])
            return 0;
        flip(t, f, edge);
    }
    return 1;
}

/* Marks the facets inside of the region: an odd number of borders lies between them and the outside. Returns their
 * number. */
static int32_t mark_inside(triangulation *t, int32_t points, uint8_t *inside) {
    enum { OUT = 0, IN = 1, UNKNOWN = 2 };
    int32_t count = 0, top = 0;
    memset(inside, UNKNOWN, (size_t)t->count);
    int32_t *stack = t->stack; /* each facet is put there once; insert_segments made room for all */
    int32_t start = t->of_point[points];
    inside[start] = OUT;
    stack[top++] = start;
    while (top > 0) {
        const int32_t f = stack[--top];
        count += inside[f] == IN;
        for (int i = 0; i < 3; i++) {
            int32_t g = t->facet[f].next[i];
            if (g != NONE && inside[g] == UNKNOWN) {
                inside[g] = t->facet[f].border[i] ? !inside[f] : inside[f];
                stack[top++] = g;
            }
        }
    }
    return count;
}

/* Rounds the points to the lattice, with three more around them. */
static void round_points(const weft_vec2 *point, int32_t points, lattice_point *at) {
    weft_vec2 low = point[0], high = point[0];
    for (int32_t i = 0; i < points; i++) {
        low = (weft_vec2){fmin(low.x, point[i].x), fmin(low.y, point[i].y)};
        high = (weft_vec2){fmax(high.x, point[i].x), fmax(high.y, point[i].y)};
    }
    double extent = fmax(fmax(high.x - low.x, high.y - low.y), 1e-300);
    for (int32_t i = 0; i < points; i++)
        at[i] = (lattice_point){llround((point[i].x - low.x) / extent * LATTICE),
                                llround((point[i].y - low.y) / extent * LATTICE)};
    at[points] = (lattice_point){-FAR, -FAR};
    at[points + 1] = (lattice_point){FAR, -FAR};
    at[points + 2] = (lattice_point){0, FAR};
}

static weft_result insert_points(triangulation *t, int32_t points, garment_flaw *flaw) {
    int32_t last = 0;
    t->facet[0] = (facet){{points, points + 1, points + 2}, {NONE, NONE, NONE}, {0}, {0}};
    t->count = 1;
    for (int k = 0; k < SUPER; k++)
        t->of_point[points + k] = 0;
    for (int32_t p = 0; p < points; p++) {
        int32_t f = locate(t, t->at[p], last);
        for (int i = 0; i < 3; i++)
            if (same(t->at[t->facet[f].corner[i]], t->at[p])) {
                const int32_t other = t->facet[f].corner[i];
                *flaw = (garment_flaw){{other, other}, {p, p}};
                return weft_fail(WEFT_BAD_INPUT, "points %d and %d coincide", other, p);
            }
        split(t, f, p);
        if (!push(t, f) || !push(t, t->count - 2) || !push(t, t->count - 1) || !make_delaunay(t))
            return weft_fail_memory("triangulation", (size_t)t->room * sizeof *t->stack);
        last = t->of_point[p];
    }
    return weft_ok();
}

static int lies_between(lattice_point a, lattice_point b, lattice_point p) {
    return side(a, b, p) == 0 && (p.x - a.x) * (p.x - b.x) + (p.y - a.y) * (p.y - b.y) < 0;
}

/* What is in the way of a line that cannot be drawn: a point on it, or an earlier segment that crosses it. */
static void find_obstacle(const triangulation *t, int32_t points, const garment_segment *segment, int32_t drawn,
                          garment_flaw *flaw) {
    const int32_t a = segment[drawn].point[0], b = segment[drawn].point[1];
    const lattice_point from = t->at[a], to = t->at[b];
    *flaw = (garment_flaw){{a, b}, {WEFT_NONE, WEFT_NONE}};
    for (int32_t p = 0; p < points && flaw->second[0] == WEFT_NONE; p++)
        if (lies_between(from, to, t->at[p]))
            *flaw = (garment_flaw){{a, b}, {p, p}};
    for (int32_t i = 0; i < drawn && flaw->second[0] == WEFT_NONE; i++) {
        const int32_t c = segment[i].point[0], d = segment[i].point[1];
        const lattice_point start = t->at[c], end = t->at[d];
        if ((side(from, to, start) > 0) != (side(from, to, end) > 0) &&
            (side(start, end, from) > 0) != (side(start, end, to) > 0) && c != a && c != b && d != a && d != b)
            *flaw = (garment_flaw){{a, b}, {c, d}};
    }
}

static weft_result insert_segments(triangulation *t, int32_t points, const garment_segment *segment, int32_t segments,
                                   garment_flaw *flaw) {
    for (int32_t i = 0; i < segments; i++) {
        if (!recover(t, segment[i].point[0], segment[i].point[1])) {
            find_obstacle(t, points, segment, i, flaw);
            return weft_fail(WEFT_BAD_INPUT, "the line from point %d to point %d crosses another or meets a point",
                             segment[i].point[0], segment[i].point[1]);
        }
        fix_edge(t, segment[i].point[0], segment[i].point[1], segment[i].border);
    }
    for (int32_t f = 0; f < t->count; f++)
        if (!push(t, f))
            return weft_fail_memory("triangulation", (size_t)t->room * sizeof *t->stack);
    return make_delaunay(t) ? weft_ok() : weft_fail_memory("triangulation", (size_t)t->room * sizeof *t->stack);
}

static weft_result collect(triangulation *t, int32_t points, int32_t (**triangle)[3], int32_t *triangles) {
    uint8_t *inside = malloc((size_t)t->count);
    if (!inside)
        return weft_fail_memory("triangulation", (size_t)t->count);
    int32_t count = mark_inside(t, points, inside);
    *triangle = malloc(((size_t)count + 1) * sizeof **triangle);
    *triangles = 0;
    for (int32_t f = 0; *triangle && f < t->count; f++)
        if (inside[f])
            memcpy((*triangle)[(*triangles)++], t->facet[f].corner, sizeof **triangle);
    free(inside);
    return *triangle ? weft_ok() : weft_fail_memory("triangles", (size_t)count * sizeof **triangle);
}

weft_result garment_triangulate(const weft_vec2 *point, int32_t points, const garment_segment *segment,
                                int32_t segments, int32_t (**triangle)[3], int32_t *triangles, garment_flaw *flaw) {
    size_t all = (size_t)points + SUPER;
    lattice_point *at = malloc(all * sizeof *at);
    triangulation t = {.at = at, .facet = malloc(2 * all * sizeof *t.facet), .of_point = malloc(all * sizeof(int32_t))};
    weft_result result = weft_ok();
    *triangle = NULL;
    *triangles = 0;
    *flaw = (garment_flaw){{WEFT_NONE, WEFT_NONE}, {WEFT_NONE, WEFT_NONE}};
    if (points < 3)
        result = weft_fail(WEFT_BAD_INPUT, "%d points; a region needs at least 3", points);
    else if (!at || !t.facet || !t.of_point)
        result = weft_fail_memory("triangulation", 2 * all * sizeof *t.facet);
    if (result.code == WEFT_OK) {
        round_points(point, points, at);
        result = insert_points(&t, points, flaw);
    }
    if (result.code == WEFT_OK)
        result = insert_segments(&t, points, segment, segments, flaw);
    if (result.code == WEFT_OK)
        result = collect(&t, points, triangle, triangles);
    free(at);
    free(t.facet);
    free(t.of_point);
    free(t.stack);
    return result;
}
