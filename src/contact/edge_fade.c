#include "contact/edge_fade.h"

/* Edges whose angle has a squared sine below this are nearly parallel, unless their reach is small. */
static const double PARALLEL = 1e-3;

/* Rises smoothly from 0 to 1, without a kink at either end: Newton's method would get stuck there. */
static double fade(double ratio) { return ratio < 1 ? ratio * ratio * (3 - 2 * ratio) : 1; }
static double fade_slope(double ratio) { return ratio < 1 ? 6 * ratio * (1 - ratio) : 0; }

typedef struct edge_pair {
    weft_vec3 a, b, c;   /* the edges and their cross product */
    double aa, bb, sine; /* squares of the edges, m2, and of the sine of their angle */
} edge_pair;

static edge_pair edge_pair_of(const weft_vec3 x[4]) {
    edge_pair e = {.a = weft_sub(x[1], x[0]), .b = weft_sub(x[3], x[2])};
    e.c = weft_cross(e.a, e.b);
    e.aa = weft_dot(e.a, e.a);
    e.bb = weft_dot(e.b, e.b);
    e.sine = weft_dot(e.c, e.c) / (e.aa * e.bb);
    return e;
}

double contact_edge_narrow(const weft_vec3 rest[4], double reach) {
    double lengths = weft_distance(rest[0], rest[1]) * weft_distance(rest[2], rest[3]);
    return reach * reach < PARALLEL * lengths ? reach * reach / lengths : PARALLEL;
}

double contact_edge_factor(const weft_vec3 x[4], double narrow) { return fade(edge_pair_of(x).sine / narrow); }

void contact_edge_fading(const weft_vec3 x[4], double narrow, double energy, weft_vec3 force[4]) {
    edge_pair e = edge_pair_of(x);
    double share = -energy * fade_slope(e.sine / narrow) / narrow, scale = 2 * share / (e.aa * e.bb);
    weft_vec3 of_a = weft_add_scaled(weft_scale(scale, weft_cross(e.b, e.c)), -2 * share * e.sine / e.aa, e.a);
    weft_vec3 of_b = weft_add_scaled(weft_scale(scale, weft_cross(e.c, e.a)), -2 * share * e.sine / e.bb, e.b);
    force[0] = weft_scale(-1, of_a);
    force[1] = of_a;
    force[2] = weft_scale(-1, of_b);
    force[3] = of_b;
}
