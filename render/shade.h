/* From a hit to what the camera would see of it, before anything is known about shadows. */
#ifndef WEFT_RENDER_SHADE_H
#define WEFT_RENDER_SHADE_H

#include "render/light.h"
#include "render/stage.h"
#include "render/texture.h"

/* Constant for one frame. */
typedef struct weft_setting {
    const weft_view *view;
    const weft_stage *stage;
    weft_light light;
    const weft_mipmap *image;     /* null without an image texture */
    vecf eye, right, up, forward; /* right and up span the half image at distance 1 */
    float pixel;                  /* size of a pixel at distance 1 */
    float exposure;               /* factor */
    vecf background, ground;      /* radiance */
    vecf ground_sun, ground_sky;  /* shares of sun and sky in a ground in full light */
    float epsilon;                /* rays start that far off a surface, m */
} weft_setting;

typedef struct weft_ray {
    vecf origin, direction; /* unit direction */
} weft_ray;

typedef struct weft_hit {
    float distance;
    uint32_t mesh, triangle;
    float u, v; /* barycentric weights of the triangle's second and third corner */
} weft_hit;

/* What a pixel sees. Numbers from 0 are meshes, twice their index, plus 1 for the back; the bit SEES_UNEVEN is set
 * where its samples see different things. */
enum { SEES_UNEVEN = 0x40000000, SEES_NOTHING = 0x20000000, SEES_GROUND, SEES_OVERLAY };

typedef struct weft_shading {
    uint32_t what;
    int lit;               /* anything below but unlit */
    int sun_wanted;        /* the sun reaches this side or shines through */
    vecf unlit, sun, sky;  /* as in film_pixel */
    vecf sky_on;           /* unoccluded sky light */
    vecf bounce;           /* radiance of what blocks a sky ray */
    vecf position, ng, ns; /* geometric and shading normal, towards the camera */
    vecf sun_origin, sky_origin;
    float pixel; /* m */
} weft_shading;

weft_shading weft_shade_mesh(const weft_setting *setting, const weft_ray *ray, const weft_hit *hit);
/* background: radiance behind the ground at this pixel. */
weft_shading weft_shade_ground(const weft_setting *setting, const weft_ray *ray, float distance, vecf background);

#endif
