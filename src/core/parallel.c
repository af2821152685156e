#include "core/parallel.h"

#include <stdlib.h>

/* Below this much work per loop the threads cost more than they bring: waking them takes some 10 us, and on a busy
 * machine a loop waits for a thread that is not running. */
enum { SMALLEST_PARALLEL_COUNT = 8192, SERIAL_BLOCKS = 256 };

void weft_parallel_heavy(const weft_work *work, int64_t count, int64_t block, int64_t weight, weft_body body,
                         void *context) {
    int64_t blocks = (count + block - 1) / block;
    if (work->threads <= 1 || blocks <= 1 || count * weight < SMALLEST_PARALLEL_COUNT) {
        for (int64_t b = 0; b < blocks; b++)
            body(context, b * block, (b + 1) * block < count ? (b + 1) * block : count);
        return;
    }
#ifdef _OPENMP
#pragma omp parallel for num_threads(work->threads) schedule(dynamic, 1)
#endif
    for (int64_t b = 0; b < blocks; b++)
        body(context, b * block, (b + 1) * block < count ? (b + 1) * block : count);
}

void weft_parallel_for(const weft_work *work, int64_t count, int64_t block, weft_body body, void *context) {
    weft_parallel_heavy(work, count, block, 1, body, context);
}

typedef struct sum_context {
    weft_sum_body body;
    void *context;
    int64_t block;
    double *partial; /* one per block */
} sum_context;

static void sum_block(void *context, int64_t begin, int64_t end) {
    sum_context *sum = context;
    sum->partial[begin / sum->block] = sum->body(sum->context, begin, end);
}

double weft_parallel_sum(const weft_work *work, int64_t count, int64_t block, weft_sum_body body, void *context) {
    int64_t blocks = (count + block - 1) / block;
    double few[SERIAL_BLOCKS];
    double *partial = few;
    if (blocks > SERIAL_BLOCKS)
        partial = weft_arena_take(work->arena, (size_t)blocks * sizeof *partial, "partial sums");
    double total = 0;
    if (!partial) { /* the arena remembers the failure; the sum itself can go on */
        for (int64_t b = 0; b < blocks; b++)
            total += body(context, b * block, (b + 1) * block < count ? (b + 1) * block : count);
        return total;
    }
    sum_context sum = {body, context, block, partial};
    weft_parallel_for(work, count, block, sum_block, &sum);
    for (int64_t b = 0; b < blocks; b++)
        total += partial[b];
    return total;
}
