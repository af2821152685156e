#include "contact/edge_fade.h"

#include <math.h>
#include <string.h>

#include "contact/distance.h"

/* Edges whose angle has a squared sine below this are nearly parallel, unless their reach is small. */
static const double PARALLEL = 1e-3;
/* Fraction of an edge that counts as its end. */
static const double END = 0.1;
/* Most length of an end, in reaches of the pair. Newton updates after a cut, test cli/cut: 1705 with 4, 1633
 * with 8, 1785 with 16. */
static const double END_REACHES = 8;

/* Rises smoothly from 0 to 1, without a kink at either end: Newton's method would get stuck there. */
static double fade(double ratio) { return ratio < 1 ? ratio * ratio * (3 - 2 * ratio) : 1; }
static double fade_slope(double ratio) { return ratio < 1 ? 6 * ratio * (1 - ratio) : 0; }
static double fade_curvature(double ratio) { return ratio < 1 ? 6 - 12 * ratio : 0; }

/* Two edges whose closest points have the weights 1 - s, s, t - 1, -t. */
typedef struct edge_pair {
    weft_vec3 a, b, c; /* the edges and their cross product */
    double aa, bb, cc; /* their squares, m2 and m4 */
    double parallel;   /* squared sine of the angle, relative to that of nearly parallel edges */
    int nearest;       /* the vertex whose weight is smallest in size */
    double end;        /* that size, relative to END */
} edge_pair;

static edge_pair edge_pair_of(const weft_vec3 x[4], const double weight[4], contact_zone zone) {
    edge_pair e = {.a = weft_sub(x[1], x[0]), .b = weft_sub(x[3], x[2])};
    e.c = weft_cross(e.a, e.b);
    e.aa = weft_dot(e.a, e.a);
    e.bb = weft_dot(e.b, e.b);
    e.cc = weft_dot(e.c, e.c);
    e.parallel = e.cc / (zone.narrow * e.aa * e.bb);
    for (int i = 1; i < 4; i++)
        e.nearest = fabs(weight[i]) < fabs(weight[e.nearest]) ? i : e.nearest;
    e.end = fabs(weight[e.nearest]) / zone.end;
    return e;
}

contact_zone contact_zone_of(const weft_vec3 rest[4], double reach) {
    double a = weft_distance(rest[0], rest[1]), b = weft_distance(rest[2], rest[3]);
    double end = END_REACHES * reach / fmin(a, b), narrow = reach * reach / (a * b);
    return (contact_zone){end < END ? end : END, narrow < PARALLEL ? narrow : PARALLEL};
}

double contact_edge_factor(const weft_vec3 x[4], const double weight[4], contact_zone zone) {
    edge_pair e = edge_pair_of(x, weight, zone);
    return e.end > 0 ? fade(e.end) * fade(e.parallel) : 0;
}

/* Adds `times` the gradient of the squared sine. */
static void add_sine_gradient(const edge_pair *e, double times, weft_vec3 gradient[4]) {
    double scale = 2 * times / (e->aa * e->bb), sine = e->cc / (e->aa * e->bb);
    weft_vec3 of_a = weft_add_scaled(weft_scale(scale, weft_cross(e->b, e->c)), -2 * times * sine / e->aa, e->a);
    weft_vec3 of_b = weft_add_scaled(weft_scale(scale, weft_cross(e->c, e->a)), -2 * times * sine / e->bb, e->b);
    gradient[0] = weft_sub(gradient[0], of_a);
    gradient[1] = weft_add(gradient[1], of_a);
    gradient[2] = weft_sub(gradient[2], of_b);
    gradient[3] = weft_add(gradient[3], of_b);
}

/* The gradient of the smallest weight's size. At the closest points the gap g is perpendicular to both edges:
 * g . a = g . b = 0. Differentiated, these are two linear equations for the changes of s and t. */
typedef struct end_gradient {
    weft_vec3 along; /* with respect to the gap, 1/m */
    double turn[2];  /* along the gap, for the vertices of each edge, 1/m2 */
} end_gradient;

static end_gradient end_gradient_of(const edge_pair *e) {
    double ab = weft_dot(e->a, e->b), sign = e->nearest % 2 ? 1 : -1;
    double first = sign * (e->nearest < 2 ? -e->bb : -ab) / e->cc;
    double second = sign * (e->nearest < 2 ? ab : e->aa) / e->cc;
    return (end_gradient){weft_add_scaled(weft_scale(first, e->a), second, e->b), {first, second}};
}

/* The stiffness is that of the end alone, where it is positive. It neglects that the gap turns, which is small. */
void contact_edge_fading(const weft_vec3 x[4], const double weight[4], contact_zone zone, double energy,
                         contact_fading *fading) {
    edge_pair e = edge_pair_of(x, weight, zone);
    memset(fading, 0, sizeof *fading);
    if (e.parallel < 1)
        add_sine_gradient(&e, -energy * fade(e.end) * fade_slope(e.parallel) / zone.narrow, fading->force);
    if (!(e.end < 1))
        return;
    end_gradient to = end_gradient_of(&e);
    weft_vec3 gap = weft_weighted(x, weight);
    double share = energy * fade(e.parallel) / zone.end, slope = weft_length(to.along);
    for (int i = 0; i < 4; i++) {
        double turn = i % 2 ? to.turn[i / 2] : -to.turn[i / 2];
        weft_vec3 gradient = weft_add_scaled(weft_scale(weight[i], to.along), turn, gap);
        fading->force[i] = weft_add_scaled(fading->force[i], -share * fade_slope(e.end), gradient);
    }
    fading->axis = weft_scale(1 / slope, to.along);
    fading->stiffness = fmax(0, share / zone.end * fade_curvature(e.end)) * slope * slope;
}
