/* How many blocks of a cooperative kernel a GPU holds at once. The blocks wait for each other, so all must be there. */
#ifndef WEFT_GPU_RESIDENT_H
#define WEFT_GPU_RESIDENT_H

#include "gpu.h"

enum {
    GPU_RESIDENT_MOST = 32, /* blocks per processor */
    GPU_SHARED_UNIT = 128   /* bytes in which shared memory is handed out */
};

typedef struct gpu_resident {
    int32_t processors;                /* 0: the kernel cannot be launched */
    int32_t shared[GPU_RESIDENT_MOST]; /* [k]: bytes that each of k + 1 blocks of a processor may have; -1: too many */
} gpu_resident;

/* Blocks that a processor holds at once if each has so many bytes of dynamic shared memory. Only the GPU knows: it
 * rounds the memory of each block up. */
typedef int gpu_resident_count(const void *self, int32_t bytes);

/* `most`: bytes that a block may have. */
static inline gpu_resident gpu_resident_of(int32_t processors, int32_t most, gpu_resident_count *count,
                                           const void *self) {
    gpu_resident r;
    r.processors = processors;
    for (int32_t k = 0; k < GPU_RESIDENT_MOST; k++) {
        int32_t good = count(self, 0) > k ? 0 : -1, bad = most / GPU_SHARED_UNIT + 1;
        while (good >= 0 && bad - good > 1) { /* in units */
            int32_t middle = (good + bad) / 2;
            if (count(self, middle * GPU_SHARED_UNIT) > k)
                good = middle;
            else
                bad = middle;
        }
        r.shared[k] = good < 0 ? -1 : good * GPU_SHARED_UNIT;
    }
    return r;
}

/* Bytes of shared memory that each block may have so that all blocks for so many rows are there at once, or -1. */
static inline int32_t gpu_resident_shared(const gpu_resident *r, int32_t rows) {
    if (r->processors <= 0 || rows <= 0)
        return -1;
    int32_t each = (gpu_blocks(rows) + r->processors - 1) / r->processors;
    return each <= GPU_RESIDENT_MOST ? r->shared[each - 1] : -1;
}

#endif
