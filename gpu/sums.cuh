/* Sums over a block of threads and over blocks, in the order of execute_host.c: by halving strides. */
#ifndef WEFT_GPU_SUMS_CUH
#define WEFT_GPU_SUMS_CUH

#include "gpu.h"

namespace {

struct block_sums {
    double value[GPU_SUMS][GPU_BLOCK];
    double total[GPU_SUMS];
};

static_assert(GPU_BLOCK == 128 && GPU_SUMS <= 4 && GPU_SPREAD == 1024,
              "a warp halves four times 32 values, one warp for each sum; a thread adds eight classes");

/* Sums each value over the block; total[m] holds the results. Strides 64 and 32, then those within a warp. */
__device__ inline void halve(block_sums *sums, const double *term) {
    const int lane = threadIdx.x % 32, m = threadIdx.x / 32;
    for (int k = 0; k < GPU_SUMS; k++)
        sums->value[k][threadIdx.x] = term[k];
    __syncthreads();
    if (m < GPU_SUMS) {
        const double *v = sums->value[m] + lane;
        double sum = (v[0] + v[64]) + (v[32] + v[96]);
        for (int stride = 16; stride > 0; stride /= 2)
            sum += __shfl_down_sync(0xffffffffu, sum, stride);
        if (lane == 0)
            sums->total[m] = sum;
    }
}

/* The terms of one item of a block of items become sums of the block. Bit m of `which`: sum m is stored. */
__device__ inline void store_partial(block_sums *sums, const double *term, double *partial, int32_t block, int which) {
    const int m = threadIdx.x / 32;
    halve(sums, term);
    if (threadIdx.x % 32 == 0 && m < GPU_SUMS && (which >> m & 1))
        partial[GPU_SUMS * (int64_t)block + m] = sums->total[m];
}

/* Sums the blocks. `sum` gets the result in every thread. Other blocks may have just written `partial`. */
__device__ inline void sum_partials(block_sums *sums, const double *partial, int32_t blocks, double *sum) {
    const int own_classes = GPU_SPREAD / GPU_BLOCK;
    double own[GPU_SUMS], of[GPU_SUMS][own_classes] = {};
    for (int32_t k = threadIdx.x; k < blocks; k += GPU_SPREAD) /* all numbers of a round are read at once */
#pragma unroll
        for (int c = 0; c < own_classes; c++)
#pragma unroll
            for (int m = 0; m < GPU_SUMS; m++)
                if (k + c * GPU_BLOCK < blocks)
                    of[m][c] += __ldcg(partial + GPU_SUMS * (int64_t)(k + c * GPU_BLOCK) + m);
#pragma unroll
    for (int m = 0; m < GPU_SUMS; m++)
        own[m] = ((of[m][0] + of[m][4]) + (of[m][2] + of[m][6])) + ((of[m][1] + of[m][5]) + (of[m][3] + of[m][7]));
    halve(sums, own);
    __syncthreads();
    for (int m = 0; m < GPU_SUMS; m++)
        sum[m] = sums->total[m];
}

} // namespace

#endif
