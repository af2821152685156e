/* Reads the formats that Assimp supports: FBX, glTF, STL, COLLADA and others. */
#ifndef WEFT_IO_ASSIMP_READ_H
#define WEFT_IO_ASSIMP_READ_H

#include "weft/mesh.h"

/* `ending` is the file name extension in lower case, including the dot. */
weft_result weft_assimp_read(const char *path, const char *ending, weft_mesh **mesh, weft_soup *soup);

#endif
