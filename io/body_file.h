/* Bodies from files: the mesh, and the shapes of its animation. */
#ifndef WEFT_IO_BODY_FILE_H
#define WEFT_IO_BODY_FILE_H

#include "weft/body.h"
#include "weft/mesh.h"

/* Reads a mesh file, or the first file of a sequence "walk_%04d.obj". `soup` receives how non-manifold input was
 * treated. */
weft_result weft_body_file_read(const char *path, weft_mesh **mesh, weft_soup *soup);

/* Reads the shapes of an animation. The path names either a sequence "walk_%04d.obj" or a .pc2 or .mdd cache. The files
 * of a sequence are numbered without gaps and have the same faces as `mesh`. A cache has the same vertices as `mesh`.
 * With a null mesh only caches are read, of any number of vertices, in their order.
 *
 * The caller frees frames->position. `rate` and `start` are not changed. */
weft_result weft_body_frames_read(const char *path, const weft_mesh *mesh, weft_body_frames *frames);

/* The file that a path names. For a sequence this is the first existing file. */
weft_result weft_body_file_first(const char *path, char *name, size_t size);

#endif
