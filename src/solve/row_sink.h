/* Sequential output of matrix rows and of the right-hand side. */
#ifndef WEFT_SOLVE_ROW_SINK_H
#define WEFT_SOLVE_ROW_SINK_H

#include "solve/assemble.h"
#include "solve/streamed_lines.h"
#include "weft/vec.h"

/* Position and predicted displacement of a vertex: x, 0, u, 0. */
typedef double weft_place[8];

static inline void weft_place_find(const weft_assembly *a, int64_t i, double *to) {
    weft_vec3 x = a->x[i], u = {0, 0, 0};
    if (a->moved)
        u = weft_sub(weft_add_scaled(a->X[i], a->h, a->v[i]), x);
    to[0] = x.x, to[1] = x.y, to[2] = x.z, to[3] = 0;
    to[4] = u.x, to[5] = u.y, to[6] = u.z, to[7] = 0;
}

enum {
    WEFT_SINK_BLOCKS = 128,                             /* at a time at most: they stay in the first-level cache */
    WEFT_SINK_ROWS = 32,                                /* likewise */
    WEFT_SINK_VALUES = WEFT_BSR_FULL * WEFT_SINK_BLOCKS /* floats of these blocks */
};

typedef struct weft_row_sink {
    const weft_assembly *assembly;
    int32_t row;                           /* the next row */
    weft_lines value, diagonal, excess, b; /* b: doubles, as two floats each */
    _Alignas(64) float value_room[WEFT_SINK_VALUES + WEFT_LINE];
    _Alignas(64) float diagonal_room[9 * WEFT_SINK_ROWS + WEFT_LINE];
    _Alignas(64) float excess_room[9 * WEFT_SINK_ROWS + WEFT_LINE];
    _Alignas(64) float b_room[6 * WEFT_SINK_ROWS + WEFT_LINE];
} weft_row_sink;

void weft_row_sink_begin(weft_row_sink *sink, const weft_assembly *assembly, int32_t row);
/* Other threads see the rows after weft_lines_fence. */
void weft_row_sink_end(weft_row_sink *sink);

/* Finishes the next rows from the sums of their blocks: excess, diagonal and right-hand side. */
void weft_row_sink_add(weft_row_sink *sink, const weft_pair_sum *sum, int32_t rows);

#endif
