/* The barrier of two edges fades out where vertices take over: a factor on it, and the forces that follow from it. */
#ifndef WEFT_CONTACT_EDGE_FADE_H
#define WEFT_CONTACT_EDGE_FADE_H

#include "weft/vec.h"

typedef struct contact_fading {
    weft_vec3 force[4]; /* on each vertex, N */
    weft_vec3 axis;     /* unit length: the direction of the gap along which they are stiff */
    double stiffness;   /* along it, N/m, at least 0 */
} contact_fading;

/* Where the barrier of two edges fades. */
typedef struct contact_zone {
    double end;    /* fraction of an edge that counts as its end */
    double narrow; /* squared sine of the angle below which edges count as nearly parallel */
} contact_zone;

/* The zone of a pair whose vertices at rest are `rest`. Vertices can take over only where they are within the reach (m)
 * themselves, so a small reach has a small zone: the edges of a cut would cross without any force otherwise. */
contact_zone contact_zone_of(const weft_vec3 rest[4], double reach);
/* The factor, 0 to 1. `weight` is that of the closest points (distance.h). It fades out where the edges become
 * parallel, because their closest points jump there, and where the closest points come to an end, which is a vertex. */
double contact_edge_factor(const weft_vec3 x[4], const double weight[4], contact_zone zone);
/* The forces because the factor changes with the positions, where it is above 0. `energy`: of the barrier without the
 * factor, J. Without them the forces would not be the derivative of the energy, and Newton's method would find
 * directions in which the energy rises. */
void contact_edge_fading(const weft_vec3 x[4], const double weight[4], contact_zone zone, double energy,
                         contact_fading *fading);

#endif
