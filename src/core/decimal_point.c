/* Numbers as text, with a decimal point in every locale (weft/text.h).
 *
 * C11 has no functions that ignore the locale. So a number passes through strtod and snprintf, and only its decimal
 * point is replaced. Rounding is that of the C library: correct in both directions. */
#include <locale.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "weft/text.h"

enum { LONGEST = 1000 };

/* The decimal point of the locale if it is not '.', else null. It may have several bytes. */
static const char *foreign_point(void) {
    const char *point = localeconv()->decimal_point;
    return strcmp(point, ".") == 0 || point[0] == '\0' ? NULL : point;
}

/* Length of the characters that may belong to a number. The decimal comma is not one of them. */
static size_t number_length(const char *text) {
    return strspn(text, "+-.0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
}

double weft_real_parse(const char *text, const char **end) {
    const char *point = foreign_point();
    char copy[LONGEST + 64], *stop;
    if (!point) {
        double number = strtod(text, &stop);
        if (end)
            *end = stop;
        return number;
    }
    const char *start = text + strspn(text, " \t\n\v\f\r");
    size_t length = number_length(start), extra = strlen(point) - 1;
    if (end)
        *end = text;
    if (length > LONGEST || extra + 1 > 16)
        return 0;
    const char *dot = memchr(start, '.', length);
    size_t before = dot ? (size_t)(dot - start) : length;
    memcpy(copy, start, before);
    if (dot) {
        memcpy(copy + before, point, extra + 1);
        memcpy(copy + before + extra + 1, dot + 1, length - before - 1);
    }
    copy[dot ? length + extra : length] = '\0';
    double number = strtod(copy, &stop);
    size_t used = (size_t)(stop - copy);
    if (end && used > 0)
        *end = start + (used > before ? used - extra : used);
    return number;
}

/* Text that is being printed. `length` counts what does not fit too. */
typedef struct output {
    char *buffer;
    size_t size, length;
} output;

static void put(output *out, const char *text, size_t length) {
    if (out->length < out->size) {
        size_t room = out->size - out->length;
        memcpy(out->buffer + out->length, text, length < room ? length : room);
    }
    out->length += length;
}

/* A conversion such as "%-8.3f". `*` is replaced by its value. */
typedef struct conversion {
    char text[64];
    size_t length;
    char modifier; /* h, l, j, z, t or 0; 'H' for hh, 'L' for ll */
    char kind;     /* d, s, g, ... */
} conversion;

static void append(conversion *c, const char *text, size_t length) {
    if (c->length + length < sizeof c->text) {
        memcpy(c->text + c->length, text, length);
        c->length += length;
    }
    c->text[c->length] = '\0';
}

#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"
#endif

/* Prints one argument that is not a real number straight into the output. */
#define PUT(out, c, argument)                                                                                          \
    do {                                                                                                               \
        size_t room = (out)->length < (out)->size ? (out)->size - (out)->length : 0;                                   \
        int printed = snprintf(room ? (out)->buffer + (out)->length : NULL, room, (c)->text, argument);                \
        (out)->length += printed > 0 ? (size_t)printed : 0;                                                            \
    } while (0)

static void put_real(output *out, const conversion *c, double number, const char *point) {
    char text[512];
    int length = snprintf(text, sizeof text, c->text, number);
    if (length < 0)
        return;
    size_t used = (size_t)length < sizeof text ? (size_t)length : sizeof text - 1;
    char *at = strstr(text, point);
    if (!at) {
        put(out, text, used);
        return;
    }
    put(out, text, (size_t)(at - text));
    put(out, ".", 1);
    put(out, at + strlen(point), used - (size_t)(at - text) - strlen(point));
}

static void put_signed(output *out, const conversion *c, va_list *arguments) {
    switch (c->modifier) {
    case 'l':
        PUT(out, c, va_arg(*arguments, long));
        break;
    case 'L':
        PUT(out, c, va_arg(*arguments, long long));
        break;
    case 'j':
        PUT(out, c, va_arg(*arguments, intmax_t));
        break;
    case 'z':
    case 't':
        PUT(out, c, va_arg(*arguments, ptrdiff_t));
        break;
    default:
        PUT(out, c, va_arg(*arguments, int));
    }
}

static void put_unsigned(output *out, const conversion *c, va_list *arguments) {
    switch (c->modifier) {
    case 'l':
        PUT(out, c, va_arg(*arguments, unsigned long));
        break;
    case 'L':
        PUT(out, c, va_arg(*arguments, unsigned long long));
        break;
    case 'j':
        PUT(out, c, va_arg(*arguments, uintmax_t));
        break;
    case 'z':
    case 't':
        PUT(out, c, va_arg(*arguments, size_t));
        break;
    default:
        PUT(out, c, va_arg(*arguments, unsigned));
    }
}

/* Reads the conversion after '%' and returns its end. */
static const char *read_conversion(const char *at, va_list *arguments, conversion *c) {
    *c = (conversion){.text = "%", .length = 1};
    for (; *at && strchr("-+ #0123456789.*", *at); at++) {
        char number[16];
        if (*at != '*') {
            append(c, at, 1);
            continue;
        }
        int length = snprintf(number, sizeof number, "%d", va_arg(*arguments, int));
        append(c, number, (size_t)length);
    }
    for (; *at && strchr("hljzt", *at); at++) {
        c->modifier = (char)(c->modifier == *at && *at == 'l' ? 'L' : *at);
        append(c, at, 1);
    }
    c->kind = *at;
    append(c, at, *at != '\0');
    return at + (*at != '\0');
}

static void put_conversion(output *out, const conversion *c, va_list *arguments, const char *point) {
    switch (c->kind) {
    case '%':
        put(out, "%", 1);
        break;
    case 'd':
    case 'i':
        put_signed(out, c, arguments);
        break;
    case 'u':
    case 'x':
    case 'X':
    case 'o':
        put_unsigned(out, c, arguments);
        break;
    case 'c':
        PUT(out, c, va_arg(*arguments, int));
        break;
    case 's':
        PUT(out, c, va_arg(*arguments, const char *));
        break;
    case 'p':
        PUT(out, c, va_arg(*arguments, void *));
        break;
    default: /* e, f, g, a */
        put_real(out, c, va_arg(*arguments, double), point);
    }
}

int weft_format_list(char *buffer, size_t size, const char *format, va_list arguments) {
    const char *point = foreign_point();
    if (!point)
        return vsnprintf(buffer, size, format, arguments);
    output out = {.buffer = buffer, .size = size};
    va_list rest;
    va_copy(rest, arguments);
    while (*format) {
        size_t plain = strcspn(format, "%");
        put(&out, format, plain);
        format += plain;
        if (*format != '%')
            continue;
        conversion c;
        format = read_conversion(format + 1, &rest, &c);
        put_conversion(&out, &c, &rest, point);
    }
    va_end(rest);
    if (size > 0)
        buffer[out.length < size ? out.length : size - 1] = '\0';
    return (int)out.length;
}

int weft_format(char *buffer, size_t size, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = weft_format_list(buffer, size, format, arguments);
    va_end(arguments);
    return length;
}
