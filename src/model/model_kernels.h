/* Fast paths that the built-in models offer beyond weft_model_functions. Layouts are those of the kernels in single
 * precision and may change with them, so that they are not part of the public API. */
#ifndef WEFT_MODEL_MODEL_KERNELS_H
#define WEFT_MODEL_MODEL_KERNELS_H

#include "weft/model.h"

/* Limits of element_sums: elements per call, the multiple to which room for them is rounded up, floats of the record of
 * a pair, and floats of the record of WEFT_TENSOR_PAIRS pairs where a list has tensors. */
enum { WEFT_SUMS_MAX = 64, WEFT_SUMS_ROOM = 16, WEFT_PAIR_FLOATS = 12, WEFT_TENSOR_FLOATS = 16, WEFT_TENSOR_PAIRS = 8 };

/* Matrix rows of a model whose elements are pairs of vertices. Each pair stands in two rows. */
typedef struct weft_pair_rows {
    int32_t count;                   /* of rows */
    int32_t first;                   /* vertex of the first row */
    const int32_t *start;            /* first block of each row, from 0 on (count + 1) */
    const int32_t *element, *column; /* of each block: its element, and its other vertex (start[count]) */
    const double (*place)[8];        /* x, 0, u, 0 of each vertex, numbered as `first` and `column` are */
    double h;                        /* s */
} weft_pair_rows;

/* Sums over the blocks of a row. */
typedef struct weft_pair_sum {
    double last[4]; /* zz; then the stiffness times u[column] - u[row] */
    float first[8]; /* xx xy xz xy yy yz xz yz */
} weft_pair_sum;

/* Receives the forces on `count` vertices from `first` on, N; f[0] is that on `first`. Each block of at most WEFT_BLOCK
 * vertices is visited by one thread and always in the same order, so that sums over a block do not depend on the number
 * of threads. */
typedef void (*weft_force_sink)(void *context, int32_t block, int32_t first, int32_t count, weft_vec3 *f);
/* Fills in positions, m, and velocities, m/s, of these vertices. */
typedef void (*weft_place_source)(void *context, int32_t first, int32_t count, weft_vec3 *x, weft_vec3 *v);

/* Arrays over vertices that are worth prefetching; unused entries are null. */
typedef struct weft_prefetch {
    const weft_vec3 *vector[3];
    const float *triple[6]; /* three floats per vertex */
    const double *number[2];
} weft_prefetch;

/* How a model adds its forces to others while a block of vertices is in the cache. `begin` sets f to the other forces,
 * `end` receives the sums. Both are called once for every vertex, in any order and in parallel. `place`, unless null,
 * gives positions and velocities instead of x and v. */
typedef struct weft_force_stream {
    weft_force_sink begin, end;
    weft_place_source place;
    void *context;
    weft_prefetch prefetch;
} weft_force_stream;

struct weft_model_kernels {
    /* The same forces as weft_model_functions.force, block by block. For models that can finish some vertices before
     * others. Returns 0, with nothing called, when this one cannot. */
    int (*stream_force)(const void *self, const weft_work *work, const weft_vec3 *x, const weft_vec3 *v,
                        const weft_force_stream *stream);
    /* The blocks as an implicit step of length h adds them up, h^2 stiffness + h damping in single precision, for up to
     * WEFT_SUMS_MAX elements. `place` holds x, 0, u, 0 of each vertex.
     * A plain list gives a record for each pair, in the order 01 02 .. 12 ..: its block, row-major, and for the pairs
     * of vertex 0 the stiffness times u at the other vertex (count x pairs x WEFT_PAIR_FLOATS). The product at vertex 0
     * is minus their sum.
     * A list of tensors gives a record for each WEFT_TENSOR_PAIRS pairs or fewer: xx xy xz yy yz zz, the stiffness, 0,
     * and the weights of these pairs (WEFT_TENSOR_FLOATS).
     * `record` has room for the next multiple of WEFT_SUMS_ROOM elements. When the function is null or returns 0, which
     * it may not for tensors, the caller uses element_blocks. */
    int (*element_sums)(const void *self, int32_t list, const int32_t *element, int32_t count, const double (*place)[8],
                        double h, float *record);
    /* For a model whose elements are one list of pairs with forces along them: each block
     * h^2 stiffness + h damping = -(s s^T + c 1) as s and c >= 0 in single precision (start[count] x 4), and the sums
     * over the rows (count). */
    void (*pair_rows)(const void *self, const weft_pair_rows *rows, float *block, weft_pair_sum *sum);
};

#endif
