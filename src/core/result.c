/* Results and error messages, and the version of the library.
 *
 * Messages are kept per thread, in a ring. So results are small, need no cleanup, and a message may be built from
 * another one. */
#include <string.h>

#include "weft/base.h"
#include "weft/text.h"

enum { MESSAGES = 17, MESSAGE_SIZE = 508 };

static _Thread_local char ring[MESSAGES][MESSAGE_SIZE];
static _Thread_local int next;

weft_result weft_ok(void) { return (weft_result){WEFT_OK, ""}; }

weft_result weft_fail(weft_code code, const char *format, ...) {
    char text[MESSAGE_SIZE] = ""; /* an argument may be the message that is overwritten next */
    va_list arguments;
    va_start(arguments, format);
    weft_format_list(text, sizeof text, format, arguments);
    va_end(arguments);
    weft_printable(text, ""); /* names and values may hold escapes of the terminal */
    char *message = memcpy(ring[next], text, strlen(text) + 1);
    next = (next + 1) % MESSAGES;
    return (weft_result){code, message};
}

weft_result weft_fail_memory(const char *what, size_t bytes) {
    return weft_fail(WEFT_NO_MEMORY, "out of memory: %s needs %zu bytes", what, bytes);
}

#ifndef WEFT_VERSION
#define WEFT_VERSION "0.2.0"
#endif

const char *weft_version(void) { return WEFT_VERSION; }
