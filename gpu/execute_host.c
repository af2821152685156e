/* Runs the kernels as loops on the CPU. */
#include <stdlib.h>
#include <string.h>

#include "contact_kernels.h"
#include "execute.h"
#include "kernels_matrix.h"
#include "kernels_schwarz.h"
#include "kernels_step.h"

typedef struct host_executor {
    char *buffer[WEFT_DEVICE_COPIES]; /* of fetches */
    size_t room[WEFT_DEVICE_COPIES];
    const char *failure; /* null: none */
} host_executor;

static void *take(void *self, size_t bytes) {
    host_executor *e = self;
    void *memory = calloc(1, bytes > 0 ? bytes : 1);
    if (!memory)
        e->failure = "out of memory";
    return memory;
}

static void give_back(void *self, void *memory) {
    (void)self;
    free(memory);
}

static int copy(void *self, void *to, const void *from, size_t bytes) {
    (void)self;
    if (bytes > 0)
        memcpy(to, from, bytes);
    return 1;
}

/* Adds value[k + stride] to value[k] for halving strides, in all sums. */
static void halve(double (*value)[GPU_SUMS], int count) {
    for (int stride = count / 2; stride > 0; stride /= 2)
        for (int k = 0; k < stride; k++)
            for (int m = 0; m < GPU_SUMS; m++)
                value[k][m] += value[k + stride][m];
}

static void sum_blocks(const weft_gpu *g, int32_t blocks, double *sum) {
    double value[GPU_SPREAD][GPU_SUMS];
    memset(value, 0, sizeof value);
    for (int32_t k = 0; k < blocks; k++)
        for (int m = 0; m < GPU_SUMS; m++)
            value[k % GPU_SPREAD][m] += g->partial[GPU_SUMS * (int64_t)k + m];
    halve(value, GPU_SPREAD);
    memcpy(sum, value[0], sizeof value[0]);
}

typedef void (*plain_kernel)(const weft_gpu *g, int32_t i);
typedef void (*sum_kernel)(const weft_gpu *g, int32_t i, double *sum);

static void run_sum(sum_kernel kernel, const weft_gpu *g, int32_t items) {
    int32_t blocks = gpu_blocks(items);
    for (int32_t block = 0; block < blocks; block++) {
        double value[GPU_BLOCK][GPU_SUMS];
        memset(value, 0, sizeof value);
        for (int32_t k = 0; k < GPU_BLOCK && block * GPU_BLOCK + k < items; k++)
            kernel(g, block * GPU_BLOCK + k, value[k]);
        halve(value, GPU_BLOCK);
        memcpy(g->partial + GPU_SUMS * (int64_t)block, value[0], sizeof value[0]);
    }
    sum_blocks(g, blocks, g->numbers->sum[g->slot]);
}

static int run(void *self, gpu_kernel kernel, const weft_gpu *g, int32_t items) {
    (void)self;
    static const plain_kernel PLAIN[] = {
#define GPU_POINTER(name) gpu_##name,
        GPU_PLAIN_KERNELS(GPU_POINTER)};
    static const sum_kernel SUMS[] = {GPU_SUM_KERNELS(GPU_POINTER)};
#undef GPU_POINTER
    if (kernel >= GPU_PLAIN_COUNT) {
        run_sum(SUMS[kernel - GPU_PLAIN_COUNT], g, items);
        return 1;
    }
    for (int32_t i = 0; i < items; i++)
        PLAIN[kernel](g, i);
    return 1;
}

static void invert_domain(const weft_gpu *g, int level, int32_t domain, double *matrix) {
    for (int place = 0; place < GPU_DOMAIN; place++)
        gpu_fill_rows(g, level, domain, place, matrix);
    for (int pivot = 0; pivot < GPU_DENSE; pivot++) {
        double diagonal = matrix[pivot * (GPU_DENSE + 1) + pivot];
        for (int row = 0; row < GPU_DENSE; row++)
            if (row != pivot)
                gpu_eliminate_row(matrix, pivot, row);
        for (int column = 0; column < GPU_DENSE; column++)
            matrix[pivot * (GPU_DENSE + 1) + column] = gpu_pivot_number(matrix, pivot, column, diagonal);
    }
    for (int column = 0; column < GPU_DENSE; column++)
        gpu_store_column(g, level, domain, column, matrix);
}

static int invert(void *self, const weft_gpu *g) {
    host_executor *e = self;
    double *matrix = malloc((size_t)GPU_DENSE * (GPU_DENSE + 1) * sizeof *matrix);
    if (!matrix) {
        e->failure = "out of memory";
        return 0;
    }
    for (int32_t domain = 0; domain < g->level[g->now_level].domains; domain++)
        invert_domain(g, g->now_level, domain, matrix);
    free(matrix);
    return 1;
}

/* u = M^-1 r by all levels. */
static void precondition(void *self, weft_gpu *g) {
    for (g->now_level = 1; g->now_level < g->level_count; g->now_level++)
        run(self, GPU_restrict, g, g->level[g->now_level].nodes);
    for (g->now_level = 0; g->now_level < g->level_count; g->now_level++)
        run(self, GPU_correct, g, g->level[g->now_level].domains * GPU_DOMAIN);
    run(self, GPU_gather_levels, g, g->count);
}

/* The first pass of an iteration: the product with its sums, and the scalars. */
static void multiply(const weft_gpu *g, int all) {
    double sum[GPU_SUMS];
    int32_t blocks = gpu_blocks(g->count);
    for (int32_t block = 0; block < blocks; block++) {
        double value[GPU_BLOCK][GPU_SUMS], *partial = g->partial + GPU_SUMS * (int64_t)block;
        memset(value, 0, sizeof value);
        for (int32_t k = 0; k < GPU_BLOCK && block * GPU_BLOCK + k < g->count; k++)
            gpu_product(g, block * GPU_BLOCK + k, all, value[k]);
        halve(value, GPU_BLOCK);
        for (int m = 0; m < GPU_SUMS; m++)
            if (all || m == 1)
                partial[m] = value[0][m];
    }
    sum_blocks(g, blocks, sum);
    gpu_pcg_turn(g, &g->numbers->pcg, sum);
}

/* The second pass: the vectors, and the other sums of the next iteration. */
static void advance(const weft_gpu *g) {
    for (int32_t block = 0; block < gpu_blocks(g->count); block++) {
        double value[GPU_BLOCK][GPU_SUMS], *partial = g->partial + GPU_SUMS * (int64_t)block;
        memset(value, 0, sizeof value);
        for (int32_t k = 0; k < GPU_BLOCK && block * GPU_BLOCK + k < g->count; k++)
            gpu_advance(g, &g->numbers->pcg, block * GPU_BLOCK + k, value[k]);
        halve(value, GPU_BLOCK);
        partial[0] = value[0][0];
        partial[2] = value[0][2];
    }
}

static int iterate(void *self, const weft_gpu *g) {
    weft_gpu copy = *g;
    for (int32_t k = 0; g->numbers->pcg.status == GPU_PCG_RUNS; k++) {
        if (g->level_count > 0)
            precondition(self, &copy);
        if (g->coupling.terms > 0)
            run(self, GPU_contact_load_running, &copy, g->coupling.terms);
        multiply(g, k == 0 || g->level_count > 0);
        if (g->numbers->pcg.status == GPU_PCG_RUNS)
            advance(g);
    }
    return run(self, GPU_settle, g, g->count);
}

static int scan(void *self, int64_t *values, int32_t count) {
    int64_t sum = 0;
    (void)self;
    for (int32_t i = 0; i <= count; i++) {
        int64_t value = i < count ? values[i] : 0;
        values[i] = sum;
        sum += value;
    }
    return 1;
}

/* One pass per eight bits, from the lowest on. */
static int sort(void *self, const gpu_sort_lists *lists, int32_t count, int bits) {
    host_executor *e = self;
    size_t n = (size_t)count;
    uint32_t *key = malloc((n + 1) * sizeof *key);
    int32_t *value = malloc((n + 1) * sizeof *value);
    if (!key || !value)
        e->failure = "out of memory";
    if (key && value && n > 0) {
        memcpy(lists->sorted_key, lists->key, n * sizeof *key);
        memcpy(lists->sorted_value, lists->value, n * sizeof *value);
    }
    for (int shift = 0; key && value && n > 0 && shift < bits; shift += 8) {
        size_t place[257] = {0};
        memcpy(key, lists->sorted_key, n * sizeof *key);
        memcpy(value, lists->sorted_value, n * sizeof *value);
        for (size_t i = 0; i < n; i++)
            place[1 + ((key[i] >> shift) & 255)]++;
        for (int d = 0; d < 256; d++)
            place[d + 1] += place[d];
        for (size_t i = 0; i < n; i++) {
            size_t at = place[(key[i] >> shift) & 255]++;
            lists->sorted_key[at] = key[i];
            lists->sorted_value[at] = value[i];
        }
    }
    int good = key && value;
    free(key);
    free(value);
    return good;
}

static int least(void *self, const double *values, int32_t count, double *made) {
    (void)self;
    *made = INFINITY;
    for (int32_t i = 0; i < count; i++)
        *made = values[i] < *made ? values[i] : *made;
    return 1;
}

static int fetch_begin(void *self, int slot, const void *const *from, int arrays, size_t bytes) {
    host_executor *e = self;
    size_t size = (size_t)arrays * bytes;
    if (size > e->room[slot]) {
        free(e->buffer[slot]);
        e->buffer[slot] = malloc(size);
        e->room[slot] = e->buffer[slot] ? size : 0;
    }
    if (!e->buffer[slot]) {
        e->failure = "out of memory";
        return 0;
    }
    for (int k = 0; k < arrays; k++)
        memcpy(e->buffer[slot] + (size_t)k * bytes, from[k], bytes);
    return 1;
}

static const void *fetch_end(void *self, int slot, const char **why) {
    *why = "";
    return ((host_executor *)self)->buffer[slot];
}

static double begin_step(void *self) {
    (void)self;
    return 0;
}

static void end_step(void *self) { (void)self; }

static const char *failure(const void *self) { return ((const host_executor *)self)->failure; }

static void destroy(void *self) {
    host_executor *e = self;
    free(e->buffer[0]);
    free(e->buffer[1]);
    free(e);
}

weft_result gpu_executor_host(gpu_executor *made) {
    host_executor *e = calloc(1, sizeof *e);
    if (!e)
        return weft_fail_memory("the host execution", sizeof *e);
    *made = (gpu_executor){e,    take,  give_back,   copy,      copy,       run,      invert,  iterate, scan,
                           sort, least, fetch_begin, fetch_end, begin_step, end_step, failure, destroy};
    return weft_ok();
}
