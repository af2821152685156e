/* Stills, numbered pictures, contact sheets and videos of a run, from its take. */
#ifndef WEFT_CLI_PICTURES_H
#define WEFT_CLI_PICTURES_H

#include "render/reel.h"

typedef struct weft_pictures {
    weft_take_reader take;
    weft_view view;         /* set it before the first picture */
    weft_frame_range range; /* all frames, unless set; the automatic camera is framed over them */
    int threads;            /* 0: one for each processor */
    int resume;             /* keep pictures that are there, made with the same settings */
    int quiet;
    int64_t made, wanted; /* after an interruption: how far it came */
} weft_pictures;

/* The take in DIRECTORY, that of an unfinished run too. A zeroed one may be closed. */
weft_result weft_pictures_open(weft_pictures *pictures, const char *directory);
void weft_pictures_close(weft_pictures *pictures);

/* The functions below return WEFT_OK also when a signal came; then weft_interrupt_signal tells it. */

weft_result weft_pictures_still(weft_pictures *pictures, int64_t frame, const char *path);
/* FOLDER/NAME_0042.png for each frame of the range. */
weft_result weft_pictures_sequence(weft_pictures *pictures, const char *folder);
/* From the pictures in `folder`; null: from new ones in PATH.frames, which is taken away when the video is done. */
weft_result weft_pictures_video(weft_pictures *pictures, const char *path, const char *folder);
/* `count` frames evenly spaced over the range, with labels. */
weft_result weft_pictures_sheet(weft_pictures *pictures, int count, const char *path);
/* Says on stderr how far it came before the signal, and returns the exit status. */
int weft_pictures_stopped(const weft_pictures *pictures);

#endif
