/* Rotations as unit quaternions and as axis times angle. */
#ifndef WEAR_MANNEQUIN_TURN_H
#define WEAR_MANNEQUIN_TURN_H

#include <math.h>

#include "weft/portable_math.h"
#include "weft/vec.h"

typedef struct turn {
    double w;
    weft_vec3 v;
} turn;

static inline turn turn_of(weft_vec3 axis_angle) {
    double angle = weft_length(axis_angle), half = angle / 2;
    return (turn){weft_cos(half), weft_scale(angle > 1e-12 ? weft_sin(half) / angle : 0.5, axis_angle)};
}

/* First b, then a. */
static inline turn turn_both(turn a, turn b) {
    weft_vec3 v = weft_add_scaled(weft_scale(a.w, b.v), b.w, a.v);
    return (turn){a.w * b.w - weft_dot(a.v, b.v), weft_add(v, weft_cross(a.v, b.v))};
}

static inline turn turn_back(turn a) { return (turn){a.w, weft_scale(-1, a.v)}; }

static inline weft_vec3 turn_apply(turn a, weft_vec3 p) {
    weft_vec3 t = weft_scale(2, weft_cross(a.v, p));
    return weft_add(weft_add_scaled(p, a.w, t), weft_cross(a.v, t));
}

/* By an angle from -pi to pi. */
static inline weft_vec3 turn_axis_angle(turn a) {
    double sine = weft_length(a.v), angle = 2 * weft_atan2(sine, fabs(a.w));
    return weft_scale((a.w < 0 ? -1 : 1) * (sine > 1e-12 ? angle / sine : 2), a.v);
}

/* The shortest rotation that takes the direction of a to that of b. */
static inline turn turn_between(weft_vec3 a, weft_vec3 b) {
    weft_vec3 axis = weft_cross(a, b);
    double sine = weft_length(axis), angle = weft_atan2(sine, weft_dot(a, b));
    return turn_of(weft_scale(sine > 1e-12 ? angle / sine : 0, axis));
}

#endif
