/* A reel: renders the frames of a take with one camera path and one range of false colours. */
#ifndef WEFT_RENDER_REEL_H
#define WEFT_RENDER_REEL_H

#include "render/render.h"
#include "weft-io/take.h"

/* Frames first, first + step, ... up to last. */
typedef struct weft_frame_range {
    int64_t first, last, step;
} weft_frame_range;

static inline int64_t weft_frame_range_count(const weft_frame_range *range) {
    return (range->last - range->first) / range->step + 1;
}

typedef struct weft_reel weft_reel;

/* Reads all frames of the range once, so that the automatic camera and ground fit all of them. The take must stay
 * open. */
weft_result weft_reel_open(weft_take_reader *take, const weft_view *view, const weft_frame_range *range, int threads,
                           weft_reel **reel);
/* Creates `picture`; the caller destroys it. */
weft_result weft_reel_picture(weft_reel *reel, int64_t frame, weft_picture *picture);
void weft_reel_close(weft_reel *reel); /* null is allowed */

#endif
