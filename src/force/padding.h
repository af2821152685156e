/* The pressure of padding inside of a garment. */
#ifndef WEFT_FORCE_PADDING_H
#define WEFT_FORCE_PADDING_H

#include "weft/mesh.h"
#include "weft/work.h"

/* Adds p A n of each triangle to `f`, N, a third to each corner. n is the normal of its front and A its present area.
 *
 * pressure: p of each face, Pa (face_count); open_face: non-zero for a face that is torn open and holds no pressure
 * (face_count); x, f: m, N (vertex_count). */
void weft_padding_force(const weft_work *work, const weft_mesh *mesh, const uint8_t *open_face, const double *pressure,
                        const weft_vec3 *x, weft_vec3 *f);

#endif
