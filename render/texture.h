/* Patterns over rest coordinates, filtered by the footprint of a pixel so that they do not alias. */
#ifndef WEFT_RENDER_TEXTURE_H
#define WEFT_RENDER_TEXTURE_H

#include "render/render.h"
#include "render/vecf.h"

typedef struct weft_weave_look {
    float shade;          /* factor on the colour, mean 1 */
    float tilt_u, tilt_v; /* slope of the threads' surface */
} weft_weave_look;

/* u, v and the footprint are counted in threads. */
weft_weave_look weft_texture_weave(float u, float v, float footprint);

/* Share of the second colour, in [0, 1]; u, v and footprint counted in squares. */
float weft_texture_checker(float u, float v, float footprint);

/* An image with its halved copies. */
enum { MIP_LEVELS = 16 };
typedef struct weft_mipmap {
    int32_t count;
    int32_t width[MIP_LEVELS], height[MIP_LEVELS];
    vecf *texel[MIP_LEVELS]; /* linear RGB (height x width) */
} weft_mipmap;

weft_result weft_mipmap_read(const char *path, weft_mipmap *map);
void weft_mipmap_free(weft_mipmap *map); /* a zeroed one is allowed */
/* The image repeats; u in image widths, v in image widths upwards. */
vecf weft_mipmap_at(const weft_mipmap *map, float u, float v, float footprint);

#endif
