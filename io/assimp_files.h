/* The files that assimp may open: a mesh file can name others, as glTF its buffers, and those must lie beside it or
 * below. */
#ifndef WEFT_IO_ASSIMP_FILES_H
#define WEFT_IO_ASSIMP_FILES_H

#include <assimp/cfileio.h>

typedef struct weft_assimp_files {
    struct aiFileIO io;
    char folder[1024]; /* of the mesh file, without links */
    int out_of_memory; /* a file was not opened for lack of it */
} weft_assimp_files;

/* Returns 0 when the file is not there. */
int weft_assimp_files_open(const char *path, weft_assimp_files *files);

#endif
