/* The built-in adaptations. */
#ifndef WEFT_SIM_ADAPTATIONS_H
#define WEFT_SIM_ADAPTATIONS_H

#include "weft/adapt.h"

extern const weft_component weft_sqrt3_adapt;

/* Magnitude of the mean curvature at each vertex, 1/m (mesh->vertex_count). At a boundary, only the component along the
 * normal. */
void weft_mean_curvature(const weft_work *work, const weft_mesh *mesh, const weft_vec3 *x, double *curvature);

#endif
