/* Vertices that opened edges split, and the displacements that part them. See crack_sides.c. */
#ifndef WEFT_SIM_CRACK_SIDES_H
#define WEFT_SIM_CRACK_SIDES_H

#include "sim/near_audit.h"
#include "sim/remesh.h"

/* The copies of a split vertex form a group. Its lowest vertex stands for it. */
typedef struct crack_sides {
    weft_sim *sim;
    sim_cloth *cloth;
    weft_refined *refined;
    weft_vec3 *shut;   /* positions while the sides coincide, m (vertex_count) */
    weft_vec3 *parted; /* trial positions, m (vertex_count) */
    weft_vec3 *shift;  /* displacement from `shut` to `parted`, m (vertex_count) */
    int32_t *partner;  /* former twin of an opened half-edge, else WEFT_NONE (3 triangle_count) */
    int32_t *group;    /* lowest of the vertices that were one vertex (vertex_count) */
    int32_t *next;     /* next higher vertex of the group, or WEFT_NONE (vertex_count) */
    int32_t *attempt;  /* of each split group: number of its present displacement, else WEFT_NONE (vertex_count) */
    uint8_t *fixed;    /* held in place by a drag or by a pin that names the vertex (vertex_count) */
    uint8_t *marked;   /* scratch: vertices of features that intersect (vertex_count) */
    uint8_t *shuts;    /* scratch: opened edges to close again (opened_count) */
    double gap;        /* m */
    int64_t before;    /* intersections before edges opened; -1: not counted yet */
    sim_near_audit audit;
} crack_sides;

/* crack_shift.c: sets displacements of the group's vertices by the number of the attempt. Returns 0 if there are no
 * more attempts. */
int sim_crack_shift(const crack_sides *s, int32_t lowest, int32_t attempt);

#endif
