/* Parallel loops over blocks of items. The blocks do not depend on the number of threads, so neither do the results. */
#include "core/parallel.h"

#include <stdlib.h>

#ifdef _OPENMP
#include <omp.h>
#endif

/* Loops with less work than this run on one thread. Waking threads takes about 10 us, and on a busy machine a loop may
 * wait for a thread that is not running. */
enum { SMALLEST_PARALLEL_COUNT = 8192, SERIAL_BLOCKS = 256, MOST_SHARES = 64 };

typedef struct job {
    int64_t count, block;
    weft_loop loop;
    void *context;
} job;

static void run_blocks(const job *l, int64_t from, int64_t to) {
    for (int64_t b = from; b < to; b++)
        l->loop(l->context, b * l->block, (b + 1) * l->block < l->count ? (b + 1) * l->block : l->count);
}

#ifdef _OPENMP
/* A range of consecutive blocks, taken one by one. Each share has a cache line of its own. */
typedef struct share {
    int64_t next, end;
} __attribute__((aligned(64))) share;

static int64_t take_block(share *s) {
    int64_t taken;
#pragma omp atomic capture
    taken = s->next++;
    return taken;
}

/* Each thread starts with the same share in every loop of the same number of blocks, so the data is still in its cache.
 * Measured: a step of 10,000 vertices on two threads takes 19 ns per vertex instead of 22. A thread that has finished
 * its own share takes blocks from the shares of the others. */
static void run_shares(const job *l, int64_t blocks, int threads) {
    share each[MOST_SHARES];
    const int shares = threads < MOST_SHARES ? threads : MOST_SHARES;
    for (int i = 0; i < shares; i++)
        each[i] = (share){blocks * i / shares, blocks * (i + 1) / shares};
#pragma omp parallel num_threads(threads)
    {
        const int own = omp_get_thread_num() % shares;
        for (int i = 0; i < shares; i++) {
            share *s = &each[(own + i) % shares];
            for (int64_t b = take_block(s); b < s->end; b = take_block(s))
                run_blocks(l, b, b + 1);
        }
    }
}
#endif

void weft_parallel_heavy(const weft_work *work, int64_t count, int64_t block, int64_t weight, weft_loop loop,
                         void *context) {
    const job l = {count, block, loop, context};
    int64_t blocks = (count + block - 1) / block;
    if (work->threads <= 1 || blocks <= 1 || count * weight < SMALLEST_PARALLEL_COUNT) {
        run_blocks(&l, 0, blocks);
        return;
    }
#ifdef _OPENMP
    run_shares(&l, blocks, work->threads);
#else
    run_blocks(&l, 0, blocks);
#endif
}

void weft_parallel_for(const weft_work *work, int64_t count, int64_t block, weft_loop loop, void *context) {
    weft_parallel_heavy(work, count, block, 1, loop, context);
}

typedef struct sum_context {
    weft_sum_loop loop;
    void *context;
    int64_t block;
    double *partial; /* one per block */
} sum_context;

static void sum_block(void *context, int64_t begin, int64_t end) {
    sum_context *sum = context;
    sum->partial[begin / sum->block] = sum->loop(sum->context, begin, end);
}

double weft_parallel_sum(const weft_work *work, int64_t count, int64_t block, weft_sum_loop loop, void *context) {
    int64_t blocks = (count + block - 1) / block;
    double few[SERIAL_BLOCKS];
    double *partial = few;
    if (blocks > SERIAL_BLOCKS)
        partial = weft_arena_take(work->arena, (size_t)blocks * sizeof *partial, "partial sums");
    double total = 0;
    if (!partial) { /* the arena records the failure; the sum does not need the memory */
        for (int64_t b = 0; b < blocks; b++)
            total += loop(context, b * block, (b + 1) * block < count ? (b + 1) * block : count);
        return total;
    }
    sum_context sum = {loop, context, block, partial};
    weft_parallel_for(work, count, block, sum_block, &sum);
    for (int64_t b = 0; b < blocks; b++)
        total += partial[b];
    return total;
}
