/* Resolves file names from viewers, and refuses names that lead outside the start folder. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "apps/studio/server/folder.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/file.h"

/* Writes the canonical path: no links, dots or double slashes. Returns 0 if nothing exists there or it is too long. */
static int resolve(const char *path, char *full) {
    char *made = realpath(path, NULL);
    if (!made)
        return 0;
    int fits = strlen(made) < STUDIO_PATH_SIZE;
    if (fits)
        memcpy(full, made, strlen(made) + 1);
    else
        errno = ENAMETOOLONG;
    free(made);
    return fits;
}

static int is_below(const studio_folder *folder, const char *full) {
    size_t length = strlen(folder->path);
    if (strcmp(folder->path, "/") == 0)
        return 1;
    return strncmp(full, folder->path, length) == 0 && full[length] == '/';
}

weft_result studio_folder_open(const char *path, studio_folder *folder) {
    struct stat info;
    if (!resolve(path, folder->path) || stat(folder->path, &info) != 0)
        return weft_fail(WEFT_BAD_FILE, "%.300s: %s", path, strerror(errno));
    if (!S_ISDIR(info.st_mode))
        return weft_fail(WEFT_BAD_FILE, "%.300s: not a folder", path);
    return weft_ok();
}

int studio_folder_holds(const studio_folder *folder, const char *path) {
    char full[STUDIO_PATH_SIZE];
    return resolve(path, full) && is_below(folder, full);
}

static weft_result refuse(const char *path) {
    return weft_fail(WEFT_BAD_FILE, "%.200s: not a file below the folder that the studio was started in", path);
}

weft_result studio_folder_find(const studio_folder *folder, const char *path, char *full) {
    char joined[2 * STUDIO_PATH_SIZE];
    struct stat info;
    if (path[0] == '/' || path[0] == '\0' || strlen(path) >= STUDIO_PATH_SIZE)
        return refuse(path);
    snprintf(joined, sizeof joined, "%s/%s", folder->path, path);
    /* a file outside and a missing file get the same answer, which reveals nothing about the rest of the disk */
    if (!resolve(joined, full) || !is_below(folder, full) || stat(full, &info) != 0 || !S_ISREG(info.st_mode))
        return refuse(path);
    return weft_ok();
}

weft_result studio_folder_place(const studio_folder *folder, const char *name, const char *file, char *full) {
    char joined[2 * STUDIO_PATH_SIZE], made[STUDIO_PATH_SIZE];
    if (!studio_is_file_name(file))
        return weft_fail(WEFT_BAD_INPUT, "'%.80s' is not a file name of letters, digits, '-', '_', '.' and ' '", file);
    snprintf(joined, sizeof joined, "%s/%s", folder->path, name);
    if (mkdir(joined, 0777) != 0 && errno != EEXIST)
        return weft_fail(WEFT_BAD_FILE, "%.200s: %s", name, strerror(errno));
    if (!resolve(joined, made) || !is_below(folder, made))
        return refuse(name);
    if (snprintf(full, STUDIO_PATH_SIZE, "%s/%s", made, file) >= STUDIO_PATH_SIZE)
        return weft_fail(WEFT_BAD_FILE, "%.200s: the path is too long", file);
    struct stat info; /* an existing link is refused, not followed */
    if (lstat(full, &info) == 0 && !S_ISREG(info.st_mode))
        return refuse(file);
    return weft_ok();
}

weft_result studio_folder_free_name(const studio_folder *folder, const char *name, const char *stem,
                                    const char *const *ending, char free_name[STUDIO_NAME_SIZE]) {
    enum { MOST = 10000 };
    char file[2 * STUDIO_NAME_SIZE], full[STUDIO_PATH_SIZE];
    for (int number = 1; number <= MOST; number++) {
        int length = number == 1 ? snprintf(free_name, STUDIO_NAME_SIZE, "%s", stem)
                                 : snprintf(free_name, STUDIO_NAME_SIZE, "%s-%d", stem, number);
        if (length >= STUDIO_NAME_SIZE)
            return weft_fail(WEFT_BAD_INPUT, "'%.80s...' is too long for a file name", stem);
        int is_free = 1;
        for (int i = 0; ending[i]; i++) {
            snprintf(file, sizeof file, "%s%s", free_name, ending[i]);
            WEFT_TRY(studio_folder_place(folder, name, file, full));
            is_free &= access(full, F_OK) != 0;
        }
        if (is_free)
            return weft_ok();
    }
    return weft_fail(WEFT_BAD_FILE, "%.60s: there are %d files named '%.60s' already", name, MOST, stem);
}

int studio_is_file_name(const char *name) {
    static const char LETTERS[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_. ";
    size_t length = strlen(name);
    return length > 0 && length < STUDIO_NAME_SIZE && name[0] != '.' && name[0] != ' ' &&
           strspn(name, LETTERS) == length;
}
