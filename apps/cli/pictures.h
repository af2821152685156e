/* Stills, numbered pictures, contact sheets and videos of a run, made from frames.weft. */
#ifndef WEFT_APPS_CLI_PICTURES_H
#define WEFT_APPS_CLI_PICTURES_H

#include "render/reel.h"

typedef struct weft_pictures {
    weft_take_reader take;
    weft_view view;         /* set it before the first picture */
    weft_frame_range range; /* default: all frames; the automatic camera is framed over this range */
    int threads;            /* 0: one for each processor */
    int resume;             /* keep existing pictures made with the same settings */
    int quiet;
    int64_t made, wanted; /* progress at an interruption */
} weft_pictures;

/* Opens frames.weft in DIRECTORY, also of an unfinished run. Closing a zeroed struct is allowed. */
weft_result weft_pictures_open(weft_pictures *pictures, const char *directory);
void weft_pictures_close(weft_pictures *pictures);

/* The functions below also return WEFT_OK if a signal arrived. Check weft_interrupt_signal. */

weft_result weft_pictures_still(weft_pictures *pictures, int64_t frame, const char *path);
/* Writes FOLDER/NAME_0042.png for each frame of the range. */
weft_result weft_pictures_sequence(weft_pictures *pictures, const char *folder);
/* Makes a video from the pictures in `folder`. If `folder` is null, makes new pictures in PATH.frames and removes them
 * when the video is complete. */
weft_result weft_pictures_video(weft_pictures *pictures, const char *path, const char *folder);
/* Shows `count` frames, evenly spaced over the range, with labels. */
weft_result weft_pictures_sheet(weft_pictures *pictures, int count, const char *path);
/* Reports the progress at the interruption on stderr and returns the exit status. */
int weft_pictures_stopped(const weft_pictures *pictures);

#endif
