/* The perimeter of a convex hull is the integral of its support function over all directions (Cauchy). */
#include "wear/mannequin/girth.h"

#include <math.h>

#include "weft/portable_math.h"
#include "weft/vec.h"

enum { DIRECTIONS = 360, RAYS = 96 }; /* 360 directions are off by 1 part in 40,000 */

static const double TURN = 6.283185307179586476925287;

typedef struct tape {
    weft_vec3 at, across[2]; /* a point of the plane and its axes */
    double direction[DIRECTIONS][2];
    double support[DIRECTIONS];
    int32_t count; /* of points */
} tape;

static tape lay_tape(weft_vec3 at, weft_vec3 normal) {
    weft_vec3 other = fabs(normal.z) < 0.9 ? weft_vec3_make(0, 0, 1) : weft_vec3_make(1, 0, 0);
    weft_vec3 side = weft_normalize(weft_cross(other, normal));
    tape t = {.at = at, .across = {side, weft_cross(normal, side)}};
    for (int i = 0; i < DIRECTIONS; i++) {
        t.direction[i][0] = weft_cos(TURN * i / DIRECTIONS);
        t.direction[i][1] = weft_sin(TURN * i / DIRECTIONS);
        t.support[i] = -INFINITY;
    }
    return t;
}

static void put_point(tape *t, weft_vec3 p) {
    weft_vec3 d = weft_sub(p, t->at);
    double x = weft_dot(d, t->across[0]), y = weft_dot(d, t->across[1]);
    for (int i = 0; i < DIRECTIONS; i++)
        t->support[i] = fmax(t->support[i], x * t->direction[i][0] + y * t->direction[i][1]);
    t->count++;
}

static double read_tape(const tape *t) {
    double sum = 0;
    for (int i = 0; i < DIRECTIONS && t->count > 0; i++)
        sum += t->support[i];
    return sum * TURN / DIRECTIONS;
}

/* The first point of a ray that is not in the flesh. */
static weft_vec3 leave(const flesh *f, const anatomy_plane *plane, weft_vec3 along) {
    static const double STEP = 0.01, FAR = 1;
    double low = 0, high = STEP;
    while (high < FAR && flesh_distance(f, weft_add_scaled(plane->at, high, along), plane->groups) < 0) {
        low = high;
        high += STEP;
    }
    for (int i = 0; i < 14; i++) {
        double middle = (low + high) / 2;
        if (flesh_distance(f, weft_add_scaled(plane->at, middle, along), plane->groups) < 0)
            low = middle;
        else
            high = middle;
    }
    return weft_add_scaled(plane->at, high, along);
}

double girth_of_flesh(const flesh *f, const anatomy_plane *plane) {
    tape t = lay_tape(plane->at, plane->normal);
    for (int i = 0; i < RAYS; i++) {
        double angle = TURN * i / RAYS;
        weft_vec3 along = weft_add_scaled(weft_scale(weft_cos(angle), t.across[0]), weft_sin(angle), t.across[1]);
        put_point(&t, leave(f, plane, along));
    }
    return read_tape(&t);
}

double mannequin_hull_girth(const weft_mesh *mesh, const weft_vec3 *position, const uint8_t *keep, weft_vec3 at,
                            weft_vec3 normal) {
    tape t = lay_tape(at, weft_normalize(normal));
    for (int32_t i = 0; i < mesh->triangle_count; i++) {
        const int32_t *corner = mesh->triangle[i];
        if (keep && !(keep[corner[0]] && keep[corner[1]] && keep[corner[2]]))
            continue;
        for (int k = 0; k < 3; k++) {
            weft_vec3 a = position[corner[k]], b = position[corner[(k + 1) % 3]];
            double above = weft_dot(weft_sub(a, at), normal), below = weft_dot(weft_sub(b, at), normal);
            if ((above < 0) != (below < 0))
                put_point(&t, weft_add_scaled(a, above / (above - below), weft_sub(b, a)));
        }
    }
    return read_tape(&t);
}
