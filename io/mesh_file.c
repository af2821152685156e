/* Reads mesh files and selects the reader by the file name extension. */
#include "weft-io/mesh_file.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "io/assimp_read.h"
#include "io/file.h"

/* The extension in lower case including the dot, or "" if there is none. */
static void ending_of(const char *path, char ending[16]) {
    const char *point = strrchr(path, '.');
    memset(ending, 0, 16);
    if (!point || strchr(point, '/'))
        return;
    for (int i = 0; i < 15 && point[i]; i++)
        ending[i] = (char)tolower((unsigned char)point[i]);
}

static weft_result read_own(const char *path, int is_obj, weft_mesh **mesh, weft_soup *soup) {
    char *bytes;
    size_t size;
    WEFT_TRY(weft_file_read_most(path, WEFT_MESH_FILE_MOST, &bytes, &size));
    weft_result result =
        is_obj ? weft_obj_read_soup(bytes, size, path, mesh, soup) : weft_ply_read_soup(bytes, size, path, mesh, soup);
    free(bytes);
    return result;
}

weft_result weft_mesh_file_read_soup(const char *path, weft_mesh **mesh, weft_soup *soup) {
    char ending[16];
    *mesh = NULL;
    ending_of(path, ending);
    if (strcmp(ending, ".obj") == 0 || strcmp(ending, ".ply") == 0)
        return read_own(path, strcmp(ending, ".obj") == 0, mesh, soup);
    return weft_assimp_read(path, ending, mesh, soup);
}

weft_result weft_mesh_file_animate(const char *path, const weft_animation_wish *wish, const weft_mesh *mesh,
                                   weft_body_frames *frames, char *names, size_t size) {
    char ending[16];
    ending_of(path, ending);
    frames->position = NULL;
    frames->frame_count = 0;
    names[0] = '\0';
    if (strcmp(ending, ".obj") != 0 && strcmp(ending, ".ply") != 0 && strcmp(ending, ".stl") != 0)
        return weft_assimp_animate(path, ending, wish, mesh, frames, names, size);
    if (wish->name[0])
        return weft_fail(WEFT_BAD_INPUT, "%.280s: '%s' files hold no animation", path, ending);
    return weft_ok();
}

weft_result weft_mesh_file_read(const char *path, weft_mesh **mesh) {
    return weft_mesh_file_read_soup(path, mesh, NULL);
}
