/* Constraints of the linear solve: up to three forbidden directions per vertex, with a prescribed value along them.
 *
 * D. Baraff, A. Witkin, Large steps in cloth simulation, SIGGRAPH 1998, section 5. Prescribed values as in U. Ascher,
 * E. Boxerman, On the modified conjugate gradient method in cloth simulation, The Visual Computer 19, 2003. */
#ifndef WEFT_SOLVE_FILTER_H
#define WEFT_SOLVE_FILTER_H

#include "weft/vec.h"

typedef struct weft_filter {
    int32_t count;
    uint8_t *state;       /* number of forbidden directions, 0 to 3 (count) */
    weft_vec3 *direction; /* unit; the forbidden direction if state is 1, the only allowed one if it is 2 (count) */
    weft_vec3 *change;    /* prescribed value; has no component in the allowed directions (count) */
} weft_filter;

weft_result weft_filter_create(int32_t count, weft_filter **made);
void weft_filter_destroy(weft_filter *filter);

/* Frees all vertices. */
void weft_filter_clear(weft_filter *filter);
/* Fixes vertex i: all three components are prescribed as `change`. */
void weft_filter_hold(weft_filter *filter, int32_t i, weft_vec3 change);
/* Forbids `direction` (nonzero, any length) as well. The value along it is prescribed as `change` per unit length.
 * Returns 0 and changes nothing if the direction is already forbidden. */
int weft_filter_forbid(weft_filter *filter, int32_t i, weft_vec3 direction, double change);

/* The projection of v onto the allowed directions. */
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

/* v with its components in the forbidden directions replaced by the prescribed value. */
static inline weft_vec3 weft_filter_enforce(const weft_filter *filter, int64_t i, weft_vec3 v) {
    return filter->state[i] ? weft_add(weft_filter_apply(filter, i, v), filter->change[i]) : v;
}

/* The projection matrix of weft_filter_apply, row-major. */
void weft_filter_matrix(const weft_filter *filter, int64_t i, double matrix[9]);

#endif
