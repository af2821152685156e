/* The linker redirects malloc, calloc and realloc of the tested code to these wrappers. They count the calls and can
 * make one of them fail. */
#ifndef WEFT_TESTS_FAILING_MALLOC_H
#define WEFT_TESTS_FAILING_MALLOC_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

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

static int fails(void) { return allocations++ == failing; }

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

#endif
