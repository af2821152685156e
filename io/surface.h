/* Polygons as a reader finds them one after the other: growing arrays that end as a mesh. */
#ifndef WEFT_IO_SURFACE_H
#define WEFT_IO_SURFACE_H

#include "weft/mesh.h"

typedef struct weft_surface {
    weft_vec3 *position;
    weft_vec2 *uv;
    int32_t *corner, *corner_uv; /* indices into position and uv; WEFT_NONE: a corner without uv */
    int32_t *face_size, *face_group;
    char **group_name;
    int32_t *group_slot; /* hash table of groups */
    size_t position_count, uv_count, corner_count, face_count, group_count;
    size_t position_room, uv_room, corner_room, face_room, group_room, slot_count;
    size_t face_start;   /* first corner of the face being added */
    weft_soup *soup;     /* for a body: what was done to it; null refuses what is not a surface */
    const char *failure; /* what went wrong when a function returned 0: "" is memory */
} weft_surface;

/* The functions that add return 0 when memory is out or WEFT_MESH_LIMIT is passed; weft_surface_fail then tells. */
int weft_surface_add_position(weft_surface *surface, weft_vec3 position);
int weft_surface_add_uv(weft_surface *surface, weft_vec2 uv);
int weft_surface_add_corner(weft_surface *surface, int32_t vertex, int32_t uv);
/* A face of the corners added since the last one. */
int weft_surface_end_face(weft_surface *surface, int32_t group);
/* The index of the group of that name, which is made when it is new. */
int weft_surface_group(weft_surface *surface, const char *name, size_t length, int32_t *group);
weft_result weft_surface_fail(const weft_surface *surface, const char *name);

/* Makes the mesh. Rest coordinates are used when every corner has them, groups when there are any. Indices must be
 * those of existing positions and uvs or are refused by weft_mesh_create. */
weft_result weft_surface_finish(weft_surface *surface, const char *name, weft_mesh **mesh);
/* Frees the arrays; the struct may then be reused from zero. */
void weft_surface_free(weft_surface *surface);

#endif
