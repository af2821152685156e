/* Sun and sky. Radiance is measured by the light that a white diffuse surface sends out. */
#ifndef WEFT_RENDER_LIGHT_H
#define WEFT_RENDER_LIGHT_H

#include "render/render.h"
#include "render/sample.h"
#include "render/vecf.h"

typedef struct weft_light {
    vecf sun_direction, sun_u, sun_v; /* unit frame, direction towards the sun */
    float sun_radius;                 /* tangent of the apparent radius */
    vecf sun;                         /* on a white surface that faces it */
    /* Sky radiance c[0] + c[1] y + c[2] y2 + glow ((1 + d . s) / 2)^2 of the unit direction d, s towards the sun. */
    vecf c[3];
    vecf glow;
    vecf blocked; /* what an occluder sends back, as a factor on the surface's own colour */
} weft_light;

weft_light weft_light_make(const weft_view *view);
/* A direction towards a point of the sun's disc. */
vecf weft_light_sun_sample(const weft_light *light, weft_sample2 s);
vecf weft_light_sky(const weft_light *light, vecf direction);
/* The whole unoccluded sky on a white surface with unit normal n. */
vecf weft_light_sky_on(const weft_light *light, vecf n);

#endif
