/* Shading: computes from a hit what the camera would see, before shadows are known. */
#ifndef WEFT_RENDER_SHADE_H
#define WEFT_RENDER_SHADE_H

#include "render/light.h"
#include "render/stage.h"
#include "render/texture.h"

/* Constants of one frame. */
typedef struct weft_setting {
    const weft_view *view;
    const weft_stage *stage;
    weft_light light;
    const weft_mipmap *image;     /* null without a texture image */
    vecf eye, right, up, forward; /* right and up are scaled to the half image at distance 1 */
    float pixel;                  /* size of a pixel at distance 1 */
    float exposure;               /* factor */
    vecf background, ground;      /* radiance */
    vecf ground_sun, ground_sky;  /* fractions of sun and sky in fully lit ground */
    float epsilon;                /* offset of ray origins from a surface, m */
} weft_setting;

typedef struct weft_ray {
    vecf origin, direction; /* unit direction */
} weft_ray;

typedef struct weft_hit {
    float distance;
    uint32_t mesh, triangle;
    float u, v; /* barycentric weights of the second and third corner */
} weft_hit;

/* What a pixel sees. A mesh has the number 2 x index, plus 1 for its back side. SEES_UNEVEN is added if the samples of
 * the pixel see different things. */
enum { SEES_UNEVEN = 0x40000000, SEES_NOTHING = 0x20000000, SEES_GROUND, SEES_OVERLAY };

typedef struct weft_shading {
    uint32_t what;
    int lit;               /* 0: only `unlit` is set */
    int sun_wanted;        /* 1: the sun reaches this side or shines through */
    vecf unlit, sun, sky;  /* as in weft_film_pixel */
    vecf sky_on;           /* light of the unoccluded sky */
    vecf bounce;           /* radiance of an object that blocks a sky ray */
    vecf position, ng, ns; /* ng: geometric normal, ns: shading normal, both towards the camera */
    vecf sun_origin, sky_origin;
    float pixel; /* m */
} weft_shading;

weft_shading weft_shade_mesh(const weft_setting *setting, const weft_ray *ray, const weft_hit *hit);
/* `background` is the radiance behind the ground at this pixel. */
weft_shading weft_shade_ground(const weft_setting *setting, const weft_ray *ray, float distance, vecf background);

#endif
