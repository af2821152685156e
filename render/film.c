/* The film: combines the collected light into radiance and develops it to an 8-bit picture. */
#include <stdlib.h>

#include "render/color.h"
#include "render/film.h"

weft_result weft_film_create(weft_film *film, int32_t width, int32_t height) {
    size_t pixels = (size_t)width * (size_t)height;
    *film = (struct weft_film){.width = width, .height = height};
    film->pixel = calloc(pixels, sizeof *film->pixel);
    film->light[0] = calloc(pixels, sizeof *film->light[0]);
    film->light[1] = calloc(pixels, sizeof *film->light[1]);
    film->sees = calloc(pixels, sizeof *film->sees);
    film->radiance = calloc(pixels, 3 * sizeof *film->radiance);
    if (film->pixel && film->light[0] && film->light[1] && film->sees && film->radiance)
        return weft_ok();
    weft_film_destroy(film);
    return weft_fail_memory("picture in float",
                            pixels * (sizeof(weft_film_pixel) + 2 * sizeof(weft_film_light) + 4 * sizeof(float)));
}

void weft_film_destroy(weft_film *film) {
    free(film->radiance);
    free(film->sees);
    free(film->light[1]);
    free(film->light[0]);
    free(film->pixel);
    *film = (struct weft_film){0};
}

static void resolve_block(void *context, int64_t begin, int64_t end) {
    weft_film *film = context;
    for (int64_t i = begin; i < end; i++) {
        const weft_film_pixel *p = &film->pixel[i];
        const weft_film_light *l = &film->light[0][i];
        vecf c = vf_add(vf_mad(p->unlit, l->visible, p->sun), vf_mul(p->sky, l->light));
        film->radiance[3 * i] = c.x;
        film->radiance[3 * i + 1] = c.y;
        film->radiance[3 * i + 2] = c.z;
    }
}

void weft_film_resolve(weft_film *film, const weft_work *work) {
    weft_parallel_for(work, (int64_t)film->width * film->height, 4096, resolve_block, film);
}

typedef struct develop_context {
    const weft_film *film;
    weft_picture *picture;
    float exposure;
} develop_context;

/* Adds triangular noise of one quantisation step, so that smooth gradients show no bands. */
static uint8_t quantize(float display, uint64_t bits) {
    float noise = ((float)(bits & 0xffff) + (float)(bits >> 16 & 0xffff)) / 65536.0f - 1;
    return (uint8_t)clampf(255 * display + 0.5f + 0.5f * noise, 0, 255);
}

static void develop_block(void *context, int64_t begin, int64_t end) {
    const develop_context *d = context;
    for (int64_t i = begin; i < end; i++)
        for (int k = 0; k < 3; k++) {
            float display = weft_linear_to_srgb(weft_tone(d->exposure * d->film->radiance[3 * i + k]));
            d->picture->rgba[4 * i + k] = quantize(display, weft_random_bits((uint64_t)k, (uint64_t)i));
        }
}

void weft_film_develop(const weft_film *film, const weft_view *view, const weft_work *work, weft_picture *picture) {
    develop_context d = {film, picture, exp2f((float)view->exposure)};
    weft_parallel_for(work, (int64_t)film->width * film->height, 4096, develop_block, &d);
}
