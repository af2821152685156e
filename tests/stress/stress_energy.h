/* Whether a scene that nothing drives creates energy. */
#ifndef WEFT_STRESS_ENERGY_H
#define WEFT_STRESS_ENERGY_H

#include "weft/sim.h"

typedef struct stress_energy {
    int is_driven; /* something adds energy, or the scheme does not promise to lose it */
    int has_start;
    double last;   /* kinetic + elastic + potential + stored in contact, J */
    double start;  /* the first of these */
    double lowest; /* until now */
    double least_potential;
    double rise; /* largest, over the lowest value before it, J */
    int64_t rise_frame, rise_step;
    double slack; /* weight times thickness, J */
} stress_energy;

void stress_energy_start(stress_energy *energy, const weft_sim *sim);
void stress_energy_add(stress_energy *energy, const weft_sim *sim, const weft_measures *now, int64_t frame,
                       int64_t step);
int stress_energy_counts(const stress_energy *energy);
/* The starting energy, J: kinetic, elastic, and potential above the lowest level that the cloth reaches in the run.
 * This level is known, unlike the lowest that it could reach, and makes the check stricter, not weaker. To it comes the
 * weight times the contact thickness, because contact does not hold heights more accurately than that. */
double stress_energy_reference(const stress_energy *energy);
double stress_energy_rise(const stress_energy *energy); /* as a fraction of the reference */

#endif
