/* The linker sends malloc, calloc and realloc of the tested code here: counted, and one of them made to fail. */
#ifndef WEFT_TESTS_FAILING_MALLOC_H
#define WEFT_TESTS_FAILING_MALLOC_H

#include <stddef.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);

static long allocations;  /* since the counter was last reset */
static long failing = -1; /* the allocation that fails; -1: none */

static int fails(void) { return allocations++ == failing; }

void *__wrap_malloc(size_t size) { return fails() ? NULL : __real_malloc(size); }

void *__wrap_calloc(size_t count, size_t size) { return fails() ? NULL : __real_calloc(count, size); }

void *__wrap_realloc(void *memory, size_t size) { return fails() ? NULL : __real_realloc(memory, size); }

#endif
