/* Memory from the allocator of the process (weft/hooks.h). core/memory.h makes malloc and its relatives call these. */
#ifndef WEFT_CORE_ALLOCATOR_H
#define WEFT_CORE_ALLOCATOR_H

#include "weft/hooks.h"

int weft_allocator_is_default(void);
void *weft_memory_zeroed(size_t count, size_t size);
void *weft_memory_resize(void *memory, size_t size);
void *weft_memory_aligned(size_t alignment, size_t size);

#endif
