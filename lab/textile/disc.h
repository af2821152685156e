/* A round specimen. */
#ifndef WEFT_LAB_TEXTILE_DISC_H
#define WEFT_LAB_TEXTILE_DISC_H

#include "weft/weft.h"

/* Flat at y = 0 around the origin, normal up, weft along x, warp along -z. Vertex 0 is the centre. Ring k of `rings`
 * has 6 k vertices at the radius k times `spacing`; the last one is at `radius`. Triangles are nearly equilateral, so
 * bending is nearly isotropic. */
weft_result weft_disc_create(double radius, double spacing, int32_t rings, weft_mesh **mesh);
static inline int32_t weft_disc_vertex(int32_t ring, int32_t j) {
    return ring > 0 ? 1 + 3 * ring * (ring - 1) + j % (6 * ring) : 0;
}

#endif
