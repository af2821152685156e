/* An H.264 video by an ffmpeg process that is fed with pictures. */
#ifndef WEFT_RENDER_VIDEO_H
#define WEFT_RENDER_VIDEO_H

#include "render/render.h"

typedef struct weft_video weft_video;

/* Fails with one line when ffmpeg cannot be started: to be asked before hours of rendering. */
weft_result weft_video_check(void);
/* Writes PATH.part. An odd last row or column of the pictures is cut off, as H.264 in 4:2:0 needs. */
weft_result weft_video_open(const char *path, int32_t width, int32_t height, double rate, weft_video **video);
weft_result weft_video_add(weft_video *video, const weft_picture *picture);
/* Completes the file and renames it, or with finished == 0 takes it away. Frees in any case. */
weft_result weft_video_close(weft_video *video, int finished);

#endif
