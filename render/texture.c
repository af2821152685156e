/* Procedural patterns and mipmapped texture images. */
#include <stdlib.h>

#include "render/color.h"
#include "render/texture.h"

static float hash(int32_t i, uint32_t salt) {
    uint32_t x = (uint32_t)i * 0x9e3779b9u + salt;
    x = (x ^ (x >> 16)) * 0x7feb352du;
    x = (x ^ (x >> 15)) * 0x846ca68bu;
    return (float)((x ^ (x >> 16)) >> 8) * 0x1p-24f;
}

weft_weave_look weft_texture_weave(float u, float v, float footprint) {
    const float pi = 3.14159265f, mean_cosine = 2 / pi;
    float pixels = 1 / fmaxf(footprint, 1e-6f); /* per yarn */
    float detail = clampf(pixels / 2 - 1, 0, 1);
    float streaks = clampf(pixels - 1, 0, 1);
    if (streaks <= 0)
        return (weft_weave_look){1, 0, 0};
    int32_t i = (int32_t)floorf(u), j = (int32_t)floorf(v);
    float a = u - (float)i - 0.5f, b = v - (float)j - 0.5f;
    int weft_on_top = (i + j) & 1;
    float along = weft_on_top ? a : b, across = weft_on_top ? b : a;
    float round = cosf(pi * across) - mean_cosine, crown = cosf(pi * along) - mean_cosine;
    float thread_weft = hash(j, 1) - 0.5f, thread_warp = hash(i, 2) - 0.5f;
    float both = 0.5f * (thread_weft + thread_warp), top = weft_on_top ? thread_weft : thread_warp;
    weft_weave_look look;
    look.shade = 1 + detail * (0.38f * round + 0.16f * crown) + 0.13f * streaks * (both + detail * (top - both));
    float slope_across = detail * 0.32f * sinf(pi * across), slope_along = detail * 0.18f * sinf(pi * along);
    look.tilt_u = weft_on_top ? slope_along : slope_across;
    look.tilt_v = weft_on_top ? slope_across : slope_along;
    return look;
}

/* The mean over [x - w/2, x + w/2] of a periodic square wave that is +1 on [0, 1) and -1 on [1, 2). Its integral is a
 * triangle wave. */
static float mean_square_wave(float x, float w) {
    float low = x - w / 2, high = x + w / 2;
    float a = low / 2 - floorf(low / 2), b = high / 2 - floorf(high / 2);
    return ((1 - fabsf(2 * b - 1)) - (1 - fabsf(2 * a - 1))) / w;
}

float weft_texture_checker(float u, float v, float footprint) {
    float w = fmaxf(footprint, 1e-3f);
    return 0.5f - 0.5f * mean_square_wave(u, w) * mean_square_wave(v, w);
}

void weft_mipmap_free(weft_mipmap *map) {
    for (int32_t i = map->count - 1; i >= 0; i--)
        free(map->texel[i]);
    *map = (weft_mipmap){0};
}

static weft_result add_level(weft_mipmap *map, int32_t width, int32_t height) {
    size_t texels = (size_t)width * (size_t)height;
    vecf *texel = calloc(texels, sizeof *texel);
    if (!texel)
        return weft_fail_memory("texture", texels * sizeof *texel);
    map->width[map->count] = width;
    map->height[map->count] = height;
    map->texel[map->count++] = texel;
    return weft_ok();
}

/* Each texel is the mean of 2 x 2 texels of the finer level. An odd last row or column counts twice. */
static void halve(const weft_mipmap *map, int32_t to) {
    int32_t from = to - 1, w = map->width[from], h = map->height[from];
    for (int32_t y = 0; y < map->height[to]; y++)
        for (int32_t x = 0; x < map->width[to]; x++) {
            int32_t x0 = 2 * x, y0 = 2 * y, x1 = x0 + 1 < w ? x0 + 1 : x0, y1 = y0 + 1 < h ? y0 + 1 : y0;
            const vecf *t = map->texel[from];
            vecf sum = vf_add(vf_add(t[(size_t)y0 * (size_t)w + (size_t)x0], t[(size_t)y0 * (size_t)w + (size_t)x1]),
                              vf_add(t[(size_t)y1 * (size_t)w + (size_t)x0], t[(size_t)y1 * (size_t)w + (size_t)x1]));
            map->texel[to][(size_t)y * (size_t)map->width[to] + (size_t)x] = vf_scale(0.25f, sum);
        }
}

static weft_result build(weft_mipmap *map, const weft_picture *picture) {
    WEFT_TRY(add_level(map, picture->width, picture->height));
    size_t texels = (size_t)picture->width * (size_t)picture->height;
    for (size_t i = 0; i < texels; i++)
        map->texel[0][i] = vf(weft_srgb_to_linear((float)picture->rgba[4 * i] / 255),
                              weft_srgb_to_linear((float)picture->rgba[4 * i + 1] / 255),
                              weft_srgb_to_linear((float)picture->rgba[4 * i + 2] / 255));
    while (map->count < MIP_LEVELS) {
        int32_t w = map->width[map->count - 1], h = map->height[map->count - 1];
        if (w == 1 && h == 1)
            break;
        WEFT_TRY(add_level(map, w > 1 ? (w + 1) / 2 : 1, h > 1 ? (h + 1) / 2 : 1));
        halve(map, map->count - 1);
    }
    return weft_ok();
}

weft_result weft_mipmap_read(const char *path, weft_mipmap *map) {
    *map = (weft_mipmap){0};
    weft_picture picture;
    WEFT_TRY(weft_picture_read_png(&picture, path));
    weft_result result = build(map, &picture);
    weft_picture_destroy(&picture);
    if (result.code != WEFT_OK)
        weft_mipmap_free(map);
    return result;
}

static vecf texel(const weft_mipmap *map, int32_t level, int32_t x, int32_t y) {
    int32_t w = map->width[level], h = map->height[level];
    x = (x % w + w) % w;
    y = (y % h + h) % h;
    return map->texel[level][(size_t)y * (size_t)w + (size_t)x];
}

static vecf bilinear(const weft_mipmap *map, int32_t level, float u, float v) {
    float x = (u - floorf(u)) * (float)map->width[level] - 0.5f, y = (v - floorf(v)) * (float)map->height[level] - 0.5f;
    int32_t i = (int32_t)floorf(x), j = (int32_t)floorf(y);
    float a = x - (float)i, b = y - (float)j;
    vecf top = vf_mix(texel(map, level, i, j), texel(map, level, i + 1, j), a);
    vecf bottom = vf_mix(texel(map, level, i, j + 1), texel(map, level, i + 1, j + 1), a);
    return vf_mix(top, bottom, b);
}

vecf weft_mipmap_at(const weft_mipmap *map, float u, float v, float footprint) {
    float down = 1 - v * (float)map->width[0] / (float)map->height[0];
    float level = log2f(fmaxf(footprint * (float)map->width[0], 1));
    level = fminf(level, (float)(map->count - 1));
    int32_t whole = (int32_t)level;
    vecf fine = bilinear(map, whole, u, down);
    if (whole + 1 >= map->count)
        return fine;
    return vf_mix(fine, bilinear(map, whole + 1, u, down), level - (float)whole);
}
