/** @file
 * Hooks of the host program: an allocator for the whole process, and a log for each registry.
 *
 * Without hooks the library uses malloc() and free(), and it logs nothing. It never prints. */
#ifndef WEFT_HOOKS_H
#define WEFT_HOOKS_H

#include "weft/component.h"

WEFT_BEGIN

/** @name Memory
 * @{ */

/** An allocator. Several threads may call its functions at once. */
typedef struct weft_allocator {
    void *context; /**< passed to all functions; may be null */
    /** Returns `size` bytes, aligned to `alignment`, a power of 2. Null when out of memory. `size` is above 0. */
    void *(*allocate)(void *context, size_t alignment, size_t size);
    /** As realloc() for memory with the alignment of max_align_t. `memory` may be null. Null when out of memory; the
     * old memory is then unchanged. */
    void *(*resize)(void *context, void *memory, size_t size);
    /** Frees memory of both functions. Never called with null. */
    void (*release)(void *context, void *memory);
} weft_allocator;
/** Sets the allocator of the process, copied. Null sets malloc() and free() again. Call it while the library holds no
 * memory: before the first registry, mesh or tree is created, or after all are destroyed. Not thread-safe.
 *
 * OpenMP and the C library still allocate by themselves, and so does weft_scene_read for temporary lists. */
WEFT_API void weft_allocator_set(const weft_allocator *allocator);

/** Allocates as the library does, for arrays that the library frees, such as those of weft_body_functions::surface.
 * Null when out of memory. Thread-safe. Without an allocator it is malloc(). */
WEFT_API void *weft_memory_allocate(size_t size);
/** Frees arrays that the library returned, such as those of weft_sim_body_surface. Null is allowed. Thread-safe.
 * Without an allocator it is free(). */
WEFT_API void weft_memory_free(void *memory);

/** @} */

/** @name Log
 * @{ */

/** How important a line of the log is. */
typedef enum weft_log_level {
    WEFT_LOG_NOTICE, /**< the simulation goes on as asked: a step was halved */
    WEFT_LOG_WARNING /**< the result may be worse than asked: unsolved equations, intersections, a failed step */
} weft_log_level;
/** Receives one line of text without a newline. `text` is valid during the call. */
typedef void (*weft_log)(void *context, weft_log_level level, const char *text);
/** Sets the log of all simulations of a registry. Null turns it off. `context` may be null.
 *
 * The library calls the function on the thread that called the library. So simulations on several threads may call it
 * at once. It must not call functions of the simulation. Not thread-safe: set it before simulations run. */
WEFT_API void weft_registry_set_log(weft_registry *registry, weft_log log, void *context);

/** @} */

WEFT_END
#endif
