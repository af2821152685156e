/* Continuous collision of a vertex and a triangle, or of two edges, whose corners move on straight lines. */
#ifndef WEFT_CONTACT_CCD_H
#define WEFT_CONTACT_CCD_H

#include "contact/distance.h"

typedef struct weft_ccd_hit {
    double time;      /* in [0, 1], never after the first contact */
    double weight[4]; /* of the vector between the closest points at that time, as in weft_closest */
    weft_vec3 normal; /* its direction: unit, from the second feature to the first; zero when it has no length */
    int at_start;     /* the features touch before they move */
} weft_ccd_hit;

/* Whether features at that distance at the start (m) stay farther apart than `margin` because they do not move enough
 * against each other: then there is nothing to look for. */
int weft_ccd_stays_apart(weft_pair_kind kind, const weft_vec3 start[4], const weft_vec3 end[4], double margin,
                         double distance);
/* Whether the features come closer than `margin` (m), or than half their distance at the start where that is less.
 * Contact is never missed, whatever the features look like. Features that touch at the start are always a hit, at
 * time 0: the caller knows whether they part. */
int weft_ccd(weft_pair_kind kind, const weft_vec3 start[4], const weft_vec3 end[4], double margin, weft_ccd_hit *hit);

#endif
