/* The bodies of a take, as arrays for the renderer. */
#ifndef WEFT_RENDER_REEL_BODIES_H
#define WEFT_RENDER_REEL_BODIES_H

#include "render/render.h"
#include "weft-io/take.h"

typedef struct weft_reel_bodies {
    weft_take_reader *take;
    weft_vec3 **position;  /* in the last frame read, m (take->body_count) */
    weft_framing *framing; /* of each body over all surveyed frames (take->body_count) */
    weft_shot_body *shot;  /* bodies that are drawn (shot_count) */
    int32_t shot_count;
} weft_reel_bodies;

/* A zeroed struct may be freed. It must be freed even if this fails. */
weft_result weft_reel_bodies_create(weft_reel_bodies *bodies, weft_take_reader *take, const weft_view *view);
void weft_reel_bodies_free(weft_reel_bodies *bodies);
/* Reads the positions of a frame. */
weft_result weft_reel_bodies_read(weft_reel_bodies *bodies, int64_t frame);
/* Adds the current positions to the framing of each body. */
void weft_reel_bodies_survey(weft_reel_bodies *bodies);
/* Call this after the survey. Selects the bodies to draw and adds them to the framing of the cloths. A body much larger
 * than the cloths is drawn but not framed. If it is also flat and level, it is treated as the ground and sets the
 * ground height of the view. */
void weft_reel_bodies_settle(weft_reel_bodies *bodies, weft_view *view, weft_framing *framing);

#endif
