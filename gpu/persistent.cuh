/* All iterations of conjugate gradients in one cooperative kernel, for meshes whose rows all have a thread of their own
 * at once. Vectors stay in registers, and the matrix in shared memory as far as it fits; u alone is exchanged through
 * the second-level cache. The order of sums is that of the separate kernels. */
#ifndef WEFT_GPU_PERSISTENT_CUH
#define WEFT_GPU_PERSISTENT_CUH

#include <cooperative_groups.h>

#include "kernels_pcg.h"
#include "resident.h"
#include "sums.cuh"

namespace {

/* Copies the entries of the block's slices to shared memory if there is room. Returns where, or null. */
template <typename T>
__device__ T *stage(const T *from, int64_t begin, int64_t count, char *shared, int32_t *used, int32_t room) {
    int32_t bytes = (int32_t)(count * sizeof(T));
    if (*used + bytes > room)
        return nullptr;
    T *to = reinterpret_cast<T *>(shared + *used);
    *used += bytes;
    for (int64_t k = threadIdx.x; k < count; k += GPU_BLOCK)
        to[k] = from[begin + k];
    return to;
}

/* The row of a thread, in shared memory where it fits. All threads of the block call this. */
__device__ inline gpu_row stage_row(const gpu_slices *a, int32_t slices, int32_t i, char *shared, int32_t *used,
                                    int32_t room) {
    const int per_block = GPU_BLOCK / GPU_SLICE;
    int32_t first = blockIdx.x * per_block, last = min(first + per_block, slices), slice = i / GPU_SLICE;
    int64_t begin = (int64_t)a->base[first] * GPU_SLICE, count = (int64_t)a->base[last] * GPU_SLICE - begin;
    gpu_row row = {nullptr, nullptr, nullptr, i, 0, a->floats};
    const float *value = stage(a->value, begin * a->floats, count * a->floats, shared, used, room);
    const int16_t *ahead = a->ahead ? stage(a->ahead, begin, count, shared, used, room) : nullptr;
    const int32_t *column = a->ahead ? nullptr : stage(a->column, begin, count, shared, used, room);
    if (slice >= slices)
        return row;
    row = gpu_row_of(a, i);
    int64_t skipped = (int64_t)(a->base[slice] - a->base[first]) * GPU_SLICE;
    if (value)
        row.value = value + skipped * a->floats + i % GPU_SLICE;
    if (ahead)
        row.ahead = ahead + skipped + i % GPU_SLICE;
    if (column)
        row.column = column + skipped + i % GPU_SLICE;
    return row;
}

/* Five blocks per processor leave 102 registers to a thread. */
__global__ void __launch_bounds__(GPU_BLOCK, 5) run_persistent(const weft_gpu g, int32_t room) {
    extern __shared__ __align__(16) char shared[];
    __shared__ block_sums sums;
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    const int32_t blocks = gridDim.x, slices = (g.count + GPU_SLICE - 1) / GPU_SLICE;
    const int32_t i = blockIdx.x * GPU_BLOCK + threadIdx.x;
    const bool real = i < g.count, moves = real && !g.held[i];
    int32_t used = 0;
    gpu_row head = stage_row(&g.head, slices, i, shared, &used, room);
    gpu_row tail = stage_row(&g.tail, slices, i, shared, &used, room);
    gpu_pcg scalars = g.numbers->pcg;
    weft_vec3 dv = {};
    gpu_float3 r = {}, p = {}, s = {}, u = {}, w = {};
    float inverse[6] = {}, excess[6] = {};
    if (real) {
        dv = g.dv[i];
        r = g.r[i];
        u = gpu_load_u(g.u, i);
        gpu_load_inverse(&g, i, inverse);
        for (int c = 0; c < 6; c++)
            excess[c] = g.excess[(int64_t)c * g.count + i];
    }
    __syncthreads();
    while (scalars.status == GPU_PCG_RUNS) {
        double term[GPU_SUMS] = {0, 0, 0}, sum[GPU_SUMS];
        if (g.coupling.terms > 0) {
            for (int32_t k = i; k < g.coupling.terms; k += gridDim.x * GPU_BLOCK)
                gpu_contact_load(&g, k);
            grid.sync();
        }
        if (moves)
            w = gpu_times_row(&g, i, &head, &tail, excess, u, 0);
        gpu_product_term(u, w, term);
        gpu_residual_terms(r, u, term);
        store_partial(&sums, term, g.partial, blockIdx.x, 7);
        grid.sync();
        sum_partials(&sums, g.partial, blocks, sum);
        gpu_pcg_turn(&g, &scalars, sum); /* every thread by itself, from the same sums */
        if (scalars.status != GPU_PCG_RUNS)
            break;
        gpu_advance_row(&scalars, u, w, &p, &s, &r);
        dv = gpu_advance_dv(dv, scalars.alpha, p);
        u = gpu_jacobi(inverse, r);
        if (real)
            gpu_store_u(g.u, i, u);
        grid.sync();
    }
    if (real) {
        g.dv[i] = dv;
        g.r[i] = r;
    }
    scalars.pending = 0;
    if (i == 0)
        g.numbers->pcg = scalars;
}

inline int count_persistent(const void *, int32_t bytes) {
    int blocks = 0;
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, run_persistent, GPU_BLOCK, (size_t)bytes) ==
                   cudaSuccess
               ? blocks
               : 0;
}

/* A GPU that cannot run the kernel uses the separate ones. */
inline gpu_resident persistent_resident(int number) {
    gpu_resident r = {};
    cudaFuncAttributes kernel;
    int cooperative = 0, processors = 0, most = 0;
    if (cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, number) == cudaSuccess && cooperative &&
        cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, number) == cudaSuccess &&
        cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, number) == cudaSuccess &&
        cudaFuncGetAttributes(&kernel, run_persistent) == cudaSuccess) {
        most -= (int)kernel.sharedSizeBytes;
        if (cudaFuncSetAttribute(run_persistent, cudaFuncAttributeMaxDynamicSharedMemorySize, most) == cudaSuccess)
            r = gpu_resident_of(processors, most, count_persistent, nullptr);
    }
    cudaGetLastError();
    return r;
}

inline cudaError_t launch_persistent(weft_gpu g, int32_t room, cudaStream_t stream) {
    void *arguments[] = {&g, &room};
    return cudaLaunchCooperativeKernel((const void *)run_persistent, dim3(gpu_blocks(g.count)), dim3(GPU_BLOCK),
                                       arguments, (size_t)room, stream);
}

} // namespace

#endif
