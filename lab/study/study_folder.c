#include "lab/study/study_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/file.h"
#include "lab/study/fabric_hash.h"
#include "lab/study/provenance.h"
#include "lab/study/value_text.h"

static const char COPY[] = "study.yaml";

weft_result weft_study_folder_file(const char *folder, const char *name, char *path, size_t size) {
    if (snprintf(path, size, "%s/%s", folder, name) >= (int)size)
        return weft_fail(WEFT_BAD_FILE, "%.300s...: the path is too long", folder);
    return weft_ok();
}

/* -- the lock: kept by the process, so that a killed one leaves none -- */

static weft_result refuse_second(int lock, const char *folder) {
    char owner[128] = "";
    ssize_t length = pread(lock, owner, sizeof owner - 1, 0);
    owner[length > 0 ? length : 0] = '\0';
    owner[strcspn(owner, "\n")] = '\0';
    return weft_fail(WEFT_BAD_FILE, "%.300s: %s runs this study already", folder, owner[0] ? owner : "another weft");
}

static weft_result take_lock(weft_study_folder *folder) {
    char path[1024], text[128], host[64] = "";
    WEFT_TRY(weft_study_folder_file(folder->path, "lock", path, sizeof path));
    folder->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (folder->lock < 0)
        return weft_fail(WEFT_BAD_FILE, "%.300s: %s", path, strerror(errno));
    if (flock(folder->lock, LOCK_EX | LOCK_NB) != 0)
        return errno == EWOULDBLOCK ? refuse_second(folder->lock, folder->path)
                                    : weft_fail(WEFT_BAD_FILE, "%.300s: %s", path, strerror(errno));
    gethostname(host, sizeof host - 1);
    int length = snprintf(text, sizeof text, "process %ld on %s\n", (long)getpid(), host);
    if (ftruncate(folder->lock, 0) != 0 || pwrite(folder->lock, text, (size_t)length, 0) != length)
        return weft_fail(WEFT_BAD_FILE, "%.300s: %s", path, strerror(errno));
    return weft_ok();
}

void weft_study_folder_close(weft_study_folder *folder) {
    if (folder->lock >= 0)
        close(folder->lock);
    folder->lock = -1;
}

/* -- the copy of the study file -- */

/* What a study reads besides its own file, and the program that began it. */
typedef struct origin {
    uint64_t scene, fabrics; /* hashes */
    int has_fabrics;         /* 0: written by a version that did not hash them */
    char program[128];
} origin;

static weft_result find_origin(const weft_study *study, origin *now) {
    WEFT_TRY(weft_scene_values_hash(study->scene, &now->scene));
    WEFT_TRY(weft_study_fabric_hash(study, &now->fabrics));
    now->has_fabrics = 1;
    snprintf(now->program, sizeof now->program, "weft %s, commit %s", weft_version(), weft_commit());
    return weft_ok();
}

static weft_result write_copy(const char *path, const weft_study *study, const origin *now) {
    weft_output output;
    WEFT_TRY(weft_output_open(&output, path));
    weft_output_print(&output, "# scene_hash %016" PRIx64 ", fabric_hash %016" PRIx64 ", %s\n", now->scene,
                      now->fabrics, now->program);
    const weft_value *root = weft_tree_root(study->tree);
    for (const weft_value *child = root->first; child; child = child->next) {
        size_t length = weft_value_write_nested(child, NULL, 0);
        char *text = malloc(length + 1);
        if (!text) {
            weft_output_discard(&output);
            return weft_fail_memory(path, length);
        }
        weft_value_write_nested(child, text, length + 1);
        weft_output_print(&output, "%s: ", child->key);
        weft_output_write(&output, text, length);
        weft_output_print(&output, "\n");
        free(text);
    }
    return weft_output_commit(&output);
}

/* The first line of the copy. */
static void read_origin(const char *path, origin *before) {
    static const char SCENE[] = "# scene_hash ", FABRICS[] = ", fabric_hash ";
    char line[256] = "", *at;
    FILE *file = fopen(path, "r");
    *before = (origin){0};
    if (file && fgets(line, sizeof line, file) && strncmp(line, SCENE, sizeof SCENE - 1) == 0) {
        before->scene = strtoull(line + sizeof SCENE - 1, &at, 16);
        before->has_fabrics = strncmp(at, FABRICS, sizeof FABRICS - 1) == 0;
        if (before->has_fabrics)
            before->fabrics = strtoull(at + sizeof FABRICS - 1, &at, 16);
        at += strspn(at, ", ");
        snprintf(before->program, sizeof before->program, "%.*s", (int)strcspn(at, "\n"), at);
    }
    if (file)
        fclose(file);
}

weft_result weft_study_folder_read(const char *folder, weft_study *study) {
    char path[1024], *bytes;
    size_t size;
    *study = (weft_study){0};
    WEFT_TRY(weft_study_folder_file(folder, COPY, path, sizeof path));
    if (access(path, F_OK) != 0)
        return weft_fail(WEFT_BAD_FILE, "%.300s: not the folder of a study: it has no %s", folder, COPY);
    WEFT_TRY(weft_file_read(path, &bytes, &size));
    weft_result result = weft_study_parse(bytes, size, path, study);
    free(bytes);
    return result;
}

static weft_result refuse_changed(const char *what) {
    return weft_fail(WEFT_BAD_INPUT,
                     "%.200s has changed since this study began; choose another --out, or --fresh to start over", what);
}

static weft_result compare_study(const char *folder, const char *copy, const weft_study *study, const origin *now,
                                 char *notice, size_t size) {
    weft_study before;
    char difference[400] = "", what[1100];
    origin old;
    weft_result result = weft_study_folder_read(folder, &before);
    if (result.code == WEFT_OK)
        weft_study_difference(&before, study, difference, sizeof difference);
    weft_study_close(&before);
    WEFT_TRY(result);
    if (difference[0])
        return weft_fail(WEFT_BAD_INPUT,
                         "%.150s: holds another study: %.200s; choose another --out, or --fresh to start over", folder,
                         difference);
    read_origin(copy, &old);
    snprintf(what, sizeof what, "%s:", study->scene);
    if (old.scene != now->scene)
        return refuse_changed(what);
    snprintf(what, sizeof what, "%s: a fabric file that it names", study->path);
    if (old.has_fabrics && old.fabrics != now->fabrics)
        return refuse_changed(what);
    if (strcmp(now->program, old.program) != 0)
        snprintf(notice, size, "the study was begun by %s; this is %s", old.program, now->program);
    return weft_ok();
}

/* -- the folder -- */

/* Files of a study; the journal comes last, so that a partly cleared folder is still known. */
static const char *const OWN[] = {"report.html",  "results.csv",     "columns.csv", "timings.csv", "results.sqlite",
                                  "positions.h5", "provenance.json", "study.yaml",  "journal"};

static weft_result clear(const char *folder) {
    char path[1024];
    for (size_t i = 0; i < sizeof OWN / sizeof OWN[0]; i++) {
        WEFT_TRY(weft_study_folder_file(folder, OWN[i], path, sizeof path));
        if (unlink(path) != 0 && errno != ENOENT)
            return weft_fail(WEFT_BAD_FILE, "%.300s: %s", path, strerror(errno));
    }
    WEFT_TRY(weft_study_folder_file(folder, "slurm", path, sizeof path));
    if (access(path, F_OK) == 0)
        return weft_fail(WEFT_BAD_FILE, "%.300s: jobs may still write here; remove the folder yourself", path);
    return weft_ok();
}

/* A folder with other files in it may be somebody's home. */
static weft_result check_contents(const char *folder) {
    char copy[1024];
    WEFT_TRY(weft_study_folder_file(folder, COPY, copy, sizeof copy));
    DIR *files = opendir(folder);
    if (!files)
        return errno == ENOENT ? weft_ok() : weft_fail(WEFT_BAD_FILE, "%.300s: %s", folder, strerror(errno));
    int others = 0;
    const struct dirent *entry;
    while ((entry = readdir(files)))
        others |= strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
                  strcmp(entry->d_name, "lock") != 0 && strcmp(entry->d_name, "study.yaml.part") != 0;
    closedir(files);
    if (others && access(copy, F_OK) != 0)
        return weft_fail(WEFT_BAD_FILE, "%.300s: the folder is neither empty nor a study; choose another with --out",
                         folder);
    return weft_ok();
}

weft_result weft_study_folder_open(weft_study_folder *folder, const char *path, const weft_study *study, int fresh,
                                   char *notice, size_t size) {
    char copy[1024], absolute[4096];
    origin now;
    *folder = (weft_study_folder){.lock = -1};
    notice[0] = '\0';
    WEFT_TRY(find_origin(study, &now));
    WEFT_TRY(check_contents(path));
    WEFT_TRY(weft_directory_make(path));
    if (!realpath(path, absolute) || strlen(absolute) >= sizeof folder->path)
        return weft_fail(WEFT_BAD_FILE, "%.300s: the path is too long", path);
    snprintf(folder->path, sizeof folder->path, "%.767s", absolute);
    WEFT_TRY(take_lock(folder));
    WEFT_TRY(weft_study_folder_file(folder->path, COPY, copy, sizeof copy));
    if (fresh)
        WEFT_TRY(clear(folder->path));
    if (access(copy, F_OK) == 0)
        return compare_study(folder->path, copy, study, &now, notice, size);
    return write_copy(copy, study, &now);
}
