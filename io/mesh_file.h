/* Meshes from files. */
#ifndef WEFT_IO_MESH_FILE_H
#define WEFT_IO_MESH_FILE_H

#include "weft/mesh.h"

/* By ending: .obj and .ply by our own readers, .fbx .gltf .glb .stl .dae (and what else assimp knows) by assimp, all
 * meshes of a file with their transforms as one surface, equal positions welded (STL and per-face normals split them).
 */
weft_result weft_mesh_file_read(const char *path, weft_mesh **mesh);
/* For a body: what is not a surface is taken too (weft_mesh_create_soup). */
weft_result weft_mesh_file_read_soup(const char *path, weft_mesh **mesh, weft_soup *soup);

/* Quads and polygons are kept; negative indices; groups from `g` and `o`; `vt` as rest coordinates. */
weft_result weft_obj_read_memory(const char *bytes, size_t size, const char *name, weft_mesh **mesh);
weft_result weft_obj_read_soup(const char *bytes, size_t size, const char *name, weft_mesh **mesh, weft_soup *soup);
/* ascii and binary of both byte orders; s, t / u, v / texture_u, texture_v as rest coordinates. */
weft_result weft_ply_read_memory(const char *bytes, size_t size, const char *name, weft_mesh **mesh);
weft_result weft_ply_read_soup(const char *bytes, size_t size, const char *name, weft_mesh **mesh, weft_soup *soup);

#endif
