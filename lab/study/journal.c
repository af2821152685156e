#include "lab/study/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lab/study/case_message.h"
#include "lab/study/wall_clock.h"

static const double SYNC_EVERY = 1; /* s */

static weft_result fail_file(const char *path) { return weft_fail(WEFT_BAD_FILE, "%.300s: %s", path, strerror(errno)); }

/* Reads the record at the present place into `*bytes`. Returns its size, or 0 if there is no whole record. */
static size_t read_record(int file, int64_t left, char **bytes, size_t *room) {
    char head[WEFT_MESSAGE_HEAD];
    if (!weft_read_all(file, head, sizeof head))
        return 0;
    size_t size = weft_message_size(head);
    if (size < sizeof head || (int64_t)size > left)
        return 0;
    if (size > *room) {
        char *grown = realloc(*bytes, size);
        if (!grown)
            return 0;
        *bytes = grown;
        *room = size;
    }
    memcpy(*bytes, head, sizeof head);
    return weft_read_all(file, *bytes + sizeof head, size - sizeof head) ? size : 0;
}

static weft_result scan_file(int file, int64_t whole, void *context, weft_journal_visit visit, int64_t *end) {
    char *bytes = NULL;
    size_t room = 0, size;
    weft_result result = weft_ok();
    while (result.code == WEFT_OK && (size = read_record(file, whole - *end, &bytes, &room)) > 0) {
        weft_case_outcome outcome;
        int64_t index;
        if (weft_outcome_unpack(bytes, size, &index, &outcome) == 0)
            break;
        result = visit(context, index, &outcome, *end, (int64_t)size);
        weft_case_outcome_free(&outcome);
        *end += (int64_t)size;
    }
    free(bytes);
    return result;
}

weft_result weft_journal_scan(const char *path, void *context, weft_journal_visit visit, int64_t *end) {
    struct stat info;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return errno == ENOENT ? weft_ok() : fail_file(path);
    weft_result result = fstat(file, &info) == 0 && lseek(file, *end, SEEK_SET) == *end ? weft_ok() : fail_file(path);
    if (result.code == WEFT_OK)
        result = scan_file(file, info.st_size, context, visit, end);
    close(file);
    return result;
}

weft_result weft_journal_read(const char *path, int64_t offset, int64_t size, weft_case_outcome *outcome) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    char *bytes = file >= 0 ? malloc((size_t)size) : NULL;
    int64_t index;
    int good = bytes && lseek(file, offset, SEEK_SET) == offset && weft_read_all(file, bytes, (size_t)size) &&
               weft_outcome_unpack(bytes, (size_t)size, &index, outcome) > 0;
    free(bytes);
    if (file >= 0)
        close(file);
    return good ? weft_ok() : weft_fail(WEFT_BAD_FILE, "%.300s: a record cannot be read again", path);
}

weft_result weft_journal_open(weft_journal *journal, const char *path, void *context, weft_journal_visit visit) {
    int64_t end = 0;
    *journal = (weft_journal){.file = -1, .synced = weft_seconds(CLOCK_MONOTONIC)};
    if (strlen(path) >= sizeof journal->path)
        return weft_fail(WEFT_BAD_FILE, "%.300s...: the path is too long", path);
    strcpy(journal->path, path);
    WEFT_TRY(weft_journal_scan(path, context, visit, &end));
    journal->file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (journal->file < 0 || ftruncate(journal->file, end) != 0)
        return fail_file(path);
    return weft_ok();
}

weft_result weft_journal_add(weft_journal *journal, int64_t index, const weft_case_outcome *outcome, int64_t *offset,
                             int64_t *size) {
    char *bytes;
    size_t length;
    WEFT_TRY(weft_outcome_pack(index, outcome, &bytes, &length));
    weft_result result = weft_write_all(journal->file, bytes, length);
    free(bytes);
    if (offset)
        *offset = (int64_t)lseek(journal->file, 0, SEEK_CUR) - (int64_t)length;
    if (size)
        *size = (int64_t)length;
    if (result.code != WEFT_OK)
        return weft_fail(WEFT_BAD_FILE, "%.300s: %.100s", journal->path, result.message);
    journal->dirty = 1;
    if (weft_seconds(CLOCK_MONOTONIC) - journal->synced < SYNC_EVERY)
        return weft_ok();
    journal->synced = weft_seconds(CLOCK_MONOTONIC);
    journal->dirty = 0;
    return fdatasync(journal->file) == 0 ? weft_ok() : fail_file(journal->path);
}

weft_result weft_journal_close(weft_journal *journal) {
    weft_result result = weft_ok();
    if (journal->file < 0)
        return result;
    if (journal->dirty && fdatasync(journal->file) != 0)
        result = fail_file(journal->path);
    if (close(journal->file) != 0 && result.code == WEFT_OK)
        result = fail_file(journal->path);
    journal->file = -1;
    return result;
}
