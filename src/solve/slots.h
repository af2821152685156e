/* Lock-free parallel assembly: the slots to which elements scatter their blocks, and a coloured order of the elements.
 */
#ifndef WEFT_SOLVE_SLOTS_H
#define WEFT_SOLVE_SLOTS_H

#include "solve/bsr.h"
#include "solve/slots.h"

/* Matrix slots of the elements of one list. After weft_slots_colour also an order for parallel scatter: chunks of one
 * colour share no vertex. Sums have the same order for any number of threads. */
typedef struct weft_slots {
    int32_t count, pairs;  /* pairs = arity (arity - 1) / 2, in the order 01 02 .. 12 .. */
    int32_t (*slot)[2];    /* of blocks (a, b) and (b, a), a before b in the element (count x pairs) */
    int32_t *order;        /* elements by colour, chunk, lowest vertex (count) */
    int32_t chunk;         /* elements per chunk */
    int32_t colours;       /* number of colours */
    int32_t *colour_start; /* into order (colours + 1) */
    int serial;            /* 1: the last colour holds the chunks left without a colour; they run sequentially */
} weft_slots;

weft_result weft_slots_create(const weft_bsr *matrix, const weft_elements *list, weft_slots **made);
void weft_slots_destroy(weft_slots *slots);
/* Computes the order for weft_slots_run. weft_slots_update invalidates it. */
weft_result weft_slots_colour(weft_slots *slots, const weft_bsr *matrix, const weft_elements *list);
/* Updates the slots after weft_bsr_update. Unchanged elements (list->from) keep theirs, shifted by `moved`. */
weft_result weft_slots_update(weft_slots *slots, const weft_bsr *matrix, const weft_elements *list,
                              const int32_t *moved);

/* Calls `visit` for chunks of elements. There, weft_bsr_add_pair at their slots and additions to the excess of their
 * vertices are free of races. */
typedef void (*weft_slots_visit)(void *context, const int32_t *elements, int32_t count);
void weft_slots_run(const weft_slots *slots, const weft_work *work, weft_slots_visit visit, void *context);

#endif
