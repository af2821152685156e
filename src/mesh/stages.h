/* Stages of building a mesh. */
#ifndef WEFT_MESH_STAGES_H
#define WEFT_MESH_STAGES_H

#include "weft/mesh.h"

/* Larger faces are rejected, because ear clipping takes quadratic time. */
enum { WEFT_FACE_SIZE_LIMIT = 10000 };

/* Optional knowledge about the polygons; every member may be null. */
typedef struct weft_mesh_hint {
    const unsigned char *diagonal; /* of a quad: 0 from corner 0 to 2, 1 from corner 1 to 3 (face_count) */
    const int32_t *twin;           /* corner of the opposite half-edge, or WEFT_NONE (corner_count) */
    weft_soup *soup;               /* null: non-manifold input is rejected */
} weft_mesh_hint;

weft_result weft_mesh_build(const weft_polygons *polygons, const weft_mesh_hint *hint, weft_mesh **mesh);

/* Fails with "NAME: ... (counting from 0)". For messages that name a face or a vertex. */
weft_result weft_mesh_refuse(const char *name, const char *format, ...) WEFT_PRINTF(2, 3);

/* Checks counts before it reads any array. */
weft_result weft_polygons_check(const weft_polygons *polygons);

/* Whether a face has an area and no repeated vertex. Corners must be in range. */
int weft_face_is_sound(const weft_polygons *polygons, const int32_t *corner, int32_t size);

/* Whether a face with this area vector is too thin to have a normal. `longest` is the square of its longest edge,
 * m2. */
int weft_area_vanishes(weft_vec3 area, double longest);

/* area.c: the first triangle whose area in space is zero, or WEFT_NONE. Only triangles with an area in rest coordinates
 * may be collapsed in space. */
int32_t weft_mesh_find_collapsed(const weft_mesh *mesh);
/* Fails with "KIND NAME: ..." if a triangle is collapsed. */
weft_result weft_mesh_refuse_collapsed(const weft_mesh *mesh, const char *kind, const char *name);
/* Vertex areas of the mesh positions, m2 (vertex_count). Collapsed triangles count with their area in rest
 * coordinates. */
void weft_mesh_rest_areas(const weft_mesh *mesh, double *area);
/* The part of each triangle that these areas give to each of its vertices, in the order of mesh->vertex_triangle. The
 * parts of a triangle add up to 1. */
void weft_mesh_rest_shares(const weft_mesh *mesh, double *share);

/* halfedge.c: makes half-edges, edges and boundary loops, and splits non-manifold vertices. Expects next, origin, face
 * and face_halfedge of the corners, and room for as many boundary half-edges. */
weft_result weft_mesh_link(weft_mesh *mesh, const weft_polygons *polygons, const weft_mesh_hint *hint);

/* triangulate.c: cuts the faces into triangles. Needs positions and linked half-edges. */
weft_result weft_mesh_cut(weft_mesh *mesh, const char *name, const unsigned char *diagonal);

/* ear.c: cuts a polygon (count >= 4) with area vector `normal` into count - 2 triangles of corner numbers. `scratch`
 * has room for count corners. */
typedef struct weft_ear {
    weft_vec2 at; /* in the plane of the polygon */
    double size;  /* twice the signed area at this corner, m2 */
    double cost;  /* of cutting it off: squared length of the diagonal, m2; infinite if the corner is not an ear */
    int32_t before, after;
} weft_ear;
void weft_polygon_cut(const weft_vec3 *position, const int32_t *corner, int32_t count, weft_vec3 normal,
                      weft_ear *scratch, int32_t (*triangle)[3]);

#endif
