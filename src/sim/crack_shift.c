/* Displacements that part the copies of a vertex that a crack has split.
 *
 * The fans of two copies are cones with a common apex that do not intersect. A displacement parts them if the displaced
 * cones do not intersect either. In flat cloth each copy moves away from the crack. In a fold that can lead through
 * another part of the cloth, so other directions follow: into one of the fans, and into single triangles. A flat fan
 * that moves into itself stays within its own surface. Where layers are close, smaller gaps help. */
#include <math.h>

#include "core/elementary.h"
#include "sim/crack_sides.h"

/* Maximum gap in heights of the adjacent triangles, which must not invert. */
static const double MAX_GAP = 0.05;
enum {
    FANS = 32, /* more than the cracks at any vertex */
    GAPS = 4   /* gaps for each direction, each a quarter of the previous one; the last is below the detection margin */
};

/* `d` without its component along half-edge h. */
static weft_vec3 across(const crack_sides *s, int32_t h, weft_vec3 d) {
    const int32_t *origin = s->refined->origin;
    weft_vec3 along = weft_normalize(weft_sub(s->shut[origin[weft_next(h)]], s->shut[origin[h]]));
    return weft_add_scaled(d, -weft_dot(d, along), along);
}

/* Direction away from the opened boundary half-edge h: away from the former neighbour, even if the cloth is folded
 * there, else into the triangle. */
static weft_vec3 away_from_crack(const crack_sides *s, int32_t h) {
    const int32_t *origin = s->refined->origin;
    int32_t partner = s->partner[h];
    weft_vec3 own = s->shut[origin[weft_previous(h)]];
    weft_vec3 from = partner == WEFT_NONE ? s->shut[origin[h]] : s->shut[origin[weft_previous(partner)]];
    return weft_normalize(across(s, h, weft_sub(own, from)));
}

/* Direction away from both ends of the fan of v. */
static weft_vec3 away_from_ends(const crack_sides *s, int32_t v) {
    const weft_refined *r = s->refined;
    int32_t first = r->corner[v], last = first;
    for (int32_t h = first; h != WEFT_NONE; h = r->twin[weft_previous(h)])
        last = weft_previous(h);
    return weft_normalize(weft_add(away_from_crack(s, first), away_from_crack(s, last)));
}

static double limit_gap(const crack_sides *s, int32_t v, double gap) {
    const weft_refined *r = s->refined;
    for (int32_t h = r->corner[v]; h != WEFT_NONE; h = r->twin[weft_previous(h)]) {
        double height = weft_length(across(s, weft_next(h), weft_sub(s->shut[v], s->shut[r->origin[weft_next(h)]])));
        gap = height > 0 && MAX_GAP * height < gap ? MAX_GAP * height : gap;
    }
    return gap;
}

/* Direction from the origin of h into its triangle. Returns the angle there, rad. */
static double triangle_direction(const crack_sides *s, int32_t h, weft_vec3 *direction) {
    const int32_t *origin = s->refined->origin;
    weft_vec3 at = s->shut[origin[h]];
    weft_vec3 a = weft_normalize(weft_sub(s->shut[origin[weft_next(h)]], at));
    weft_vec3 b = weft_normalize(weft_sub(s->shut[origin[weft_previous(h)]], at));
    *direction = weft_normalize(weft_add(a, b));
    return weft_atan2(weft_length(weft_cross(a, b)), weft_dot(a, b));
}

/* Direction into the fan of v, weighted by the angles of its triangles. Returns the sum of the angles, rad. */
static double fan_direction(const crack_sides *s, int32_t v, weft_vec3 *direction) {
    const weft_refined *r = s->refined;
    weft_vec3 sum = {0, 0, 0}, one;
    double total = 0;
    for (int32_t h = r->corner[v]; h != WEFT_NONE; h = r->twin[weft_previous(h)]) {
        double angle = triangle_direction(s, h, &one);
        sum = weft_add_scaled(sum, angle, one);
        total += angle;
    }
    *direction = weft_normalize(sum);
    return total;
}

/* Direction `number` of member 0 relative to member 1: into the fan with the smaller angle, into the other one, then
 * into each triangle of both. Returns 0 if there are no more. */
static int relative_direction(const crack_sides *s, const int32_t member[2], int32_t number, weft_vec3 *direction) {
    const weft_refined *r = s->refined;
    weft_vec3 into[2];
    int sharper = fan_direction(s, member[1], &into[1]) < fan_direction(s, member[0], &into[0]);
    if (number < 2) {
        int k = number == 0 ? sharper : !sharper;
        *direction = weft_scale(k == 0 ? 1 : -1, into[k]);
        return 1;
    }
    number -= 2;
    for (int k = 0; k < 2; k++)
        for (int32_t h = r->corner[member[k]]; h != WEFT_NONE; h = r->twin[weft_previous(h)])
            if (number-- == 0) {
                (void)triangle_direction(s, h, &into[k]);
                *direction = weft_scale(k == 0 ? 1 : -1, into[k]);
                return 1;
            }
    return 0;
}

/* Sets unit directions of the group's vertices. Returns 0 if there are no more. */
static int set_directions(const crack_sides *s, const int32_t *member, int32_t count, int32_t number) {
    weft_vec3 relative;
    if (number == 0 || count != 2) {
        for (int32_t i = 0; i < count; i++)
            if (number == 0)
                s->shift[member[i]] = away_from_ends(s, member[i]);
            else
                (void)fan_direction(s, member[i], &s->shift[member[i]]);
        return number < 2;
    }
    if (!relative_direction(s, member, number - 1, &relative))
        return 0;
    s->shift[member[0]] = relative;
    s->shift[member[1]] = weft_scale(-1, relative);
    return 1;
}

/* Rest area of the fan. The copies of a vertex have the same density, so it stands for their mass. */
static double fan_area(const crack_sides *s, int32_t v) {
    const weft_refined *r = s->refined;
    double area = 0;
    for (int32_t h = r->corner[v]; h != WEFT_NONE; h = r->twin[weft_previous(h)])
        area += sim_rest_area(s->cloth, s->cloth->mesh, h / 3);
    return area;
}

/* Makes displacements relative to held vertices, or to the common centre of mass. Two vertices separate by 1. */
static void balance(const crack_sides *s, const int32_t *member, int32_t count) {
    weft_vec3 middle = {0, 0, 0};
    double total = 0;
    if (count == 2) {
        weft_vec3 half = weft_scale(0.5, weft_normalize(weft_sub(s->shift[member[0]], s->shift[member[1]])));
        s->shift[member[0]] = half;
        s->shift[member[1]] = weft_scale(-1, half);
    }
    for (int32_t i = 0; i < count; i++) {
        double mass = fan_area(s, member[i]);
        middle = weft_add_scaled(middle, mass, s->shift[member[i]]);
        total += mass;
    }
    middle = weft_scale(total > 0 ? 1 / total : 0, middle);
    for (int32_t i = 0; i < count; i++)
        middle = s->fixed[member[i]] ? s->shift[member[i]] : middle;
    for (int32_t i = 0; i < count; i++)
        s->shift[member[i]] = weft_sub(s->shift[member[i]], middle);
}

int sim_crack_shift(const crack_sides *s, int32_t lowest, int32_t attempt) {
    int32_t member[FANS], count = 0;
    double gap = s->gap;
    for (int32_t v = lowest; v != WEFT_NONE && count < FANS; v = s->next[v])
        member[count++] = v;
    if (!set_directions(s, member, count, attempt / GAPS))
        return 0;
    balance(s, member, count);
    for (int32_t i = 0; i < count; i++)
        gap = limit_gap(s, member[i], gap);
    gap = ldexp(gap, -2 * (attempt % GAPS));
    for (int32_t i = 0; i < count; i++)
        s->shift[member[i]] = weft_scale(gap, s->shift[member[i]]);
    return 1;
}
