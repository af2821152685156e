/* The change of a cloth's energy by adaptation: the same step is taken twice, with and without adaptation. */
#ifndef WEFT_LAB_EXPERIMENTS_ENERGY_JUMP_H
#define WEFT_LAB_EXPERIMENTS_ENERGY_JUMP_H

#include "weft/sim.h"

typedef struct weft_energy_jump {
    weft_sim *twin; /* takes the step without adaptation */
    char *bytes;    /* the state before the step */
    size_t size, capacity;
    double largest; /* change relative to the energy without adaptation */
    double at;      /* s, time of that change */
    double moved;   /* largest displacement by adaptation of a vertex of the original mesh, m */
    int64_t steps;  /* number of compared steps */
} weft_energy_jump;

/* `twin` must be created like the simulation to watch, and is owned from then on. Only the first cloth is watched. */
weft_result weft_energy_jump_start(weft_energy_jump *jump, weft_sim *twin);
/* Call these before and after a step that ends with adaptation. */
weft_result weft_energy_jump_before(weft_energy_jump *jump, const weft_sim *sim);
weft_result weft_energy_jump_after(weft_energy_jump *jump, weft_sim *sim, double dt);
void weft_energy_jump_end(weft_energy_jump *jump);

#endif
