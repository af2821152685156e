#include "apps/cli/run_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "io/file.h"

static const char *const MARKS[] = {"report.json", "checkpoint", "frames.csv", "frames.csv.part"};
enum { MARK_COUNT = sizeof MARKS / sizeof MARKS[0] };

weft_result weft_run_folder_path(const char *directory, const char *name, char *path, size_t size) {
    if (snprintf(path, size, "%s/%s", directory, name) >= (int)size)
        return weft_fail(WEFT_BAD_FILE, "%.300s...: the path is too long", directory);
    return weft_ok();
}

int weft_run_folder_has(const char *directory, const char *name) {
    char path[1024];
    return weft_run_folder_path(directory, name, path, sizeof path).code == WEFT_OK && access(path, F_OK) == 0;
}

static int is_empty(DIR *folder) {
    const struct dirent *entry;
    while ((entry = readdir(folder)))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            return 0;
    return 1;
}

static weft_result check_overwrite(const char *directory) {
    DIR *folder = opendir(directory);
    if (!folder)
        return errno == ENOENT ? weft_ok() : weft_fail(WEFT_BAD_FILE, "%.300s: %s", directory, strerror(errno));
    int empty = is_empty(folder), marked = 0;
    closedir(folder);
    for (int i = 0; i < MARK_COUNT; i++)
        marked |= weft_run_folder_has(directory, MARKS[i]);
    if (empty || marked)
        return weft_ok();
    return weft_fail(WEFT_BAD_FILE, "%.300s: the folder is neither empty nor a run of weft; choose another with --out",
                     directory);
}

weft_result weft_run_folder_make(const char *directory) {
    WEFT_TRY(check_overwrite(directory));
    return weft_directory_make(directory);
}

weft_result weft_run_folder_lock(const char *directory, int *lock) {
    *lock = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*lock < 0)
        return weft_fail(WEFT_BAD_FILE, "%.300s: %s", directory, strerror(errno));
    /* ignored on file systems without locks */
    if (flock(*lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return weft_fail(WEFT_BAD_FILE, "%.300s: another weft is writing here", directory);
    return weft_ok();
}

void weft_run_folder_unlock(int lock) {
    if (lock >= 0)
        close(lock);
}

/* Files of writers: caches in the folder itself, and one file per frame in subfolders. */
typedef struct leftover {
    const char *folder, *ending;
    int numbered; /* "NAME_0042" before the ending */
} leftover;
static const leftover LEFTOVERS[] = {
    {".", ".pc2", 0},          {".", ".pc2.part", 0},
    {".", ".mdd", 0},          {".", ".mdd.part", 0},
    {"obj", ".obj", 1},        {"obj", ".obj.part", 1},
    {"ply", ".ply", 1},        {"ply", ".ply.part", 1},
    {".", ".garment.yaml", 0}, {".", ".weft", 0},
    {".", ".weft.part", 0},    {"png", ".png", 1},
    {"png", ".png.part", 1},   {"checkpoints", ".checkpoint", 1}, /* kept for --from */
};

static int is_leftover(const leftover *kind, const char *name) {
    size_t length = strlen(name), ending = strlen(kind->ending);
    if (length <= ending || strcmp(name + length - ending, kind->ending) != 0)
        return 0;
    const char *end = name + length - ending, *digit = end;
    while (digit > name && digit[-1] >= '0' && digit[-1] <= '9')
        digit--;
    return !kind->numbered || (end - digit >= 4 && digit > name && digit[-1] == '_');
}

static weft_result remove_file(const char *path) {
    if (unlink(path) != 0 && errno != ENOENT)
        return weft_fail(WEFT_BAD_FILE, "%.300s: %s", path, strerror(errno));
    return weft_ok();
}

static weft_result remove_leftovers(const char *directory, const leftover *kind) {
    char folder[800], path[1100];
    WEFT_TRY(weft_run_folder_path(directory, kind->folder, folder, sizeof folder));
    DIR *open_folder = opendir(folder);
    if (!open_folder)
        return weft_ok();
    weft_result result = weft_ok();
    const struct dirent *entry;
    while (result.code == WEFT_OK && (entry = readdir(open_folder)))
        if (is_leftover(kind, entry->d_name)) {
            result = weft_run_folder_path(folder, entry->d_name, path, sizeof path);
            if (result.code == WEFT_OK)
                result = remove_file(path);
        }
    closedir(open_folder);
    return result;
}

weft_result weft_run_folder_clear(const char *directory) {
    int is_run = 0;
    for (int i = 0; i < MARK_COUNT; i++)
        is_run |= weft_run_folder_has(directory, MARKS[i]);
    if (!is_run)
        return weft_ok();
    /* remove the marks last: a partly cleared folder still counts as a run */
    for (size_t i = 0; i < sizeof LEFTOVERS / sizeof LEFTOVERS[0]; i++)
        WEFT_TRY(remove_leftovers(directory, &LEFTOVERS[i]));
    for (int i = 0; i < MARK_COUNT; i++) {
        char path[1024];
        WEFT_TRY(weft_run_folder_path(directory, MARKS[i], path, sizeof path));
        WEFT_TRY(remove_file(path));
    }
    return weft_ok();
}

int weft_run_folder_is_finished(const char *directory) {
    return weft_run_folder_has(directory, "report.json") && weft_run_folder_has(directory, "frames.csv") &&
           !weft_run_folder_has(directory, "frames.csv.part");
}
