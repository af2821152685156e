/* Continuous collision detection for a vertex and a triangle, or two edges, whose corners move linearly. */
#ifndef WEFT_CONTACT_CCD_H
#define WEFT_CONTACT_CCD_H

#include "contact/distance.h"

typedef struct weft_ccd_hit {
    double time;      /* in [0, 1], never after the first contact */
    double weight[4]; /* of the vector between the closest points at that time, as in weft_closest */
    weft_vec3
        normal;   /* unit direction of that vector, from the second feature to the first; zero when it has no length */
    int at_start; /* the features touch at the start */
} weft_ccd_hit;

/* Square of the largest displacement of a corner of one feature relative to a corner of the other, m2. Points in
 * between move relative to each other by no more. */
double weft_ccd_relative_motion(weft_pair_kind kind, const weft_vec3 start[4], const weft_vec3 end[4]);
/* Whether two features stay farther apart than `margin` (m) because they move too little relative to each other.
 * `distance` is their distance at the start, m. Then weft_ccd need not be called. */
int weft_ccd_stays_apart(weft_pair_kind kind, const weft_vec3 start[4], const weft_vec3 end[4], double margin,
                         double distance);
/* Whether the features come closer than `margin` (m), or than half their initial distance if that is less. No contact
 * is missed, whatever the shape of the features. Features that touch at the start are always a hit at time 0. The
 * caller decides whether they separate. */
int weft_ccd(weft_pair_kind kind, const weft_vec3 start[4], const weft_vec3 end[4], double margin, weft_ccd_hit *hit);

#endif
