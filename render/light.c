/* Sun and sky.
 *
 * The sky is a polynomial of degree 2 in the direction, so its irradiance has a closed form. The cosine kernel
 * multiplies the terms of order 0, 1 and 2 by 1, 2/3 and 1/4 (R. Ramamoorthi, P. Hanrahan, An Efficient Representation
 * for Irradiance Environment Maps, 2001). Only the light that occluders block has to be sampled. */
#include "render/light.h"
#include "render/color.h"

static const vecf ZENITH = {0.80f, 0.92f, 1.12f}, HORIZON = {0.98f, 0.97f, 0.96f}, SUN = {1.0f, 0.955f, 0.885f};
static const vecf GLOW = {0.75f, 0.70f, 0.62f};

weft_light weft_light_make(const weft_view *view) {
    weft_light l = {0};
    l.sun_direction = vf_unit(vf_from(view->sun_direction));
    vf_frame(l.sun_direction, &l.sun_u, &l.sun_v);
    l.sun_radius = tanf((float)view->sun_softness);
    l.sun = vf_scale((float)view->sun_strength, SUN);
    vecf nadir = vf_scale(0.35f, HORIZON);
    vecf sun_bounce = vf_all(0);
    if (view->ground) {
        vecf albedo = weft_color_linear(view->ground_color);
        nadir = vf_mul(vf_scale(0.6f, albedo), HORIZON);
        /* A reduced factor, because the object casts a shadow on the ground below it. */
        sun_bounce = vf_mul(vf_scale(0.55f * fmaxf(l.sun_direction.y, 0), albedo), l.sun);
    }
    l.c[0] = HORIZON;
    l.c[1] = vf_scale(0.5f, vf_sub(ZENITH, nadir));
    l.c[2] = vf_sub(vf_scale(0.5f, vf_add(ZENITH, nadir)), HORIZON);
    l.glow = GLOW;
    float up = vf_luminance(weft_light_sky_on(&l, vf(0, 1, 0)));
    float factor = (float)view->sky_strength / up;
    for (int i = 0; i < 3; i++)
        l.c[i] = vf_scale(factor, l.c[i]);
    l.glow = vf_scale(factor, l.glow);
    /* Sunlight reflected by the ground: (1 - y)^2 / 4. This is 0 at the zenith, a quarter at the horizon and 1 at the
     * nadir. */
    l.c[0] = vf_mad(l.c[0], 0.25f, sun_bounce);
    l.c[1] = vf_mad(l.c[1], -0.5f, sun_bounce);
    l.c[2] = vf_mad(l.c[2], 0.25f, sun_bounce);
    l.blocked = vf_add(vf_scale(0.3f, l.sun), vf_all(0.35f * (float)view->sky_strength));
    return l;
}

vecf weft_light_sun_sample(const weft_light *l, weft_sample2 s) {
    /* Maps equal areas of the square to equal areas of the disc and keeps strata connected. */
    float r = sqrtf(s.x) * l->sun_radius, angle = 6.2831853f * s.y;
    vecf d = vf_mad(l->sun_direction, r * cosf(angle), l->sun_u);
    return vf_unit(vf_mad(d, r * sinf(angle), l->sun_v));
}

vecf weft_light_sky(const weft_light *l, vecf d) {
    float g = 0.5f * (1 + vf_dot(d, l->sun_direction));
    vecf sky = vf_mad(vf_mad(l->c[0], d.y, l->c[1]), d.y * d.y, l->c[2]);
    return vf_mad(sky, g * g, l->glow);
}

vecf weft_light_sky_on(const weft_light *l, vecf n) {
    float s = vf_dot(n, l->sun_direction), third = 1.0f / 3;
    vecf sky = vf_mad(vf_mad(l->c[0], 2 * third * n.y, l->c[1]), third + 0.25f * (n.y * n.y - third), l->c[2]);
    return vf_mad(sky, 0.25f * (1 + 4 * third * s + third + 0.25f * (s * s - third)), l->glow);
}
