#include "io/shadow.h"

#include <math.h>
#include <stdlib.h>

enum { RASTER = 800 }; /* dots along a side */

/* Fills the dots whose centres lie in the projected triangle. A dot has width 1; `side` dots are in a row. */
static void fill(uint8_t *dot, int side, const weft_vec2 p[3]) {
    double low = fmin(p[0].y, fmin(p[1].y, p[2].y)), high = fmax(p[0].y, fmax(p[1].y, p[2].y));
    for (int row = (int)fmax(0, ceil(low - 0.5)); row < side && row + 0.5 <= high; row++) {
        double left = 1e9, right = -1e9, y = row + 0.5;
        for (int k = 0; k < 3; k++) {
            weft_vec2 a = p[k], b = p[(k + 1) % 3];
            if ((a.y <= y) == (b.y <= y))
                continue;
            double x = a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x);
            left = fmin(left, x);
            right = fmax(right, x);
        }
        for (int column = (int)fmax(0, ceil(left - 0.5)); column < side && column + 0.5 <= right; column++)
            dot[row * side + column] = 1;
    }
}

static int count_folds(const double *outline, double depth) {
    int most = 0, folds = 0, falling = 1;
    for (int i = 1; i < WEFT_OUTLINE; i++)
        most = outline[i] > outline[most] ? i : most;
    double turn = outline[most]; /* the last extreme; starts at the greatest value */
    for (int i = 1; i <= WEFT_OUTLINE; i++) {
        double r = outline[(most + i) % WEFT_OUTLINE];
        if (falling ? r < turn : r > turn)
            turn = r;
        else if (fabs(r - turn) > depth) {
            folds += falling; /* the outline turns outward again; at the end it joins the first fold */
            falling = !falling;
            turn = r;
        }
    }
    return folds;
}

void weft_shadow_fill(const weft_mesh *mesh, const weft_vec3 *x, double radius, int side, uint8_t *dot) {
    double scale = side / (2 * radius);
    for (int32_t t = 0; t < mesh->triangle_count; t++) {
        weft_vec2 p[3];
        for (int k = 0; k < 3; k++) {
            weft_vec3 q = x[mesh->triangle[t][k]];
            p[k] = (weft_vec2){scale * (q.x + radius), scale * (q.z + radius)};
        }
        fill(dot, side, p);
    }
}

void weft_shadow_read(const uint8_t *dot, int side, double radius, double depth, weft_shadow *shadow) {
    double scale = side / (2 * radius), centre = 0.5 * side;
    int64_t covered = 0;
    for (int64_t i = 0; i < (int64_t)side * side; i++)
        covered += dot[i];
    shadow->area = (double)covered / (scale * scale);
    for (int i = 0; i < WEFT_OUTLINE; i++) {
        double angle = 2 * acos(-1) * i / WEFT_OUTLINE, r = centre - 1;
        while (r > 0 && !dot[(int64_t)(centre + r * sin(angle)) * side + (int64_t)(centre + r * cos(angle))])
            r -= 0.5;
        shadow->outline[i] = r / scale;
    }
    shadow->folds = count_folds(shadow->outline, depth);
}

weft_result weft_shadow_cast(const weft_mesh *mesh, const weft_vec3 *x, double radius, double depth,
                             weft_shadow *shadow) {
    uint8_t *dot = calloc((size_t)RASTER * RASTER, 1);
    if (!dot)
        return weft_fail_memory("a shadow", (size_t)RASTER * RASTER);
    weft_shadow_fill(mesh, x, radius, RASTER, dot);
    weft_shadow_read(dot, RASTER, radius, depth, shadow);
    free(dot);
    return weft_ok();
}
