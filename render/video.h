/* H.264 video, encoded by an ffmpeg process that receives the pictures. */
#ifndef WEFT_RENDER_VIDEO_H
#define WEFT_RENDER_VIDEO_H

#include "render/render.h"

typedef struct weft_video weft_video;

/* Fails with a one-line message if ffmpeg cannot be started. Call this before a long rendering. */
weft_result weft_video_check(void);
/* Writes to PATH.part. Crops an odd last row or column, because H.264 with 4:2:0 needs even sizes. */
weft_result weft_video_open(const char *path, int32_t width, int32_t height, double rate, weft_video **video);
weft_result weft_video_add(weft_video *video, const weft_picture *picture);
/* Completes and renames the file, or removes it if finished == 0. Always frees `video`. */
weft_result weft_video_close(weft_video *video, int finished);

#endif
