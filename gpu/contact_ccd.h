/* Continuous collision detection by conservative advancement with separating planes, as in src/contact/ccd.c, where the
 * method is explained. The tests compare both. */
#ifndef WEFT_GPU_CONTACT_CCD_H
#define WEFT_GPU_CONTACT_CCD_H

#include <float.h>

#include "contact_distance.h"

enum { GPU_CCD_STEPS = 1000, GPU_CCD_PLANE_STEPS = 16 };

/* Bound of the rounding errors of distances, relative to the largest coordinate. */
#define GPU_CCD_ROUNDING (64 * DBL_EPSILON)

typedef struct gpu_ccd_hit {
    double time; /* in [0, 1], never after the first contact */
    double weight[4];
    weft_vec3 normal;
    int at_start; /* the features touch at the start */
} gpu_ccd_hit;

typedef struct gpu_motion {
    int kind;
    int first;                  /* number of corners of the first feature; the other corners belong to the second */
    weft_vec3 start[4], end[4]; /* relative to the first corner at the start, to reduce rounding errors */
} gpu_motion;

WEFT_HD double gpu_ccd_largest_coordinate(weft_vec3 a) { return gpu_max(fabs(a.x), gpu_max(fabs(a.y), fabs(a.z))); }

WEFT_HD double gpu_ccd_set_up(gpu_motion *m, int kind, const weft_vec3 start[4], const weft_vec3 end[4]) {
    double size = 0;
    m->kind = kind;
    m->first = kind == GPU_VERTEX_TRIANGLE ? 1 : 2;
    for (int i = 0; i < 4; i++) {
        m->start[i] = gpu_sub(start[i], start[0]);
        m->end[i] = gpu_sub(end[i], start[0]);
        size = gpu_max(size, gpu_max(gpu_ccd_largest_coordinate(m->start[i]), gpu_ccd_largest_coordinate(m->end[i])));
    }
    return size;
}

WEFT_HD void gpu_ccd_at_time(const gpu_motion *m, double t, weft_vec3 x[4]) {
    for (int i = 0; i < 4; i++)
        x[i] = gpu_axpy(gpu_scale(1 - t, m->start[i]), t, m->end[i]);
}

/* The time until which the plane with normal n keeps the features `level` apart, from time t on. Returns t when it does
 * not separate them, and 2 when it does until the end. */
WEFT_HD double gpu_ccd_separated_until(const gpu_motion *m, weft_vec3 n, double t, double level) {
    double start[4], end[4], until = 2;
    for (int i = 0; i < 4; i++) {
        start[i] = gpu_dot(n, m->start[i]);
        end[i] = gpu_dot(n, m->end[i]);
    }
    for (int i = 0; i < m->first; i++)
        for (int j = m->first; j < 4; j++) {
            double before = start[i] - start[j], after = end[i] - end[j];
            if ((1 - t) * before + t * after < level)
                return t;
            if (after < level)
                until = gpu_min(until, (before - level) / (before - after));
        }
    return until;
}

/* n without its component along the edge a-b, normalized. */
WEFT_HD weft_vec3 gpu_ccd_perpendicular_to(weft_vec3 n, weft_vec3 a, weft_vec3 b) {
    weft_vec3 ab = gpu_unit(gpu_sub(b, a));
    return gpu_unit(gpu_axpy(n, -gpu_dot(n, ab), ab));
}

/* The direction n between the closest points becomes inexact as their distance becomes small. It is corrected to be
 * perpendicular to the features whose interior holds the closest points. */
WEFT_HD weft_vec3 gpu_ccd_refine_normal(const gpu_motion *m, const weft_vec3 x[4], const double weight[4],
                                        weft_vec3 n) {
    int used[3], count = 0;
    weft_vec3 normal = {0, 0, 0};
    if (m->kind == GPU_EDGE_EDGE) {
        int first = weight[0] != 0 && weight[1] != 0, second = weight[2] != 0 && weight[3] != 0;
        if (first && second)
            normal = gpu_unit(gpu_cross(gpu_sub(x[1], x[0]), gpu_sub(x[3], x[2])));
        else if (first || second)
            return gpu_ccd_perpendicular_to(n, first ? x[0] : x[2], first ? x[1] : x[3]);
    } else {
        for (int i = 1; i < 4; i++)
            if (weight[i] != 0)
                used[count++] = i;
        if (count == 3)
            normal = gpu_unit(gpu_cross(gpu_sub(x[2], x[1]), gpu_sub(x[3], x[1])));
        else if (count == 2)
            return gpu_ccd_perpendicular_to(n, x[used[0]], x[used[1]]);
    }
    double side = gpu_dot(normal, n);
    return side == 0 ? n : gpu_scale(side < 0 ? -1 : 1, normal);
}

WEFT_HD double gpu_ccd_volume(weft_vec3 a, weft_vec3 b, weft_vec3 c) { return gpu_dot(a, gpu_cross(b, c)); }

/* Whether the corners are never coplanar between two times: all Bernstein coefficients of their volume have one sign.
 */
WEFT_HD int gpu_ccd_stays_non_coplanar(const gpu_motion *m, double from, double to, double size) {
    weft_vec3 x[4], y[4], a[3], b[3];
    gpu_ccd_at_time(m, from, x);
    gpu_ccd_at_time(m, to, y);
    for (int i = 0; i < 3; i++) {
        a[i] = gpu_sub(x[i + 1], x[0]);
        b[i] = gpu_sub(y[i + 1], y[0]);
    }
    const double coefficient[4] = {
        gpu_ccd_volume(a[0], a[1], a[2]),
        (gpu_ccd_volume(b[0], a[1], a[2]) + gpu_ccd_volume(a[0], b[1], a[2]) + gpu_ccd_volume(a[0], a[1], b[2])) / 3,
        (gpu_ccd_volume(a[0], b[1], b[2]) + gpu_ccd_volume(b[0], a[1], b[2]) + gpu_ccd_volume(b[0], b[1], a[2])) / 3,
        gpu_ccd_volume(b[0], b[1], b[2]),
    };
    double least = 64 * GPU_CCD_ROUNDING * size * size * size; /* differences are up to 2 sqrt(3) size in each factor */
    int above = 0, below = 0;
    for (int i = 0; i < 4; i++) {
        above += coefficient[i] > least;
        below += coefficient[i] < -least;
    }
    return above == 4 || below == 4;
}

/* The end of the longest interval from t that is certainly free of contact. Tries the rest of the step and successive
 * halves of it. */
WEFT_HD double gpu_ccd_non_coplanar_until(const gpu_motion *m, double t, double size) {
    double span = 1 - t;
    for (int halvings = 0; halvings < 12; halvings++, span /= 2)
        if (gpu_ccd_stays_non_coplanar(m, t, t + span, size))
            return halvings == 0 ? 2 : t + span;
    return t;
}

WEFT_HD int gpu_ccd_fill_hit(double time, const weft_vec3 x[4], const double weight[4], int at_start,
                             gpu_ccd_hit *hit) {
    hit->time = time;
    for (int i = 0; i < 4; i++)
        hit->weight[i] = weight[i];
    hit->normal = gpu_unit(gpu_weighted(x, weight));
    hit->at_start = at_start;
    return 1;
}

WEFT_HD double gpu_ccd_relative_motion(int kind, const weft_vec3 start[4], const weft_vec3 end[4]) {
    int first = kind == GPU_VERTEX_TRIANGLE ? 1 : 2;
    double largest = 0;
    weft_vec3 moved[4];
    for (int i = 0; i < 4; i++)
        moved[i] = gpu_sub(end[i], start[i]);
    for (int i = 0; i < first; i++)
        for (int j = first; j < 4; j++) {
            weft_vec3 apart = gpu_sub(moved[i], moved[j]);
            largest = gpu_max(largest, gpu_dot(apart, apart));
        }
    return largest;
}

/* A point of a feature moves by a convex combination of the displacements of its corners. A tenth of the distance is
 * reserved for rounding. */
WEFT_HD int gpu_ccd_stays_apart(int kind, const weft_vec3 start[4], const weft_vec3 end[4], double margin,
                                double distance) {
    double allowed = 0.9 * distance - margin;
    return allowed > 0 && gpu_ccd_relative_motion(kind, start, end) < allowed * allowed;
}

WEFT_HD int gpu_ccd(int kind, const weft_vec3 start[4], const weft_vec3 end[4], double margin, gpu_ccd_hit *hit) {
    gpu_motion m;
    double size = gpu_ccd_set_up(&m, kind, start, end), noise = GPU_CCD_ROUNDING * size;
    weft_vec3 x[4];
    double weight[4] = {0}, t = 0;
    gpu_ccd_at_time(&m, 0, x);
    double distance = sqrt(gpu_closest(kind, x, weight));
    if (distance <= 2 * noise)
        return gpu_ccd_fill_hit(0, x, weight, 1, hit);
    margin = gpu_max(gpu_min(margin, 0.5 * distance), noise);
    for (int step = 0; step < GPU_CCD_STEPS; step++) {
        weft_vec3 n = gpu_scale(1 / distance, gpu_weighted(x, weight));
        double until = gpu_ccd_separated_until(&m, n, t, 0.5 * margin);
        if (until <= t)
            until = gpu_ccd_separated_until(&m, gpu_ccd_refine_normal(&m, x, weight, n), t, 0.5 * margin);
        if (until < 1 && (until <= t || step % GPU_CCD_PLANE_STEPS == GPU_CCD_PLANE_STEPS - 1))
            until = gpu_max(until, gpu_ccd_non_coplanar_until(&m, t, size));
        if (until <= t)
            break;
        if (until >= 1)
            return 0;
        t = until;
        gpu_ccd_at_time(&m, t, x);
        distance = sqrt(gpu_closest(kind, x, weight));
        if (distance <= margin)
            break;
    }
    return gpu_ccd_fill_hit(t, x, weight, 0, hit);
}

#endif
