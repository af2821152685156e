/* Patterns over rest coordinates, filtered over the footprint of a pixel to avoid aliasing. */
#ifndef WEFT_RENDER_TEXTURE_H
#define WEFT_RENDER_TEXTURE_H

#include "render/render.h"
#include "render/vecf.h"

typedef struct weft_weave_look {
    float shade;          /* factor on the colour, mean 1 */
    float tilt_u, tilt_v; /* slope of the yarn surface */
} weft_weave_look;

/* u, v and footprint are in yarns. */
weft_weave_look weft_texture_weave(float u, float v, float footprint);

/* The fraction of the second colour, in [0, 1]. u, v and footprint are in squares. */
float weft_texture_checker(float u, float v, float footprint);

/* An image and its downscaled levels. */
enum { MIP_LEVELS = 16 };
typedef struct weft_mipmap {
    int32_t count;
    int32_t width[MIP_LEVELS], height[MIP_LEVELS];
    vecf *texel[MIP_LEVELS]; /* linear RGB (height x width) */
} weft_mipmap;

weft_result weft_mipmap_read(const char *path, weft_mipmap *map);
void weft_mipmap_free(weft_mipmap *map); /* a zeroed struct is allowed */
/* Samples the repeated image. u, v and footprint are in image widths, v upwards. */
vecf weft_mipmap_at(const weft_mipmap *map, float u, float v, float footprint);

#endif
