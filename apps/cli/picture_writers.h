/* The writers `png` and `mp4`. Scenes, --write and help treat them like all writers. They work after the run, because
 * the camera is framed over all frames. */
#ifndef WEFT_APPS_CLI_PICTURE_WRITERS_H
#define WEFT_APPS_CLI_PICTURE_WRITERS_H

#include "apps/cli/output_plan.h"
#include "apps/cli/pictures.h"

weft_result weft_picture_writers_register(weft_registry *registry);
int weft_picture_writers_wanted(const weft_output_plan *plan);
/* Checks before the run that the required programs are available. */
weft_result weft_picture_writers_check(const weft_output_plan *plan);
/* Removes an older video when a run starts anew. */
weft_result weft_picture_writers_clear(const weft_output_plan *plan, const char *directory, const char *name);
/* Writes DIRECTORY/png/NAME_0042.png and DIRECTORY/NAME.mp4 after the run. */
weft_result weft_picture_writers_run(const weft_output_plan *plan, weft_pictures *pictures, const char *directory);

#endif
