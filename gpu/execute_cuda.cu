/* Runs the kernels on the GPU. Every launch goes to one stream, so kernels follow each other without further care.
 * Copies to the host have a stream of their own and wait for the kernels before them. */
#include <cuda_runtime.h>

#include <cub/cub.cuh>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "contact_kernels.h"
#include "execute.h"
#include "kernels_matrix.h"
#include "kernels_schwarz.h"
#include "kernels_step.h"
#include "persistent.cuh"

int gpu_cuda_separate_kernels;

/* Parameters of a kernel have at most 4096 bytes on all GPUs. */
static_assert(sizeof(weft_gpu) <= 4000, "weft_gpu is passed by value");

namespace {

/* Iterations that are queued at once. The host looks whether they have ended while the next ones run. */
const int32_t QUEUED = 16;

struct Executor {
    int number;
    gpu_resident resident; /* blocks of the persistent kernel */
    cudaStream_t work, copies;
    cudaEvent_t ready, done[WEFT_DEVICE_COPIES];
    cudaEvent_t begun, ended;         /* of the last step, with times */
    cudaEvent_t looked[2];            /* the status of an iteration has arrived */
    int32_t *status;                  /* pinned memory of the host (2) */
    uint32_t *arrived;                /* blocks of a product that have ended, on the device */
    int timed;                        /* both are recorded */
    char *stage[WEFT_DEVICE_COPIES];  /* copies of the state on the device, so that later steps may change it */
    char *buffer[WEFT_DEVICE_COPIES]; /* pinned memory of the host */
    size_t room[WEFT_DEVICE_COPIES];
    void *scratch; /* of lists */
    size_t scratch_room;
    char failure[200]; /* "" if there was none */
};

/* ---- kernels ---- */

#define GPU_GLOBAL(name)                                                                                               \
    __global__ void __launch_bounds__(GPU_BLOCK) run_##name(const weft_gpu g, int32_t items) {                         \
        int32_t i = blockIdx.x * GPU_BLOCK + threadIdx.x;                                                              \
        if (i < items)                                                                                                 \
            gpu_##name(&g, i);                                                                                         \
    }
GPU_PLAIN_KERNELS(GPU_GLOBAL)
#undef GPU_GLOBAL

#define GPU_GLOBAL(name)                                                                                               \
    __global__ void __launch_bounds__(GPU_BLOCK) run_##name(const weft_gpu g, int32_t items) {                         \
        __shared__ block_sums sums;                                                                                    \
        int32_t i = blockIdx.x * GPU_BLOCK + threadIdx.x;                                                              \
        double term[GPU_SUMS] = {0, 0, 0};                                                                             \
        if (i < items)                                                                                                 \
            gpu_##name(&g, i, term);                                                                                   \
        store_partial(&sums, term, g.partial, blockIdx.x, 7);                                                          \
    }
GPU_SUM_KERNELS(GPU_GLOBAL)
#undef GPU_GLOBAL

/* One block: the sums of all blocks. */
__global__ void __launch_bounds__(GPU_BLOCK) run_sum_blocks(const weft_gpu g, int32_t blocks) {
    __shared__ block_sums sums;
    double sum[GPU_SUMS];
    sum_partials(&sums, g.partial, blocks, sum);
    if (threadIdx.x == 0)
        for (int m = 0; m < GPU_SUMS; m++)
            g.numbers->sum[g.slot][m] = sum[m];
}

/* Whether this block is the last one of its kernel to get here; it then sees what all others wrote before. */
__device__ bool is_last_block(uint32_t *arrived) {
    __shared__ bool last;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        last = atomicAdd(arrived, 1u) == gridDim.x - 1;
        if (last)
            *arrived = 0; /* for the next kernel */
    }
    __syncthreads();
    if (last)
        __threadfence();
    return last;
}

/* The first kernel of an iteration. Kernels that were queued beyond the end do nothing. */
__global__ void __launch_bounds__(GPU_BLOCK) run_product(const weft_gpu g, int32_t all, uint32_t *arrived) {
    __shared__ block_sums sums;
    int32_t i = blockIdx.x * GPU_BLOCK + threadIdx.x;
    double term[GPU_SUMS] = {0, 0, 0}, sum[GPU_SUMS];
    if (g.numbers->pcg.status != GPU_PCG_RUNS)
        return;
    if (i < g.count)
        gpu_product(&g, i, all, term);
    store_partial(&sums, term, g.partial, blockIdx.x, all ? 7 : 2);
    if (!is_last_block(arrived))
        return;
    sum_partials(&sums, g.partial, gridDim.x, sum);
    if (threadIdx.x == 0)
        gpu_pcg_turn(&g, &g.numbers->pcg, sum);
}

/* The second one. */
__global__ void __launch_bounds__(GPU_BLOCK) run_advance(const weft_gpu g) {
    __shared__ block_sums sums;
    int32_t i = blockIdx.x * GPU_BLOCK + threadIdx.x;
    double term[GPU_SUMS] = {0, 0, 0};
    if (g.numbers->pcg.status != GPU_PCG_RUNS)
        return;
    const gpu_pcg scalars = g.numbers->pcg;
    if (i < g.count)
        gpu_advance(&g, &scalars, i, term);
    if (g.level_count == 0)
        store_partial(&sums, term, g.partial, blockIdx.x, 5);
}

/* Inverts one domain per block, a row per thread, in shared memory. The order is that of execute_host.c. */
__global__ void __launch_bounds__(GPU_DENSE) run_invert(const weft_gpu g) {
    extern __shared__ double matrix[];
    const int level = g.now_level, thread = threadIdx.x;
    if (thread < GPU_DOMAIN)
        gpu_fill_rows(&g, level, blockIdx.x, thread, matrix);
    __syncthreads();
    for (int pivot = 0; pivot < GPU_DENSE; pivot++) {
        double diagonal = matrix[pivot * (GPU_DENSE + 1) + pivot];
        if (thread != pivot)
            gpu_eliminate_row(matrix, pivot, thread);
        __syncthreads();
        double number = gpu_pivot_number(matrix, pivot, thread, diagonal);
        matrix[pivot * (GPU_DENSE + 1) + thread] = number;
        __syncthreads();
    }
    gpu_store_column(&g, level, blockIdx.x, thread, matrix);
}

/* ---- the executor ---- */

int fail(Executor *e, cudaError_t code, const char *what) {
    if (code == cudaSuccess)
        return 1;
    if (!e->failure[0])
        snprintf(e->failure, sizeof e->failure, "%s: %s", what,
                 code == cudaErrorMemoryAllocation ? "out of memory on the GPU" : cudaGetErrorString(code));
    return 0;
}

void *take(void *self, size_t bytes) {
    Executor *e = (Executor *)self;
    void *memory = nullptr;
    if (e->failure[0])
        return nullptr;
    size_t size = bytes > 0 ? bytes : 16;
    char what[64];
    snprintf(what, sizeof what, "%.1f MiB for the simulation", (double)size / 1048576);
    if (!fail(e, cudaSetDevice(e->number), "the GPU") || !fail(e, cudaMalloc(&memory, size), what))
        return nullptr;
    fail(e, cudaMemsetAsync(memory, 0, size, e->work), "clearing memory");
    return memory;
}

void give_back(void *self, void *memory) {
    Executor *e = (Executor *)self;
    cudaStreamSynchronize(e->work);
    cudaFree(memory);
}

int write_to(void *self, void *to, const void *from, size_t bytes) {
    Executor *e = (Executor *)self;
    if (bytes == 0)
        return 1;
    return !e->failure[0] &&
           fail(e, cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, e->work), "copying to the GPU") &&
           fail(e, cudaStreamSynchronize(e->work), "copying to the GPU");
}

int read_from(void *self, void *to, const void *from, size_t bytes) {
    Executor *e = (Executor *)self;
    return !e->failure[0] &&
           fail(e, cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, e->work), "copying from the GPU") &&
           fail(e, cudaStreamSynchronize(e->work), "a kernel");
}

#include "execute_lists.cuh"

typedef void (*Kernel)(const weft_gpu g, int32_t items);

const Kernel PLAIN[] = {
#define GPU_POINTER(name) run_##name,
    GPU_PLAIN_KERNELS(GPU_POINTER)};
const Kernel SUMS[] = {GPU_SUM_KERNELS(GPU_POINTER)};
#undef GPU_POINTER

int run(void *self, gpu_kernel kernel, const weft_gpu *g, int32_t items) {
    Executor *e = (Executor *)self;
    if (e->failure[0])
        return 0;
    int32_t blocks = gpu_blocks(items);
    if (kernel < GPU_PLAIN_COUNT) {
        PLAIN[kernel]<<<blocks, GPU_BLOCK, 0, e->work>>>(*g, items);
    } else {
        SUMS[kernel - GPU_PLAIN_COUNT]<<<blocks, GPU_BLOCK, 0, e->work>>>(*g, items);
        run_sum_blocks<<<1, GPU_BLOCK, 0, e->work>>>(*g, blocks);
    }
    return fail(e, cudaGetLastError(), "starting a kernel");
}

const size_t INVERT_BYTES = (size_t)GPU_DENSE * (GPU_DENSE + 1) * sizeof(double);

int invert(void *self, const weft_gpu *g) {
    Executor *e = (Executor *)self;
    if (e->failure[0])
        return 0;
    run_invert<<<g->level[g->now_level].domains, GPU_DENSE, INVERT_BYTES, e->work>>>(*g);
    return fail(e, cudaGetLastError(), "starting the preconditioner");
}

/* u = M^-1 r by all levels. */
void precondition(Executor *e, weft_gpu *g) {
    for (g->now_level = 1; g->now_level < g->level_count; g->now_level++)
        run(e, GPU_restrict, g, g->level[g->now_level].nodes);
    for (g->now_level = 0; g->now_level < g->level_count; g->now_level++)
        run(e, GPU_correct, g, g->level[g->now_level].domains * GPU_DOMAIN);
    run(e, GPU_gather_levels, g, g->count);
}

/* Queues the next iterations, `before` being those so far, and a copy of the status after them to place `slot` of the
 * host's memory. The last one that can be needed finds that the limit is reached. */
int queue_iterations(Executor *e, const weft_gpu *g, int32_t before, int slot) {
    int32_t blocks = gpu_blocks(g->count), most = g->limit + 1 - before;
    weft_gpu copy = *g;
    for (int32_t k = 0; k < QUEUED && k < most; k++) {
        if (g->level_count > 0)
            precondition(e, &copy);
        if (g->coupling.terms > 0)
            run(e, GPU_contact_load_running, &copy, g->coupling.terms);
        run_product<<<blocks, GPU_BLOCK, 0, e->work>>>(*g, before + k == 0 || g->level_count > 0, e->arrived);
        run_advance<<<blocks, GPU_BLOCK, 0, e->work>>>(*g);
    }
    return fail(e, cudaGetLastError(), "starting the solver") &&
           fail(e,
                cudaMemcpyAsync(&e->status[slot], &g->numbers->pcg.status, sizeof *e->status, cudaMemcpyDeviceToHost,
                                e->work),
                "copying from the GPU") &&
           fail(e, cudaEventRecord(e->looked[slot], e->work), "the solver");
}

/* Kernels do nothing once the iteration has ended, so some are queued in vain. In return the GPU never waits. */
int iterate_queued(Executor *e, const weft_gpu *g) {
    int slot = 0;
    int32_t queued = QUEUED;
    if (!queue_iterations(e, g, 0, slot))
        return 0;
    do {
        if (!queue_iterations(e, g, queued, 1 - slot) || !fail(e, cudaEventSynchronize(e->looked[slot]), "a kernel"))
            return 0;
        queued += QUEUED;
        slot = 1 - slot;
    } while (e->status[1 - slot] == GPU_PCG_RUNS);
    return run(e, GPU_settle, g, g->count);
}

int iterate(void *self, const weft_gpu *g) {
    Executor *e = (Executor *)self;
    if (e->failure[0])
        return 0;
    int32_t shared =
        g->level_count == 0 && !gpu_cuda_separate_kernels ? gpu_resident_shared(&e->resident, g->count) : -1;
    if (shared < 0)
        return iterate_queued(e, g);
    cudaError_t code = launch_persistent(*g, shared, e->work);
    if (code != cudaErrorCooperativeLaunchTooLarge)
        return fail(e, code, "starting the solver");
    cudaGetLastError(); /* this process has a part of the GPU only: the separate kernels give the same bits */
    e->resident.processors = 0;
    return iterate_queued(e, g);
}

int grow_buffers(Executor *e, int slot, size_t size) {
    cudaStreamSynchronize(e->copies);
    cudaFreeHost(e->buffer[slot]);
    cudaFree(e->stage[slot]);
    e->buffer[slot] = e->stage[slot] = nullptr;
    e->room[slot] = 0;
    if (!fail(e, cudaMallocHost((void **)&e->buffer[slot], size), "memory for frames") ||
        !fail(e, cudaMalloc((void **)&e->stage[slot], size), "memory for frames"))
        return 0;
    e->room[slot] = size;
    return 1;
}

int fetch_begin(void *self, int slot, const void *const *from, int arrays, size_t bytes) {
    Executor *e = (Executor *)self;
    size_t size = (size_t)arrays * bytes;
    if (e->failure[0] || !fail(e, cudaSetDevice(e->number), "the GPU"))
        return 0;
    int good = size <= e->room[slot] || grow_buffers(e, slot, size);
    good = good && fail(e, cudaStreamWaitEvent(e->work, e->done[slot], 0), "a frame");
    for (int k = 0; good && k < arrays; k++)
        good = fail(
            e, cudaMemcpyAsync(e->stage[slot] + (size_t)k * bytes, from[k], bytes, cudaMemcpyDeviceToDevice, e->work),
            "copying a frame");
    return good && fail(e, cudaEventRecord(e->ready, e->work), "a frame") &&
           fail(e, cudaStreamWaitEvent(e->copies, e->ready, 0), "a frame") &&
           fail(e, cudaMemcpyAsync(e->buffer[slot], e->stage[slot], size, cudaMemcpyDeviceToHost, e->copies),
                "copying a frame") &&
           fail(e, cudaEventRecord(e->done[slot], e->copies), "a frame");
}

/* Leaves e->failure to the thread that makes steps; a failed device fails there too. */
const void *fetch_end(void *self, int slot, const char **why) {
    Executor *e = (Executor *)self;
    cudaError_t code = cudaEventSynchronize(e->done[slot]);
    *why = cudaGetErrorString(code);
    return code == cudaSuccess ? e->buffer[slot] : nullptr;
}

double begin_step(void *self) {
    Executor *e = (Executor *)self;
    float milliseconds = 0;
    if (e->failure[0] || !fail(e, cudaSetDevice(e->number), "the GPU"))
        return 0;
    if (e->timed)
        fail(e, cudaEventSynchronize(e->ended), "the clock of the GPU") &&
            fail(e, cudaEventElapsedTime(&milliseconds, e->begun, e->ended), "the clock of the GPU");
    e->timed = 0;
    fail(e, cudaEventRecord(e->begun, e->work), "the clock of the GPU");
    return 1e-3 * milliseconds;
}

void end_step(void *self) {
    Executor *e = (Executor *)self;
    e->timed = !e->failure[0] && fail(e, cudaEventRecord(e->ended, e->work), "the clock of the GPU");
}

const char *failure(const void *self) {
    const Executor *e = (const Executor *)self;
    return e->failure[0] ? e->failure : nullptr;
}

void destroy(void *self) {
    Executor *e = (Executor *)self;
    cudaFree(e->scratch);
    for (int k = 0; k < 2; k++) {
        cudaFreeHost(e->buffer[k]);
        cudaFree(e->stage[k]);
        if (e->done[k])
            cudaEventDestroy(e->done[k]);
        if (e->looked[k])
            cudaEventDestroy(e->looked[k]);
    }
    cudaFreeHost(e->status);
    cudaFree(e->arrived);
    for (cudaEvent_t event : {e->ready, e->begun, e->ended})
        if (event)
            cudaEventDestroy(event);
    if (e->copies)
        cudaStreamDestroy(e->copies);
    if (e->work)
        cudaStreamDestroy(e->work);
    free(e);
}

const char *why_none(cudaError_t code) {
    if (code == cudaSuccess || code == cudaErrorNoDevice)
        return "none is installed";
    return code == cudaErrorInsufficientDriver ? "its driver is missing or too old" : cudaGetErrorString(code);
}

weft_result check_number(int32_t number) {
    int count = 0;
    cudaError_t code = cudaGetDeviceCount(&count);
    if (code != cudaSuccess || count == 0)
        return weft_fail(WEFT_UNSUPPORTED, "no NVIDIA GPU can be used here: %s", why_none(code));
    if (number >= count)
        return weft_fail(WEFT_BAD_INPUT, "device.number: %d, but there are %d GPUs, numbered from 0", number, count);
    cudaDeviceProp of;
    code = cudaGetDeviceProperties(&of, number);
    if (code != cudaSuccess)
        return weft_fail(WEFT_UNSUPPORTED, "GPU %d: %s", number, cudaGetErrorString(code));
    return gpu_check_capability(number, of.name, of.major, of.minor);
}

} // namespace

weft_result gpu_executor_cuda(int32_t number, gpu_executor *made) {
    weft_result found = check_number(number);
    if (found.code != WEFT_OK)
        return found;
    Executor *e = (Executor *)calloc(1, sizeof *e);
    if (!e)
        return weft_fail_memory("the GPU", sizeof *e);
    e->number = number;
    if (!fail(e, cudaSetDevice(number), "the GPU") ||
        !fail(e, cudaStreamCreateWithFlags(&e->work, cudaStreamNonBlocking), "the GPU") ||
        !fail(e, cudaStreamCreateWithFlags(&e->copies, cudaStreamNonBlocking), "the GPU") ||
        !fail(e, cudaEventCreateWithFlags(&e->ready, cudaEventDisableTiming), "the GPU") ||
        !fail(e, cudaEventCreate(&e->begun), "the GPU") || !fail(e, cudaEventCreate(&e->ended), "the GPU") ||
        !fail(e, cudaEventCreateWithFlags(&e->done[0], cudaEventDisableTiming), "the GPU") ||
        !fail(e, cudaEventCreateWithFlags(&e->done[1], cudaEventDisableTiming), "the GPU") ||
        !fail(e, cudaEventCreateWithFlags(&e->looked[0], cudaEventDisableTiming), "the GPU") ||
        !fail(e, cudaEventCreateWithFlags(&e->looked[1], cudaEventDisableTiming), "the GPU") ||
        !fail(e, cudaMallocHost((void **)&e->status, 2 * sizeof *e->status), "the GPU") ||
        !fail(e, cudaMalloc((void **)&e->arrived, sizeof *e->arrived), "the GPU") ||
        !fail(e, cudaMemsetAsync(e->arrived, 0, sizeof *e->arrived, e->work), "the GPU") ||
        !fail(e, cudaFuncSetAttribute(run_invert, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)INVERT_BYTES),
              "the GPU")) {
        weft_result why = weft_fail(WEFT_UNSUPPORTED, "%s", e->failure);
        destroy(e);
        return why;
    }
    e->resident = persistent_resident(number);
    gpu_executor table = {e,    take,  give_back,   write_to,  read_from,  run,      invert,  iterate, scan,
                          sort, least, fetch_begin, fetch_end, begin_step, end_step, failure, destroy};
    *made = table;
    return weft_ok();
}

weft_result gpu_describe_cuda(int32_t number, char *text, size_t size) {
    weft_result found = check_number(number);
    if (found.code != WEFT_OK)
        return found;
    cudaDeviceProp properties;
    cudaError_t code = cudaGetDeviceProperties(&properties, number);
    if (code != cudaSuccess)
        return weft_fail(WEFT_UNSUPPORTED, "GPU %d: %s", number, cudaGetErrorString(code));
    snprintf(text, size, "%s, %.0f GiB", properties.name, (double)properties.totalGlobalMem / 1073741824);
    return weft_ok();
}
