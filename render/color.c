/* Colour spaces, the tone curve and colour maps.
 *
 * The tone curve is a rational function with toe and shoulder, similar to the film curve fits of J. Hable (2010). The
 * colour maps have linear lightness in Oklab (B. Ottosson, 2020), so equal steps of the value look equally large. */
#include "render/color.h"

float weft_srgb_to_linear(float s) { return s <= 0.04045f ? s / 12.92f : powf((s + 0.055f) / 1.055f, 2.4f); }

float weft_linear_to_srgb(float l) { return l <= 0.0031308f ? 12.92f * l : 1.055f * powf(l, 1 / 2.4f) - 0.055f; }

vecf weft_color_linear(weft_vec3 c) {
    return vf(weft_srgb_to_linear((float)c.x), weft_srgb_to_linear((float)c.y), weft_srgb_to_linear((float)c.z));
}

/* y = x (A x + B) / (A x2 + D x + 1). With these constants a mid grey of 0.18 becomes 0.17, 1 becomes 0.78 and 3.7
 * becomes white. The slope B at zero keeps dark colours from being crushed. */
static const float A = 1.85f, B = 0.75f, D = 0.483f;

float weft_tone(float x) {
    x = x > 0 ? x : 0;
    return x < 3.74f ? fminf(x * (A * x + B) / (x * (A * x + D) + 1), 1) : 1;
}

float weft_tone_inverse(float y) {
    y = clampf(y, 0, 0.99f);
    float a = A * (1 - y), b = B - D * y;
    return (-b + sqrtf(b * b + 4 * a * y)) / (2 * a);
}

vecf weft_color_radiance(weft_vec3 srgb, float exposure_factor) {
    vecf c = weft_color_linear(srgb);
    return vf_scale(1 / exposure_factor, vf(weft_tone_inverse(c.x), weft_tone_inverse(c.y), weft_tone_inverse(c.z)));
}

/* Converts Oklab lightness, chroma and hue (rad) to linear sRGB, clamped to the gamut. */
static vecf from_oklch(float lightness, float chroma, float hue) {
    float a = chroma * cosf(hue), b = chroma * sinf(hue);
    float l = lightness + 0.3963377774f * a + 0.2158037573f * b;
    float m = lightness - 0.1055613458f * a - 0.0638541728f * b;
    float s = lightness - 0.0894841775f * a - 1.2914855480f * b;
    l = l * l * l, m = m * m * m, s = s * s * s;
    return vf(clampf(4.0767416621f * l - 3.3077115913f * m + 0.2309699292f * s, 0, 1),
              clampf(-1.2684380046f * l + 2.6097574011f * m - 0.3413193965f * s, 0, 1),
              clampf(-0.0041960863f * l - 0.7034186147f * m + 1.7076147010f * s, 0, 1));
}

vecf weft_colormap(float t) {
    t = clampf(t, 0, 1);
    /* The hue runs from violet (305 degrees) down to yellow (105). The chroma is lower in the teal, where the gamut is
     * narrow. */
    float hue = (305 - 200 * t) * 0.01745329252f;
    float chroma = 0.15f - 0.16f * t * (1 - t);
    return from_oklch(0.28f + 0.62f * t, chroma, hue);
}

vecf weft_colormap_signed(float t) {
    t = clampf(t, -1, 1);
    float size = fabsf(t);
    return from_oklch(0.80f - 0.25f * size, 0.19f * size, (t < 0 ? 258 : 28) * 0.01745329252f);
}
