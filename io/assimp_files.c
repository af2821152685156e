/* File access for Assimp: opens a mesh file and the files that it refers to, and refuses files outside its folder. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "io/assimp_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "io/file.h"
#include "weft-io/mesh_file.h"

static size_t read_file(struct aiFile *file, char *buffer, size_t size, size_t count) {
    return fread(buffer, size, count, (FILE *)file->UserData);
}

static size_t write_nothing(struct aiFile *file, const char *buffer, size_t size, size_t count) {
    (void)file, (void)buffer, (void)size, (void)count;
    return 0;
}

static size_t tell(struct aiFile *file) {
    long at = ftell((FILE *)file->UserData);
    return at > 0 ? (size_t)at : 0;
}

static size_t size_of(struct aiFile *file) {
    struct stat info;
    return fstat(fileno((FILE *)file->UserData), &info) == 0 && info.st_size > 0 ? (size_t)info.st_size : 0;
}

static enum aiReturn seek(struct aiFile *file, size_t offset, enum aiOrigin origin) {
    int whence = origin == aiOrigin_SET ? SEEK_SET : origin == aiOrigin_CUR ? SEEK_CUR : SEEK_END;
    return fseek((FILE *)file->UserData, (long)offset, whence) == 0 ? aiReturn_SUCCESS : aiReturn_FAILURE;
}

static void flush(struct aiFile *file) { (void)file; }

static int is_below(const weft_assimp_files *files, const char *path) {
    char *full = realpath(path, NULL);
    size_t length = strlen(files->folder);
    int below = full && strncmp(full, files->folder, length) == 0 && (length == 1 || full[length] == '/');
    free(full);
    return below;
}

static struct aiFile *open_file(struct aiFileIO *io, const char *path, const char *mode) {
    weft_assimp_files *files = (weft_assimp_files *)io->UserData;
    if (mode[0] != 'r' || strchr(mode, '+') || !is_below(files, path) ||
        weft_file_check_size(path, WEFT_MESH_FILE_MOST).code != WEFT_OK)
        return NULL;
    struct aiFile *file = calloc(1, sizeof *file);
    FILE *opened = file ? fopen(path, "rb") : NULL;
    files->out_of_memory |= !file;
    if (!opened) {
        free(file);
        return NULL;
    }
    *file = (struct aiFile){.ReadProc = read_file,
                            .WriteProc = write_nothing,
                            .TellProc = tell,
                            .FileSizeProc = size_of,
                            .SeekProc = seek,
                            .FlushProc = flush,
                            .UserData = (aiUserData)opened};
    return file;
}

static void close_file(struct aiFileIO *io, struct aiFile *file) {
    (void)io;
    fclose((FILE *)file->UserData);
    free(file);
}

int weft_assimp_files_open(const char *path, weft_assimp_files *files) {
    char *full = realpath(path, NULL), *slash = full ? strrchr(full, '/') : NULL;
    int found = slash && (size_t)(slash - full) + 1 < sizeof files->folder;
    if (found) {
        size_t length = slash == full ? 1 : (size_t)(slash - full);
        memcpy(files->folder, full, length);
        files->folder[length] = '\0';
        files->out_of_memory = 0;
        files->io = (struct aiFileIO){.OpenProc = open_file, .CloseProc = close_file, .UserData = (aiUserData)files};
    }
    free(full);
    return found;
}
