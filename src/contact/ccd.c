/* Continuous collision detection by conservative advancement (Mirtich 1996) with separating planes.
 *
 * At a given time the closest points define a direction n that separates the two convex features. Each difference n .
 * (a_i - b_j) of their corners is linear in time. Until the first of these differences falls below half the margin, the
 * features cannot be that close. From that time on, the closest points define a new direction. No cubic is solved, so
 * parallel, coplanar and resting features are not special cases. The margin covers the rounding errors of the planes,
 * so no contact is missed even where the closest points are inexact. A pair that no plane separates is a hit.
 *
 * Planes hold only briefly where features rotate about each other at a small distance. There the volume of the four
 * corners, a cubic in time, is tested. If its Bernstein coefficients have one sign, there is no contact in that
 * interval.
 *
 * Additive CCD (Li, Kaufman and Jiang 2021, Codimensional incremental potential contact) advances by a bound on the
 * speed instead. It needs many more steps where features slide. */
#include "contact/ccd.h"

#include <float.h>

/* MAX_STEPS: grazing motion needs the most. A pair that needs more is reported as a hit at the time reached.
 * PLANE_STEPS: after this many plane steps the volume is tested too. */
enum { MAX_STEPS = 1000, PLANE_STEPS = 16 };

/* Bound of the rounding errors of distances, relative to the largest coordinate. */
static const double ROUNDING = 64 * DBL_EPSILON;

typedef struct motion {
    weft_pair_kind kind;
    int first;                  /* number of corners of the first feature; the other corners belong to the second */
    weft_vec3 start[4], end[4]; /* relative to the first corner at the start, to reduce rounding errors */
} motion;

/* fmax and fmin would be function calls. */
static double larger(double a, double b) { return a > b ? a : b; }
static double smaller(double a, double b) { return a < b ? a : b; }

static double largest_coordinate(weft_vec3 a) { return larger(fabs(a.x), larger(fabs(a.y), fabs(a.z))); }

static double set_up(motion *m, weft_pair_kind kind, const weft_vec3 start[4], const weft_vec3 end[4]) {
    double size = 0;
    m->kind = kind;
    m->first = kind == WEFT_VERTEX_TRIANGLE ? 1 : 2;
    for (int i = 0; i < 4; i++) {
        m->start[i] = weft_sub(start[i], start[0]);
        m->end[i] = weft_sub(end[i], start[0]);
        size = larger(size, larger(largest_coordinate(m->start[i]), largest_coordinate(m->end[i])));
    }
    return size;
}

static void at_time(const motion *m, double t, weft_vec3 x[4]) {
    for (int i = 0; i < 4; i++)
        x[i] = weft_add_scaled(weft_scale(1 - t, m->start[i]), t, m->end[i]);
}

/* The time until which the plane with normal n keeps the features `level` apart, from time t on. Returns t when it does
 * not separate them, and 2 when it does until the end. */
static double separated_until(const motion *m, weft_vec3 n, double t, double level) {
    double start[4], end[4], until = 2;
    for (int i = 0; i < 4; i++) {
        start[i] = weft_dot(n, m->start[i]);
        end[i] = weft_dot(n, m->end[i]);
    }
    for (int i = 0; i < m->first; i++)
        for (int j = m->first; j < 4; j++) {
            double before = start[i] - start[j], after = end[i] - end[j];
            if ((1 - t) * before + t * after < level)
                return t;
            if (after < level)
                until = smaller(until, (before - level) / (before - after));
        }
    return until;
}

/* n without its component along the edge a-b, normalized. */
static weft_vec3 perpendicular_to(weft_vec3 n, weft_vec3 a, weft_vec3 b) {
    weft_vec3 ab = weft_normalize(weft_sub(b, a));
    return weft_normalize(weft_add_scaled(n, -weft_dot(n, ab), ab));
}

/* The direction n between the closest points becomes inexact as their distance becomes small. It is corrected to be
 * perpendicular to the features whose interior holds the closest points. */
static weft_vec3 refine_normal(const motion *m, const weft_vec3 x[4], const double weight[4], weft_vec3 n) {
    int used[3], count = 0;
    weft_vec3 normal = {0, 0, 0};
    if (m->kind == WEFT_EDGE_EDGE) {
        int first = weight[0] != 0 && weight[1] != 0, second = weight[2] != 0 && weight[3] != 0;
        if (first && second)
            normal = weft_normalize(weft_cross(weft_sub(x[1], x[0]), weft_sub(x[3], x[2])));
        else if (first || second)
            return perpendicular_to(n, first ? x[0] : x[2], first ? x[1] : x[3]);
    } else {
        for (int i = 1; i < 4; i++)
            if (weight[i] != 0)
                used[count++] = i;
        if (count == 3)
            normal = weft_normalize(weft_cross(weft_sub(x[2], x[1]), weft_sub(x[3], x[1])));
        else if (count == 2)
            return perpendicular_to(n, x[used[0]], x[used[1]]);
    }
    double side = weft_dot(normal, n);
    return side == 0 ? n : weft_scale(side < 0 ? -1 : 1, normal);
}

static double volume(weft_vec3 a, weft_vec3 b, weft_vec3 c) { return weft_dot(a, weft_cross(b, c)); }

/* Whether the corners are never coplanar between two times: all Bernstein coefficients of their volume have one sign.
 */
static int stays_non_coplanar(const motion *m, double from, double to, double size) {
    weft_vec3 x[4], y[4], a[3], b[3];
    at_time(m, from, x);
    at_time(m, to, y);
    for (int i = 0; i < 3; i++) {
        a[i] = weft_sub(x[i + 1], x[0]);
        b[i] = weft_sub(y[i + 1], y[0]);
    }
    const double coefficient[4] = {
        volume(a[0], a[1], a[2]),
        (volume(b[0], a[1], a[2]) + volume(a[0], b[1], a[2]) + volume(a[0], a[1], b[2])) / 3,
        (volume(a[0], b[1], b[2]) + volume(b[0], a[1], b[2]) + volume(b[0], b[1], a[2])) / 3,
        volume(b[0], b[1], b[2]),
    };
    double least = 64 * ROUNDING * size * size * size; /* differences are up to 2 sqrt(3) size in each factor */
    int above = 0, below = 0;
    for (int i = 0; i < 4; i++) {
        above += coefficient[i] > least;
        below += coefficient[i] < -least;
    }
    return above == 4 || below == 4;
}

/* The end of the longest interval from t that is certainly free of contact. Tries the rest of the step and successive
 * halves of it. */
static double non_coplanar_until(const motion *m, double t, double size) {
    double span = 1 - t;
    for (int halvings = 0; halvings < 12; halvings++, span /= 2)
        if (stays_non_coplanar(m, t, t + span, size))
            return halvings == 0 ? 2 : t + span;
    return t;
}

static int fill_hit(double time, const weft_vec3 x[4], const double weight[4], int at_start, weft_ccd_hit *hit) {
    hit->time = time;
    for (int i = 0; i < 4; i++)
        hit->weight[i] = weight[i];
    hit->normal = weft_normalize(weft_weighted(x, weight));
    hit->at_start = at_start;
    return 1;
}

double weft_ccd_relative_motion(weft_pair_kind kind, const weft_vec3 start[4], const weft_vec3 end[4]) {
    int first = kind == WEFT_VERTEX_TRIANGLE ? 1 : 2;
    double largest = 0;
    weft_vec3 moved[4];
    for (int i = 0; i < 4; i++)
        moved[i] = weft_sub(end[i], start[i]);
    for (int i = 0; i < first; i++)
        for (int j = first; j < 4; j++) {
            weft_vec3 apart = weft_sub(moved[i], moved[j]);
            largest = larger(largest, weft_dot(apart, apart));
        }
    return largest;
}

/* A point of a feature moves by a convex combination of the displacements of its corners. A tenth of the distance is
 * reserved for rounding. */
int weft_ccd_stays_apart(weft_pair_kind kind, const weft_vec3 start[4], const weft_vec3 end[4], double margin,
                         double distance) {
    double allowed = 0.9 * distance - margin;
    return allowed > 0 && weft_ccd_relative_motion(kind, start, end) < allowed * allowed;
}

int weft_ccd(weft_pair_kind kind, const weft_vec3 start[4], const weft_vec3 end[4], double margin, weft_ccd_hit *hit) {
    motion m;
    double size = set_up(&m, kind, start, end), noise = ROUNDING * size;
    weft_vec3 x[4];
    double weight[4] = {0}, t = 0;
    at_time(&m, 0, x);
    double distance = sqrt(weft_closest(kind, x, weight));
    if (distance <= 2 * noise)
        return fill_hit(0, x, weight, 1, hit);
    margin = larger(smaller(margin, 0.5 * distance), noise);
    for (int step = 0; step < MAX_STEPS; step++) {
        weft_vec3 n = weft_scale(1 / distance, weft_weighted(x, weight));
        double until = separated_until(&m, n, t, 0.5 * margin);
        if (until <= t)
            until = separated_until(&m, refine_normal(&m, x, weight, n), t, 0.5 * margin);
        if (until < 1 && (until <= t || step % PLANE_STEPS == PLANE_STEPS - 1))
            until = larger(until, non_coplanar_until(&m, t, size));
        if (until <= t)
            break;
        if (until >= 1)
            return 0;
        t = until;
        at_time(&m, t, x);
        distance = sqrt(weft_closest(kind, x, weight));
        if (distance <= margin)
            break;
    }
    return fill_hit(t, x, weight, 0, hit);
}
