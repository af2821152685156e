/* The folder that the studio was started in: what viewers name is looked for below it and nowhere else. */
#ifndef WEFT_STUDIO_FOLDER_H
#define WEFT_STUDIO_FOLDER_H

#include "weft/base.h"

enum { STUDIO_PATH_SIZE = 1024 };

typedef struct studio_folder {
    char path[STUDIO_PATH_SIZE]; /* absolute, without links */
} studio_folder;

weft_result studio_folder_open(const char *path, studio_folder *folder);
/* An existing file, given as a path from the folder; `full` (STUDIO_PATH_SIZE) is free of links. Refuses what is, or
 * leads, outside. */
weft_result studio_folder_find(const studio_folder *folder, const char *path, char *full);
/* Whether an absolute path that may have links and dots ends up below the folder. */
int studio_folder_holds(const studio_folder *folder, const char *path);
/* A file to be made in a folder NAME of the folder, which is made first; refuses a NAME that leads outside. */
weft_result studio_folder_place(const studio_folder *folder, const char *name, const char *file, char *full);
/* Whether it is a plain file name: letters, digits, '-', '_', '.', ' ', not beginning with '.'. */
int studio_is_file_name(const char *name);

#endif
