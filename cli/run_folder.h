/* The folder of a run, and what is in it from before. */
#ifndef WEFT_CLI_RUN_FOLDER_H
#define WEFT_CLI_RUN_FOLDER_H

#include "weft/base.h"

/* "DIRECTORY/NAME" */
weft_result weft_run_folder_path(const char *directory, const char *name, char *path, size_t size);
int weft_run_folder_has(const char *directory, const char *name);
/* Makes it, or empties it of the marks of an earlier run, so that nothing old passes for the new run's. Refuses a
 * folder with other things in it. */
weft_result weft_run_folder_start(const char *directory);
/* 1 when the files of the run that ended here are complete: its report was the last thing written. */
int weft_run_folder_is_finished(const char *directory);

#endif
