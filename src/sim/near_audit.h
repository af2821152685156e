/* Counts intersections of one cloth within a box, for trial positions and connectivity. Much cheaper than a count over
 * the whole scene when the box is small. */
#ifndef WEFT_SIM_NEAR_AUDIT_H
#define WEFT_SIM_NEAR_AUDIT_H

#include "sim/state.h"

/* The part of another cloth or of a body that is in the box. */
typedef struct sim_near_surface {
    weft_audit_surface surface;
    uint8_t *skip;
    weft_body_surface body; /* owned arrays; null for a cloth */
} sim_near_surface;

typedef struct sim_near_audit {
    uint8_t *skip;           /* 1: triangle of the cloth outside of the box or torn (triangle_count) */
    sim_near_surface *other; /* (other_count) */
    int32_t other_count;
} sim_near_audit;

/* Collects what is in the box from `low` to `high` at the current positions. */
weft_result sim_near_audit_create(const weft_sim *sim, const sim_cloth *cloth, weft_vec3 low, weft_vec3 high,
                                  sim_near_audit *made);
void sim_near_audit_destroy(sim_near_audit *audit);
/* Counts edges that pass through triangles. The triangles have the order of the cloth's mesh. `marked` may be null.
 * Otherwise it receives 1 for vertices of the cloth whose edges or triangles intersect, as far as a list of limited
 * length shows them (vertex_count). */
weft_result sim_near_audit_count(const sim_near_audit *audit, const weft_vec3 *x, int32_t vertex_count,
                                 const int32_t (*triangle)[3], int32_t triangle_count, uint8_t *marked,
                                 int64_t *crossings);

#endif
