/* The built-in bodies. */
#ifndef WEFT_BODY_SHAPES_H
#define WEFT_BODY_SHAPES_H

#include "weft/body.h"

extern const weft_component weft_plane_body, weft_sphere_body, weft_box_body, weft_capsule_body, weft_cylinder_body,
    weft_mesh_body;

/* Revolves a curve about the y axis. The curve goes from the lower to the upper pole; each point is a radius and a
 * height, m (count). The first and the last radius must be 0. */
weft_result weft_surface_revolve(const double (*curve)[2], int32_t count, int32_t segments, weft_body_surface *surface);

#endif
