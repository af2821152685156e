/* The picture of the last frame of a case. */
#ifndef WEFT_LAB_STUDY_CASE_PICTURE_H
#define WEFT_LAB_STUDY_CASE_PICTURE_H

#include "weft/sim.h"
#include "weft/value.h"

/* Renders the present state with the `view:` of the scene, on one thread. Width and height 0 keep those of the view. */
weft_result weft_case_picture_write(const weft_sim *sim, weft_tree *scene, int32_t width, int32_t height,
                                    const char *path);

#endif
