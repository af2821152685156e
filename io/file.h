/* Files read whole, and files written beside their name and renamed when complete. */
#ifndef WEFT_IO_FILE_H
#define WEFT_IO_FILE_H

#include <stdio.h>

#include "weft/base.h"

/* Refuses what cannot be read as a file: a directory, and a named pipe, which would be waited for until somebody
 * writes. Pipes of the system's own (/dev/stdin, /dev/fd/3) are allowed, and so is what is not there: opening it says
 * so. */
weft_result weft_file_check(const char *path);
/* The whole file with a 0 byte after it; free() it. Refuses files over 2 GiB, and what weft_file_check does. */
weft_result weft_file_read(const char *path, char **bytes, size_t *size);

/* Writes to "PATH.part"; every write error (disk full) is kept until commit reports it with the path and the cause. */
typedef struct weft_output {
    FILE *file;
    char path[1024];
    int error; /* errno of the first failure */
} weft_output;

/* Refuses a target that is there and not a regular file (a folder, a device): renaming would replace it. */
weft_result weft_target_check(const char *path);
weft_result weft_output_open(weft_output *output, const char *path);
/* Opens an existing "PATH.part" cut to `size` bytes, to go on writing at its end. */
weft_result weft_output_reopen(weft_output *output, const char *path, int64_t size);
void weft_output_write(weft_output *output, const void *bytes, size_t size);
void weft_output_print(weft_output *output, const char *format, ...) WEFT_PRINTF(2, 3);
/* Hands everything so far to the system and tells the first error: a killed process loses nothing before it. */
weft_result weft_output_flush(weft_output *output);
/* Everything so far is on the disk when this returns without an error. */
weft_result weft_output_sync(weft_output *output);
/* Flushes, syncs, closes, renames. On failure the .part file is removed. */
weft_result weft_output_commit(weft_output *output);
/* Closes and removes the .part file. */
void weft_output_discard(weft_output *output);
/* Closes and keeps the .part file, for a later reopen. */
weft_result weft_output_suspend(weft_output *output);

/* Makes a directory and those above it. */
weft_result weft_directory_make(const char *path);
/* "scenes/flag.yaml" + "assets/a.obj" -> "scenes/assets/a.obj"; absolute paths stay. */
weft_result weft_path_beside(const char *from, const char *path, char *joined, size_t size);

#endif
