/* Change of a cloth's energy during an adaptation, updated after each mesh change. */
#ifndef WEFT_SIM_ENERGY_BUDGET_H
#define WEFT_SIM_ENERGY_BUDGET_H

#include "sim/remesh.h"

typedef struct sim_energy_budget {
    const weft_sim *sim;
    const sim_cloth *cloth;       /* its mesh is the one before the adaptation */
    const weft_vec3 *x, *v;       /* of the current surface, m and m/s */
    weft_vec3 gravity;            /* acceleration by the forces that have a potential, m/s2 */
    double area;                  /* of the cloth at rest, m2 */
    weft_vec3 origin;             /* zero of the potential, near the cloth */
    double *triangle_energy;      /* elastic energy of the triangle, kinetic and potential energy, J */
    double (*halfedge_energy)[3]; /* half of the edge's energy, all of it at a boundary, J */
    uint8_t *recorded;            /* 0: still as in the mesh before */
    int32_t room, triangles;      /* room: capacity; triangles: current count */
    double change;                /* of the energy since the adaptation began, J */
    double edge_change;           /* the part of `change` that comes from edges */
} sim_energy_budget;

/* Starts tracking a surface that has not changed yet. Allocates from the arena, for as many triangles as the vertex
 * limit allows. Tracks changes until sim_energy_budget_close. */
weft_result sim_energy_budget_open(sim_energy_budget *budget, weft_sim *sim, const sim_cloth *cloth, const weft_vec3 *x,
                                   const weft_vec3 *v);
/* Accounts for the changes since the last call. */
void sim_energy_budget_settle(sim_energy_budget *budget);
void sim_energy_budget_close(sim_energy_budget *budget);
/* Kinetic energy before the adaptation, plus potential energy relative to the cloth's lowest point, J. Excludes elastic
 * energy. */
double sim_energy_budget_motion(const sim_energy_budget *budget);

/* Sum of the forces on a cloth that have a potential, N: its weight. */
weft_vec3 sim_weight_of(weft_sim *sim, const sim_cloth *cloth);

#endif
