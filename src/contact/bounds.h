/* Bounds on displacements: where impulses leave collisions, vertices give up a part of their own motion. */
#ifndef WEFT_CONTACT_BOUNDS_H
#define WEFT_CONTACT_BOUNDS_H

#include "contact/world.h"

/* A bounded vertex goes a share of its own way and for the rest follows its zone or the object that is its anchor. */
typedef struct contact_bounds {
    weft_vec3 *x, *v; /* its own motion: position (m) and velocity (m/s) after the impulses (cloth_vertices) */
    double *share;    /* of its own motion, 1: not bounded (cloth_vertices) */
    uint8_t *inside;  /* scratch: 1: in a zone (cloth_vertices) */
} contact_bounds;

/* bounds.c: begins with the motion that the impulses left. */
weft_status contact_bounds_begin(contact_step *step, contact_bounds *bounds);
/* Tightens the bounds of the vertices of the latest hits and moves them. `round` counts from 0. Returns whether any
 * vertex moved: if none did, more rounds are of no use. */
weft_status contact_bounds_tighten(contact_step *step, contact_bounds *bounds, int32_t round, int *moved);

/* zones.c: moves all bounded vertices. */
weft_status contact_move_bounded(contact_step *step, const contact_bounds *bounds, int *moved);

#endif
