/* The allocator of the process. */
#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocator.h"

static weft_allocator current; /* all null: malloc and free */

void weft_allocator_set(const weft_allocator *allocator) {
    current = allocator ? *allocator : (weft_allocator){.context = NULL};
}

int weft_allocator_is_default(void) { return current.allocate == NULL; }

void *weft_memory_allocate(size_t size) {
    return current.allocate ? current.allocate(current.context, alignof(max_align_t), size > 0 ? size : 1)
                            : malloc(size);
}

void *weft_memory_zeroed(size_t count, size_t size) {
    if (!current.allocate)
        return calloc(count, size);
    if (size > 0 && count > SIZE_MAX / size)
        return NULL;
    void *memory = weft_memory_allocate(count * size);
    if (memory)
        memset(memory, 0, count * size);
    return memory;
}

void *weft_memory_resize(void *memory, size_t size) {
    return current.allocate ? current.resize(current.context, memory, size > 0 ? size : 1) : realloc(memory, size);
}

void *weft_memory_aligned(size_t alignment, size_t size) {
    return current.allocate ? current.allocate(current.context, alignment, size) : aligned_alloc(alignment, size);
}

void weft_memory_free(void *memory) {
    if (!current.allocate)
        free(memory);
    else if (memory)
        current.release(current.context, memory);
}
