#include "lab/study/value_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "weft/text.h"

typedef struct sink {
    char *text;
    size_t size, used;
} sink;

static void put(sink *s, const char *text, size_t length) {
    for (size_t i = 0; i < length; i++, s->used++)
        if (s->used + 1 < s->size)
            s->text[s->used] = text[i];
}

static void put_text(sink *s, const char *text) { put(s, text, strlen(text)); }

/* Inside lists and maps, text with special characters needs quotes. */
static void put_scalar(sink *s, const char *text, int nested) {
    if (!nested || (text[0] && !strpbrk(text, ",[]{}:#'\"&*!|>%@`\n"))) {
        put_text(s, text);
        return;
    }
    put_text(s, "'");
    for (const char *at = text; *at; at++)
        put(s, *at == '\'' ? "''" : at, *at == '\'' ? 2 : 1);
    put_text(s, "'");
}

static void write_value(sink *s, const weft_value *value, int nested) {
    int is_map = value->kind == WEFT_VALUE_MAP;
    if (value->kind == WEFT_VALUE_TEXT) {
        put_scalar(s, value->text, nested);
        return;
    }
    put_text(s, is_map ? "{" : "[");
    for (const weft_value *child = value->first; child; child = child->next) {
        if (child != value->first)
            put_text(s, ", ");
        if (is_map) {
            put_scalar(s, child->key, 1);
            put_text(s, ": ");
        }
        write_value(s, child, 1);
    }
    put_text(s, is_map ? "}" : "]");
}

static size_t write_whole(const weft_value *value, int nested, char *text, size_t size) {
    sink s = {text, size, 0};
    write_value(&s, value, nested);
    if (size > 0)
        text[s.used < size ? s.used : size - 1] = '\0';
    return s.used;
}

size_t weft_value_write(const weft_value *value, char *text, size_t size) { return write_whole(value, 0, text, size); }

size_t weft_value_write_nested(const weft_value *value, char *text, size_t size) {
    return write_whole(value, 1, text, size);
}

int weft_number_split(const char *text, double *number, char unit[24]) {
    const char *end;
    *number = weft_real_parse(text, &end);
    if (end == text || !isfinite(*number))
        return 0;
    end += strspn(end, " ");
    size_t length = strlen(end);
    while (length > 0 && end[length - 1] == ' ')
        length--;
    if (length >= 24)
        return 0;
    snprintf(unit, 24, "%.*s", (int)length, end);
    return 1;
}
