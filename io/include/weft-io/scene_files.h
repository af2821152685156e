/** @file
 * Access to the files of a scene: meshes, bodies, body sequences and numbers. */
#ifndef WEFT_IO_SCENE_FILES_H
#define WEFT_IO_SCENE_FILES_H

#include "weft/scene.h"

WEFT_BEGIN

/** Which files a scene may read, and who hears about them. */
typedef struct weft_scene_source {
    void *context; /**< passed to both functions; may be null */
    /** Refuses files that may not be read; null allows all. `path` is as written in the scene; `file` is that path
     * resolved relative to the scene file. */
    weft_result (*allow)(void *context, const char *path, const char *file);
    /** Receives a note if a mesh is not used as it is in its file, or a key has a former name. May be null. `text` is
     * valid during the call. */
    void (*note)(void *context, const char *text);
} weft_scene_source;

/** The loaders for weft_scene_read. `source` must outlive their use. A null source allows all files and drops notes.
 * Thread-safe. */
WEFT_API weft_scene_files weft_scene_files_make(const weft_scene_source *source);

WEFT_END
#endif
