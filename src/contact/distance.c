/* Closest points of two features. The squared distance is a convex quadratic function of the barycentric weights. Its
 * minimum is the interior critical point, or it lies on the border. If the features are nearly degenerate or parallel,
 * the critical point is ill-conditioned. Then both are compared. Ericson (2005), Real-time collision detection, chapter
 * 5, treats the regular case. */
#include "contact/distance.h"

/* Below this squared sine of the angle between two edges, the critical point alone is not trusted. */
static const double SLIM = 1e-8;

/* Rounds of iterative refinement of the critical point. Its error matters when the distance is small. */
enum { REFINEMENTS = 3 };

/* The parameter in [0, 1] of the point on a-b that is closest to p. */
static double along(weft_vec3 p, weft_vec3 a, weft_vec3 b) {
    weft_vec3 ab = weft_sub(b, a);
    double square = weft_dot(ab, ab), s = weft_dot(weft_sub(p, a), ab);
    return s <= 0 ? 0 : s >= square ? 1 : s / square;
}

static double square_of(const weft_vec3 x[4], const double weight[4]) {
    weft_vec3 apart = weft_weighted(x, weight);
    return weft_dot(apart, apart);
}

/* Keeps `candidate` if it is closer than the best so far. */
static void keep_closer(const weft_vec3 x[4], const double candidate[4], double *best, double weight[4]) {
    double square = square_of(x, candidate);
    if (square >= *best)
        return;
    *best = square;
    for (int i = 0; i < 4; i++)
        weight[i] = candidate[i];
}

/* Barycentric weights of the projection of p onto the plane of the triangle a b c. The corners are relative to p. */
static void foot(weft_vec3 a, weft_vec3 b, weft_vec3 c, weft_vec3 normal, double *u, double *v) {
    double square = weft_dot(normal, normal);
    *u = weft_dot(weft_cross(b, c), normal) / square;
    *v = weft_dot(weft_cross(c, a), normal) / square;
}

static double vertex_triangle(const weft_vec3 x[4], double weight[4]) {
    weft_vec3 ab = weft_sub(x[2], x[1]), ac = weft_sub(x[3], x[1]), normal = weft_cross(ab, ac);
    double square = weft_dot(normal, normal), best = HUGE_VAL;
    if (square > 0) {
        double u, v;
        foot(weft_sub(x[1], x[0]), weft_sub(x[2], x[0]), weft_sub(x[3], x[0]), normal, &u, &v);
        for (int round = 0; round < REFINEMENTS && u >= 0 && v >= 0 && u + v <= 1; round++) {
            const double inside[4] = {1, -u, -v, u + v - 1};
            double before = best;
            keep_closer(x, inside, &best, weight);
            if (!(best < before))
                break;
            weft_vec3 rest = weft_weighted(x, inside), turned = weft_cross(normal, rest);
            u += weft_dot(turned, weft_sub(x[2], x[3])) / square;
            v += weft_dot(turned, weft_sub(x[3], x[1])) / square;
        }
        if (best < HUGE_VAL && square > SLIM * weft_dot(ab, ab) * weft_dot(ac, ac))
            return best;
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3;
        double s = along(x[0], x[1 + i], x[1 + j]);
        double candidate[4] = {1, 0, 0, 0};
        candidate[1 + i] = s - 1;
        candidate[1 + j] = -s;
        keep_closer(x, candidate, &best, weight);
    }
    return best;
}

static double edge_edge(const weft_vec3 x[4], double weight[4]) {
    weft_vec3 p = weft_sub(x[1], x[0]), q = weft_sub(x[3], x[2]), r = weft_sub(x[0], x[2]);
    weft_vec3 normal = weft_cross(p, q);
    double square = weft_dot(normal, normal), best = HUGE_VAL;
    if (square > 0) {
        double s = 0, t = 0;
        for (int round = 0; round < REFINEMENTS; round++) {
            s -= weft_dot(weft_cross(r, q), normal) / square;
            t -= weft_dot(weft_cross(r, p), normal) / square;
            if (!(s >= 0 && s <= 1 && t >= 0 && t <= 1))
                break;
            const double inside[4] = {1 - s, s, t - 1, -t};
            double before = best;
            keep_closer(x, inside, &best, weight);
            if (!(best < before))
                break;
            r = weft_weighted(x, inside);
        }
        if (best < HUGE_VAL && square > SLIM * weft_dot(p, p) * weft_dot(q, q))
            return best;
    }
    for (int i = 0; i < 2; i++) {
        double t = along(x[i], x[2], x[3]), s = along(x[2 + i], x[0], x[1]);
        const double first[4] = {1 - i, i, t - 1, -t}, second[4] = {1 - s, s, i - 1, -i};
        keep_closer(x, first, &best, weight);
        keep_closer(x, second, &best, weight);
    }
    return best;
}

double weft_closest(weft_pair_kind kind, const weft_vec3 x[4], double weight[4]) {
    return kind == WEFT_VERTEX_TRIANGLE ? vertex_triangle(x, weight) : edge_edge(x, weight);
}

static double low(double a, double b) { return a < b ? a : b; }
static double high(double a, double b) { return a > b ? a : b; }

/* `edges`: 1 if b belongs to the first feature. */
static double gap_along(int edges, double a, double b, double c, double d) {
    double first_low = edges ? low(a, b) : a, first_high = edges ? high(a, b) : a;
    double second_low = low(c, d), second_high = high(c, d);
    second_low = edges ? second_low : low(second_low, b);
    second_high = edges ? second_high : high(second_high, b);
    return high(first_low - second_high, second_low - first_high);
}

double weft_gap(weft_pair_kind kind, const weft_vec3 x[4]) {
    int edges = kind == WEFT_EDGE_EDGE;
    double gap = gap_along(edges, x[0].x, x[1].x, x[2].x, x[3].x);
    gap = high(gap, gap_along(edges, x[0].y, x[1].y, x[2].y, x[3].y));
    return high(gap, gap_along(edges, x[0].z, x[1].z, x[2].z, x[3].z));
}

int weft_surely_farther(weft_pair_kind kind, const weft_vec3 x[4], double most) {
    if (weft_gap(kind, x) > most)
        return 1;
    int edges = kind == WEFT_EDGE_EDGE;
    weft_vec3 p = edges ? weft_sub(x[1], x[0]) : weft_sub(x[2], x[1]);
    weft_vec3 q = edges ? weft_sub(x[3], x[2]) : weft_sub(x[3], x[1]);
    weft_vec3 normal = weft_cross(p, q);
    double square = weft_dot(normal, normal), height = weft_dot(normal, weft_sub(x[0], x[edges ? 2 : 1]));
    /* the factor covers rounding, which is relative to the corners' distances as long as the normal is well defined */
    return square > SLIM * weft_dot(p, p) * weft_dot(q, q) && height * height * (1 - 1e-8) > most * most * square;
}
