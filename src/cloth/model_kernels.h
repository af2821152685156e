/* Fast paths of the built-in models beyond weft_model_functions. The memory layouts are those of the single-precision
 * kernels and may change with them. They are therefore not part of the public API. */
#ifndef WEFT_CLOTH_MODEL_KERNELS_H
#define WEFT_CLOTH_MODEL_KERNELS_H

#include "cloth/device_elements.h"
#include "weft/model.h"

/* Sizes for element_sums:
 *   WEFT_SUMS_MAX       most elements per call
 *   WEFT_SUMS_ROOM      room for elements is rounded up to a multiple of this
 *   WEFT_PAIR_FLOATS    floats in the record of a pair
 *   WEFT_TENSOR_FLOATS  floats in the record of WEFT_TENSOR_PAIRS pairs of a tensor list */
enum { WEFT_SUMS_MAX = 64, WEFT_SUMS_ROOM = 16, WEFT_PAIR_FLOATS = 12, WEFT_TENSOR_FLOATS = 16, WEFT_TENSOR_PAIRS = 8 };

/* Matrix rows of a model whose elements are pairs of vertices. Each pair has a block in two rows. */
typedef struct weft_pair_rows {
    int32_t count;                   /* number of rows */
    int32_t first;                   /* vertex of the first row */
    const int32_t *start;            /* first block of each row, counted from 0 (count + 1) */
    const int32_t *element, *column; /* element and other vertex of each block (start[count]) */
    const double (*place)[8];        /* x, 0, u, 0 of each vertex, numbered as `first` and `column` are */
    double h;                        /* s */
} weft_pair_rows;

/* Sums over the blocks of a row. */
typedef struct weft_pair_sum {
    double last[4]; /* zz; then the stiffness times u[column] - u[row] */
    float first[8]; /* xx xy xz xy yy yz xz yz */
} weft_pair_sum;

/* The most vertices at a time in a stream of forces. */
enum { WEFT_STREAM_BLOCK = 1024 };

/* Receives the forces on `count` vertices from `first` on, N. f[0] is the force on vertex `first`. Each block of at
 * most WEFT_STREAM_BLOCK vertices is visited by one thread and always in the same order. Sums over a block therefore do
 * not depend on the number of threads. */
typedef void (*weft_force_sink)(void *context, int32_t block, int32_t first, int32_t count, weft_vec3 *f);
/* Fills in the positions, m, and velocities, m/s, of these vertices. */
typedef void (*weft_place_source)(void *context, int32_t first, int32_t count, weft_vec3 *x, weft_vec3 *v);

/* Arrays over vertices to prefetch. Unused entries are null. */
typedef struct weft_prefetch {
    const weft_vec3 *vector[3];
    const float *triple[6]; /* three floats per vertex */
    const double *number[2];
} weft_prefetch;

/* Lets a model add its forces to the others while a block of vertices is in the cache. `begin` sets f to the other
 * forces, and `end` receives the sums. Both are called once for every vertex, in any order and in parallel. If `place`
 * is not null, it provides positions and velocities instead of x and v. */
typedef struct weft_force_stream {
    weft_force_sink begin, end;
    weft_place_source place;
    void *context;
    weft_prefetch prefetch;
} weft_force_stream;

struct weft_model_kernels {
    /* Computes the same forces as weft_model_functions.force, block by block. For models that can finish some vertices
     * before others. Returns 0 without calling anything if this model cannot. */
    int (*stream_force)(const void *self, const weft_work *work, const weft_vec3 *x, const weft_vec3 *v,
                        const weft_force_stream *stream);
    /* Computes the matrix blocks of an implicit step of length h, h^2 stiffness + h damping, in single precision, for
     * up to WEFT_SUMS_MAX elements. `place` holds x, 0, u, 0 of each vertex.
     *
     * A plain list gives one record for each pair, in the order 01 02 .. 12 .. (count x pairs x WEFT_PAIR_FLOATS). A
     * record holds the block, row-major. For the pairs of vertex 0 it also holds the stiffness times u at the other
     * vertex. The product at vertex 0 is minus their sum.
     *
     * A tensor list gives one record for up to WEFT_TENSOR_PAIRS pairs (WEFT_TENSOR_FLOATS): xx xy xz yy yz zz, the
     * stiffness, 0, and the weights of these pairs.
     *
     * `record` has room for the count rounded up to a multiple of WEFT_SUMS_ROOM. If the function is null or returns 0,
     * the caller uses element_blocks. It must not return 0 for tensors. */
    int (*element_sums)(const void *self, int32_t list, const int32_t *element, int32_t count, const double (*place)[8],
                        double h, float *record);
    /* For a model whose elements are one list of pairs with forces along them. Writes each block h^2 stiffness + h
     * damping = -(s s^T + c 1) as s and c >= 0 in single precision (start[count] x 4), and the sums over each row
     * (count). */
    void (*pair_rows)(const void *self, const weft_pair_rows *rows, float *block, weft_pair_sum *sum);
    /* Fills in what the model knows of the material, and appends its elements to the lists. `first` is added to its
     * vertices, and `number` is that of the material. Null if no device knows the model. */
    void (*describe)(const void *self, int32_t first, int32_t number, weft_device_material *material,
                     weft_device_lists *lists);
};

#endif
