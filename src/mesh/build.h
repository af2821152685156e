/* The stages of making a mesh. */
#ifndef WEFT_MESH_BUILD_H
#define WEFT_MESH_BUILD_H

#include "weft/mesh.h"

/* A larger face is refused: cutting it takes time quadratic in its corners. */
enum { WEFT_FACE_SIZE_LIMIT = 10000 };

/* What the maker of the polygons knows beyond them; all may be null. */
typedef struct weft_mesh_hint {
    const unsigned char *diagonal; /* of a quad: 0 from corner 0 to 2, 1 from corner 1 to 3 (face_count) */
    const int32_t *twin;           /* the corner whose half-edge runs the other way, or WEFT_NONE (corner_count) */
    weft_soup *soup;               /* null: what is not a surface is refused */
} weft_mesh_hint;

weft_result weft_mesh_build(const weft_polygons *polygons, const weft_mesh_hint *hint, weft_mesh **mesh);

/* "NAME: ... (counting from 0)": for messages that name a face or a vertex. */
weft_result weft_mesh_refuse(const char *name, const char *format, ...) WEFT_PRINTF(2, 3);

/* The size is stated before any array is read. */
weft_result weft_polygons_check(const weft_polygons *polygons);

/* Whether a face, of corners within range, has an area and no vertex twice. */
int weft_face_is_sound(const weft_polygons *polygons, const int32_t *corner, int32_t size);

/* Whether a face of this area vector is too thin to have a normal. `longest` is the square of its longest edge, m2. */
int weft_area_vanishes(weft_vec3 area, double longest);

/* area.c: the first triangle without an area where the mesh is, or WEFT_NONE. Only triangles with an area in rest
 * coordinates may be like that. */
int32_t weft_mesh_find_collapsed(const weft_mesh *mesh);
/* Fails with "KIND NAME: ..." when there is one. */
weft_result weft_mesh_refuse_collapsed(const weft_mesh *mesh, const char *kind, const char *name);
/* The areas of vertices where the mesh is, m2 (vertex_count); collapsed triangles count with their rest coordinates. */
void weft_mesh_rest_areas(const weft_mesh *mesh, double *area);

/* Half-edges, edges, boundary loops and split vertices. Expects next, origin, face and face_halfedge of the corners,
 * with room for as many boundary half-edges. */
weft_result weft_mesh_link(weft_mesh *mesh, const weft_polygons *polygons, const weft_mesh_hint *hint);

/* Cuts the faces; needs positions and links. */
weft_result weft_mesh_cut(weft_mesh *mesh, const char *name, const unsigned char *diagonal);

/* Cuts a polygon (count >= 4) whose area vector is `normal` into count - 2 triangles of corner numbers. `scratch` has
 * room for count corners. */
typedef struct weft_ear {
    weft_vec2 at; /* in the plane of the polygon */
    double size;  /* twice the signed area at this corner, m2 */
    double cost;  /* of cutting it off: the diagonal's length squared, m2; infinite when it is no ear */
    int32_t before, after;
} weft_ear;
void weft_polygon_cut(const weft_vec3 *position, const int32_t *corner, int32_t count, weft_vec3 normal,
                      weft_ear *scratch, int32_t (*triangle)[3]);

#endif
