/* What a pass of adaption does to the energy of a cloth, kept up change by change. */
#ifndef WEFT_REMESH_ENERGY_BUDGET_H
#define WEFT_REMESH_ENERGY_BUDGET_H

#include "remesh/remesh.h"

typedef struct sim_energy_budget {
    const weft_sim *sim;
    const sim_cloth *cloth;  /* its mesh is the one before the pass */
    const weft_vec3 *x, *v;  /* of the surface as it is now, m and m/s */
    weft_vec3 gravity;       /* of the forces with a potential, m/s2 */
    double area;             /* of the cloth at rest, m2 */
    weft_vec3 origin;        /* near the cloth, where that is 0 */
    double *of_triangle;     /* its own, kinetic and of weight, J */
    double (*of_side)[3];    /* half of the edge's, J; all of it at a boundary */
    uint8_t *entered;        /* 0: still as in the mesh before */
    int32_t room, triangles; /* triangles: how many are entered now */
    double change;           /* of the energy since the pass began, J */
    double of_sides;         /* of that: of edges */
} sim_energy_budget;

/* Of a surface that has not changed yet and can have so many triangles; memory is from the arena. Changes are entered
 * from then on, until sim_energy_budget_close. */
weft_result sim_energy_budget_open(sim_energy_budget *ledger, weft_sim *sim, const sim_cloth *cloth, const weft_vec3 *x,
                                   const weft_vec3 *v);
/* Enters what has changed since the last time. */
void sim_energy_budget_settle(sim_energy_budget *ledger);
void sim_energy_budget_close(sim_energy_budget *ledger);
/* Kinetic energy before the pass, and that of weight above the cloth's lowest point, J; of elastic energy nothing. */
double sim_energy_budget_motion(const sim_energy_budget *ledger);

/* The forces on a cloth that have a potential, N: its weight. */
weft_vec3 sim_weight_of(weft_sim *sim, const sim_cloth *cloth);

#endif
