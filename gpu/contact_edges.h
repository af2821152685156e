/* The barrier of two edges fades out where they become parallel, as in src/contact/edge_fade.c, where the reasons are.
 */
#ifndef WEFT_GPU_CONTACT_EDGES_H
#define WEFT_GPU_CONTACT_EDGES_H

#include "host_device.h"

typedef struct gpu_edge_pair {
    weft_vec3 a, b, c;   /* the edges and their cross product */
    double aa, bb, sine; /* squares of the edges, m2, and of the sine of their angle */
} gpu_edge_pair;

WEFT_HD gpu_edge_pair gpu_edge_pair_of(const weft_vec3 *x) {
    gpu_edge_pair e;
    e.a = gpu_sub(x[1], x[0]);
    e.b = gpu_sub(x[3], x[2]);
    e.c = gpu_cross(e.a, e.b);
    e.aa = gpu_dot(e.a, e.a);
    e.bb = gpu_dot(e.b, e.b);
    e.sine = gpu_dot(e.c, e.c) / (e.aa * e.bb);
    return e;
}

WEFT_HD double gpu_fade(double ratio) { return ratio < 1 ? ratio * ratio * (3 - 2 * ratio) : 1; }
WEFT_HD double gpu_fade_slope(double ratio) { return ratio < 1 ? 6 * ratio * (1 - ratio) : 0; }

/* The squared sine of the angle below which a pair of edges counts as nearly parallel; `rest`: its vertices at rest. */
WEFT_HD double gpu_edge_narrow(const weft_vec3 *rest, double reach) {
    const double parallel = 1e-3;
    double lengths = gpu_length(gpu_sub(rest[1], rest[0])) * gpu_length(gpu_sub(rest[3], rest[2]));
    return reach * reach < parallel * lengths ? reach * reach / lengths : parallel;
}

WEFT_HD double gpu_edge_factor(const weft_vec3 *x, double narrow) {
    return gpu_fade(gpu_edge_pair_of(x).sine / narrow);
}

/* Minus the derivative of factor x energy by the squared sine, J. `energy`: of the barrier without the factor, J. */
WEFT_HD double gpu_edge_share(const weft_vec3 *x, double narrow, double energy) {
    return -energy * gpu_fade_slope(gpu_edge_pair_of(x).sine / narrow) / narrow;
}

/* The force on vertex k because the factor changes with the positions, N. */
WEFT_HD weft_vec3 gpu_edge_fading(const weft_vec3 *x, double share, int k) {
    gpu_edge_pair e = gpu_edge_pair_of(x);
    double scale = 2 * share / (e.aa * e.bb);
    weft_vec3 force;
    if (k < 2)
        force = gpu_axpy(gpu_scale(scale, gpu_cross(e.b, e.c)), -2 * share * e.sine / e.aa, e.a);
    else
        force = gpu_axpy(gpu_scale(scale, gpu_cross(e.c, e.a)), -2 * share * e.sine / e.bb, e.b);
    return k % 2 ? force : gpu_scale(-1, force);
}

#endif
