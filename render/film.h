/* The film: data collected per pixel.
 *
 * The radiance of a pixel is unlit + sun x visible + sky x light. The factors unlit, sun and sky are free of noise.
 * Rays sample `visible` and `light`, and the denoising filter smooths them. */
#ifndef WEFT_RENDER_FILM_H
#define WEFT_RENDER_FILM_H

#include "render/render.h"
#include "render/vecf.h"
#include "weft/work.h"

typedef struct weft_film_pixel {
    vecf unlit;    /* background, overlays, faded ground */
    vecf sun;      /* unshadowed sunlight reflected to the camera */
    vecf sky;      /* light reflected to the camera per unit of sky light */
    vecf normal;   /* mean, towards the camera; zero if unlit or if samples lie on different surfaces */
    vecf position; /* mean, m */
    float pixel;   /* size of a pixel at that position, m */
} weft_film_pixel;

typedef struct weft_film_light {
    float visible, visible_variance; /* visible fraction of the sun, and the variance of its mean */
    vecf light;                      /* sky light */
    float light_variance;            /* variance of the mean luminance */
} weft_film_light;

typedef struct weft_film {
    int32_t width, height;
    weft_film_pixel *pixel;    /* (height x width) */
    weft_film_light *light[2]; /* light[1] is scratch for the filter */
    uint32_t *sees;            /* what each pixel sees after the first round of samples (height x width) */
    float *radiance;           /* (height x width x 3) */
} weft_film;

weft_result weft_film_create(weft_film *film, int32_t width, int32_t height);
void weft_film_destroy(weft_film *film);

/* Smooths light[0] between pixels that see the same surface. */
void weft_film_denoise(weft_film *film, const weft_work *work);
/* Computes `radiance`. */
void weft_film_resolve(weft_film *film, const weft_work *work);
/* Applies exposure, tone curve, sRGB encoding and dithering. `picture` must have the size of the film. */
void weft_film_develop(const weft_film *film, const weft_view *view, const weft_work *work, weft_picture *picture);

#endif
