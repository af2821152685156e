/* Closest points of two features, as in src/contact/distance.c: the tests compare them. The results are the weights of
 * the vector between the closest points, w0 x0 + .. + w3 x3. */
#ifndef WEFT_GPU_CONTACT_DISTANCE_H
#define WEFT_GPU_CONTACT_DISTANCE_H

#include "host_device.h"

enum {
    GPU_VERTEX_TRIANGLE, /* x0 against x1 x2 x3 */
    GPU_EDGE_EDGE,       /* x0 x1 against x2 x3 */
    GPU_REFINEMENTS = 3  /* rounds of refinement of the critical point */
};

#define GPU_HUGE 1e300
/* Squared sine of the angle between two edges below which the critical point alone is not trusted. */
#define GPU_SLIM 1e-8

/* w0 x0 + w1 x1 + w2 x2 + w3 x3 */
WEFT_HD weft_vec3 gpu_weighted(const weft_vec3 *x, const double *weight) {
    weft_vec3 a = gpu_scale(weight[0], x[0]), b = gpu_scale(weight[2], x[2]);
    return gpu_add(gpu_axpy(a, weight[1], x[1]), gpu_axpy(b, weight[3], x[3]));
}

/* The parameter in [0, 1] of the point on a-b that is closest to p. */
WEFT_HD double gpu_along(weft_vec3 p, weft_vec3 a, weft_vec3 b) {
    weft_vec3 ab = gpu_sub(b, a);
    double square = gpu_dot(ab, ab), s = gpu_dot(gpu_sub(p, a), ab);
    return s <= 0 ? 0 : s >= square ? 1 : s / square;
}

WEFT_HD double gpu_square_of(const weft_vec3 x[4], const double weight[4]) {
    weft_vec3 apart = gpu_weighted(x, weight);
    return gpu_dot(apart, apart);
}

/* Keeps `candidate` if it is closer than the best so far. */
WEFT_HD void gpu_keep_closer(const weft_vec3 x[4], const double candidate[4], double *best, double weight[4]) {
    double square = gpu_square_of(x, candidate);
    if (square >= *best)
        return;
    *best = square;
    for (int i = 0; i < 4; i++)
        weight[i] = candidate[i];
}

/* Barycentric weights of the projection of p onto the plane of the triangle a b c. The corners are relative to p. */
WEFT_HD void gpu_foot(weft_vec3 a, weft_vec3 b, weft_vec3 c, weft_vec3 normal, double *u, double *v) {
    double square = gpu_dot(normal, normal);
    *u = gpu_dot(gpu_cross(b, c), normal) / square;
    *v = gpu_dot(gpu_cross(c, a), normal) / square;
}

WEFT_HD double gpu_vertex_triangle(const weft_vec3 x[4], double weight[4]) {
    weft_vec3 ab = gpu_sub(x[2], x[1]), ac = gpu_sub(x[3], x[1]), normal = gpu_cross(ab, ac);
    double square = gpu_dot(normal, normal), best = GPU_HUGE;
    if (square > 0) {
        double u, v;
        gpu_foot(gpu_sub(x[1], x[0]), gpu_sub(x[2], x[0]), gpu_sub(x[3], x[0]), normal, &u, &v);
        for (int round = 0; round < GPU_REFINEMENTS && u >= 0 && v >= 0 && u + v <= 1; round++) {
            const double inside[4] = {1, -u, -v, u + v - 1};
            double before = best;
            gpu_keep_closer(x, inside, &best, weight);
            if (!(best < before))
                break;
            weft_vec3 rest = gpu_weighted(x, inside), turned = gpu_cross(normal, rest);
            u += gpu_dot(turned, gpu_sub(x[2], x[3])) / square;
            v += gpu_dot(turned, gpu_sub(x[3], x[1])) / square;
        }
        if (best < GPU_HUGE && square > GPU_SLIM * gpu_dot(ab, ab) * gpu_dot(ac, ac))
            return best;
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3;
        double s = gpu_along(x[0], x[1 + i], x[1 + j]);
        double candidate[4] = {1, 0, 0, 0};
        candidate[1 + i] = s - 1;
        candidate[1 + j] = -s;
        gpu_keep_closer(x, candidate, &best, weight);
    }
    return best;
}

WEFT_HD double gpu_edge_edge(const weft_vec3 x[4], double weight[4]) {
    weft_vec3 p = gpu_sub(x[1], x[0]), q = gpu_sub(x[3], x[2]), r = gpu_sub(x[0], x[2]);
    weft_vec3 normal = gpu_cross(p, q);
    double square = gpu_dot(normal, normal), best = GPU_HUGE;
    if (square > 0) {
        double s = 0, t = 0;
        for (int round = 0; round < GPU_REFINEMENTS; round++) {
            s -= gpu_dot(gpu_cross(r, q), normal) / square;
            t -= gpu_dot(gpu_cross(r, p), normal) / square;
            if (!(s >= 0 && s <= 1 && t >= 0 && t <= 1))
                break;
            const double inside[4] = {1 - s, s, t - 1, -t};
            double before = best;
            gpu_keep_closer(x, inside, &best, weight);
            if (!(best < before))
                break;
            r = gpu_weighted(x, inside);
        }
        if (best < GPU_HUGE && square > GPU_SLIM * gpu_dot(p, p) * gpu_dot(q, q))
            return best;
    }
    for (int i = 0; i < 2; i++) {
        double t = gpu_along(x[i], x[2], x[3]), s = gpu_along(x[2 + i], x[0], x[1]);
        const double e = i, first[4] = {1 - e, e, t - 1, -t}, second[4] = {1 - s, s, e - 1, 0 - e};
        gpu_keep_closer(x, first, &best, weight);
        gpu_keep_closer(x, second, &best, weight);
    }
    return best;
}

WEFT_HD double gpu_closest(int kind, const weft_vec3 x[4], double weight[4]) {
    return kind == GPU_VERTEX_TRIANGLE ? gpu_vertex_triangle(x, weight) : gpu_edge_edge(x, weight);
}

/* `edges`: 1 if b belongs to the first feature. */
WEFT_HD double gpu_gap_along(int edges, double a, double b, double c, double d) {
    double first_low = edges ? gpu_min(a, b) : a, first_high = edges ? gpu_max(a, b) : a;
    double second_low = gpu_min(c, d), second_high = gpu_max(c, d);
    second_low = edges ? second_low : gpu_min(second_low, b);
    second_high = edges ? second_high : gpu_max(second_high, b);
    return gpu_max(first_low - second_high, second_low - first_high);
}

WEFT_HD double gpu_gap(int kind, const weft_vec3 x[4]) {
    int edges = kind == GPU_EDGE_EDGE;
    double gap = gpu_gap_along(edges, x[0].x, x[1].x, x[2].x, x[3].x);
    gap = gpu_max(gap, gpu_gap_along(edges, x[0].y, x[1].y, x[2].y, x[3].y));
    return gpu_max(gap, gpu_gap_along(edges, x[0].z, x[1].z, x[2].z, x[3].z));
}

WEFT_HD int gpu_surely_farther(int kind, const weft_vec3 x[4], double most) {
    if (gpu_gap(kind, x) > most)
        return 1;
    int edges = kind == GPU_EDGE_EDGE;
    weft_vec3 p = edges ? gpu_sub(x[1], x[0]) : gpu_sub(x[2], x[1]);
    weft_vec3 q = edges ? gpu_sub(x[3], x[2]) : gpu_sub(x[3], x[1]);
    weft_vec3 normal = gpu_cross(p, q);
    double square = gpu_dot(normal, normal), height = gpu_dot(normal, gpu_sub(x[0], x[edges ? 2 : 1]));
    /* the factor covers rounding, which is relative to the corners' distances as long as the normal is well defined */
    return square > GPU_SLIM * gpu_dot(p, p) * gpu_dot(q, q) && height * height * (1 - 1e-8) > most * most * square;
}

#endif
