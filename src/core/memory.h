/* Allocation helpers of the engine. */
#ifndef WEFT_CORE_MEMORY_H
#define WEFT_CORE_MEMORY_H

#include <stdlib.h>
#include <string.h>

#include "core/allocator.h"
#include "weft/work.h"

/* The engine allocates with the allocator of the process. All its files that allocate include this header. */
#define malloc(size)                   weft_memory_allocate(size)
#define calloc(count, size)            weft_memory_zeroed(count, size)
#define realloc(memory, size)          weft_memory_resize(memory, size)
#define aligned_alloc(alignment, size) weft_memory_aligned(alignment, size)
#define free(memory)                   weft_memory_free(memory)

/* Returns zeroed memory, or null when the product overflows or memory runs out. A count of 0 allocates one element, so
 * null always means failure. */
static inline void *weft_allocate(size_t count, size_t size) { return calloc(count > 0 ? count : 1, size); }

/* The same for arrays that are streamed. Arrays of 1 MB and more are placed on huge pages of 2 MB where the system has
 * them. */
void *weft_allocate_large(size_t count, size_t size);
/* Moves the first `used` elements of an array from weft_allocate to one from weft_allocate_large, and frees the old
 * array. Returns the old array when out of memory. */
void *weft_move_large(void *array, size_t used, size_t size);

/* Returns a copy that the caller owns, or null when out of memory. */
char *weft_copy_text(const char *text);

weft_arena *weft_arena_create(void);
void weft_arena_destroy(weft_arena *arena);
/* Releases everything. If the last round needed several pieces, replaces them by one that is large enough. */
void weft_arena_empty(weft_arena *arena);
/* A position in the arena. weft_arena_release frees everything that was taken after the mark. */
typedef struct weft_arena_mark {
    void *piece;
    size_t used;
} weft_arena_mark;
weft_arena_mark weft_arena_here(const weft_arena *arena);
void weft_arena_release(weft_arena *arena, weft_arena_mark mark);
/* The name of the allocation that failed since the arena was last emptied, or null. */
const char *weft_arena_failure(const weft_arena *arena);

#endif
