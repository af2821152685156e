/* Reads whole files, and writes files that are renamed into place when complete. */
#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "weft/text.h"

static const int64_t LARGEST_FILE = INT64_C(2) << 30; /* bytes */

/* Fails with "PATH: CAUSE". A long path is cut so that the cause stays visible. */
static weft_result fail_file(const char *path, int error) {
    return weft_fail(WEFT_BAD_FILE, "%.400s: %s", path, strerror(error ? error : EIO));
}

/* -- reading -- */

static weft_result fail_size(const char *path, int64_t most) {
    int64_t mebibytes = most >> 20;
    return weft_fail(WEFT_BAD_FILE, "%.400s: larger than %lld %s, the largest size that can be read", path,
                     (long long)(mebibytes < 1024 ? mebibytes : mebibytes / 1024), mebibytes < 1024 ? "MiB" : "GiB");
}

/* Pipes and devices have no known size, so the buffer grows while reading. */
static weft_result read_all(FILE *file, const char *path, size_t expected, int64_t most, char **bytes, size_t *size) {
    size_t capacity = expected + 1, used = 0;
    char *buffer = malloc(capacity);
    if (!buffer)
        return weft_fail_memory(path, capacity);
    for (;;) {
        errno = 0;
        used += fread(buffer + used, 1, capacity - used, file);
        if (used < capacity)
            break;
        if (capacity > (size_t)most) {
            free(buffer);
            return fail_size(path, most);
        }
        char *larger = realloc(buffer, 2 * capacity + 4096);
        if (!larger) {
            free(buffer);
            return weft_fail_memory(path, 2 * capacity + 4096);
        }
        buffer = larger;
        capacity = 2 * capacity + 4096;
    }
    if (ferror(file)) {
        int error = errno;
        free(buffer);
        return fail_file(path, error);
    }
    if (used > (size_t)most) {
        free(buffer);
        return fail_size(path, most);
    }
    buffer[used] = '\0';
    *bytes = buffer;
    *size = used;
    return weft_ok();
}

weft_result weft_file_check(const char *path) {
    struct stat status;
    if (stat(path, &status) != 0)
        return weft_ok();
    if (S_ISDIR(status.st_mode))
        return fail_file(path, EISDIR);
    if (S_ISFIFO(status.st_mode) && strncmp(path, "/dev/", 5) != 0 && strncmp(path, "/proc/", 6) != 0)
        return weft_fail(WEFT_BAD_FILE, "%.400s: a named pipe, not a regular file", path);
    return weft_ok();
}

weft_result weft_file_check_size(const char *path, int64_t most) {
    struct stat status;
    WEFT_TRY(weft_file_check(path));
    if (stat(path, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > most)
        return fail_size(path, most);
    return weft_ok();
}

weft_result weft_file_read(const char *path, char **bytes, size_t *size) {
    return weft_file_read_most(path, LARGEST_FILE, bytes, size);
}

weft_result weft_file_read_most(const char *path, int64_t most, char **bytes, size_t *size) {
    *bytes = NULL;
    *size = 0;
    WEFT_TRY(weft_file_check(path));
    FILE *file = fopen(path, "rb");
    if (!file)
        return fail_file(path, errno);
    struct stat status;
    weft_result result;
    if (fstat(fileno(file), &status) != 0)
        result = fail_file(path, errno);
    else if (S_ISREG(status.st_mode) && status.st_size > most)
        result = fail_size(path, most);
    else
        result = read_all(file, path, S_ISREG(status.st_mode) ? (size_t)status.st_size : 4096, most, bytes, size);
    fclose(file);
    return result;
}

/* -- writing -- */

static void part_path(const weft_output *output, char part[sizeof output->path + 8]) {
    snprintf(part, sizeof output->path + 8, "%s.part", output->path);
}

weft_result weft_target_check(const char *path) {
    struct stat status;
    if (stat(path, &status) != 0 || S_ISREG(status.st_mode))
        return weft_ok();
    if (S_ISDIR(status.st_mode))
        return fail_file(path, EISDIR);
    return weft_fail(WEFT_BAD_FILE, "%.400s: not a regular file: it would be replaced by one", path);
}

static weft_result start(weft_output *output, const char *path) {
    *output = (weft_output){0};
    WEFT_TRY(weft_target_check(path));
    if (strlen(path) >= sizeof output->path)
        return fail_file(path, ENAMETOOLONG);
    strcpy(output->path, path);
    return weft_ok();
}

weft_result weft_output_open(weft_output *output, const char *path) {
    WEFT_TRY(start(output, path));
    char part[sizeof output->path + 8];
    part_path(output, part);
    output->file = fopen(part, "wb");
    return output->file ? weft_ok() : fail_file(path, errno);
}

weft_result weft_output_reopen(weft_output *output, const char *path, int64_t size) {
    WEFT_TRY(start(output, path));
    char part[sizeof output->path + 8];
    part_path(output, part);
    FILE *file = fopen(part, "r+b");
    if (!file)
        return fail_file(part, errno);
    struct stat status;
    weft_result result = weft_ok();
    if (fstat(fileno(file), &status) != 0)
        result = fail_file(part, errno);
    else if (status.st_size < size)
        result = weft_fail(WEFT_BAD_FILE, "%.380s: too short to go on: %lld bytes there, %lld needed", part,
                           (long long)status.st_size, (long long)size);
    else if (ftruncate(fileno(file), (off_t)size) != 0 || fseeko(file, 0, SEEK_END) != 0)
        result = fail_file(part, errno);
    if (result.code != WEFT_OK) {
        fclose(file);
        return result;
    }
    output->file = file;
    return result;
}

static void keep_error(weft_output *output) {
    if (!output->error)
        output->error = errno ? errno : EIO;
}

void weft_output_write(weft_output *output, const void *bytes, size_t size) {
    if (output->error || size == 0)
        return;
    errno = 0;
    if (fwrite(bytes, 1, size, output->file) != size)
        keep_error(output);
}

void weft_output_print(weft_output *output, const char *format, ...) {
    if (output->error)
        return;
    char text[1024], *longer = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = weft_format_list(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length >= (int)sizeof text && (longer = malloc((size_t)length + 1)) != NULL) {
        va_start(arguments, format);
        weft_format_list(longer, (size_t)length + 1, format, arguments);
        va_end(arguments);
    }
    if (length < 0 || (length >= (int)sizeof text && !longer))
        output->error = ENOMEM;
    else
        weft_output_write(output, longer ? longer : text, (size_t)length);
    free(longer);
}

static weft_result outcome(const weft_output *output) {
    return output->error ? fail_file(output->path, output->error) : weft_ok();
}

weft_result weft_output_flush(weft_output *output) {
    errno = 0;
    if (!output->error && fflush(output->file) != 0)
        keep_error(output);
    return outcome(output);
}

weft_result weft_output_sync(weft_output *output) {
    WEFT_TRY(weft_output_flush(output));
    errno = 0;
    /* EINVAL: pipes and devices do not support fsync and do not need it */
    if (fsync(fileno(output->file)) != 0 && errno != EINVAL)
        keep_error(output);
    return outcome(output);
}

static void close_file(weft_output *output) {
    errno = 0;
    if (output->file && fclose(output->file) != 0)
        keep_error(output);
    output->file = NULL;
}

/* Makes the new name survive a power failure. Ignores file systems that do not support this. */
static void sync_directory(const char *path) {
    char directory[sizeof((weft_output *)0)->path];
    snprintf(directory, sizeof directory, "%s", path);
    char *slash = strrchr(directory, '/');
    if (slash == directory)
        slash[1] = '\0';
    else if (slash)
        *slash = '\0';
    int handle = open(slash ? directory : ".", O_RDONLY);
    if (handle < 0)
        return;
    fsync(handle);
    close(handle);
}

weft_result weft_output_commit(weft_output *output) {
    weft_result result = weft_output_sync(output);
    close_file(output);
    if (result.code == WEFT_OK)
        result = outcome(output);
    char part[sizeof output->path + 8];
    part_path(output, part);
    if (result.code == WEFT_OK && rename(part, output->path) != 0)
        result = fail_file(output->path, errno);
    if (result.code != WEFT_OK)
        unlink(part);
    else
        sync_directory(output->path);
    return result;
}

void weft_output_discard(weft_output *output) {
    if (!output->file)
        return;
    close_file(output);
    char part[sizeof output->path + 8];
    part_path(output, part);
    unlink(part);
}

weft_result weft_output_suspend(weft_output *output) {
    weft_result result = weft_output_sync(output);
    close_file(output);
    return result.code == WEFT_OK ? outcome(output) : result;
}

/* -- paths -- */

static weft_result make_one(const char *path) {
    struct stat status;
    if (mkdir(path, 0777) == 0)
        return weft_ok();
    int error = errno;
    if (error == EEXIST && stat(path, &status) == 0)
        return S_ISDIR(status.st_mode) ? weft_ok() : fail_file(path, ENOTDIR);
    return fail_file(path, error);
}

weft_result weft_directory_make(const char *path) {
    char part[1024];
    size_t length = strlen(path);
    if (length == 0)
        return fail_file("''", ENOENT);
    if (length >= sizeof part)
        return fail_file(path, ENAMETOOLONG);
    memcpy(part, path, length + 1);
    for (char *slash = strchr(part + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        WEFT_TRY(make_one(part));
        *slash = '/';
    }
    return make_one(part);
}

weft_result weft_path_beside(const char *from, const char *path, char *joined, size_t size) {
    const char *slash = strrchr(from, '/');
    int directory = path[0] == '/' || !slash ? 0 : (int)(slash - from) + 1;
    int length = snprintf(joined, size, "%.*s%s", directory, from, path);
    if (length < 0 || (size_t)length >= size)
        return weft_fail(WEFT_BAD_FILE, "%.400s: the path is longer than %zu characters", path, size - 1);
    return weft_ok();
}
