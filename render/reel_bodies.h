/* The bodies of a take in the arrays that the renderer reads. */
#ifndef WEFT_RENDER_REEL_BODIES_H
#define WEFT_RENDER_REEL_BODIES_H

#include "io/take.h"
#include "render/render.h"

typedef struct weft_reel_bodies {
    weft_take_reader *take;
    weft_vec3 **position;  /* in the frame read last, m (take->body_count) */
    weft_framing *framing; /* of each body over all frames surveyed (take->body_count) */
    weft_shot_body *shot;  /* those that are drawn (shot_count) */
    int32_t shot_count;
} weft_reel_bodies;

/* A zeroed one may be freed; free it also when this fails. */
weft_result weft_reel_bodies_create(weft_reel_bodies *bodies, weft_take_reader *take, const weft_view *view);
void weft_reel_bodies_free(weft_reel_bodies *bodies);
/* Brings the bodies to a frame. */
weft_result weft_reel_bodies_read(weft_reel_bodies *bodies, int64_t frame);
/* Remembers where they are now. */
void weft_reel_bodies_survey(weft_reel_bodies *bodies);
/* After the survey: decides what is drawn and puts it into the framing of the cloths. A body far larger than they are
 * is drawn, but not framed; one that is flat and level besides is the ground, whose height the view then has. */
void weft_reel_bodies_settle(weft_reel_bodies *bodies, weft_view *view, weft_framing *framing);

#endif
