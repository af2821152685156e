/* Text files of numbers, for maps. */
#ifndef WEFT_IO_NUMBERS_H
#define WEFT_IO_NUMBERS_H

#include "weft/base.h"

/* Numbers apart by spaces, commas or lines; from # to the end of a line is a remark. free() them. Refuses anything
 * else, numbers that are not finite, and a file without any, with the line. */
weft_result weft_numbers_read(const char *path, double **number, int64_t *count);
/* The same from memory; `path` is for messages. */
weft_result weft_numbers_parse(const char *path, const char *text, size_t size, double **number, int64_t *count);

#endif
