/* Formats that assimp reads: FBX, glTF, STL, COLLADA and others. */
#ifndef WEFT_IO_ASSIMP_READ_H
#define WEFT_IO_ASSIMP_READ_H

#include "weft/mesh.h"

/* `ending` is that of the path in lower case, with its point. */
weft_result weft_assimp_read(const char *path, const char *ending, weft_mesh **mesh, weft_soup *soup);

#endif
