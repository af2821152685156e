/* The matrix of a system's elements, and for each cloth how its rows are made. */
#ifndef WEFT_ASSEMBLY_ASSEMBLY_PLAN_H
#define WEFT_ASSEMBLY_ASSEMBLY_PLAN_H

#include "assembly/row_gather.h"
#include "assembly/row_pairs.h"
#include "system/equations.h"
#include "weft/integrator.h"

/* The lists of a cloth, and how its rows are made: at once, gathered, or by colours. */
typedef struct weft_cloth_rows {
    int32_t begin, end;        /* rows */
    int32_t first, list_count; /* the number of its first list, and how many */
    const weft_elements *list; /* with vertices of the simulation (list_count) */
    weft_slots **slots;        /* (list_count) */
    weft_row_pairs *pairs;     /* null: by elements */
    weft_row_gather *gather;   /* null: by colours */
} weft_cloth_rows;

typedef struct weft_assembly_plan {
    int32_t list_count;
    weft_elements *list; /* with vertices of the simulation */
    weft_slots **slots;  /* of each list */
    weft_bsr *matrix;
    int32_t count;
    weft_cloth_rows *part; /* of each cloth; all rows are of one */
} weft_assembly_plan;

/* Into cleared memory; to be freed even after a failure. */
weft_result weft_assembly_plan_create(const weft_system *system, weft_assembly_plan *parts);
void weft_assembly_plan_free(weft_assembly_plan *parts);

/* After a change of meshes: vertex i was from[i], or is WEFT_NONE, see weft_bsr_update. WEFT_UNSUPPORTED, with nothing
 * changed, when there are not the same lists as before. */
weft_result weft_assembly_plan_update(const weft_system *system, const int32_t *from, weft_assembly_plan *parts);

#endif
