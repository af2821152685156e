/* Constraints of the linear solve: up to three forbidden directions per vertex, with a prescribed value along them.
 *
 * D. Baraff, A. Witkin, Large steps in cloth simulation, SIGGRAPH 1998, section 5; the prescribed values as in
 * U. Ascher, E. Boxerman, On the modified conjugate gradient method in cloth simulation, The Visual Computer 19, 2003.
 */
#ifndef WEFT_LINEAR_FILTER_H
#define WEFT_LINEAR_FILTER_H

#include "weft/vec.h"

typedef struct weft_filter {
    int32_t count;
    uint8_t *state;       /* how many directions are forbidden, 0 to 3 (count) */
    weft_vec3 *direction; /* unit: the forbidden one where state is 1, the only one allowed where it is 2 (count) */
    weft_vec3 *change;    /* the prescribed value; without part in the allowed directions (count) */
} weft_filter;

weft_result weft_filter_create(int32_t count, weft_filter **made);
void weft_filter_destroy(weft_filter *filter);

/* All vertices free. */
void weft_filter_clear(weft_filter *filter);
/* All three components of vertex i are `change`. */
void weft_filter_hold(weft_filter *filter, int32_t i, weft_vec3 change);
/* Also forbids `direction` (any length but 0), along which the value is `change` per unit length. Returns 0, and leaves
 * the vertex as it is, when that direction is forbidden already. */
int weft_filter_forbid(weft_filter *filter, int32_t i, weft_vec3 direction, double change);

/* The part of v in the allowed directions. */
static inline weft_vec3 weft_filter_apply(const weft_filter *filter, int64_t i, weft_vec3 v) {
    switch (filter->state[i]) {
    case 0:
        return v;
    case 1:
        return weft_add_scaled(v, -weft_dot(v, filter->direction[i]), filter->direction[i]);
    case 2:
        return weft_scale(weft_dot(v, filter->direction[i]), filter->direction[i]);
    default:
        return weft_vec3_make(0, 0, 0);
    }
}

/* v with the prescribed value in the forbidden directions. */
static inline weft_vec3 weft_filter_enforce(const weft_filter *filter, int64_t i, weft_vec3 v) {
    return filter->state[i] ? weft_add(weft_filter_apply(filter, i, v), filter->change[i]) : v;
}

/* The matrix of weft_filter_apply, row-major. */
void weft_filter_matrix(const weft_filter *filter, int64_t i, double matrix[9]);

#endif
