/* Parallel assembly without locks: where elements add their blocks, in an order coloured so that no two share a vertex.
 */
#ifndef WEFT_ASSEMBLY_SLOTS_H
#define WEFT_ASSEMBLY_SLOTS_H

#include "assembly/slots.h"
#include "linear/bsr.h"

/* Where the elements of one list add their blocks, and by weft_slots_colour an order in which that can be done in
 * parallel: chunks of elements, in colours such that chunks of one colour share no vertex. Sums are then taken in
 * the same order for any number of threads. */
typedef struct weft_slots {
    int32_t count, pairs;  /* pairs = arity (arity - 1) / 2, in the order 01 02 .. 12 .. */
    int32_t (*slot)[2];    /* of (a, b) and (b, a), a before b in the element (count x pairs) */
    int32_t *order;        /* elements by colour, chunk, lowest vertex (count) */
    int32_t chunk;         /* elements per chunk */
    int32_t colours;       /* the last may be one whose chunks run in sequence, see `serial` */
    int32_t *colour_start; /* into order (colours + 1) */
    int serial;            /* whether the last colour holds what found no colour */
} weft_slots;

weft_result weft_slots_create(const weft_bsr *matrix, const weft_elements *list, weft_slots **made);
void weft_slots_destroy(weft_slots *slots);
/* What weft_slots_run needs; gone with the next update. */
weft_result weft_slots_colour(weft_slots *slots, const weft_bsr *matrix, const weft_elements *list);
/* The same after weft_bsr_update: elements that are what they were (list->from) take their slots over. */
weft_result weft_slots_update(weft_slots *slots, const weft_bsr *matrix, const weft_elements *list,
                              const int32_t *moved);

/* Calls body for chunks of elements; within it weft_bsr_add_pair at the elements' slots and additions to the excess of
 * their vertices are free of races. */
typedef void (*weft_slots_visit)(void *context, const int32_t *elements, int32_t count);
void weft_slots_run(const weft_slots *slots, const weft_work *work, weft_slots_visit body, void *context);

#endif
