/* Allocation helpers of the engine. */
#ifndef WEFT_CORE_MEMORY_H
#define WEFT_CORE_MEMORY_H

#include <stdlib.h>
#include <string.h>

#include "weft/work.h"

/* Cleared; null for a product that overflows or when memory is out. A count of 0 gives one element, so that null
 * always means failure. */
static inline void *weft_allocate(size_t count, size_t size) { return calloc(count > 0 ? count : 1, size); }

/* The same for arrays that are streamed: those of 1 MB and more get whole pages of 2 MB, where the system has them. */
void *weft_allocate_large(size_t count, size_t size);
/* Moves `used` elements of an array of weft_allocate to one of weft_allocate_large; the old one is gone. Without memory
 * it stays where it is. */
void *weft_move_large(void *array, size_t used, size_t size);

/* A copy owned by the caller; null when memory is out. */
char *weft_copy_text(const char *text);

weft_arena *weft_arena_create(void);
void weft_arena_destroy(weft_arena *arena);
/* Forgets all that was taken. When the last round did not fit one piece, makes one that does. */
void weft_arena_empty(weft_arena *arena);
/* Where the arena stands; release forgets what was taken since. */
typedef struct weft_arena_mark {
    void *piece;
    size_t used;
} weft_arena_mark;
weft_arena_mark weft_arena_here(const weft_arena *arena);
void weft_arena_release(weft_arena *arena, weft_arena_mark mark);
/* What could not be given since the arena was last emptied, or null. */
const char *weft_arena_failure(const weft_arena *arena);

#endif
