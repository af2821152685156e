/* For clang-tidy only (preset lint): lets the analyzer see that weft_fail returns a failure and weft_ok none, as it
 * sees one file at a time and would follow paths that do not exist. */
#if defined(__clang_analyzer__) && !defined(WEFT_ANALYZER_BLIND)
#include "weft/base.h"

static inline weft_result weft_seen(weft_result result, weft_code code) {
    result.code = code;
    return result;
}

#define weft_ok()                     weft_seen((weft_ok)(), WEFT_OK)
#define weft_fail(code, ...)          weft_seen((weft_fail)(code, __VA_ARGS__), code)
#define weft_fail_memory(what, bytes) weft_seen((weft_fail_memory)(what, bytes), WEFT_NO_MEMORY)
#endif
