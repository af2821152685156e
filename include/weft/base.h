/** @file
 * Linkage, vectors and results: the declarations that all public headers share.
 *
 * All functions here are thread-safe. */
#ifndef WEFT_BASE_H
#define WEFT_BASE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
/** Opens the declarations of a header. They have C linkage in C++ too. */
#define WEFT_BEGIN extern "C" {
/** Closes what WEFT_BEGIN opened. */
#define WEFT_END }
#else
/** Opens the declarations of a header. They have C linkage in C++ too. */
#define WEFT_BEGIN
/** Closes what WEFT_BEGIN opened. */
#define WEFT_END
#endif

#if defined(__GNUC__)
/** Marks a function with a printf format. `string` and `first` are the numbers of the format and of its first argument,
 * counted from 1. */
#define WEFT_PRINTF(string, first) __attribute__((format(printf, string, first)))
/** Marks a function that the library exports. */
#define WEFT_API __attribute__((visibility("default")))
#else
#define WEFT_PRINTF(string, first)
#define WEFT_API
#endif

WEFT_BEGIN

/** Version of the binary interface. It increases whenever a struct that plugins use changes. */
#define WEFT_ABI 14

/** A vector in a plane. */
typedef struct weft_vec2 {
    double x; /**< first component */
    double y; /**< second component */
} weft_vec2;

/** A vector in space. weft/vec.h has its arithmetic. */
typedef struct weft_vec3 {
    double x; /**< component along x */
    double y; /**< component along y, up */
    double z; /**< component along z */
} weft_vec3;

/** Kinds of errors. */
typedef enum weft_code {
    WEFT_OK = 0,      /**< success */
    WEFT_BAD_INPUT,   /**< an invalid value, mesh, scene or file content */
    WEFT_BAD_FILE,    /**< a file that cannot be opened, read or written */
    WEFT_NO_MEMORY,   /**< an allocation failed */
    WEFT_UNSUPPORTED, /**< valid on its own, but not in this combination or at this time */
    WEFT_DIVERGED,    /**< a step was not made: the state would not be finite, or a solve failed */
    WEFT_INTERSECTS   /**< surfaces began to intersect, and contact.on_intersection is stop */
} weft_code;

/** Success or failure of a call. A step that fails numerically returns WEFT_DIVERGED or WEFT_INTERSECTS. Solves that do
 * not converge are no failure: see weft_report. */
typedef struct weft_result {
    weft_code code;      /**< WEFT_OK, or the kind of error */
    const char *message; /**< "" on success; else one line with the place, the value and what is allowed. Never null.
                            The text is valid until the thread that made it has made 16 further failures or ends. Copy
                            it to keep it longer. */
} weft_result;

/** Success. */
WEFT_API weft_result weft_ok(void);
/** A failure with a message in the manner of printf. A message is cut off after 507 characters. */
WEFT_API weft_result weft_fail(weft_code code, const char *format, ...) WEFT_PRINTF(2, 3);
/** WEFT_NO_MEMORY with the message "out of memory: WHAT needs N bytes". */
WEFT_API weft_result weft_fail_memory(const char *what, size_t bytes);

/** Returns the result of `expression` from the enclosing function if it is a failure. */
#define WEFT_TRY(expression)                                                                                           \
    do {                                                                                                               \
        weft_result weft_try_result = (expression);                                                                    \
        if (weft_try_result.code != WEFT_OK)                                                                           \
            return weft_try_result;                                                                                    \
    } while (0)

/** Version of the library, such as "0.2.0". Static text. */
WEFT_API const char *weft_version(void);

WEFT_END
#endif
