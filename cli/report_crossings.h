/* Describes intersections in words. */
#ifndef WEFT_CLI_CROSSINGS_H
#define WEFT_CLI_CROSSINGS_H

#include "weft/sim.h"

/* For `weft check`: prints the first intersections of the current state, then the number of the others. */
weft_result weft_crossings_print(weft_sim *sim);
/* Describes how surfaces at distance 0 were separated; "" if there were none. */
void weft_separation_write(const weft_sim *sim, char *text, size_t size);
/* Describes what contact.repair did; "" if it had nothing to do. */
void weft_repair_write(const weft_sim *sim, char *text, size_t size);

#endif
