/* Results and error messages, and the version of the library. */
#include "weft/base.h"
#include "weft/text.h"

weft_result weft_ok(void) {
    weft_result result;
    result.code = WEFT_OK;
    result.message[0] = '\0';
    return result;
}

weft_result weft_fail(weft_code code, const char *format, ...) {
    weft_result result;
    result.code = code;
    va_list arguments;
    va_start(arguments, format);
    weft_format_list(result.message, sizeof result.message, format, arguments);
    va_end(arguments);
    return result;
}

weft_result weft_fail_memory(const char *what, size_t bytes) {
    return weft_fail(WEFT_NO_MEMORY, "out of memory: %s needs %zu bytes", what, bytes);
}

#ifndef WEFT_VERSION
#define WEFT_VERSION "0.2.0"
#endif

const char *weft_version(void) { return WEFT_VERSION; }
