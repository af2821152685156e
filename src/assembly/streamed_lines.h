/* Floats that are written one after the other and not read again soon: whole lines, past the cache. */
#ifndef WEFT_ASSEMBLY_STREAMED_LINES_H
#define WEFT_ASSEMBLY_STREAMED_LINES_H

#include <stddef.h>
#include <stdint.h>

enum { WEFT_LINE = 16 }; /* floats of a line of the cache */

typedef struct weft_lines {
    float *to;     /* where the next of them belongs, or the first that waits */
    float *wait;   /* floats on their way to memory; null: they are written at once */
    int32_t count; /* of those that wait, fewer than a line */
} weft_lines;

/* `room`: for what is added at a time, and a line more; null: nothing is to wait. */
static inline void weft_lines_begin(weft_lines *lines, float *to, float *room) { *lines = (weft_lines){to, room, 0}; }

/* Where the next floats go. */
static inline float *weft_lines_next(const weft_lines *lines) {
    return lines->wait ? lines->wait + lines->count : lines->to;
}

/* Floats have been put there; and there will be no more. Other threads see them after a fence by this one. */
void weft_lines_add(weft_lines *lines, int32_t count);
void weft_lines_end(weft_lines *lines);
void weft_lines_fence(void);

#endif
