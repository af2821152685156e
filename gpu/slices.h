/* Rows of the matrix (gpu_slices): their entries, and products with them. */
#ifndef WEFT_GPU_SLICES_H
#define WEFT_GPU_SLICES_H

#include "contact_coupling.h"

#ifdef __CUDA_ARCH__
#define GPU_UNROLL _Pragma("unroll")
#else
#define GPU_UNROLL
#endif

/* -- four floats at once: on the GPU one access of 16 bytes -- */

WEFT_HD void gpu_load_four(const float *from, int64_t i, float *to) {
#ifdef __CUDA_ARCH__
    float4 all = *reinterpret_cast<const float4 *>(from + 4 * i);
    to[0] = all.x;
    to[1] = all.y;
    to[2] = all.z;
    to[3] = all.w;
#else
    for (int c = 0; c < 4; c++)
        to[c] = from[4 * i + c];
#endif
}

WEFT_HD void gpu_store_four(float *to, int64_t i, float a, float b, float c, float d) {
#ifdef __CUDA_ARCH__
    *reinterpret_cast<float4 *>(to + 4 * i) = make_float4(a, b, c, d);
#else
    to[4 * i] = a;
    to[4 * i + 1] = b;
    to[4 * i + 2] = c;
    to[4 * i + 3] = d;
#endif
}

/* The three numbers of u at vertex i. */
WEFT_HD gpu_float3 gpu_load_u(const float *u, int64_t i) {
    float all[4];
    gpu_float3 r;
    gpu_load_four(u, i, all);
    r.x = all[0];
    r.y = all[1];
    r.z = all[2];
    return r;
}

WEFT_HD void gpu_store_u(float *u, int64_t i, gpu_float3 a) { gpu_store_four(u, i, a.x, a.y, a.z, 0); }

/* -- products in float, for the iteration -- */

/* The entries of one row: number c of the block of entry k lies at value[(k floats + c) GPU_SLICE]. */
typedef struct gpu_row {
    const int32_t *column;
    const int16_t *ahead; /* instead of the columns, unless null */
    const float *value;
    int32_t self, entries, floats;
} gpu_row;

WEFT_HD gpu_row gpu_row_of(const gpu_slices *a, int32_t i) {
    int slice = i / GPU_SLICE, lane = i % GPU_SLICE;
    int64_t first = a->base[slice];
    gpu_row row;
    row.column = a->column + first * GPU_SLICE + lane;
    row.ahead = a->ahead ? a->ahead + first * GPU_SLICE + lane : 0;
    row.value = a->value + first * a->floats * GPU_SLICE + lane;
    row.self = i;
    row.entries = a->base[slice + 1] - a->base[slice];
    row.floats = a->floats;
    return row;
}

/* A number that is read once per product. `stream`: it is in global memory and should not displace the vectors in the
 * second-level cache. */
WEFT_HD float gpu_stream(const float *from, int stream) {
#ifdef __CUDA_ARCH__
    if (stream)
        return __ldcs(from);
#endif
    (void)stream;
    return *from;
}

WEFT_HD int32_t gpu_row_column(const gpu_row *a, int32_t k, int stream) {
#ifdef __CUDA_ARCH__
    if (stream)
        return a->ahead ? a->self + __ldcs(a->ahead + k * GPU_SLICE) : __ldcs(a->column + k * GPU_SLICE);
#endif
    (void)stream;
    return a->ahead ? a->self + a->ahead[k * GPU_SLICE] : a->column[k * GPU_SLICE];
}

/* Entries that a thread reads at once, before it uses the first. Most rows have six of each kind, and every round waits
 * for the memory: first for the columns, then for u. More blocks of many floats would need too many registers. */
enum { GPU_FEW = 3, GPU_MANY = 6 };

/* u_j - u_i of `count` entries from k on. `count` is a constant where this is called. */
WEFT_HD void gpu_differences(const gpu_row *a, const float *u, gpu_float3 ui, int32_t k, int count, int stream,
                             gpu_float3 *d) {
    int32_t column[GPU_MANY];
    GPU_UNROLL
    for (int n = 0; n < count; n++)
        column[n] = gpu_row_column(a, k + n, stream);
    GPU_UNROLL
    for (int n = 0; n < count; n++)
        d[n] = gpu_load_u(u, column[n]);
    GPU_UNROLL
    for (int n = 0; n < count; n++) {
        d[n].x -= ui.x;
        d[n].y -= ui.y;
        d[n].z -= ui.z;
    }
}

WEFT_HD void gpu_load_block(const gpu_row *a, int32_t k, int floats, int stream, float *block) {
    GPU_UNROLL
    for (int c = 0; c < floats; c++)
        block[c] = gpu_stream(a->value + (k * floats + c) * GPU_SLICE, stream);
}

/* y += block d */
WEFT_HD void gpu_add_scalar(const float *v, gpu_float3 d, float *y) {
    y[0] += v[0] * d.x;
    y[1] += v[0] * d.y;
    y[2] += v[0] * d.z;
}

WEFT_HD void gpu_add_axial(const float *v, gpu_float3 d, float *y) {
    float along = v[1] * d.x + v[2] * d.y + v[3] * d.z;
    along = v[0] < 0 ? -along : along;
    y[0] += v[0] * d.x + along * v[1];
    y[1] += v[0] * d.y + along * v[2];
    y[2] += v[0] * d.z + along * v[3];
}

WEFT_HD void gpu_add_symmetric(const float *v, gpu_float3 d, float *y) {
    y[0] += v[0] * d.x + v[1] * d.y + v[2] * d.z;
    y[1] += v[1] * d.x + v[3] * d.y + v[4] * d.z;
    y[2] += v[2] * d.x + v[4] * d.y + v[5] * d.z;
}

WEFT_HD void gpu_add_full(const float *v, gpu_float3 d, float *y) {
    y[0] += v[0] * d.x + v[1] * d.y + v[2] * d.z;
    y[1] += v[3] * d.x + v[4] * d.y + v[5] * d.z;
    y[2] += v[6] * d.x + v[7] * d.y + v[8] * d.z;
}

/* Entries from k on, all read before the first is used. `floats` and `count` are constants where this is called. */
WEFT_HD void gpu_add_entries(const gpu_row *a, const float *u, gpu_float3 ui, int32_t k, int floats, int count,
                             int stream, float *y) {
    float v[GPU_MANY][GPU_HEAD];
    gpu_float3 d[GPU_MANY];
    GPU_UNROLL
    for (int n = 0; n < count; n++)
        gpu_load_block(a, k + n, floats, stream, v[n]);
    gpu_differences(a, u, ui, k, count, stream, d);
    GPU_UNROLL
    for (int n = 0; n < count; n++) {
        if (floats == 1)
            gpu_add_scalar(v[n], d[n], y);
        else if (floats == GPU_AXIAL)
            gpu_add_axial(v[n], d[n], y);
        else if (floats == GPU_SYMMETRIC)
            gpu_add_symmetric(v[n], d[n], y);
        else
            gpu_add_full(v[n], d[n], y);
    }
}

WEFT_HD void gpu_add_all(const gpu_row *a, const float *u, gpu_float3 ui, int floats, int batch, int stream, float *y) {
    int32_t k = 0;
    for (; k + batch <= a->entries; k += batch)
        gpu_add_entries(a, u, ui, k, floats, batch, stream, y);
    for (; k < a->entries; k++)
        gpu_add_entries(a, u, ui, k, floats, 1, stream, y);
}

/* The entries of a row times differences of u. */
WEFT_HD void gpu_add_row(const gpu_row *a, const float *u, gpu_float3 ui, int stream, float *y) {
    if (a->floats == 1)
        gpu_add_all(a, u, ui, 1, GPU_MANY, stream, y);
    else if (a->floats == GPU_AXIAL)
        gpu_add_all(a, u, ui, GPU_AXIAL, GPU_MANY, stream, y);
    else if (a->floats == GPU_SYMMETRIC)
        gpu_add_all(a, u, ui, GPU_SYMMETRIC, GPU_FEW, stream, y);
    else
        gpu_add_all(a, u, ui, GPU_HEAD, GPU_FEW, stream, y);
}

/* Row i of A u from its entries, its E, and its own u. */
WEFT_HD gpu_float3 gpu_times_row(const weft_gpu *g, int32_t i, const gpu_row *head, const gpu_row *tail, const float *e,
                                 gpu_float3 ui, int stream) {
    float y[3];
    gpu_float3 w;
    y[0] = y[1] = y[2] = 0;
    gpu_add_row(head, g->u, ui, stream, y);
    gpu_add_row(tail, g->u, ui, stream, y);
    if (g->coupling.terms > 0)
        gpu_add_coupling(g, i, y);
    w.x = y[0] + (e[0] * ui.x + e[1] * ui.y + e[2] * ui.z);
    w.y = y[1] + (e[1] * ui.x + e[3] * ui.y + e[4] * ui.z);
    w.z = y[2] + (e[2] * ui.x + e[4] * ui.y + e[5] * ui.z);
    return w;
}

/* Row i of A u, from global memory. */
WEFT_HD gpu_float3 gpu_row_product(const weft_gpu *g, int32_t i) {
    gpu_row head = gpu_row_of(&g->head, i), tail = gpu_row_of(&g->tail, i);
    float e[6];
    for (int c = 0; c < 6; c++)
        e[c] = gpu_stream(g->excess + (int64_t)c * g->count + i, 1);
    return gpu_times_row(g, i, &head, &tail, e, gpu_load_u(g->u, i), 1);
}

/* -- entries in double -- */

/* The block of an entry, row-major, whatever its form. */
WEFT_HD void gpu_entry_block(const gpu_slices *a, int64_t entry, int lane, double *block) {
    const int symmetric[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
    const float *v = a->value + entry * a->floats * GPU_SLICE + lane;
    if (a->floats == GPU_HEAD) {
        for (int m = 0; m < 9; m++)
            block[m] = (double)v[m * GPU_SLICE];
    } else if (a->floats == GPU_SYMMETRIC) {
        for (int m = 0; m < 9; m++)
            block[m] = (double)v[symmetric[m] * GPU_SLICE];
    } else {
        double axis[3], even = (double)v[0], sign = even < 0 ? -1 : 1;
        for (int c = 0; c < 3; c++)
            axis[c] = a->floats == GPU_AXIAL ? (double)v[(1 + c) * GPU_SLICE] : 0;
        for (int m = 0; m < 9; m++)
            block[m] = (m % 4 == 0 ? even : 0) + sign * axis[m / 3] * axis[m % 3];
    }
}

/* Adds the entries of row i times `vectors` vectors to as many sums. */
WEFT_HD void gpu_add_slice_exactly(const gpu_slices *a, const weft_vec3 *const *x, int vectors, int32_t i,
                                   weft_vec3 *y) {
    int slice = i / GPU_SLICE, lane = i % GPU_SLICE;
    double block[9];
    GPU_GATHER
    for (int32_t e = a->base[slice]; e < a->base[slice + 1]; e++) {
        int32_t j = a->column[(int64_t)e * GPU_SLICE + lane];
        gpu_entry_block(a, e, lane, block);
        for (int n = 0; n < vectors; n++)
            y[n] = gpu_add(y[n], gpu_block_times(block, gpu_sub(x[n][j], x[n][i])));
    }
}

/* Row i of the matrix without terms of contact times each vector, in double. */
WEFT_HD void gpu_rows_exactly(const weft_gpu *g, const weft_vec3 *const *x, int vectors, int32_t i, weft_vec3 *y) {
    const int full[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
    double e[9];
    for (int m = 0; m < 9; m++)
        e[m] = (double)g->excess[(int64_t)full[m] * g->count + i];
    for (int n = 0; n < vectors; n++)
        y[n] = gpu_block_times(e, x[n][i]);
    gpu_add_slice_exactly(&g->head, x, vectors, i, y);
    gpu_add_slice_exactly(&g->tail, x, vectors, i, y);
}

/* Row i of A x in double, for residuals. */
WEFT_HD weft_vec3 gpu_row_exactly(const weft_gpu *g, const weft_vec3 *x, int32_t i) {
    const weft_vec3 *const one[1] = {x};
    weft_vec3 sum;
    double y[3];
    gpu_rows_exactly(g, one, 1, i, &sum);
    y[0] = sum.x;
    y[1] = sum.y;
    y[2] = sum.z;
    if (g->coupling.terms > 0)
        gpu_add_coupling_exactly(g, i, y); /* the loads of x are there already */
    return gpu_vec(y[0], y[1], y[2]);
}

#endif
