/* Locale-independent conversion of numbers to and from text, and a buffer for text files. */
#ifndef WEFT_IO_TEXT_H
#define WEFT_IO_TEXT_H

#include "io/file.h"

enum { WEFT_REAL_SIZE = 40 };

/* Reads `text` (`length` bytes) as a decimal number, correctly rounded. Returns 0 if it is not a number, not finite or
 * longer than 127 characters. */
int weft_real_read(const char *text, size_t length, double *number);

/* Writes ten significant digits and returns the length. `buffer` holds WEFT_REAL_SIZE bytes. */
size_t weft_real_write(double number, char *buffer);
/* Writes the shortest form that reads back as the same double. */
size_t weft_real_write_exact(double number, char *buffer);

/* Bytes of the UTF-8 character at `text` (0-terminated), or 0 if it is invalid. */
size_t weft_utf8_length(const char *text);

/* Buffers text for a file. Call weft_text_flush at the end. */
typedef struct weft_text {
    weft_output *output;
    size_t used;
    char bytes[1 << 15];
} weft_text;

void weft_text_start(weft_text *text, weft_output *output);
void weft_text_flush(weft_text *text);
void weft_text_put(weft_text *text, const char *string);
void weft_text_put_char(weft_text *text, char c);
void weft_text_put_real(weft_text *text, double number);
void weft_text_put_integer(weft_text *text, int64_t number);

#endif
