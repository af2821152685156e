/** @file
 * Hooks of the host program: an allocator and a task system for the whole process, and a log for each registry.
 *
 * Without hooks the library uses malloc() and free(), has threads of its own, and logs nothing. It never prints. */
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
 * The C library still allocates by itself, and so does weft_scene_read for temporary lists. */
WEFT_API void weft_allocator_set(const weft_allocator *allocator);

/** Allocates as the library does, for arrays that the library frees, such as those of weft_body_functions::surface.
 * Null when out of memory. Thread-safe. Without an allocator it is malloc(). */
WEFT_API void *weft_memory_allocate(size_t size);
/** Frees arrays that the library returned, such as those of weft_sim_body_surface. Null is allowed. Thread-safe.
 * Without an allocator it is free(). */
WEFT_API void weft_memory_free(void *memory);

/** @} */

/** @name Tasks
 * The library has a pool of threads, which all simulations of a process share. A host with a task system of its own,
 * such as a game engine, can lend that instead, so that processors are not used twice. Results are the same bits.
 * @{ */

/** A task: the host calls it once for each index below the count that weft_task_system::start was given. */
typedef void (*weft_task)(void *task_context, int index);
/** A task system. Several threads may call its functions at once, each for its own tasks. */
typedef struct weft_task_system {
    void *context; /**< passed to both functions; may be null */
    int threads;   /**< threads that can run tasks, the calling thread included; at least 1; used for `threads: 0` */
    /** Starts `count` tasks, above 0, and returns without waiting for them. They may run in any order, on any thread,
     * even on this one before it returns. A task takes some microseconds to milliseconds. The calling thread then does
     * part of the work, so tasks that start late find little to do. Returns a handle for `wait`; may be null. */
    void *(*start)(void *context, weft_task task, void *task_context, int count);
    /** Returns when all tasks of the handle have ended. It may run them, or other tasks, on this thread. */
    void (*wait)(void *context, void *handle);
} weft_task_system;
/** Sets the task system of the process, copied. Null sets the library's own threads again. Call it before the threads
 * of simulations are set, and while none runs. Not thread-safe. */
WEFT_API void weft_task_system_set(const weft_task_system *tasks);

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
