/** @file
 * Reads meshes from files. All functions are thread-safe. A mesh that they make belongs to the caller, who destroys it
 * with weft_mesh_destroy. It is null on failure. */
#ifndef WEFT_IO_MESH_FILE_H
#define WEFT_IO_MESH_FILE_H

#include "weft/body.h"
#include "weft/mesh.h"
#include "weft/scene.h"

WEFT_BEGIN

/** The largest mesh file that is read, in bytes: about 10 million vertices as text. */
#define WEFT_MESH_FILE_MOST (INT64_C(1) << 30)

/** Selects the reader by the extension. Weft reads .obj and .ply itself. Assimp reads .fbx, .gltf, .glb, .stl, .dae and
 * its other formats. All meshes of an Assimp file become one surface, with their transforms applied. Equal positions
 * are welded, because STL and per-face normals split them. */
WEFT_API weft_result weft_mesh_file_read(const char *path, weft_mesh **mesh);
/** For bodies: also accepts input that is not a manifold surface (weft_mesh_create_soup). */
WEFT_API weft_result weft_mesh_file_read_soup(const char *path, weft_mesh **mesh, weft_soup *soup);

/** Samples the skeletal or morph animation of a file that was read as `mesh`. Sets frame_count to 0 if the file has
 * none. The caller frees frames->position with free(); `start` is not changed. `names` (`size` bytes) receives the
 * names of the animations if there are several, else "". */
WEFT_API weft_result weft_mesh_file_animate(const char *path, const weft_animation_wish *wish, const weft_mesh *mesh,
                                            weft_body_frames *frames, char *names, size_t size);

/** Reads an OBJ file in memory; `name` is for messages. Keeps quads and polygons. Supports negative indices. Groups
 * come from `g` and `o`, rest coordinates from `vt`. */
WEFT_API weft_result weft_obj_read_memory(const char *bytes, size_t size, const char *name, weft_mesh **mesh);
/** As weft_obj_read_memory, for bodies. */
WEFT_API weft_result weft_obj_read_soup(const char *bytes, size_t size, const char *name, weft_mesh **mesh,
                                        weft_soup *soup);
/** Reads a PLY file in memory, ASCII or binary of either byte order; `name` is for messages. Rest coordinates come from
 * s, t or u, v or texture_u, texture_v. Vertices at equal positions are joined, except in files that Weft wrote. */
WEFT_API weft_result weft_ply_read_memory(const char *bytes, size_t size, const char *name, weft_mesh **mesh);
/** As weft_ply_read_memory, for bodies. */
WEFT_API weft_result weft_ply_read_soup(const char *bytes, size_t size, const char *name, weft_mesh **mesh,
                                        weft_soup *soup);

/** Reads only the vertices of a PLY file in memory, in their order; faces are not needed. The caller frees `*point`
 * with free(). */
WEFT_API weft_result weft_ply_read_points(const char *bytes, size_t size, const char *name, weft_vec3 **point,
                                          int32_t *count);

WEFT_END
#endif
