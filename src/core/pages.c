#define _DEFAULT_SOURCE /* madvise */
#include <stdint.h>

#include "core/memory.h"

#if defined(__linux__)
#include <sys/mman.h>
#endif

/* Measured inside a virtual machine, where a miss of the translation buffer walks two tables: one core reads 21 GB/s of
 * small pages and 31 to 35 of large ones, from the last-level cache 72 and 90. An array in the middle of the heap has
 * hardly a whole large page, and pages that were in use before stay small: so arrays begin on a page, and the system
 * takes back what was there. */
enum { PAGE = 1 << 21, SMALLEST = 1 << 20 };

static int renew(void *memory, size_t size) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (madvise(memory, size, MADV_DONTNEED) != 0)
        return 0;
    (void)madvise(memory, size, MADV_HUGEPAGE);
    return 1;
#else
    (void)memory;
    (void)size;
    return 0;
#endif
}

void *weft_allocate_large(size_t count, size_t size) {
    if (count < SMALLEST / size || count > (SIZE_MAX - PAGE) / size)
        return weft_allocate(count, size);
    size_t bytes = (count * size + PAGE - 1) / PAGE * PAGE;
    void *memory = aligned_alloc(PAGE, bytes);
    if (memory && !renew(memory, bytes))
        memset(memory, 0, bytes);
    return memory;
}

void *weft_move_large(void *array, size_t used, size_t size) {
    void *moved = weft_allocate_large(used, size);
    if (!moved)
        return array;
    memcpy(moved, array, used * size);
    free(array);
    return moved;
}
