/* By how much adaption changes the energy of a cloth: the same step is taken twice, with adaption and without. */
#ifndef WEFT_EXPERIMENTS_ENERGY_JUMP_H
#define WEFT_EXPERIMENTS_ENERGY_JUMP_H

#include "weft/sim.h"

typedef struct weft_energy_jump {
    weft_sim *twin; /* takes the step without adaption */
    char *bytes;    /* the state before the step */
    size_t size, capacity;
    double largest; /* change over the energy without it */
    double at;      /* s, when that was */
    double moved;   /* farthest that adaption has moved a vertex of the mesh given, m */
    int64_t steps;  /* that were compared */
} weft_energy_jump;

/* `twin` was made as the simulation that is to be watched, whose first cloth it is about; it is taken over. */
weft_result weft_energy_jump_start(weft_energy_jump *jump, weft_sim *twin);
/* Around a step of the simulation, of that length: before one that ends with adaption, and after it. */
weft_result weft_energy_jump_before(weft_energy_jump *jump, const weft_sim *sim);
weft_result weft_energy_jump_after(weft_energy_jump *jump, weft_sim *sim, double dt);
void weft_energy_jump_end(weft_energy_jump *jump);

#endif
