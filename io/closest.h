/* Search for the closest point on a triangle mesh. */
#ifndef WEFT_IO_CLOSEST_H
#define WEFT_IO_CLOSEST_H

#include "weft/base.h"

typedef struct weft_closest weft_closest;

typedef struct weft_closest_hit {
    int32_t triangle;
    double weight[3]; /* barycentric coordinates, each >= 0 */
    weft_vec3 point;
    double squared; /* squared distance, m2 */
} weft_closest_hit;

/* The point of one triangle closest to p. */
weft_closest_hit weft_closest_of(const weft_vec3 *x, const int32_t (*triangle)[3], int32_t t, weft_vec3 p);

/* Builds a tree over the triangles (count >= 1). The caller keeps ownership of `x` and `triangle`; both must outlive
 * the tree. */
weft_result weft_closest_create(const weft_vec3 *x, const int32_t (*triangle)[3], int32_t count, weft_closest **made);
void weft_closest_destroy(weft_closest *closest); /* null is allowed */
/* Among triangles at equal distance, returns the one with the lowest index. Thread-safe. */
weft_closest_hit weft_closest_find(const weft_closest *closest, weft_vec3 p);

#endif
