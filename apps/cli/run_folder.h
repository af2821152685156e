/* The folder of a run and its previous content. */
#ifndef WEFT_APPS_CLI_RUN_FOLDER_H
#define WEFT_APPS_CLI_RUN_FOLDER_H

#include "weft/base.h"

/* "DIRECTORY/NAME" */
weft_result weft_run_folder_path(const char *directory, const char *name, char *path, size_t size);
int weft_run_folder_has(const char *directory, const char *name);
/* Creates the folder if it does not exist. Refuses a folder with files that do not belong to a run. */
weft_result weft_run_folder_make(const char *directory);
/* Removes the frames and marks of an earlier run. */
weft_result weft_run_folder_clear(const char *directory);
/* Locks the folder against other runs until weft_run_folder_unlock or until the program ends in any way. */
weft_result weft_run_folder_lock(const char *directory, int *lock);
void weft_run_folder_unlock(int lock); /* -1 is allowed */
/* Returns 1 if the folder holds a complete run. The report is written last. */
int weft_run_folder_is_finished(const char *directory);

#endif
