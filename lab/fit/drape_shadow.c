#include "lab/fit/drape_shadow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/textile/drapemeter.h"
#include "render/render.h"
#include "weft/sort.h"

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void weft_fit_shadow_features(const weft_shadow *shadow, double feature[WEFT_FIT_FEATURES]) {
    double sorted[WEFT_OUTLINE];
    memcpy(sorted, shadow->outline, sizeof sorted);
    weft_sort(sorted, WEFT_OUTLINE, sizeof *sorted, by_size);
    for (int i = 0; i < WEFT_FIT_FEATURES - 1; i++) { /* means of equal parts, which is steadier than single radii */
        int from = i * WEFT_OUTLINE / (WEFT_FIT_FEATURES - 1), to = (i + 1) * WEFT_OUTLINE / (WEFT_FIT_FEATURES - 1);
        feature[i] = 0;
        for (int k = from; k < to; k++)
            feature[i] += sorted[k] / (to - from);
    }
    feature[WEFT_FIT_FEATURES - 1] = sqrt(shadow->area / acos(-1));
}

weft_result weft_fit_shadow_read(const char *path, double width, double feature[WEFT_FIT_FEATURES]) {
    weft_picture picture = {0};
    WEFT_TRY(weft_picture_read_png(&picture, path));
    int32_t side = picture.width;
    weft_result result = weft_ok();
    uint8_t *dot = calloc((size_t)picture.width * (size_t)picture.height, 1);
    if (!dot)
        result = weft_fail_memory("a shadow", (size_t)side * (size_t)side);
    else if (picture.width != picture.height || side < 64)
        result = weft_fail(WEFT_BAD_INPUT, "%.300s: %d x %d pixels; a shadow needs a square picture of at least 64",
                           path, picture.width, picture.height);
    for (size_t i = 0; result.code == WEFT_OK && i < (size_t)side * (size_t)side; i++) {
        const uint8_t *p = picture.rgba + 4 * i;
        dot[i] = p[0] + p[1] + p[2] < 384 && p[3] > 127;
    }
    weft_shadow shadow;
    if (result.code == WEFT_OK) {
        weft_shadow_read(dot, side, 0.5 * width, WEFT_DRAPE_FOLD, &shadow);
        double coefficient = weft_drape_coefficient(shadow.area);
        if (!(coefficient > -5 && coefficient < 105))
            result = weft_fail(WEFT_BAD_INPUT,
                               "%.300s: the dark area is %.0f cm2, but a shadow has 254 to 707 cm2 (width: %g m)", path,
                               1e4 * shadow.area, width);
        weft_fit_shadow_features(&shadow, feature);
    }
    free(dot);
    weft_picture_destroy(&picture);
    return result;
}
