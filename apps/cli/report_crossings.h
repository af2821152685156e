/* Describes intersections in words. */
#ifndef WEFT_CLI_CROSSINGS_H
#define WEFT_CLI_CROSSINGS_H

#include "weft/sim.h"

/* For `weft check`: prints the first intersections of the current state, then the number of the others. */
weft_result weft_crossings_print(weft_sim *sim);

#endif
