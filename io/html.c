#include "io/html.h"

#include <stdint.h>

void weft_html_text(FILE *file, const char *text) {
    for (; *text; text++)
        switch (*text) {
        case '&':
            fputs("&amp;", file);
            break;
        case '<':
            fputs("&lt;", file);
            break;
        case '>':
            fputs("&gt;", file);
            break;
        case '\'':
            fputs("&#39;", file);
            break;
        case '"':
            fputs("&quot;", file);
            break;
        default:
            fputc(*text, file);
        }
}

void weft_html_base64(FILE *file, const char *bytes, size_t size) {
    static const char DIGIT[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        uint32_t three = 0;
        for (size_t k = 0; k < 3; k++)
            three = three << 8 | (i + k < size ? (uint8_t)bytes[i + k] : 0);
        for (size_t k = 0; k < 4; k++)
            fputc(i + k <= size ? DIGIT[three >> (18 - 6 * k) & 63] : '=', file);
    }
}
