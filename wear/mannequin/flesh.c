/* Lofts and their smooth union. The distance to an ellipse is the first-order estimate of Taubin (1994), Distance
 * approximations for rasterizing implicit curves. The smooth minimum is the quadratic polynomial of Quilez (2013). */
#include "wear/mannequin/flesh.h"

#include <math.h>
#include <string.h>

#include "weft/portable_math.h"
#include "weft/vec.h"

/* -- tables -- */

/* Slope at station i of a monotone interpolant: the harmonic mean of the slopes beside it (Fritsch and Butland 1984).
 */
static double slope(const flesh_station *s, int32_t count, int32_t i, size_t member) {
    double part[2] = {0, 0};
    for (int32_t k = 0; k < 2; k++) {
        int32_t a = i - 1 + k, b = a + 1;
        if (a < 0 || b >= count)
            return 0;
        double from = *(const double *)((const char *)&s[a].section + member);
        double to = *(const double *)((const char *)&s[b].section + member);
        part[k] = (to - from) / (s[b].at - s[a].at);
    }
    return part[0] * part[1] > 0 ? 2 * part[0] * part[1] / (part[0] + part[1]) : 0;
}

static double value_at(const flesh_station *s, int32_t count, double at, size_t member) {
    int32_t i = 0;
    while (i + 2 < count && s[i + 1].at <= at)
        i++;
    double h = s[i + 1].at - s[i].at, t = fmin(fmax((at - s[i].at) / h, 0), 1);
    double a = *(const double *)((const char *)&s[i].section + member);
    double b = *(const double *)((const char *)&s[i + 1].section + member);
    double u = h * slope(s, count, i, member), v = h * slope(s, count, i + 1, member);
    double t2 = t * t, t3 = t2 * t;
    return (2 * t3 - 3 * t2 + 1) * a + (t3 - 2 * t2 + t) * u + (3 * t2 - 2 * t3) * b + (t3 - t2) * v;
}

void flesh_loft_fill(flesh_loft *loft, const flesh_station *station, int32_t count) {
    for (int32_t i = 0; i <= FLESH_TABLE; i++) {
        double at = (double)i / FLESH_TABLE;
        loft->section[i] = (flesh_section){value_at(station, count, at, offsetof(flesh_section, side)),
                                           value_at(station, count, at, offsetof(flesh_section, front)),
                                           value_at(station, count, at, offsetof(flesh_section, back)),
                                           value_at(station, count, at, offsetof(flesh_section, shift))};
    }
}

/* -- distances -- */

static double mix(double a, double b, double part) { return a + part * (b - a); }

static flesh_section section_at(const flesh_loft *loft, double place) {
    double at = place * FLESH_TABLE;
    int32_t i = at < FLESH_TABLE ? (int32_t)at : FLESH_TABLE - 1;
    const flesh_section *a = &loft->section[i], *b = a + 1;
    double part = at - i;
    return (flesh_section){mix(a->side, b->side, part), mix(a->front, b->front, part), mix(a->back, b->back, part),
                           mix(a->shift, b->shift, part)};
}

/* x, z and e in units of their half axes; the gradient of their norm in m. */
static double ellipse(double x, double z, double e, double a, double b, double c) {
    double gx = x / a, gz = z / b, ge = e / c;
    double slope = sqrt(gx * gx + gz * gz + ge * ge), r = sqrt(x * x + z * z + e * e);
    return slope > 0 ? r * (r - 1) / slope : -fmin(a, b);
}

static double superellipse(double x, double z, double e, double n, const double axis[3]) {
    double px = weft_pow(fabs(x), n - 1), pz = weft_pow(fabs(z), n - 1);
    double sum = px * fabs(x) + pz * fabs(z);
    if (!(sum > 0))
        return ellipse(x, z, e, axis[0], axis[1], axis[2]);
    double r = weft_pow(sum, 1 / n), shrink = r / sum; /* r^(1 - n) */
    double gx = r * shrink * px / axis[0], gz = r * shrink * pz / axis[1], ge = e / axis[2];
    double slope = sqrt(gx * gx + gz * gz + ge * ge), whole = sqrt(r * r + e * e);
    return slope > 0 ? whole * (whole - 1) / slope : -fmin(axis[0], axis[1]);
}

static double loft_distance(const flesh_loft *loft, weft_vec3 p) {
    weft_vec3 q = weft_sub(p, loft->from);
    double s = weft_dot(q, loft->along), over = s < 0 ? -s : s > loft->length ? s - loft->length : 0;
    double place = loft->length > 0 ? fmin(fmax(s / loft->length, 0), 1) : 0;
    flesh_section at = section_at(loft, place);
    double x = weft_dot(q, loft->side), z = weft_dot(q, loft->front) - at.shift;
    double depth = z > 0 ? at.front : at.back, cap = loft->cap[s > 0];
    if (loft->exponent == 2)
        return ellipse(x / at.side, z / depth, over / cap, at.side, depth, cap);
    const double axis[3] = {at.side, depth, cap};
    return superellipse(x / at.side, z / depth, over / cap, loft->exponent, axis);
}

static double smooth_min(double a, double b, double k) {
    double near = k - fabs(a - b);
    return near > 0 ? fmin(a, b) - near * near / (4 * k) : fmin(a, b);
}

double flesh_distance(const flesh *f, weft_vec3 p, int32_t groups) {
    double d = INFINITY;
    weft_vec3 other = {-p.x, p.y, p.z};
    for (int32_t i = 0; i < f->count; i++) {
        const flesh_loft *loft = &f->loft[i];
        if (!(loft->group & groups))
            continue;
        double own = loft_distance(loft, p);
        if (loft->mirrored)
            own = smooth_min(own, loft_distance(loft, other), loft->pair_blend);
        d = d < INFINITY ? smooth_min(d, own, loft->blend) : own;
    }
    return d;
}

double flesh_gradient(const flesh *f, weft_vec3 p, weft_vec3 *gradient) {
    static const double STEP = 1e-4; /* m */
    weft_vec3 q = p;
    double g[3];
    for (int k = 0; k < 3; k++) {
        double *member = k == 0 ? &q.x : k == 1 ? &q.y : &q.z, old = *member;
        *member = old + STEP;
        double ahead = flesh_distance(f, q, FLESH_ALL);
        *member = old - STEP;
        g[k] = (ahead - flesh_distance(f, q, FLESH_ALL)) / (2 * STEP);
        *member = old;
    }
    *gradient = weft_vec3_make(g[0], g[1], g[2]);
    return flesh_distance(f, p, FLESH_ALL);
}

weft_vec3 flesh_project(const flesh *f, weft_vec3 p) {
    for (int i = 0; i < 4; i++) {
        weft_vec3 g;
        double d = flesh_gradient(f, p, &g), square = weft_dot(g, g);
        if (fabs(d) < 1e-7 || !(square > 1e-6))
            break;
        p = weft_add_scaled(p, -fmin(fmax(d / square, -0.02), 0.02), g);
    }
    return p;
}
