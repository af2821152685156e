/* Reads the formats that Assimp supports: FBX, glTF, STL, COLLADA and others. */
#ifndef WEFT_IO_ASSIMP_READ_H
#define WEFT_IO_ASSIMP_READ_H

#include "weft/body.h"
#include "weft/mesh.h"
#include "weft/scene.h"

/* `ending` is the file name extension in lower case, including the dot. Bones become groups of the vertices of which
 * they have more than half of the weight. */
weft_result weft_assimp_read(const char *path, const char *ending, weft_mesh **mesh, weft_soup *soup);

/* Samples the animation of a file whose mesh weft_assimp_read made. Sets frame_count to 0 if the file has none. The
 * caller frees frames->position; `start` is not changed. `names` receives the names of the animations if there are
 * several, else "". */
weft_result weft_assimp_animate(const char *path, const char *ending, const weft_animation_wish *wish,
                                const weft_mesh *mesh, weft_body_frames *frames, char *names, size_t size);

#endif
