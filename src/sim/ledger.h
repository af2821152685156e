/* What a pass of adaption does to the energy of a cloth, kept up change by change. */
#ifndef WEFT_SIM_LEDGER_H
#define WEFT_SIM_LEDGER_H

#include "sim/internal.h"

typedef struct sim_ledger {
    const weft_sim *sim;
    const sim_cloth *cloth;  /* its mesh is the one before the pass */
    const weft_vec3 *x, *v;  /* of the surface as it is now, m and m/s */
    double *of_triangle;     /* elastic and kinetic energy, J */
    double (*of_side)[3];    /* half of what bending the edge costs, J */
    uint8_t *entered;        /* 0: still as in the mesh before */
    int32_t room, triangles; /* triangles: how many the surface has had until now */
    double change;           /* of the energy since the pass began, J */
} sim_ledger;

/* Of a surface that has not changed yet and can have so many triangles; memory is from the arena. Changes are entered
 * from then on, until sim_ledger_close. */
weft_result sim_ledger_open(sim_ledger *ledger, const weft_sim *sim, const sim_cloth *cloth, const weft_vec3 *x,
                            const weft_vec3 *v);
/* Enters what has changed since the last time. */
void sim_ledger_settle(sim_ledger *ledger);
void sim_ledger_close(sim_ledger *ledger);

/* The forces on a cloth that have a potential, N: its weight. */
weft_vec3 sim_weight_of(weft_sim *sim, const sim_cloth *cloth);
/* Kinetic energy of a cloth, and that of its weight above its lowest point, J; of its elastic energy nothing. */
double sim_energy_of_motion(weft_sim *sim, const sim_cloth *cloth);

#endif
