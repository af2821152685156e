/* The folder of a study: its lock, its copy of the study file, its files. */
#ifndef WEFT_LAB_STUDY_STUDY_FOLDER_H
#define WEFT_LAB_STUDY_STUDY_FOLDER_H

#include "lab/study/study_file.h"

typedef struct weft_study_folder {
    char path[768]; /* absolute, so that workers and cluster nodes find it */
    int lock;       /* -1: none */
} weft_study_folder;

/* "FOLDER/NAME" */
weft_result weft_study_folder_file(const char *folder, const char *name, char *path, size_t size);

/* Creates the folder or continues with what is there. Refuses a folder that another process uses, that holds other
 * files, or that belongs to another study. `fresh` removes the results of an earlier study first. Close it even if this
 * fails. `notice` receives a line for the user, or "". */
weft_result weft_study_folder_open(weft_study_folder *folder, const char *path, const weft_study *study, int fresh,
                                   char *notice, size_t size);
void weft_study_folder_close(weft_study_folder *folder);

/* Reads the copy of the study file in a folder, for tables and reports. Close the study even if this fails. */
weft_result weft_study_folder_read(const char *folder, weft_study *study);

#endif
