/* For clang-tidy only (preset lint). The analyzer sees one file at a time. These macros tell it that weft_fail returns
 * a failure and weft_ok does not, so it does not follow impossible paths. */
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
