/* A growing stack of memory. It allocates in large pieces and gives all of them back at once. Every result is aligned
 * to a cache line. */
#include <stdalign.h>
#include <stdint.h>

#include "core/memory.h"

enum { ALIGNMENT = 64, SMALLEST_PIECE = 1 << 16 };

typedef struct piece {
    struct piece *next;
    size_t size, used;
    void *block; /* the allocation; `memory` is its aligned part */
    unsigned char *memory;
} piece;

struct weft_arena {
    piece *first;       /* the piece being filled */
    size_t total, peak; /* bytes in use now, and their maximum since the arena was last emptied */
    const char *failure;
};

char *weft_copy_text(const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    if (copy)
        memcpy(copy, text, size);
    return copy;
}

static piece *piece_create(size_t size) {
    piece *made = weft_allocate(1, sizeof *made);
    void *block = made ? weft_allocate_large(size + ALIGNMENT, 1) : NULL;
    if (!block) {
        free(made);
        return NULL;
    }
    made->size = size;
    made->block = block;
    made->memory = (unsigned char *)(((uintptr_t)block + ALIGNMENT - 1) & ~(uintptr_t)(ALIGNMENT - 1));
    return made;
}

static void pieces_destroy(piece *first) {
    while (first) {
        piece *next = first->next;
        free(first->block);
        free(first);
        first = next;
    }
}

weft_arena *weft_arena_create(void) { return weft_allocate(1, sizeof(weft_arena)); }

void weft_arena_destroy(weft_arena *arena) {
    if (!arena)
        return;
    pieces_destroy(arena->first);
    free(arena);
}

void weft_arena_empty(weft_arena *arena) {
    arena->failure = NULL;
    if (!arena->first)
        return;
    size_t peak = arena->peak;
    arena->total = arena->peak = 0;
    if (arena->first->next) {
        piece *whole = piece_create(peak);
        if (whole) {
            pieces_destroy(arena->first);
            arena->first = whole;
            return;
        }
        pieces_destroy(arena->first->next);
        arena->first->next = NULL;
    }
    arena->first->used = 0;
}

void *weft_arena_take(weft_arena *arena, size_t bytes, const char *what) {
    if (bytes > SIZE_MAX / 4) {
        arena->failure = what;
        return NULL;
    }
    size_t rounded = (bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    piece *current = arena->first;
    if (!current || current->size - current->used < rounded) {
        piece *made = piece_create(rounded > SMALLEST_PIECE ? rounded : SMALLEST_PIECE);
        if (!made) {
            arena->failure = what;
            return NULL;
        }
        made->next = current;
        arena->first = current = made;
    }
    void *memory = current->memory + current->used;
    current->used += rounded;
    arena->total += rounded;
    arena->peak = arena->total > arena->peak ? arena->total : arena->peak;
    return memory;
}

weft_arena_mark weft_arena_here(const weft_arena *arena) {
    return (weft_arena_mark){arena->first, arena->first ? arena->first->used : 0};
}

void weft_arena_release(weft_arena *arena, weft_arena_mark mark) {
    for (piece *p = arena->first; p; p = p->next) {
        size_t kept = p == mark.piece ? mark.used : 0;
        arena->total -= p->used - kept;
        p->used = kept;
        if (p == mark.piece)
            return;
    }
}

const char *weft_arena_failure(const weft_arena *arena) { return arena->failure; }
