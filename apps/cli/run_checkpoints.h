/* The checkpoints that a run keeps (output.keep), from which --from starts: DIR/checkpoints/frame_0010.checkpoint. */
#ifndef WEFT_APPS_CLI_RUN_CHECKPOINTS_H
#define WEFT_APPS_CLI_RUN_CHECKPOINTS_H

#include "weft-io/checkpoint.h"

/* Saves one more, beside those of other frames. */
weft_result weft_run_checkpoints_keep(const char *directory, const weft_checkpoint *checkpoint);
/* Finds the last one that is not after `frame`. */
weft_result weft_run_checkpoints_find(const char *directory, int64_t frame, char *path, size_t size);
/* Removes those after `frame`, whose frames are about to be computed again. */
weft_result weft_run_checkpoints_forget(const char *directory, int64_t frame);

#endif
