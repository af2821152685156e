/* Orders and clusters of the vertices of a sparse symmetric graph: neighbours of i are column[start[i]] to
 * column[start[i + 1] - 1], without i itself. */
#ifndef WEFT_LINEAR_ORDER_H
#define WEFT_LINEAR_ORDER_H

#include "weft/base.h"

/* Nested dissection, for little fill in a direct solve: order[k] is the vertex eliminated as the k-th (rows). */
weft_result weft_order_dissect(int32_t rows, const int32_t *start, const int32_t *column, int32_t *order);

/* Clusters of `largest` / 4 to `largest` vertices that lie close together: group[i] is in 0 .. *groups - 1 (rows). */
weft_result weft_order_cluster(int32_t rows, const int32_t *start, const int32_t *column, int32_t largest,
                               int32_t *group, int32_t *groups);

#endif
