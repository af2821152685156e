/* Orders and partitions the vertices of a sparse symmetric graph. The neighbours of i are column[start[i]] to
 * column[start[i + 1] - 1], without i itself. */
#ifndef WEFT_SOLVE_ORDER_H
#define WEFT_SOLVE_ORDER_H

#include "weft/base.h"

/* Nested dissection, to reduce fill-in. order[k] is the vertex eliminated k-th (rows). */
weft_result weft_order_dissect(int32_t rows, const int32_t *start, const int32_t *column, int32_t *order);

/* Partitions the vertices into compact aggregates of `largest` / 4 to `largest` vertices. group[i] is in 0 .. *groups -
 * 1 (rows). */
weft_result weft_order_cluster(int32_t rows, const int32_t *start, const int32_t *column, int32_t largest,
                               int32_t *group, int32_t *groups);

#endif
