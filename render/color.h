/* Colour spaces, tone mapping and colour maps. */
#ifndef WEFT_RENDER_COLOR_H
#define WEFT_RENDER_COLOR_H

#include "render/vecf.h"

/* sRGB transfer curve (IEC 61966-2-1), on [0, 1]. */
float weft_srgb_to_linear(float s);
float weft_linear_to_srgb(float l);
vecf weft_color_linear(weft_vec3 srgb);

/* Filmic curve from radiance to display light, per channel, and its inverse on [0, 1]. */
float weft_tone(float x);
float weft_tone_inverse(float y);
/* The radiance that tone mapping turns into this sRGB colour. */
vecf weft_color_radiance(weft_vec3 srgb, float exposure_factor);

/* Linear RGB for t in [0, 1]: from dark violet through teal to yellow, with evenly increasing lightness. */
vecf weft_colormap(float t);
/* Linear RGB for t in [-1, 1]: blue, grey, red. */
vecf weft_colormap_signed(float t);

#endif
