/* Notions, as sewers call them: elastic bands and buttons (ties), and creases with a rest angle of their own. */
#ifndef WEFT_CLOTH_COROTATIONAL_NOTIONS_H
#define WEFT_CLOTH_COROTATIONAL_NOTIONS_H

#include "cloth/bending/bending.h"
#include "weft/tailoring.h"

typedef struct weft_notions {
    weft_tie *tie;     /* (tie_count) */
    int32_t *tie_ends; /* the same vertices as a list of elements (tie_count x 2) */
    int32_t tie_count;
    weft_bending crease; /* hinges; its rest angles are state, because creases yield */
    double *yield;       /* rad (crease.count) */
    double beta;         /* damping time, s */
} weft_notions;

/* Makes ties, and creases from the edges of `bending` that have an angle or yield. Such edges are taken out of
 * `bending`: their stiffness there becomes 0. `tailoring` may be null. `notions` needs weft_notions_free, even after a
 * failure. */
weft_result weft_notions_create(const weft_cloth *cloth, const weft_mesh *mesh, weft_notions *notions);
void weft_notions_free(weft_notions *notions);
/* Applies the factors of creases and faces to the stiffness of the bending elements, and sets that of the hinges. Ties
 * shorten from their initial length, while the garment is being sewn: `sewn` from 0 to 1. */
void weft_notions_tune(weft_notions *notions, const weft_cloth *cloth, const weft_vec2 (*rest)[3], double sewn,
                       weft_bending *bending);

double weft_notions_energy(const weft_notions *notions, const weft_vec3 *x);
/* Adds the forces to f. */
void weft_notions_force(const weft_notions *notions, const weft_vec3 *x, const weft_vec3 *v, weft_vec3 *f);
void weft_tie_blocks(const weft_notions *notions, int32_t i, const weft_vec3 *x, double *stiffness, double *damping);
/* Adds to the bound of the stiffness at each vertex. */
void weft_notions_bound(const weft_notions *notions, double *bound);
/* Creases bent beyond their yield angle keep the excess. */
void weft_notions_yield(weft_notions *notions, const weft_vec3 *x);

#endif
