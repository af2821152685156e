/* What is collected per pixel. A pixel's radiance is unlit + sun x visible + sky x light: the first three are free of
 * noise, the last two are what rays sample and what the filter smooths. */
#ifndef WEFT_RENDER_FILM_H
#define WEFT_RENDER_FILM_H

#include "render/render.h"
#include "render/vecf.h"
#include "weft/work.h"

typedef struct weft_film_pixel {
    vecf unlit;    /* background, overlays, faded ground */
    vecf sun;      /* sunlight sent to the camera if nothing were in the way */
    vecf sky;      /* what one unit of sky light sends to the camera */
    vecf normal;   /* mean, towards the camera; zero where nothing is lit or surfaces meet */
    vecf position; /* mean, m */
    float pixel;   /* size of a pixel at that place, m */
} weft_film_pixel;

typedef struct weft_film_light {
    float visible, visible_variance; /* share of the sun, and the variance of its mean */
    vecf light;                      /* sky light */
    float light_variance;            /* of the mean luminance */
} weft_film_light;

typedef struct weft_film {
    int32_t width, height;
    weft_film_pixel *pixel;    /* (height x width) */
    weft_film_light *light[2]; /* the second is room for the filter */
    uint32_t *sees;            /* after the first round of samples (height x width) */
    float *radiance;           /* (height x width x 3) */
} weft_film;

weft_result weft_film_create(weft_film *film, int32_t width, int32_t height);
void weft_film_destroy(weft_film *film);

/* Smooths light[0] between pixels that see the same surface. */
void weft_film_denoise(weft_film *film, const weft_work *work);
/* Fills `radiance`. */
void weft_film_resolve(weft_film *film, const weft_work *work);
/* Exposure, tone curve, sRGB, dither. `picture` has the film's size. */
void weft_film_develop(const weft_film *film, const weft_view *view, const weft_work *work, weft_picture *picture);

#endif
