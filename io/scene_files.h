/* How scenes get meshes, bodies and their sequences from the disk. */
#ifndef WEFT_IO_SCENE_FILES_H
#define WEFT_IO_SCENE_FILES_H

#include "weft/scene.h"

typedef struct weft_scene_source {
    void *context;
    /* Refuses files that may not be read; null: all may. `file` is the path, beside the scene that names it. */
    weft_result (*allow)(void *context, const char *path, const char *file);
    /* Is told what was done to a body that is not a surface; may be null. */
    void (*note)(void *context, const char *text);
} weft_scene_source;

/* For weft_scene_read, as long as the source is there; a null source allows all and tells nobody. */
weft_scene_files weft_scene_files_from(const weft_scene_source *source);

#endif
