/* Edge flips between two triangles that keep the rest shape, after Bender and Deul (2013), section 5. */
#include "mesh/sqrt3.h"

#include <math.h>

#include "weft/vec.h"

/* Maximum angle between rest normals for a flip, rad. The area then changes by less than one part in 1e12. */
static const double FLAT = 1e-6;
/* Minimum area of a triangle after a flip, relative to the area of both. */
static const double SLIVER = 0.1;

int32_t weft_refined_level(const weft_refined *r, int32_t t) {
    int32_t generation = r->lineage[t].generation;
    if (is_odd(generation) && (r->twin[3 * t] == WEFT_NONE || mate(r, t) != WEFT_NONE))
        generation++;
    return generation;
}

static int same_uv(weft_vec2 a, weft_vec2 b) { return a.x == b.x && a.y == b.y; }

/* Whether a flip of mates t and n keeps the rest shape and makes no sliver. */
static int is_flat(const weft_refined *r, int32_t t, int32_t n) {
    if (r->uv && !(same_uv(r->uv[3 * t], r->uv[3 * n + 1]) && same_uv(r->uv[3 * t + 1], r->uv[3 * n])))
        return 0;
    weft_vec3 a = r->position[r->origin[3 * t]], b = r->position[r->origin[3 * t + 1]];
    weft_vec3 c = r->position[r->origin[3 * t + 2]], d = r->position[r->origin[3 * n + 2]];
    weft_vec3 left = weft_cross(weft_sub(b, a), weft_sub(c, a)), right = weft_cross(weft_sub(a, b), weft_sub(d, b));
    if (weft_length(weft_cross(left, right)) > FLAT * weft_length(left) * weft_length(right) ||
        !(weft_dot(left, right) > 0))
        return 0;
    weft_vec3 sum = weft_add(left, right);
    weft_vec3 upper = weft_cross(weft_sub(d, c), weft_sub(b, c)), lower = weft_cross(weft_sub(c, d), weft_sub(a, d));
    double least = SLIVER * weft_dot(sum, sum);
    return weft_dot(upper, sum) >= least && weft_dot(lower, sum) >= least;
}

int sqrt3_is_flip_allowed(const weft_refined *r, int32_t a, int32_t b, int32_t c, int32_t d) {
    weft_flip_volume change = {.before_count = 2, .after_count = 2};
    if (!r->allows)
        return 1;
    set_triangle(change.before[0], a, b, c);
    set_triangle(change.before[1], b, a, d);
    set_triangle(change.after[0], c, d, b);
    set_triangle(change.after[1], d, c, a);
    add_volume(&change, a, b, c, d);
    return r->allows(r->context, &change);
}

static int may_flip(weft_refined *r, int32_t t, int32_t n) {
    if (!is_flat(r, t, n))
        return 0;
    if (sqrt3_is_flip_allowed(r, r->origin[3 * t], r->origin[3 * t + 1], r->origin[3 * t + 2], r->origin[3 * n + 2]))
        return 1;
    r->vetoed++;
    return 0;
}

/* Replaces the diagonal of the quad t = (a b c), n = (b a d): (c d b) goes to `upper`, (d c a) to `lower`. */
static void exchange_diagonal(weft_refined *r, int32_t t, int32_t n, int32_t upper, int32_t lower) {
    int32_t a = r->origin[3 * t], b = r->origin[3 * t + 1], c = r->origin[3 * t + 2], d = r->origin[3 * n + 2];
    weft_vec2 ua = uv_at(r, 3 * t), ub = uv_at(r, 3 * t + 1), uc = uv_at(r, 3 * t + 2), ud = uv_at(r, 3 * n + 2);
    int32_t bc = r->twin[3 * t + 1], ca = r->twin[3 * t + 2], ad = r->twin[3 * n + 1], db = r->twin[3 * n + 2];
    set(r, upper, 0, c, uc), set(r, upper, 1, d, ud), set(r, upper, 2, b, ub);
    set(r, lower, 0, d, ud), set(r, lower, 1, c, uc), set(r, lower, 2, a, ua);
    weft_refined_link(r, 3 * upper + 1, db);
    weft_refined_link(r, 3 * upper + 2, bc);
    weft_refined_link(r, 3 * lower + 1, ca);
    weft_refined_link(r, 3 * lower + 2, ad);
    touch(r, t);
    touch(r, n);
    r->flipped++;
}

static void flip(weft_refined *r, int32_t t, int32_t n) {
    exchange_diagonal(r, t, n, t, n);
    r->lineage[t].generation++;
    r->lineage[n].generation++;
}

/* Two flips restore the quad, with its triangles exchanged. */
void sqrt3_flip_back(weft_refined *r, int32_t t, int32_t n) {
    exchange_diagonal(r, t, n, n, t);
    r->lineage[t].generation--;
    r->lineage[n].generation--;
}

int sqrt3_flip(weft_refined *r, int32_t t) {
    int32_t n = is_odd(r->lineage[t].generation) ? mate(r, t) : WEFT_NONE;
    if (n == WEFT_NONE || !may_flip(r, t, n))
        return 0;
    flip(r, t, n);
    return 1;
}

int32_t weft_refined_flip_remaining(weft_refined *r) {
    int32_t flipped = 0;
    for (int32_t t = 0; t < r->triangle_count; t++)
        if (is_odd(r->lineage[t].generation) && mate(r, t) > t)
            flipped += sqrt3_flip(r, t);
    return flipped;
}
