/* A round specimen and its shadow from above. */
#ifndef WEFT_LAB_DISC_H
#define WEFT_LAB_DISC_H

#include "weft/weft.h"

/* Flat at y = 0 around the origin, normal up, weft along x, warp along -z. Vertex 0 is the centre. Ring k of `rings`
 * has 6 k vertices at the radius k times `spacing`; the last one is at `radius`. Triangles are nearly equilateral, so
 * bending is nearly isotropic. */
weft_result weft_disc_create(double radius, double spacing, int32_t rings, weft_mesh **mesh);
static inline int32_t weft_disc_vertex(int32_t ring, int32_t j) {
    return ring > 0 ? 1 + 3 * ring * (ring - 1) + j % (6 * ring) : 0;
}

enum { WEFT_OUTLINE = 360 };
typedef struct weft_shadow {
    double area;                  /* m2 */
    double outline[WEFT_OUTLINE]; /* m: greatest distance from the origin, by direction */
    int folds;                    /* folds of the outline; see weft_shadow_cast */
} weft_shadow;

/* Marks the dots that the cloth covers, seen along y. `dot` has `side` x `side` dots, all 0 before, and shows what is
 * within `radius` of the origin along x and z. */
void weft_shadow_fill(const weft_mesh *mesh, const weft_vec3 *x, double radius, int side, uint8_t *dot);
/* Measures a picture of a shadow with dots of 0 and 1, `radius` (m) from its centre to its sides. */
void weft_shadow_read(const uint8_t *dot, int side, double radius, double depth, weft_shadow *shadow);
/* Projects along y everything within `radius` of the origin. A fold is where the outline extends outward by more than
 * `depth` (m) and returns by as much. */
weft_result weft_shadow_cast(const weft_mesh *mesh, const weft_vec3 *x, double radius, double depth,
                             weft_shadow *shadow);

#endif
