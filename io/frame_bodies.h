/* The bodies of a simulation as a take needs them. */
#ifndef WEFT_IO_FRAME_BODIES_H
#define WEFT_IO_FRAME_BODIES_H

#include "weft-io/writer.h"
#include "weft/sim.h"

typedef struct weft_frame_bodies {
    int32_t count;
    weft_body_surface *surface; /* (count) */
    weft_frame_body *body;      /* views of the surfaces (count) */
} weft_frame_bodies;

/* Updates the positions of the bodies; static bodies are read once. Start with a zeroed struct. The number of bodies
 * must not change. Free it also after a failure. */
weft_result weft_frame_bodies_follow(weft_frame_bodies *bodies, const weft_sim *sim);
void weft_frame_bodies_free(weft_frame_bodies *bodies);

#endif
