/* Surfaces that pass through each other, in words. */
#ifndef WEFT_CLI_CROSSINGS_H
#define WEFT_CLI_CROSSINGS_H

#include "weft/sim.h"

/* "at 0.5 s body 'box' intersects cloth 'sheet': 12 edges pass through triangles" */
void weft_event_write(const weft_sim *sim, const weft_sim_event *event, char *text, size_t size);
/* The pairs that intersect now, for `weft check`: the first ones, then how many there are. */
weft_result weft_crossings_print(weft_sim *sim);
/* What was done about surfaces that touch at distance 0, "" when there were none. */
void weft_separation_write(const weft_sim *sim, char *text, size_t size);
/* What contact.repair did, "" when there was nothing to do. */
void weft_repair_write(const weft_sim *sim, char *text, size_t size);

#endif
