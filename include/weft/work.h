/* The parallel loop and the scratch memory that components use inside a step.
 *
 * Results are the same for any number of threads: work is cut into blocks whose size does not depend on the threads,
 * a block writes only what it owns, and sums are taken over blocks in order. */
#ifndef WEFT_WORK_H
#define WEFT_WORK_H

#include "weft/base.h"

WEFT_BEGIN

typedef struct weft_arena weft_arena;

/* Lives as long as the simulation; not shared between simulations. */
typedef struct weft_work {
    int threads;       /* >= 1 */
    weft_arena *arena; /* emptied at the start of each step */
} weft_work;

/* Memory until the end of the step, 64-byte aligned, not cleared. Grows when needed, so that a steady step does not
 * allocate. Null when memory is out; the step then fails with the name of what was asked for. */
WEFT_API void *weft_arena_take(weft_arena *arena, size_t bytes, const char *what);

/* Calls body(context, begin, end) for the blocks [0, block), [block, 2 block), ... of [0, count), in any order and in
 * parallel. */
typedef void (*weft_loop)(void *context, int64_t begin, int64_t end);
WEFT_API void weft_parallel_for(const weft_work *work, int64_t count, int64_t block, weft_loop body, void *context);

/* The sum of body over the blocks, added in the order of the blocks. */
typedef double (*weft_sum_loop)(void *context, int64_t begin, int64_t end);
WEFT_API double weft_parallel_sum(const weft_work *work, int64_t count, int64_t block, weft_sum_loop body,
                                  void *context);

/* The forces on `count` vertices from `first` on, N; f[0] is that on `first`. The vertices are gone through in parts of
 * at most WEFT_BLOCK, each by one thread and in the same order every time, so that sums of a part do not depend on
 * threads. */
typedef void (*weft_force_sink)(void *context, int32_t part, int32_t first, int32_t count, weft_vec3 *f);
/* Where these vertices are, m, and how fast, m/s. */
typedef void (*weft_place_source)(void *context, int32_t first, int32_t count, weft_vec3 *x, weft_vec3 *v);

/* The block size used for loops over vertices, springs and triangles. */
#define WEFT_BLOCK 1024

/* Random numbers without a state: the same (seed, counter) gives the same number on every machine. */
WEFT_API uint64_t weft_random_bits(uint64_t seed, uint64_t counter);
/* uniform in [0, 1) */
WEFT_API double weft_random(uint64_t seed, uint64_t counter);
/* Smooth in `t`, in [-1, 1], mean 0, one independent value per unit of t. */
WEFT_API double weft_random_smooth(uint64_t seed, double t);

WEFT_END
#endif
