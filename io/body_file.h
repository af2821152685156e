/* Bodies from files: their mesh, and the shapes that they go through. */
#ifndef WEFT_IO_BODY_FILE_H
#define WEFT_IO_BODY_FILE_H

#include "weft/body.h"
#include "weft/mesh.h"

/* A mesh file, or the first of a sequence "walk_%04d.obj". `soup` tells what was done to what is not a surface. */
weft_result weft_body_file_read(const char *path, weft_mesh **mesh, weft_soup *soup);

/* The shapes of a sequence "walk_%04d.obj", whose files are numbered without a gap and have the faces of `mesh`, or of
 * a cache .pc2 or .mdd, which has its vertices. frames->position is to be freed by the caller; rate and start are left
 * as they are. */
weft_result weft_body_frames_read(const char *path, const weft_mesh *mesh, weft_body_frames *frames);

/* The file that a path names: of a sequence the first that is there. */
weft_result weft_body_file_first(const char *path, char *name, size_t size);

#endif
