/* Two-vertex elements by matrix row: the element of each block. Rows can then be written one after the other by one
 * thread, instead of being scattered to. */
#ifndef WEFT_SOLVE_ROW_PAIRS_H
#define WEFT_SOLVE_ROW_PAIRS_H

#include "solve/bsr.h"
#include "solve/slots.h"

typedef struct weft_row_pairs {
    int32_t begin, end; /* rows; no other elements contribute to them */
    int32_t *element;   /* of each block of these rows */
} weft_row_pairs;

/* *made is null if two elements join the same vertices. Takes time linear in the number of elements. */
weft_result weft_row_pairs_create(const weft_bsr *matrix, int32_t begin, int32_t end, const weft_elements *list,
                                  const weft_slots *slots, weft_row_pairs **made);
void weft_row_pairs_destroy(weft_row_pairs *pairs);

#endif
