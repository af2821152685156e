/* The names of the files of a folder that have an ending, and what their first lines say. */
#ifndef WEFT_IO_FOLDER_NAMES_H
#define WEFT_IO_FOLDER_NAMES_H

#include <stddef.h>

typedef struct weft_names {
    char **name; /* without the ending (count) */
    int count;
} weft_names;

/* Adds the names in `folder` that are not in the list yet. A missing folder has none. Returns 0 if memory is exhausted;
 * the list is then still valid. */
int weft_names_add(weft_names *names, const char *folder, const char *ending);
void weft_names_sort(weft_names *names);
void weft_names_free(weft_names *names); /* a zeroed list is allowed */

/* The first line of a file without its '#'; "" if that line is no comment. Scene files begin with a summary. */
void weft_file_summary(const char *path, char *text, size_t size);

#endif
