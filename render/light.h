/* Sun and sky. Radiance is measured as the light reflected by a white diffuse surface. */
#ifndef WEFT_RENDER_LIGHT_H
#define WEFT_RENDER_LIGHT_H

#include "render/render.h"
#include "render/sample.h"
#include "render/vecf.h"

typedef struct weft_light {
    vecf sun_direction, sun_u, sun_v; /* orthonormal frame; sun_direction points towards the sun */
    float sun_radius;                 /* tangent of the apparent radius */
    vecf sun;                         /* light on a white surface that faces the sun */
    /* Sky radiance for unit direction d: c[0] + c[1] y + c[2] y2 + glow ((1 + d . s) / 2)^2, with s towards the sun. */
    vecf c[3];
    vecf glow;
    vecf blocked; /* light reflected by an occluder, as a factor on the colour of the surface */
} weft_light;

weft_light weft_light_make(const weft_view *view);
/* A direction towards a point on the disc of the sun. */
vecf weft_light_sun_sample(const weft_light *light, weft_sample2 s);
vecf weft_light_sky(const weft_light *light, vecf direction);
/* Light of the unoccluded sky on a white surface with unit normal n. */
vecf weft_light_sky_on(const weft_light *light, vecf n);

#endif
