/* Maps each matrix block to its two-vertex element, for assembly by rows (assemble_rows.c). */
#include "solve/row_pairs.h"

#include <stdlib.h>

#include "core/memory.h"

/* Assigns the elements to their blocks. Returns 0 if two elements share a block. */
static int assign_elements(const weft_row_pairs *pairs, int32_t first, const weft_elements *list,
                           const weft_slots *slots) {
    for (int32_t e = 0; e < list->count; e++)
        for (int side = 0; side < 2; side++) {
            int32_t *own = &pairs->element[slots->slot[e][side] - first];
            if (*own != WEFT_NONE)
                return 0;
            *own = e;
        }
    return 1;
}

weft_result weft_row_pairs_create(const weft_bsr *matrix, int32_t begin, int32_t end, const weft_elements *list,
                                  const weft_slots *slots, weft_row_pairs **made) {
    *made = NULL;
    int32_t first = matrix->start[begin], blocks = matrix->start[end] - first;
    weft_row_pairs *pairs = weft_allocate(1, sizeof *pairs);
    if (pairs)
        pairs->element = malloc(((size_t)blocks + 1) * sizeof *pairs->element);
    if (!pairs || !pairs->element) {
        free(pairs);
        return weft_fail_memory("assembly by rows", (size_t)blocks * sizeof *pairs->element);
    }
    pairs->begin = begin;
    pairs->end = end;
    for (int32_t k = 0; k < blocks; k++)
        pairs->element[k] = WEFT_NONE;
    if (assign_elements(pairs, first, list, slots))
        *made = pairs;
    else
        weft_row_pairs_destroy(pairs);
    return weft_ok();
}

void weft_row_pairs_destroy(weft_row_pairs *pairs) {
    if (!pairs)
        return;
    free(pairs->element);
    free(pairs);
}
