/* Sequential output of floats that are not read again soon: streaming stores of whole cache lines, past the cache. */
#ifndef WEFT_SOLVE_STREAMED_LINES_H
#define WEFT_SOLVE_STREAMED_LINES_H

#include <stddef.h>
#include <stdint.h>

enum { WEFT_LINE = 16 }; /* floats per cache line */

typedef struct weft_lines {
    float *to;     /* destination of the first waiting float, or else of the next one */
    float *wait;   /* buffer of floats that wait for a whole line; null: floats are written at once */
    int32_t count; /* of waiting floats, fewer than a line */
} weft_lines;

/* `room` holds the most floats added at a time, plus one line. Null: floats are written to `to` at once. */
static inline void weft_lines_begin(weft_lines *lines, float *to, float *room) { *lines = (weft_lines){to, room, 0}; }

/* Where the caller writes the next floats. */
static inline float *weft_lines_next(const weft_lines *lines) {
    return lines->wait ? lines->wait + lines->count : lines->to;
}

/* weft_lines_add: the caller wrote `count` floats there. weft_lines_end: no more follow. Other threads see them after
 * this thread calls weft_lines_fence. */
void weft_lines_add(weft_lines *lines, int32_t count);
void weft_lines_end(weft_lines *lines);
void weft_lines_fence(void);

#endif
