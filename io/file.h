/* Reads whole files. Writes files under a temporary name and renames them when complete. */
#ifndef WEFT_IO_FILE_H
#define WEFT_IO_FILE_H

#include <stdio.h>

#include "weft/base.h"

/* Refuses paths that cannot be read as a file: a directory, or a named pipe, which would block until somebody writes.
 * System pipes (/dev/stdin, /dev/fd/3) are allowed. A missing file is also allowed here; opening it reports the
 * error. */
weft_result weft_file_check(const char *path);
/* Also refuses a file of more than `most` bytes. */
weft_result weft_file_check_size(const char *path, int64_t most);
/* Reads the whole file and appends a 0 byte. The caller frees `bytes` with free(). Refuses files over 2 GiB and
 * whatever weft_file_check refuses. */
weft_result weft_file_read(const char *path, char **bytes, size_t *size);
/* The same with another limit in bytes. The size of a regular file is checked before it is read. */
weft_result weft_file_read_most(const char *path, int64_t most, char **bytes, size_t *size);

/* An output file. Writes go to "PATH.part". The first write error (such as a full disk) is kept until commit reports it
 * with the path and the cause. */
typedef struct weft_output {
    FILE *file;
    char path[1024];
    int error; /* errno of the first failure */
} weft_output;

/* Refuses an existing target that is not a regular file (a folder, a device), because renaming would replace it. */
weft_result weft_target_check(const char *path);
weft_result weft_output_open(weft_output *output, const char *path);
/* Opens an existing "PATH.part", truncates it to `size` bytes and continues writing at its end. */
weft_result weft_output_reopen(weft_output *output, const char *path, int64_t size);
void weft_output_write(weft_output *output, const void *bytes, size_t size);
void weft_output_print(weft_output *output, const char *format, ...) WEFT_PRINTF(2, 3);
/* Passes all data to the operating system and returns the first error. Flushed data survives if the process is
 * killed. */
weft_result weft_output_flush(weft_output *output);
/* On success, all data written so far is on the disk. */
weft_result weft_output_sync(weft_output *output);
/* Flushes, syncs, closes and renames. On failure the .part file is removed. */
weft_result weft_output_commit(weft_output *output);
/* Closes and removes the .part file. */
void weft_output_discard(weft_output *output);
/* Closes and keeps the .part file, to be reopened later. */
weft_result weft_output_suspend(weft_output *output);

/* Creates a directory and its missing parents. */
weft_result weft_directory_make(const char *path);
/* "scenes/flag.yaml" + "assets/a.obj" -> "scenes/assets/a.obj". Absolute paths are not changed. */
weft_result weft_path_beside(const char *from, const char *path, char *joined, size_t size);

#endif
