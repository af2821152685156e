/* The linker redirects malloc, calloc and realloc of the tested code to these wrappers. They count the calls and can
 * make one of them fail. */
#ifndef WEFT_TESTS_FAILING_MALLOC_H
#define WEFT_TESTS_FAILING_MALLOC_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "weft/base.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);

static long allocations;  /* since the counter was last reset */
static long failing = -1; /* index of the allocation that fails; -1: none */

/* The state of sweep_by_fork. */
static long stride;      /* each so many allocations fork; 0: none */
static int is_fork;      /* this process is a fork, in which one allocation failed */
static long first_wrong; /* the first allocation whose fork did not end well; -1: none */

/* Continues twice: the new process sees the allocation fail; this one waits for its end and sees it succeed. */
static inline int fails_in_fork(long index) {
    int status = 0;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        is_fork = 1;
        stride = 0;
        return 1;
    }
    if ((child < 0 || waitpid(child, &status, 0) != child || status != 0) && first_wrong < 0)
        first_wrong = index;
    return 0;
}

static int fails(void) {
    long index = allocations++;
    return stride > 0 && index % stride == 0 ? fails_in_fork(index) : index == failing;
}

void *__wrap_malloc(size_t size) { return fails() ? NULL : __real_malloc(size); }

void *__wrap_calloc(size_t count, size_t size) { return fails() ? NULL : __real_calloc(count, size); }

void *__wrap_realloc(void *memory, size_t size) { return fails() ? NULL : __real_realloc(memory, size); }

/* Makes each allocation of a job fail in turn. The job must report each failure, and must succeed before and after the
 * sweep. */
static inline void sweep_job(weft_result (*job)(void)) {
    assert_int_equal(job().code, WEFT_OK);
    for (failing = 0;; failing++) {
        allocations = 0;
        weft_result result = job();
        if (allocations <= failing)
            break;
        assert_int_equal(result.code, WEFT_NO_MEMORY);
    }
    assert_true(failing > 0);
    failing = -1;
    assert_int_equal(job().code, WEFT_OK);
}

#ifdef __SANITIZE_ADDRESS__
int __lsan_do_recoverable_leak_check(void);
static inline int leaks(void) { return __lsan_do_recoverable_leak_check(); }
#else
static inline int leaks(void) { return 0; }
#endif

/* Like sweep_job, for long jobs: the process is forked at each allocation (or at each `every` of them), and only the
 * fork sees it fail. So nothing before the allocation is repeated. The job uses one thread, because a fork has no
 * others. It may succeed where the allocation was not needed. Prints and returns the number of allocations. */
static inline long sweep_by_fork(weft_result (*job)(void), long every) {
    allocations = 0;
    first_wrong = -1;
    stride = every;
    weft_result result = job();
    if (is_fork) {
        if (result.code != WEFT_OK && result.code != WEFT_NO_MEMORY)
            fprintf(stderr, "%s\n", result.message);
        _exit((result.code != WEFT_OK && result.code != WEFT_NO_MEMORY) || leaks());
    }
    stride = 0;
    assert_int_equal(result.code, WEFT_OK);
    if (first_wrong >= 0)
        fail_msg("allocation %ld failed, and what followed went wrong: see above", first_wrong);
    print_message("%ld allocations, each %ld failed once\n", allocations, every);
    return allocations;
}

#endif
