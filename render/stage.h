/* The geometry of one frame, prepared for ray tracing. */
#ifndef WEFT_RENDER_STAGE_H
#define WEFT_RENDER_STAGE_H

#include <embree3/rtcore.h>

#include "render/render.h"
#include "render/smooth.h"

/* A cloth or body. Its index is the geometry id. */
typedef struct weft_stage_mesh {
    const vecf *vertex;       /* owned by the geometry */
    const uint32_t *triangle; /* owned by the geometry (triangle_count x 3) */
    int32_t vertex_count, triangle_count;
    vecf *normal; /* (vertex_count), or (triangle_count x 3) if corner_normals */
    int corner_normals;
    weft_stage_uv *uv; /* per corner (triangle_count x 3), or null */
    float *scalar;     /* in [0, 1] (vertex_count), or null */
    int is_cloth;
    vecf front, back; /* linear RGB */
} weft_stage_mesh;

typedef struct weft_stage {
    RTCScene solid;   /* cloths and bodies, which cast shadows */
    RTCScene overlay; /* unlit lines (geometry 0) and particles (geometry 1), or null */
    weft_stage_mesh *mesh;
    int32_t mesh_count;
    vecf *line_color; /* radiance (line_count) */
    int32_t line_count;
    vecf particle_color;
    float size;                     /* diagonal of the bounds, m */
    float ground, reach;            /* height of the ground; distance from the centre at which it starts to fade, m */
    vecf middle;                    /* centre of the bounds */
    double scalar_low, scalar_high; /* range of the false colours */
} weft_stage;

/* Fails if an index is out of range or Embree runs out of memory. The stage is then empty. */
weft_result weft_stage_build(weft_stage *stage, RTCDevice device, const weft_view *view, const weft_shot *shot,
                             const weft_camera *camera, const weft_work *work);
void weft_stage_free(weft_stage *stage); /* a zeroed struct is allowed */

/* Used by weft_stage_build. Normals of cloth are means over the triangles at a vertex, weighted by area or by angle.
 * Angle weights do not depend on how the surface is triangulated. */
typedef enum weft_normal_weight { WEFT_NORMAL_AREA, WEFT_NORMAL_ANGLE } weft_normal_weight;
weft_result weft_stage_normals(weft_stage_mesh *mesh, weft_normal_weight weight, const weft_work *work);
/* Normals of bodies, per corner: the mean over the triangles at the vertex that are within 40 degrees of the triangle
 * of the corner. */
weft_result weft_stage_corner_normals(weft_stage_mesh *mesh);
weft_result weft_stage_overlay(weft_stage *stage, RTCDevice device, const weft_view *view, const weft_shot *shot,
                               const weft_camera *camera);
/* Converts the error state of the device to a result. */
weft_result weft_stage_device_result(RTCDevice device, const char *what);

#endif
