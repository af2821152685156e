/* Loops whose items take longer than a few operations on a vertex. */
#ifndef WEFT_CORE_PARALLEL_H
#define WEFT_CORE_PARALLEL_H

#include "weft/work.h"

/* As weft_parallel_for, of items that take `weight` times as long as the vertices of a vector operation: fewer of them
 * are worth a second thread. */
void weft_parallel_heavy(const weft_work *work, int64_t count, int64_t block, int64_t weight, weft_loop body,
                         void *context);

#endif
