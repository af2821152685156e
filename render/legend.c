/* Draws the legend of the false colours. */
#include <stdio.h>

#include "render/color.h"
#include "render/legend.h"
#include "weft/text.h"

enum { TICKS = 5 };
static void pixel(weft_picture *picture, int32_t x, int32_t y, const uint8_t rgb[3]) {
    if (x < 0 || y < 0 || x >= picture->width || y >= picture->height)
        return;
    uint8_t *at = picture->rgba + 4 * ((size_t)y * (size_t)picture->width + (size_t)x);
    at[0] = rgb[0], at[1] = rgb[1], at[2] = rgb[2];
}

static void bar(weft_picture *picture, int32_t x, int32_t y, int32_t width, int32_t height) {
    for (int32_t j = -1; j <= height; j++) {
        vecf c = weft_colormap(1 - ((float)j + 0.5f) / (float)height);
        for (int32_t i = -1; i <= width; i++) {
            uint8_t rgb[3] = {33, 33, 36};
            if (i >= 0 && i < width && j >= 0 && j < height) {
                rgb[0] = (uint8_t)(255 * weft_linear_to_srgb(c.x) + 0.5f);
                rgb[1] = (uint8_t)(255 * weft_linear_to_srgb(c.y) + 0.5f);
                rgb[2] = (uint8_t)(255 * weft_linear_to_srgb(c.z) + 0.5f);
            }
            pixel(picture, x + i, y + j, rgb);
        }
    }
}

static const char *unit_of(int32_t color) {
    switch (color) {
    case WEFT_COLOR_CURVATURE:
        return " 1/m";
    case WEFT_COLOR_SPEED:
        return " m/s";
    case WEFT_COLOR_PRESSURE:
        return " kPa";
    case WEFT_COLOR_STRESS_WEFT:
    case WEFT_COLOR_STRESS_WARP:
    case WEFT_COLOR_STRESS_SHEAR:
        return " N/m";
    default:
        return "";
    }
}

void weft_legend_draw(weft_picture *picture, const weft_view *view, const char *name, double low, double high) {
    int32_t scale = picture->height >= 1400 ? 4 : picture->height >= 900 ? 3 : picture->height >= 480 ? 2 : 1;
    int32_t height = picture->height * 2 / 5, width = 8 * scale, text = 7 * scale;
    char title[64], number[TICKS][32];
    const weft_param *row = weft_params_find(weft_view_params(), "color");
    snprintf(title, sizeof title, "%.40s%s", name ? name : row->choices[view->color], unit_of(view->color));
    double paper = 0.3 * view->background.x + 0.6 * view->background.y + 0.1 * view->background.z;
    weft_vec3 ink = paper > 0.45 ? (weft_vec3){0.13, 0.13, 0.14} : (weft_vec3){0.9, 0.9, 0.9};
    int32_t widest = 0;
    for (int i = 0; i < TICKS; i++) {
        double value = low + (high - low) * i / (TICKS - 1);
        weft_format(number[i], sizeof number[i], "%.3g", value == 0 ? 0.0 : value);
        int32_t w = weft_text_width(number[i], scale);
        widest = w > widest ? w : widest;
    }
    int32_t right = picture->width - 6 * scale, y = (picture->height - height) / 2;
    int32_t x = right - widest - 4 * scale - width;
    bar(picture, x, y, width, height);
    for (int i = 0; i < TICKS; i++)
        weft_picture_text(picture, x + width + 4 * scale, y + height - height * i / (TICKS - 1) - text / 2, scale,
                          number[i], ink);
    weft_picture_text(picture, right - weft_text_width(title, scale), y - 2 * text - scale, scale, title, ink);
}
