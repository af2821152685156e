/* Refinement by sqrt(3) subdivision, after Bender and Deul (2013) and Kobbelt (2000), see refined.h.
 *
 * Each operation has an exact inverse (sqrt3_coarsen.c), with the same triangles in the same places:
 *   split   (a b c) -> (a b v) (b c v) (c a v), v at the centre; the first child keeps the place
 *   flip    (a b c) (b a d) -> (c d b) (d c a)
 *   cut     (a b c) -> (c a p) (p q c) (b c q) with p, q on a b; the middle one keeps the place.
 *
 * The cut edge a b is a boundary, or both sides of a crease. */
#include "mesh/sqrt3.h"

/* -- split -- */

static int split(weft_refined *r, int32_t t) {
    if (!weft_refined_reserve(r, 1, 2, 1))
        return 0;
    int32_t corner[3], twin[3], child[3] = {t, 0, 0};
    weft_vec2 uv[3], middle = {0, 0};
    for (int k = 0; k < 3; k++) {
        corner[k] = r->origin[3 * t + k];
        twin[k] = r->twin[3 * t + k];
        uv[k] = uv_at(r, 3 * t + k);
        middle.x += uv[k].x / 3;
        middle.y += uv[k].y / 3;
    }
    int32_t v = weft_refined_add_vertex(r, corner, (double[3]){1.0 / 3, 1.0 / 3, 1.0 / 3});
    weft_lineage *parent = &r->lineage[t];
    parent->first |= 1U << (parent->generation / 2);
    parent->generation++;
    r->birth[v] = (uint8_t)parent->generation;
    weft_lineage other = {.generation = parent->generation, .face = parent->face};
    child[1] = weft_refined_add_triangle(r, &other);
    child[2] = weft_refined_add_triangle(r, &other);
    for (int k = 0; k < 3; k++) {
        int next = (k + 1) % 3;
        set(r, child[k], 0, corner[k], uv[k]);
        set(r, child[k], 1, corner[next], uv[next]);
        set(r, child[k], 2, v, middle);
        weft_refined_link(r, 3 * child[k], twin[k]);
        weft_refined_link(r, 3 * child[k] + 1, 3 * child[next] + 2);
    }
    for (int k = 0; k < 3; k++)
        touch(r, child[k]);
    for (int k = 0; k < 3; k++)
        sqrt3_flip(r, child[k]);
    return 1;
}

/* -- cut -- */

/* Cuts the triangle on one side of an edge at p and q. The caller links the edge itself. */
static void cut_side(weft_refined *r, int32_t t, int32_t p, int32_t q, int32_t side[2]) {
    int32_t a = r->origin[3 * t], b = r->origin[3 * t + 1], c = r->origin[3 * t + 2];
    weft_vec2 ua = uv_at(r, 3 * t), ub = uv_at(r, 3 * t + 1), uc = uv_at(r, 3 * t + 2);
    weft_vec2 up = {(2 * ua.x + ub.x) / 3, (2 * ua.y + ub.y) / 3};
    weft_vec2 uq = {(ua.x + 2 * ub.x) / 3, (ua.y + 2 * ub.y) / 3};
    int32_t bc = r->twin[3 * t + 1], ca = r->twin[3 * t + 2];
    weft_lineage *middle = &r->lineage[t];
    weft_lineage other = {.generation = middle->generation + 2, .face = middle->face};
    middle->generation += 3;
    middle->middle |= 1U << (middle->generation / 2);
    int32_t left = side[0] = weft_refined_add_triangle(r, &other);
    int32_t right = side[1] = weft_refined_add_triangle(r, &other);
    set(r, t, 0, p, up), set(r, t, 1, q, uq), set(r, t, 2, c, uc);
    set(r, left, 0, c, uc), set(r, left, 1, a, ua), set(r, left, 2, p, up);
    set(r, right, 0, b, ub), set(r, right, 1, c, uc), set(r, right, 2, q, uq);
    weft_refined_link(r, 3 * left, ca);
    weft_refined_link(r, 3 * right, bc);
    weft_refined_link(r, 3 * left + 2, 3 * t + 2);
    weft_refined_link(r, 3 * right + 1, 3 * t + 1);
    weft_refined_mark(r, t);
}

static int cut(weft_refined *r, int32_t t) {
    if (!weft_refined_reserve(r, 2, 4, 2))
        return 0;
    int32_t n = mate(r, t), a = r->origin[3 * t], b = r->origin[3 * t + 1], side[2], other[2];
    int32_t p = weft_refined_add_vertex(r, (int32_t[3]){a, b, b}, (double[3]){2.0 / 3, 1.0 / 3, 0});
    int32_t q = weft_refined_add_vertex(r, (int32_t[3]){b, a, a}, (double[3]){2.0 / 3, 1.0 / 3, 0});
    cut_side(r, t, p, q, side);
    r->birth[p] = r->birth[q] = (uint8_t)r->lineage[t].generation;
    if (n != WEFT_NONE) {
        cut_side(r, n, q, p, other);
        weft_refined_link(r, 3 * side[0] + 1, 3 * other[1] + 2);
        weft_refined_link(r, 3 * side[1] + 2, 3 * other[0] + 1);
    }
    int32_t all[6] = {t, side[0], side[1], n, n == WEFT_NONE ? n : other[0], n == WEFT_NONE ? n : other[1]};
    for (int i = 0; i < 6; i++)
        if (all[i] != WEFT_NONE)
            touch(r, all[i]);
    for (int i = 0; i < 6; i++)
        if (all[i] != WEFT_NONE && all[i] != t && all[i] != n)
            sqrt3_flip(r, all[i]);
    return 1;
}

/* -- refine -- */

static int refine(weft_refined *r, int32_t t);

/* Refines the triangle across half-edge h to at least this level. */
static int follow(weft_refined *r, int32_t h, int32_t level) {
    for (int32_t n = across(r, h), tries = 0; n != WEFT_NONE && weft_refined_level(r, n) < level; n = across(r, h))
        if (tries++ > 2 || !refine(r, n))
            return 0;
    return 1;
}

static int refine(weft_refined *r, int32_t t) {
    int32_t generation = r->lineage[t].generation, level = weft_refined_level(r, t);
    if (!is_odd(generation)) {
        for (int k = 0; k < 3; k++)
            if (generation >= WEFT_GENERATIONS || !follow(r, 3 * t + k, level))
                return 0;
        return split(r, t);
    }
    if (level == generation) /* the neighbour is coarser; splitting it flips the edge */
        return refine(r, across(r, 3 * t));
    int32_t n = mate(r, t);
    for (int k = 1; k < 3; k++)
        if (generation + 3 > WEFT_GENERATIONS || !follow(r, 3 * t + k, level) ||
            (n != WEFT_NONE && !follow(r, 3 * n + k, level)))
            return 0;
    return cut(r, t);
}

int weft_refined_split(weft_refined *r, int32_t t) { return refine(r, t); }
