/* Reads meshes from files. */
#ifndef WEFT_IO_MESH_FILE_H
#define WEFT_IO_MESH_FILE_H

#include "weft/body.h"
#include "weft/mesh.h"
#include "weft/scene.h"

/* The largest mesh file that is read, in bytes: about 10 million vertices as text. */
#define WEFT_MESH_FILE_MOST (INT64_C(1) << 30)

/* Selects the reader by the extension. Weft reads .obj and .ply itself. Assimp reads .fbx, .gltf, .glb, .stl, .dae and
 * its other formats. All meshes of an Assimp file become one surface, with their transforms applied. Equal positions
 * are welded, because STL and per-face normals split them. */
weft_result weft_mesh_file_read(const char *path, weft_mesh **mesh);
/* For bodies: also accepts input that is not a manifold surface (weft_mesh_create_soup). */
weft_result weft_mesh_file_read_soup(const char *path, weft_mesh **mesh, weft_soup *soup);

/* Samples the animation of a file that was read as `mesh`, if it has one, as weft_assimp_animate does. */
weft_result weft_mesh_file_animate(const char *path, const weft_animation_wish *wish, const weft_mesh *mesh,
                                   weft_body_frames *frames, char *names, size_t size);

/* Keeps quads and polygons. Supports negative indices. Groups come from `g` and `o`, rest coordinates from `vt`. */
weft_result weft_obj_read_memory(const char *bytes, size_t size, const char *name, weft_mesh **mesh);
weft_result weft_obj_read_soup(const char *bytes, size_t size, const char *name, weft_mesh **mesh, weft_soup *soup);
/* Reads ASCII and binary files of both byte orders. Rest coordinates come from s, t or u, v or texture_u, texture_v.
 * Vertices at equal positions are joined, except in files that Weft wrote. */
weft_result weft_ply_read_memory(const char *bytes, size_t size, const char *name, weft_mesh **mesh);
weft_result weft_ply_read_soup(const char *bytes, size_t size, const char *name, weft_mesh **mesh, weft_soup *soup);
/* Reads only the vertices, in their order; faces are not needed. The caller frees `*point` with free(). */
weft_result weft_ply_read_points(const char *bytes, size_t size, const char *name, weft_vec3 **point, int32_t *count);

#endif
