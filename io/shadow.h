/* The shadow of a cloth from above, as a drape tester measures it. */
#ifndef WEFT_IO_SHADOW_H
#define WEFT_IO_SHADOW_H

#include "weft/mesh.h"

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
