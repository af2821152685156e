/* Blocks mesh changes that would pass through a surface. Holds the triangles of all surfaces in a uniform grid. */
#ifndef WEFT_SIM_PASSAGE_GUARD_H
#define WEFT_SIM_PASSAGE_GUARD_H

#include "weft/base.h"

typedef struct weft_passage_guard_surface {
    const weft_vec3 *x;
    const int32_t (*triangle)[3];
    int32_t triangle_count;
} weft_passage_guard_surface;

typedef struct weft_passage_guard weft_passage_guard;

/* Positions are copied. */
weft_result weft_passage_guard_create(const weft_passage_guard_surface *surface, int32_t count,
                                      weft_passage_guard **guard);
void weft_passage_guard_destroy(weft_passage_guard *guard); /* null is allowed */

/* Whether the tetrahedron contains no part of a triangle, apart from corners and sides that they share. May return 0
 * for a triangle that is only close. Bit i of `removed`: the change removes corner i and all triangles at it. */
int weft_passage_guard_is_free(const weft_passage_guard *guard, const weft_vec3 corner[4], unsigned removed);
/* Adds a triangle. Returns 0 if out of memory. */
int weft_passage_guard_add(weft_passage_guard *guard, const weft_vec3 corner[3]);

#endif
