/* Text files of numbers, used for maps. */
#ifndef WEFT_IO_NUMBERS_H
#define WEFT_IO_NUMBERS_H

#include "weft/base.h"

/* Numbers are separated by spaces, commas or line breaks. A comment runs from # to the end of the line. The caller
 * frees `number` with free(). Refuses other text, non-finite numbers and files without numbers; the message names the
 * line. */
weft_result weft_numbers_read(const char *path, double **number, int64_t *count);
/* The same from memory. `path` is only used in messages. */
weft_result weft_numbers_parse(const char *path, const char *text, size_t size, double **number, int64_t *count);

#endif
