/* The closest point of a triangle mesh. */
#ifndef WEFT_IO_CLOSEST_H
#define WEFT_IO_CLOSEST_H

#include "weft/base.h"

typedef struct weft_closest weft_closest;

typedef struct weft_closest_hit {
    int32_t triangle;
    double weight[3]; /* barycentric, >= 0, of the triangle's corners */
    weft_vec3 point;
    double squared; /* distance, m2 */
} weft_closest_hit;

/* The closest point of one triangle. */
weft_closest_hit weft_closest_of(const weft_vec3 *x, const int32_t (*triangle)[3], int32_t t, weft_vec3 p);

/* A tree over the triangles. `x` and `triangle` (count >= 1) stay the caller's and must outlive it. */
weft_result weft_closest_create(const weft_vec3 *x, const int32_t (*triangle)[3], int32_t count, weft_closest **made);
void weft_closest_destroy(weft_closest *closest); /* null is allowed */
/* Of triangles at the same distance the one with the lowest index. May be called by several threads. */
weft_closest_hit weft_closest_find(const weft_closest *closest, weft_vec3 p);

#endif
