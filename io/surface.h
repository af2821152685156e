/* Builds a mesh from polygons that a reader adds one by one. */
#ifndef WEFT_IO_SURFACE_H
#define WEFT_IO_SURFACE_H

#include "weft/mesh.h"

typedef struct weft_surface {
    weft_vec3 *position;
    weft_vec2 *uv;
    int32_t *corner, *corner_uv; /* indices into position and uv; WEFT_NONE: no uv */
    int32_t *face_size, *face_group;
    char **group_name;
    int32_t *group_slot; /* hash table of group names */
    size_t position_count, uv_count, corner_count, face_count, group_count;
    size_t position_room, uv_room, corner_room, face_room, group_room, slot_count;
    size_t face_start;   /* first corner of the face being added */
    weft_soup *soup;     /* for bodies: receives the repairs; if null, non-manifold input is refused */
    const char *failure; /* reason after a function returned 0; "" means out of memory */
} weft_surface;

/* The functions that add elements return 0 if memory is exhausted or WEFT_MESH_LIMIT is exceeded. weft_surface_fail
 * then gives the reason. */
int weft_surface_add_position(weft_surface *surface, weft_vec3 position);
int weft_surface_add_uv(weft_surface *surface, weft_vec2 uv);
int weft_surface_add_corner(weft_surface *surface, int32_t vertex, int32_t uv);
/* Ends a face. Its corners are those added since the previous face. */
int weft_surface_end_face(weft_surface *surface, int32_t group);
/* Finds or creates the group with this name. */
int weft_surface_group(weft_surface *surface, const char *name, size_t length, int32_t *group);
weft_result weft_surface_fail(const weft_surface *surface, const char *name);

/* Creates the mesh. Rest coordinates are used if every corner has them, groups if there are any. weft_mesh_create
 * refuses indices out of range. */
weft_result weft_surface_finish(weft_surface *surface, const char *name, weft_mesh **mesh);
/* As weft_surface_finish, but joins vertices at equal positions first. If the joined faces are not a surface, as with
 * two layers at the same place, it leaves the vertices apart. */
weft_result weft_surface_finish_welded(weft_surface *surface, const char *name, weft_mesh **mesh);
/* Frees the arrays and zeroes the struct. */
void weft_surface_free(weft_surface *surface);

#endif
