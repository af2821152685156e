/** @file
 * Parallel loops, scratch memory and random numbers for components.
 *
 * Results are bit-identical for any number of threads. Loops are divided into blocks whose size does not depend on
 * the number of threads. A block writes only what it owns. Sums are added in the order of the blocks. */
#ifndef WEFT_WORK_H
#define WEFT_WORK_H

#include "weft/base.h"

WEFT_BEGIN

/** Scratch memory of a step. Opaque. */
typedef struct weft_arena weft_arena;

/** Threads and scratch memory of one simulation. Lives as long as the simulation and is not shared. */
typedef struct weft_work {
    int threads;       /**< at least 1 */
    weft_arena *arena; /**< emptied at the start of each step */
} weft_work;

/** Memory until the end of the step, 64-byte aligned and not cleared. The arena grows when needed, so that a steady
 * step does not allocate. Returns null when memory is out; the step then fails with `what` in its message. Not
 * thread-safe.
 */
WEFT_API void *weft_arena_take(weft_arena *arena, size_t bytes, const char *what);

/** The function that a parallel loop calls: handles [begin, end). */
typedef void (*weft_loop)(void *context, int64_t begin, int64_t end);
/** Calls `loop` for the blocks [0, block), [block, 2 block), ... of [0, count), in any order and in parallel. */
WEFT_API void weft_parallel_for(const weft_work *work, int64_t count, int64_t block, weft_loop loop, void *context);

/** Body of a parallel sum: returns the sum over [begin, end). */
typedef double (*weft_sum_loop)(void *context, int64_t begin, int64_t end);
/** Sum of `loop` over the blocks, added in the order of the blocks. */
WEFT_API double weft_parallel_sum(const weft_work *work, int64_t count, int64_t block, weft_sum_loop loop,
                                  void *context);

/** Block size for loops over vertices, springs and triangles. Threads take several blocks at once where items are
 * cheap. */
#define WEFT_BLOCK 128

/** Stateless random bits: the same (seed, counter) gives the same bits on every machine. */
WEFT_API uint64_t weft_random_bits(uint64_t seed, uint64_t counter);
/** Stateless random number, uniform in [0, 1). */
WEFT_API double weft_random(uint64_t seed, uint64_t counter);
/** Smooth noise in `t`, in [-1, 1] with mean 0. Values one unit of t apart are independent. */
WEFT_API double weft_random_smooth(uint64_t seed, double t);

WEFT_END
#endif
