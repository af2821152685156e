#include "apps/cli/say.h"

#include <stdio.h>

#include "weft/text.h"

enum { LONGEST = 8192 };

void weft_say(const char *format, ...) {
    char text[LONGEST];
    va_list arguments;
    va_start(arguments, format);
    weft_format_list(text, sizeof text, format, arguments);
    va_end(arguments);
    weft_printable(text, "\t\n");
    fputs(text, stdout);
}

void weft_complain(const char *format, ...) {
    char text[LONGEST];
    va_list arguments;
    va_start(arguments, format);
    weft_format_list(text, sizeof text, format, arguments);
    va_end(arguments);
    weft_printable(text, "");
    fprintf(stderr, "weft: %s\n", text);
}
