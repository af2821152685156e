/* Null pointers where the public API does not allow them: a programming error. Debug builds stop at an assertion.
 * Release builds return an error, so that a caller in another language gets a message instead of a crash. */
#ifndef WEFT_CORE_REQUIRE_H
#define WEFT_CORE_REQUIRE_H

#include <assert.h>

#include "weft/base.h"

#define WEFT_REQUIRE_IN(function, pointer)                                                                             \
    do {                                                                                                               \
        assert((pointer) && "null where the API does not allow it");                                                   \
        if (!(pointer))                                                                                                \
            return weft_fail(WEFT_BAD_INPUT, "%s: '%s' is null", function, #pointer);                                  \
    } while (0)
/* At the start of a public function that returns a weft_result. */
#define WEFT_REQUIRE(pointer) WEFT_REQUIRE_IN(__func__, pointer)
/* The same for a pointer that is used only if a condition holds, such as an array that may be empty. */
#define WEFT_REQUIRE_IF(condition, pointer)                                                                            \
    do {                                                                                                               \
        if (condition)                                                                                                 \
            WEFT_REQUIRE(pointer);                                                                                     \
    } while (0)

#endif
