/* Pictures of a take: its frames as the renderer takes them, with one camera and one range of false colours for all. */
#ifndef WEFT_RENDER_REEL_H
#define WEFT_RENDER_REEL_H

#include "io/take.h"
#include "render/render.h"

/* Frames first, first + step, ... up to last. */
typedef struct weft_frame_range {
    int64_t first, last, step;
} weft_frame_range;

static inline int64_t weft_frame_range_count(const weft_frame_range *range) {
    return (range->last - range->first) / range->step + 1;
}

typedef struct weft_reel weft_reel;

/* Goes through all frames of the range once, so that the automatic camera and ground hold for each of them. The take
 * must stay open. */
weft_result weft_reel_open(weft_take_reader *take, const weft_view *view, const weft_frame_range *range, int threads,
                           weft_reel **reel);
/* `picture` is created; destroy it. */
weft_result weft_reel_picture(weft_reel *reel, int64_t frame, weft_picture *picture);
void weft_reel_close(weft_reel *reel); /* null is allowed */

#endif
