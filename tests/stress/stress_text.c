#include "tests/stress/stress_text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void make_room(stress_text *text, size_t more) {
    if (text->length + more <= text->capacity)
        return;
    text->capacity = 2 * (text->length + more);
    text->bytes = realloc(text->bytes, text->capacity);
    if (!text->bytes) {
        fprintf(stderr, "stress_scenes: out of memory\n");
        exit(2);
    }
}

void stress_text_add(stress_text *text, const char *format, ...) {
    va_list measured, printed;
    va_start(measured, format);
    va_copy(printed, measured);
    int length = vsnprintf(NULL, 0, format, measured);
    va_end(measured);
    make_room(text, (size_t)length + 1);
    vsnprintf(text->bytes + text->length, (size_t)length + 1, format, printed);
    va_end(printed);
    text->length += (size_t)length;
}

void stress_text_free(stress_text *text) {
    free(text->bytes);
    *text = (stress_text){0};
}

weft_result stress_text_write(const stress_text *text, const char *folder, const char *name) {
    char path[1024];
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
        return weft_fail(WEFT_BAD_FILE, "%.300s...: the path is too long", folder);
    FILE *file = fopen(path, "w");
    if (!file)
        return weft_fail(WEFT_BAD_FILE, "%.300s: %s", path, strerror(errno));
    int bad = fwrite(text->bytes, 1, text->length, file) != text->length;
    bad |= fclose(file) != 0;
    if (!bad)
        return weft_ok();
    int cause = errno;
    remove(path);
    return weft_fail(WEFT_BAD_FILE, "%.300s: %s", path, strerror(cause));
}
