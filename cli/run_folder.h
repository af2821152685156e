/* The folder of a run, and what is in it from before. */
#ifndef WEFT_CLI_RUN_FOLDER_H
#define WEFT_CLI_RUN_FOLDER_H

#include "weft/base.h"

/* "DIRECTORY/NAME" */
weft_result weft_run_folder_path(const char *directory, const char *name, char *path, size_t size);
int weft_run_folder_has(const char *directory, const char *name);
/* Makes it where it is not there. Refuses one with things in it that are not a run's. */
weft_result weft_run_folder_make(const char *directory);
/* Takes away the frames and the marks of an earlier run, so that nothing old passes for the new run's. */
weft_result weft_run_folder_clear(const char *directory);
/* Keeps other runs out of the folder until weft_run_folder_unlock or the end of the program, however it ends. */
weft_result weft_run_folder_lock(const char *directory, int *lock);
void weft_run_folder_unlock(int lock); /* -1 is allowed */
/* 1 when the files of the run that ended here are complete: its report was the last thing written. */
int weft_run_folder_is_finished(const char *directory);

#endif
