/* Moves the panels of a garment out of the body that it is sewn around. */
#ifndef WEFT_WEAR_LOAD_PUSH_OUT_H
#define WEFT_WEAR_LOAD_PUSH_OUT_H

#include "weft/mesh.h"

/* Moves the vertices of `cloth` until its triangles are a centimetre away from the closed surface `body`, which is
 * shifted by `at`. Seams lie half-way between their panels, which may be inside of a shoulder or an arm. Stops after
 * some rounds: what is still inside then is for the caller to refuse. */
weft_result weft_push_out(weft_mesh *cloth, const weft_mesh *body, weft_vec3 at);

#endif
