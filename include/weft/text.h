/** @file
 * Numbers as text, with a decimal point in every locale.
 *
 * The C library reads and prints numbers with the decimal point of the current locale. Scene files, parameters and
 * messages always use '.', so the library and its programs use these functions instead.
 *
 * All functions are thread-safe, as long as no thread calls setlocale at the same time. */
#ifndef WEFT_TEXT_H
#define WEFT_TEXT_H

#include <stdarg.h>

#include "weft/base.h"

WEFT_BEGIN

/** As strtod, with '.' as decimal point. `end` receives the end of the number and may be null. In a locale with another
 * decimal point, a number of more than 1000 characters is not a number. */
WEFT_API double weft_real_parse(const char *text, const char **end);

/** As snprintf, with '.' as decimal point. `buffer` may be null if `size` is 0. `%n`, wide characters and long double
 * are not supported. */
WEFT_API int weft_format(char *buffer, size_t size, const char *format, ...) WEFT_PRINTF(3, 4);
/** As weft_format, with the arguments of a va_list. */
WEFT_API int weft_format_list(char *buffer, size_t size, const char *format, va_list arguments) WEFT_PRINTF(3, 0);

/** Makes a UTF-8 text safe to print: replaces control characters, which a terminal may obey, and bytes that are not
 * UTF-8 by '?'. Those in `keep`, such as "\\n", stay. Returns how many it replaced. Messages of results are safe
 * already. */
WEFT_API int weft_printable(char *text, const char *keep);

WEFT_END
#endif
