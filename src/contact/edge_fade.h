/* The barrier of two edges fades out where they become parallel: a factor on it, and the forces that follow from it. */
#ifndef WEFT_CONTACT_EDGE_FADE_H
#define WEFT_CONTACT_EDGE_FADE_H

#include "weft/vec.h"

/* The squared sine of the angle below which a pair of edges counts as nearly parallel; `rest`: its vertices at rest.
 * Vertices take over there, so the ends of each edge must be within the reach (m) of the other. The sides of a cut have
 * a tiny reach: at a fixed angle their edges would cross without any force. */
double contact_edge_narrow(const weft_vec3 rest[4], double reach);
/* The factor, 0 to 1. It vanishes where edges are parallel, because their closest points jump there. */
double contact_edge_factor(const weft_vec3 x[4], double narrow);
/* The forces on the vertices because the factor changes with the positions, N. `energy`: of the barrier without the
 * factor, J. Without them the forces would not be the derivative of the energy, and Newton's method would find
 * directions in which the energy rises. */
void contact_edge_fading(const weft_vec3 x[4], double narrow, double energy, weft_vec3 force[4]);

#endif
