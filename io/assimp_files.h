/* The files that Assimp may open. A mesh file can refer to other files, such as the buffers of a glTF file. These must
 * be in the same folder or below it. */
#ifndef WEFT_IO_ASSIMP_FILES_H
#define WEFT_IO_ASSIMP_FILES_H

#include <assimp/cfileio.h>

typedef struct weft_assimp_files {
    struct aiFileIO io;
    char folder[1024]; /* of the mesh file, with symbolic links resolved */
    int out_of_memory; /* 1: a file could not be opened because an allocation failed */
} weft_assimp_files;

/* Returns 0 if the file does not exist. */
int weft_assimp_files_open(const char *path, weft_assimp_files *files);

#endif
