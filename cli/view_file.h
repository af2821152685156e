/* How pictures of a run look: `view:` of its scene, kept beside its frames as view.yaml. */
#ifndef WEFT_CLI_VIEW_FILE_H
#define WEFT_CLI_VIEW_FILE_H

#include "cli/options.h"
#include "cli/scene_file.h"
#include "render/render.h"

/* The scene's `view:`, or the default. */
weft_result weft_view_of_scene(const weft_scene_file *scene, weft_view *view);
/* DIRECTORY/view.yaml: what differs from the default. */
weft_result weft_view_file_write(const char *directory, const weft_view *view);
/* DIRECTORY/view.yaml where there is one, changed by "view.KEY=VALUE" words. */
weft_result weft_view_file_read(const char *directory, const weft_words *sets, weft_view *view);
/* "1280x720" */
weft_result weft_view_set_size(weft_view *view, const char *size);

#endif
