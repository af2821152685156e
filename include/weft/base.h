/* What every public header shares: linkage, vectors, results. */
#ifndef WEFT_BASE_H
#define WEFT_BASE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define WEFT_BEGIN extern "C" {
#define WEFT_END   }
#else
#define WEFT_BEGIN
#define WEFT_END
#endif

#if defined(__GNUC__)
#define WEFT_PRINTF(string, first) __attribute__((format(printf, string, first)))
#define WEFT_API                   __attribute__((visibility("default")))
#else
#define WEFT_PRINTF(string, first)
#define WEFT_API
#endif

WEFT_BEGIN

/* Increases whenever a structure that a plugin sees changes. */
#define WEFT_ABI 10

typedef struct weft_vec2 {
    double x, y;
} weft_vec2;

typedef struct weft_vec3 {
    double x, y, z;
} weft_vec3;

typedef enum weft_code {
    WEFT_OK = 0,
    WEFT_BAD_INPUT, /* a value, mesh, scene or file content that is not allowed */
    WEFT_BAD_FILE,  /* a file that cannot be opened, read or written */
    WEFT_NO_MEMORY,
    WEFT_UNSUPPORTED /* allowed in itself, but not in this combination */
} weft_code;

/* The one error type. `message` is empty on success; otherwise one line that names place, value and what is allowed.
 * A numerical outcome (diverged, not converged) is not an error: see weft_report. */
typedef struct weft_result {
    weft_code code;
    char message[508];
} weft_result;

WEFT_API weft_result weft_ok(void);
WEFT_API weft_result weft_fail(weft_code code, const char *format, ...) WEFT_PRINTF(2, 3);
/* "out of memory: WHAT needs N bytes" */
WEFT_API weft_result weft_fail_memory(const char *what, size_t bytes);

/* Returns the result of `expression` from the enclosing function when it failed. */
#define WEFT_TRY(expression)                                                                                           \
    do {                                                                                                               \
        weft_result weft_try_result = (expression);                                                                    \
        if (weft_try_result.code != WEFT_OK)                                                                           \
            return weft_try_result;                                                                                    \
    } while (0)

/* "0.2.0" */
WEFT_API const char *weft_version(void);

WEFT_END
#endif
