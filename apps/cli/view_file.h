/* The look of a run's pictures: `view:` of the scene, stored as view.yaml next to the frames. */
#ifndef WEFT_APPS_CLI_VIEW_FILE_H
#define WEFT_APPS_CLI_VIEW_FILE_H

#include "apps/cli/options.h"
#include "apps/cli/scene_file.h"
#include "render/render.h"

/* Reads `view:` of the scene, or uses the default. */
weft_result weft_view_of_scene(const weft_scene_file *scene, weft_view *view);
/* Writes DIRECTORY/view.yaml with the values that differ from the default. */
weft_result weft_view_file_write(const char *directory, const weft_view *view);
/* Reads DIRECTORY/view.yaml if it exists, and applies "view.KEY=VALUE" words. */
weft_result weft_view_file_read(const char *directory, const weft_words *sets, weft_view *view);
/* Parses "1280x720". */
weft_result weft_view_set_size(weft_view *view, const char *size);

#endif
