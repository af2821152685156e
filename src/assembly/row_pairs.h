/* Elements of two vertices by the rows of the matrix: which one each block is from, so that rows are written one after
 * the other instead of added to, each by the thread that has them. */
#ifndef WEFT_ASSEMBLY_ROW_PAIRS_H
#define WEFT_ASSEMBLY_ROW_PAIRS_H

#include "assembly/slots.h"
#include "linear/bsr.h"

typedef struct weft_row_pairs {
    int32_t begin, end; /* the rows, to which nothing else adds blocks */
    int32_t *element;   /* of each block of these rows */
} weft_row_pairs;

/* Null when two elements are between the same vertices. Takes time that is proportional to the number of elements. */
weft_result weft_row_pairs_create(const weft_bsr *matrix, int32_t begin, int32_t end, const weft_elements *list,
                                  const weft_slots *slots, weft_row_pairs **made);
void weft_row_pairs_destroy(weft_row_pairs *pairs);

#endif
