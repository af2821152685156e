/* Stores a file of the user below the studio's folder, under a name that no other file has. */
#ifndef WEFT_STUDIO_STORE_UPLOAD_H
#define WEFT_STUDIO_STORE_UPLOAD_H

#include "apps/studio/server/folder.h"

/* Refuses names that are no plain file names, and endings that the studio cannot read. */
weft_result studio_upload_check_name(const char *name);
/* Moves the file `received` to its folder. Refuses a .yaml file that is not a scene. `path` receives its name there,
 * relative to the studio's folder. */
weft_result studio_upload_store(const studio_folder *at, const char *received, const char *name,
                                char path[STUDIO_PATH_SIZE]);

#endif
