/** @file
 * Arithmetic on weft_vec3. All functions are pure and thread-safe. */
#ifndef WEFT_VEC_H
#define WEFT_VEC_H

#include <math.h>

#include "weft/base.h"

/** The vector (x, y, z). */
static inline weft_vec3 weft_vec3_make(double x, double y, double z) {
    weft_vec3 r;
    r.x = x;
    r.y = y;
    r.z = z;
    return r;
}

/** a + b */
static inline weft_vec3 weft_add(weft_vec3 a, weft_vec3 b) { return weft_vec3_make(a.x + b.x, a.y + b.y, a.z + b.z); }

/** a - b */
static inline weft_vec3 weft_sub(weft_vec3 a, weft_vec3 b) { return weft_vec3_make(a.x - b.x, a.y - b.y, a.z - b.z); }

/** s a */
static inline weft_vec3 weft_scale(double s, weft_vec3 a) { return weft_vec3_make(s * a.x, s * a.y, s * a.z); }

/** a + s b */
static inline weft_vec3 weft_add_scaled(weft_vec3 a, double s, weft_vec3 b) {
    return weft_vec3_make(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

/** Dot product of a and b. */
static inline double weft_dot(weft_vec3 a, weft_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

/** Cross product a x b. */
static inline weft_vec3 weft_cross(weft_vec3 a, weft_vec3 b) {
    return weft_vec3_make(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

/** Euclidean length of a. */
static inline double weft_length(weft_vec3 a) { return sqrt(weft_dot(a, a)); }

/** Distance of the points a and b. */
static inline double weft_distance(weft_vec3 a, weft_vec3 b) { return weft_length(weft_sub(a, b)); }

/** Unit vector along a. The zero vector stays zero. */
static inline weft_vec3 weft_normalize(weft_vec3 a) {
    double length = weft_length(a);
    return length > 0 ? weft_scale(1 / length, a) : weft_vec3_make(0, 0, 0);
}

/** Returns 1 if all components are finite, else 0. */
static inline int weft_vec3_is_finite(weft_vec3 a) { return isfinite(a.x) && isfinite(a.y) && isfinite(a.z); }

#endif
