/* Rows of the matrix and of the right-hand side on their way to memory, one after the other. */
#ifndef WEFT_ASSEMBLY_ROW_SINK_H
#define WEFT_ASSEMBLY_ROW_SINK_H

#include "assembly/assemble.h"
#include "assembly/streamed_lines.h"
#include "weft/vec.h"

/* Where a vertex is and how far it is predicted to move: x, 0, u, 0. */
typedef double weft_place[8];

static inline void weft_place_find(const weft_assembly *a, int64_t i, double *to) {
    weft_vec3 x = a->x[i], u = {0, 0, 0};
    if (a->moved)
        u = weft_sub(weft_add_scaled(a->X[i], a->h, a->v[i]), x);
    to[0] = x.x, to[1] = x.y, to[2] = x.z, to[3] = 0;
    to[4] = u.x, to[5] = u.y, to[6] = u.z, to[7] = 0;
}

enum {
    WEFT_SINK_BLOCKS = 128,                             /* at most at a time: they stay in the nearest cache */
    WEFT_SINK_ROWS = 32,                                /* likewise */
    WEFT_SINK_VALUES = WEFT_BSR_FULL * WEFT_SINK_BLOCKS /* floats of these blocks */
};

typedef struct weft_row_sink {
    const weft_assembly *assembly;
    int32_t row;                           /* the next one to be finished */
    weft_lines value, diagonal, excess, b; /* b: of doubles, two floats each */
    _Alignas(64) float value_room[WEFT_SINK_VALUES + WEFT_LINE];
    _Alignas(64) float diagonal_room[9 * WEFT_SINK_ROWS + WEFT_LINE];
    _Alignas(64) float excess_room[9 * WEFT_SINK_ROWS + WEFT_LINE];
    _Alignas(64) float b_room[6 * WEFT_SINK_ROWS + WEFT_LINE];
} weft_row_sink;

void weft_row_sink_begin(weft_row_sink *sink, const weft_assembly *assembly, int32_t row);
/* Others see what was written after weft_lines_fence. */
void weft_row_sink_end(weft_row_sink *sink);

/* Finishes the next rows, which the sums of their blocks are given for: excess, diagonal and right-hand side. */
void weft_row_sink_add(weft_row_sink *sink, const weft_pair_sum *sum, int32_t rows);

#endif
