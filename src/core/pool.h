/* The threads of the process: workers that help a calling thread with a loop (pool.c), or the task system of the host
 * program (weft/hooks.h). All simulations share them. */
#ifndef WEFT_CORE_POOL_H
#define WEFT_CORE_POOL_H

#include <stdbool.h>

#include "weft/hooks.h"

enum { WEFT_POOL_MOST_THREADS = 128 };

/* Work that any number of members can share. A member works until nothing is left to begin. */
typedef void (*weft_pool_function)(void *job, int member);

/* Calls `run(job, 0)` on this thread, and `run(job, m)` for different m < `threads` on others that are free. Returns
 * when all calls that began have ended. There may be fewer than `threads`: a worker that comes late is not waited for.
 */
void weft_pool_run(int threads, weft_pool_function run, void *job);

/* Whether this thread is inside weft_pool_run. It must then not call it again. */
bool weft_pool_is_inside(void);
/* Sets whether it is, and returns what it was. */
bool weft_pool_set_inside(bool now);

/* Number of threads for `threads: 0`: the processors that the process may use, or the threads of the host. */
int weft_pool_processors(void);

/* hosted_tasks.c: the same as weft_pool_run with the host's task system. False when the host has set none. */
bool weft_hosted_tasks_run(int threads, weft_pool_function run, void *job);
/* Threads of the host, or 0 when it has set no task system. */
int weft_hosted_tasks_threads(void);

#endif
