/* The folder that the studio was started in. Files that viewers name are looked up below it and nowhere else. */
#ifndef WEFT_STUDIO_FOLDER_H
#define WEFT_STUDIO_FOLDER_H

#include "weft/base.h"

enum { STUDIO_PATH_SIZE = 1024, STUDIO_NAME_SIZE = 128 };

typedef struct studio_folder {
    char path[STUDIO_PATH_SIZE]; /* absolute, without links */
} studio_folder;

weft_result studio_folder_open(const char *path, studio_folder *folder);
/* Finds an existing file by its path relative to the folder. `full` (STUDIO_PATH_SIZE) receives the path without links.
 * Refuses paths that are or lead outside the folder. */
weft_result studio_folder_find(const studio_folder *folder, const char *path, char *full);
/* Returns whether an absolute path, once its links and dots are resolved, is below the folder. */
int studio_folder_holds(const studio_folder *folder, const char *path);
/* Makes the subfolder `name` if needed and writes the path of a new file in it to `full`. Refuses a subfolder that
 * leads outside. */
weft_result studio_folder_place(const studio_folder *folder, const char *name, const char *file, char *full);
/* Finds a name that no file in the subfolder `name` has: the stem, or the stem with "-2", "-3" and so on. It is free
 * with each of the endings, a list that ends with null. */
weft_result studio_folder_free_name(const studio_folder *folder, const char *name, const char *stem,
                                    const char *const *ending, char free_name[STUDIO_NAME_SIZE]);
/* Returns whether `name` is a plain file name: letters, digits, '-', '_', '.' and ' ', not starting with '.' or ' '. */
int studio_is_file_name(const char *name);

#endif
