/* Parses text files of numbers. */
#include "io/numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/file.h"
#include "weft/text.h"

typedef struct list {
    double *number;
    int64_t count, capacity;
} list;

static int append(list *l, double number) {
    if (l->count == l->capacity) {
        int64_t capacity = l->capacity > 0 ? 2 * l->capacity : 1024;
        double *grown = realloc(l->number, (size_t)capacity * sizeof *grown);
        if (!grown)
            return 0;
        l->number = grown;
        l->capacity = capacity;
    }
    l->number[l->count++] = number;
    return 1;
}

/* Length of the word at `at`. */
static size_t word_length(const char *at, const char *end) {
    size_t length = 0;
    while (at + length < end && !strchr(" \t\r\n,#", at[length]))
        length++;
    return length;
}

/* A scene may name any file, so that only what may be meant as a number is shown, and nothing of another file. */
static weft_result fail_word(const char *path, long line, const char *at, size_t length) {
    if (length == 0 || length > 24 || strspn(at, "0123456789+-.eExXnNaAiIfF_;:/*") < length)
        return weft_fail(WEFT_BAD_INPUT, "%s:%ld: needs numbers, between spaces or commas", path, line);
    return weft_fail(WEFT_BAD_INPUT, "%s:%ld: '%.*s' is not a finite number", path, line, (int)length, at);
}

static weft_result parse(const char *path, const char *text, const char *end, list *l) {
    static const char SPACE[] = " \t\r\n,";
    long line = 1;
    for (const char *at = text; at < end;) {
        if (*at == '#')
            while (at < end && *at != '\n')
                at++;
        else if (*at && strchr(SPACE, *at))
            line += *at++ == '\n';
        else {
            char word[64];
            size_t length = word_length(at, end);
            if (length == 0 || length >= sizeof word)
                return fail_word(path, line, at, length);
            memcpy(word, at, length);
            word[length] = '\0';
            const char *stop;
            double number = weft_real_parse(word, &stop);
            if (*stop || !isfinite(number))
                return fail_word(path, line, word, length);
            if (!append(l, number))
                return weft_fail_memory(path, (size_t)l->count * sizeof number);
            at += length;
        }
    }
    return l->count > 0 ? weft_ok() : weft_fail(WEFT_BAD_INPUT, "%s: no numbers", path);
}

weft_result weft_numbers_parse(const char *path, const char *text, size_t size, double **number, int64_t *count) {
    list l = {NULL, 0, 0};
    weft_result result = parse(path, text, text + size, &l);
    *number = NULL;
    *count = 0;
    if (result.code != WEFT_OK) {
        free(l.number);
        return result;
    }
    *number = l.number;
    *count = l.count;
    return result;
}

weft_result weft_numbers_read(const char *path, double **number, int64_t *count) {
    char *bytes;
    size_t size;
    *number = NULL;
    *count = 0;
    WEFT_TRY(weft_file_read(path, &bytes, &size));
    weft_result result = weft_numbers_parse(path, bytes, size, number, count);
    free(bytes);
    return result;
}
