/* The writers `png` and `mp4`: components like the others for scenes, --write and help. They work when the run is over,
 * as only then the camera can be framed over all frames. */
#ifndef WEFT_CLI_PICTURE_WRITERS_H
#define WEFT_CLI_PICTURE_WRITERS_H

#include "cli/output_plan.h"
#include "cli/pictures.h"

weft_result weft_picture_writers_register(weft_registry *registry);
int weft_picture_writers_wanted(const weft_output_plan *plan);
/* Before the run: whether what they need is there. */
weft_result weft_picture_writers_check(const weft_output_plan *plan);
/* At the start of a run that is not resumed: takes an older video away. */
weft_result weft_picture_writers_clear(const weft_output_plan *plan, const char *directory, const char *name);
/* After it: DIRECTORY/png/NAME_0042.png, DIRECTORY/NAME.mp4. */
weft_result weft_picture_writers_run(const weft_output_plan *plan, weft_pictures *pictures, const char *directory);

#endif
