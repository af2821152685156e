/* Parallel loops over expensive items. */
#ifndef WEFT_CORE_PARALLEL_H
#define WEFT_CORE_PARALLEL_H

#include "weft/work.h"

/* Like weft_parallel_for, for items that each take about `weight` nanoseconds. Only the first run relies on it: then
 * the time is known. */
void weft_parallel_heavy(const weft_work *work, int64_t count, int64_t block, int64_t weight, weft_loop loop,
                         void *context);

#endif
