#include "wear/garment/curve.h"

#include <math.h>

#include "weft/portable_math.h"

weft_vec2 garment_curve_at(const weft_vec2 c[4], double t) {
    double s = 1 - t, w[4] = {s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t};
    weft_vec2 p = {0, 0};
    for (int i = 0; i < 4; i++)
        p = (weft_vec2){p.x + w[i] * c[i].x, p.y + w[i] * c[i].y};
    return p;
}

static double speed(const weft_vec2 c[4], double t) {
    double s = 1 - t, w[3] = {3 * s * s, 6 * s * t, 3 * t * t}, x = 0, y = 0;
    for (int i = 0; i < 3; i++) {
        x += w[i] * (c[i + 1].x - c[i].x);
        y += w[i] * (c[i + 1].y - c[i].y);
    }
    return weft_hypot(x, y);
}

/* The length from a to b in 16 pieces, by Gauss's rule with five points in each. */
static double length_between(const weft_vec2 c[4], double a, double b) {
    static const double AT[5] = {-0.9061798459386640, -0.5384693101056831, 0, 0.5384693101056831, 0.9061798459386640};
    static const double WEIGHT[5] = {0.2369268850561891, 0.4786286704993665, 0.5688888888888889, 0.4786286704993665,
                                     0.2369268850561891};
    enum { PIECES = 16 };
    double half = 0.5 * (b - a) / PIECES, sum = 0;
    for (int k = 0; k < PIECES; k++)
        for (int i = 0; i < 5; i++)
            sum += WEIGHT[i] * speed(c, a + half * (2 * k + 1 + AT[i]));
    return half * sum;
}

double garment_curve_length(const weft_vec2 control[4]) { return length_between(control, 0, 1); }

double garment_curve_length_to(const weft_vec2 control[4], double t) { return length_between(control, 0, t); }

weft_vec2 garment_curve_along(const weft_vec2 control[4], double fraction) {
    enum { HALVINGS = 40 };
    double wanted = fraction * length_between(control, 0, 1), low = 0, high = 1, before = 0;
    if (fraction <= 0 || fraction >= 1)
        return control[fraction <= 0 ? 0 : 3];
    for (int i = 0; i < HALVINGS; i++) {
        double middle = 0.5 * (low + high), part = length_between(control, low, middle);
        if (before + part < wanted) {
            before += part;
            low = middle;
        } else
            high = middle;
    }
    return garment_curve_at(control, low);
}

int garment_curve_is_line(const weft_vec2 c[4], double length) {
    return length <= weft_hypot(c[3].x - c[0].x, c[3].y - c[0].y) * (1 + 1e-9);
}

void garment_curve_raise(weft_vec2 from, weft_vec2 c, weft_vec2 to, weft_vec2 inner[2]) {
    inner[0] = (weft_vec2){(from.x + 2 * c.x) / 3, (from.y + 2 * c.y) / 3};
    inner[1] = (weft_vec2){(to.x + 2 * c.x) / 3, (to.y + 2 * c.y) / 3};
}

/* By Green's theorem half of the integral of x dy - y dx, a sum over pairs of controls. */
double garment_curve_area(const weft_vec2 c[4]) {
    static const double WEIGHT[4][4] = {{0, 6, 3, 1}, {0, 0, 3, 3}, {0, 0, 0, 6}, {0, 0, 0, 0}}; /* over 20 */
    double sum = 0;
    for (int i = 0; i < 4; i++)
        for (int j = i + 1; j < 4; j++)
            sum += WEIGHT[i][j] * (c[i].x * c[j].y - c[i].y * c[j].x);
    return sum / 20;
}
