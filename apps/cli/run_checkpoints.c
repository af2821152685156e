#include "apps/cli/run_checkpoints.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "io/file.h"

static const char FOLDER[] = "checkpoints";

/* A frame of -1 names the folder. */
static weft_result path_of(const char *directory, int64_t frame, char *path, size_t size) {
    int length = frame < 0 ? snprintf(path, size, "%s/%s", directory, FOLDER)
                           : snprintf(path, size, "%s/%s/frame_%04" PRId64 ".checkpoint", directory, FOLDER, frame);
    if (length >= (int)size)
        return weft_fail(WEFT_BAD_FILE, "%.300s...: the path is too long", directory);
    return weft_ok();
}

weft_result weft_run_checkpoints_keep(const char *directory, const weft_checkpoint *checkpoint) {
    char path[1024];
    WEFT_TRY(path_of(directory, -1, path, sizeof path));
    WEFT_TRY(weft_directory_make(path));
    WEFT_TRY(path_of(directory, checkpoint->frame, path, sizeof path));
    return weft_checkpoint_write(path, checkpoint);
}

/* The frame in the name of a file, or -1. */
static int64_t frame_of(const char *name) {
    int64_t frame;
    char ending[16];
    return sscanf(name, "frame_%" SCNd64 ".%15s", &frame, ending) == 2 && strcmp(ending, "checkpoint") == 0 ? frame
                                                                                                            : -1;
}

weft_result weft_run_checkpoints_find(const char *directory, int64_t frame, char *path, size_t size) {
    int64_t best = -1, first = -1;
    const struct dirent *entry;
    WEFT_TRY(path_of(directory, -1, path, size));
    DIR *folder = opendir(path);
    while (folder && (entry = readdir(folder))) {
        int64_t found = frame_of(entry->d_name);
        if (found <= frame && found > best)
            best = found;
        if (found >= 0 && (first < 0 || found < first))
            first = found;
    }
    if (folder)
        closedir(folder);
    if (best >= 0)
        return path_of(directory, best, path, size);
    if (first >= 0)
        return weft_fail(WEFT_BAD_FILE, "--from %" PRId64 ": the first checkpoint in %.300s is of frame %" PRId64,
                         frame, path, first);
    return weft_fail(WEFT_BAD_FILE,
                     "--from %" PRId64 ": no checkpoints in %.300s; the earlier run must have --set output.keep=true",
                     frame, path);
}

weft_result weft_run_checkpoints_forget(const char *directory, int64_t frame) {
    char path[1024];
    const struct dirent *entry;
    weft_result result = weft_ok();
    WEFT_TRY(path_of(directory, -1, path, sizeof path));
    DIR *folder = opendir(path);
    while (folder && result.code == WEFT_OK && (entry = readdir(folder))) {
        int64_t found = frame_of(entry->d_name);
        if (found <= frame)
            continue;
        result = path_of(directory, found, path, sizeof path);
        if (result.code == WEFT_OK && unlink(path) != 0 && errno != ENOENT)
            result = weft_fail(WEFT_BAD_FILE, "%.300s: %s", path, strerror(errno));
    }
    if (folder)
        closedir(folder);
    return result;
}
