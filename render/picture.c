/* Pictures: creation, comparison, scaling and contact sheets. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/render.h"

weft_result weft_picture_create(weft_picture *picture, int32_t width, int32_t height) {
    *picture = (weft_picture){0};
    if (width < 1 || height < 1 || width > WEFT_PICTURE_LIMIT || height > WEFT_PICTURE_LIMIT)
        return weft_fail(WEFT_BAD_INPUT, "picture of %d x %d pixels: each side must be 1 to %d", width, height,
                         WEFT_PICTURE_LIMIT);
    size_t pixels = (size_t)width * (size_t)height;
    picture->rgba = calloc(pixels, 4);
    if (!picture->rgba)
        return weft_fail_memory("picture", pixels * 4);
    picture->width = width;
    picture->height = height;
    for (size_t i = 0; i < pixels; i++)
        picture->rgba[4 * i + 3] = 255;
    return weft_ok();
}

void weft_picture_destroy(weft_picture *picture) {
    free(picture->rgba);
    *picture = (weft_picture){0};
}

double weft_picture_difference(const weft_picture *a, const weft_picture *b) {
    if (a->width != b->width || a->height != b->height)
        return 1;
    int64_t pixels = (int64_t)a->width * a->height;
    double sum = 0;
    for (int64_t i = 0; i < 4 * pixels; i++) {
        if (i % 4 == 3)
            continue;
        double d = ((double)a->rgba[i] - b->rgba[i]) / 255;
        sum += d * d;
    }
    return sum / (3 * (double)pixels);
}

/* The mean of a rectangle. Pixels at its border are weighted by the area inside. */
static void mean_of(const weft_picture *from, const double low[2], const double high[2], uint8_t *rgba) {
    double sum[4] = {0}, area = 0;
    for (int32_t y = (int32_t)low[1]; y < high[1] && y < from->height; y++)
        for (int32_t x = (int32_t)low[0]; x < high[0] && x < from->width; x++) {
            double part = (fmin(high[0], x + 1) - fmax(low[0], x)) * (fmin(high[1], y + 1) - fmax(low[1], y));
            const uint8_t *p = from->rgba + 4 * ((size_t)y * (size_t)from->width + (size_t)x);
            area += part;
            for (int k = 0; k < 4; k++)
                sum[k] += part * p[k];
        }
    for (int k = 0; k < 4; k++)
        rgba[k] = (uint8_t)(sum[k] / area + 0.5);
}

weft_result weft_picture_shrink(const weft_picture *picture, int32_t width, weft_picture *small) {
    *small = (weft_picture){0};
    if (width > picture->width)
        return weft_fail(WEFT_BAD_INPUT, "a picture of %d pixels across cannot shrink to %d", picture->width, width);
    double scale = (double)picture->width / width;
    int32_t height = (int32_t)fmax(1, floor(picture->height / scale + 0.5));
    WEFT_TRY(weft_picture_create(small, width, height));
    double tall = (double)picture->height / height;
    for (int32_t y = 0; y < height; y++)
        for (int32_t x = 0; x < width; x++)
            mean_of(picture, (const double[]){x * scale, y * tall}, (const double[]){(x + 1) * scale, (y + 1) * tall},
                    small->rgba + 4 * ((size_t)y * (size_t)width + (size_t)x));
    return weft_ok();
}

static void copy_into(weft_picture *sheet, int32_t x, int32_t y, const weft_picture *from) {
    for (int32_t row = 0; row < from->height; row++)
        memcpy(sheet->rgba + 4 * ((size_t)(y + row) * (size_t)sheet->width + (size_t)x),
               from->rgba + 4 * (size_t)row * (size_t)from->width, 4 * (size_t)from->width);
}

static void fill(weft_picture *picture, weft_vec3 color) {
    uint8_t rgb[3] = {(uint8_t)(255 * color.x + 0.5), (uint8_t)(255 * color.y + 0.5), (uint8_t)(255 * color.z + 0.5)};
    size_t pixels = (size_t)picture->width * (size_t)picture->height;
    for (size_t i = 0; i < pixels; i++)
        memcpy(picture->rgba + 4 * i, rgb, 3);
}

weft_result weft_picture_tile(const weft_picture *pictures, const char *const *labels, int32_t count, int32_t columns,
                              weft_vec3 background, weft_picture *sheet) {
    *sheet = (weft_picture){0};
    if (count < 1)
        return weft_fail(WEFT_BAD_INPUT, "a contact sheet of %d pictures: at least 1 is needed", count);
    int32_t width = pictures[0].width, height = pictures[0].height;
    for (int32_t i = 1; i < count; i++)
        if (pictures[i].width != width || pictures[i].height != height)
            return weft_fail(WEFT_BAD_INPUT, "contact sheet: picture %d is %d x %d, the first %d x %d", i,
                             pictures[i].width, pictures[i].height, width, height);
    if (columns < 1)
        for (columns = 1; (int64_t)columns * columns < count;)
            columns++;
    int32_t rows = (count + columns - 1) / columns;
    int32_t scale = height >= 480 ? 3 : height >= 240 ? 2 : 1, gap = 4 * scale;
    int32_t step_x = width + gap, step_y = height + gap + (labels ? 7 * scale + gap : 0);
    if (rows > WEFT_PICTURE_LIMIT / step_y || columns > WEFT_PICTURE_LIMIT / step_x)
        return weft_fail(WEFT_BAD_INPUT, "contact sheet: %d x %d pictures of %d x %d pixels exceed %d on a side",
                         columns, rows, width, height, WEFT_PICTURE_LIMIT);
    WEFT_TRY(weft_picture_create(sheet, columns * step_x + gap, rows * step_y + gap));
    fill(sheet, background);
    double light = (background.x + background.y + background.z) / 3;
    weft_vec3 ink = light > 0.5 ? (weft_vec3){0.15, 0.15, 0.16} : (weft_vec3){0.9, 0.9, 0.9};
    for (int32_t i = 0; i < count; i++) {
        int32_t x = gap + i % columns * step_x, y = gap + i / columns * step_y;
        copy_into(sheet, x, y, &pictures[i]);
        if (labels && labels[i])
            weft_picture_text(sheet, x, y + height + gap / 2 + scale, scale, labels[i], ink);
    }
    return weft_ok();
}
