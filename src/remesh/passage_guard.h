/* What a change of a surface must not pass through: the triangles of all surfaces, in a grid of cells. */
#ifndef WEFT_REMESH_PASSAGE_GUARD_H
#define WEFT_REMESH_PASSAGE_GUARD_H

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

/* Whether the tetrahedron holds no part of a triangle, beside the corners and sides that it shares with those around
 * it. It may also say no when something is only near. Bit i of `gone`: corner i is taken out by the change, and with it
 * all triangles at it. */
int weft_passage_guard_is_free(const weft_passage_guard *guard, const weft_vec3 corner[4], unsigned gone);
/* A triangle that is there from now on. Returns 0 when memory is out. */
int weft_passage_guard_add(weft_passage_guard *guard, const weft_vec3 corner[3]);

#endif
