/* A cloth cut finer along the curved surface that its normals describe, for pictures. */
#ifndef WEFT_RENDER_SMOOTH_H
#define WEFT_RENDER_SMOOTH_H

#include "render/render.h"

typedef struct weft_smooth {
    weft_vec3 *position; /* those of the coarse cloth come first, unchanged */
    int32_t *triangle;
    weft_vec2 *corner_uv; /* null without any */
    double *scalar;       /* null without any */
    int32_t vertex_count, triangle_count;
} weft_smooth;

/* Each triangle in four. Of `cloth` positions, triangles, coordinates by corner and the scalar are used. */
weft_result weft_smooth_split(const weft_shot_cloth *cloth, weft_smooth *smooth);
void weft_smooth_free(weft_smooth *smooth); /* a zeroed one is allowed */

#endif
