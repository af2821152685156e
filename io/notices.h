/* Notices on a simulation, in the words that the command and the studio share. */
#ifndef WEFT_IO_NOTICES_H
#define WEFT_IO_NOTICES_H

#include "weft/sim.h"

/* Names what a cloth touches: "itself", "cloth 'scarf'", "body 'box'", or "body 'box' (bodies.1)" if several bodies
 * have that name. `other` and `body` are as in weft_crossing. */
void weft_contact_name(const weft_sim *sim, int32_t cloth, int32_t other, int32_t body, char *text, size_t size);
/* "at 0.5 s cloth 'sheet' intersects body 'box': 12 edges pass through triangles" */
void weft_event_write(const weft_sim *sim, const weft_sim_event *event, char *text, size_t size);
/* Writes the notice on event `index`. The first event that the simulation did not keep has one that says so, the others
 * have none. Returns whether there is a notice. */
int weft_event_notice(const weft_sim *sim, int64_t index, char *text, size_t size);

/* Describes how surfaces at distance 0 were separated; "" if there were none. */
void weft_separation_write(const weft_sim *sim, char *text, size_t size);
/* Warns of steps that are too long for an explicit integrator; "" if they are not. */
void weft_long_step_write(weft_sim *sim, char *text, size_t size);
/* Describes what contact.repair did; "" if it had nothing to do. */
void weft_repair_write(const weft_sim *sim, char *text, size_t size);

/* Writes a notice if the texture coordinates have another scale than the shape. Returns whether there is one. */
int weft_pattern_notice(const weft_sim *sim, int32_t cloth, char *text, size_t size);
/* Writes a notice if a mesh file seems to have another unit than the metre. Returns whether there is one. `scale`
 * receives the factor that would help. The simulation must be prepared. */
int weft_size_notice(const weft_sim *sim, int32_t cloth, char *text, size_t size, double *scale);

#endif
