/* Matrix of a system's elements, and how the rows of each cloth are assembled. */
#ifndef WEFT_SOLVE_ASSEMBLY_PLAN_H
#define WEFT_SOLVE_ASSEMBLY_PLAN_H

#include "solve/equations.h"
#include "solve/row_gather.h"
#include "solve/row_pairs.h"

/* The rows of one cloth, its element lists and its assembly method: by rows (`pairs`), gathered (`gather`) or coloured.
 */
typedef struct weft_cloth_rows {
    int32_t begin, end;        /* rows */
    int32_t cloth;             /* index of the cloth that has the lists, in system->equations */
    int32_t first, list_count; /* index of its first list in the system, number of lists */
    const weft_elements *list; /* vertices are numbered in the whole system (list_count) */
    weft_slots **slots;        /* (list_count) */
    weft_row_pairs *pairs;     /* null: not all elements are two-vertex ones */
    weft_row_gather *gather;   /* null: element-wise scatter with colouring */
} weft_cloth_rows;

typedef struct weft_assembly_plan {
    int32_t list_count;
    weft_elements *list; /* vertices are numbered in the whole system (list_count) */
    weft_slots **slots;  /* (list_count) */
    weft_bsr *matrix;
    int32_t count;
    weft_cloth_rows *cloth_rows; /* the rows of each cloth; together they cover the matrix (count) */
} weft_assembly_plan;

/* `plan` must be zeroed. It must be freed even after a failure. */
weft_result weft_assembly_plan_create(const weft_system *system, weft_assembly_plan *plan);
void weft_assembly_plan_free(weft_assembly_plan *plan);

/* Updates the plan after a change of the meshes. Vertex i was from[i] or is WEFT_NONE, see weft_bsr_update. Returns
 * WEFT_UNSUPPORTED and changes nothing if the element lists differ in number or arity. */
weft_result weft_assembly_plan_update(const weft_system *system, const int32_t *from, weft_assembly_plan *plan);

#endif
