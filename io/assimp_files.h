/* The files that assimp may open: a mesh file can name others, as glTF its buffers, and those must lie beside it or
 * below. */
#ifndef WEFT_IO_ASSIMP_FILES_H
#define WEFT_IO_ASSIMP_FILES_H

#include <assimp/cfileio.h>

enum { WEFT_ASSIMP_FILES = 16 };

typedef struct weft_assimp_files {
    struct aiFileIO io;
    struct aiFile file[WEFT_ASSIMP_FILES]; /* open where UserData, a FILE, is not null */
    char folder[1024]; /* of the mesh file, without links */
} weft_assimp_files;

/* Returns 0 when the file is not there. */
int weft_assimp_files_open(const char *path, weft_assimp_files *files);

#endif
