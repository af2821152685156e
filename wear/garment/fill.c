/* Points on a hexagonal lattice, smoothed, with the centres of circumcircles where triangles are thin or large (J.
 * Ruppert, "A Delaunay refinement algorithm for quality 2-dimensional mesh generation", Journal of Algorithms 1995).
 * The border keeps its points, because seams match the points of two panels. */
#include "wear/garment/fill.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "weft/mesh.h"
#include "weft/portable_math.h"

/* Lattice points keep this distance from given points, in edges. */
static const double CLEARANCE = 0.6;
/* A triangle is thin below this angle, degrees. Ruppert's method ends for angles up to 20.7; without touching the
 * border it may leave thin triangles there. */
static const double THIN = 25;
/* A triangle is large if its circumradius is above this, in edges. That of an equilateral one is 0.58. */
static const double LARGE = 0.95;
enum { SMOOTHINGS = 4, ROUNDS = 12, MOST_POINTS = 4000000 };

static const double PI = 3.14159265358979323846;

static weft_vec2 minus(weft_vec2 a, weft_vec2 b) { return (weft_vec2){a.x - b.x, a.y - b.y}; }
static double cross(weft_vec2 a, weft_vec2 b) { return a.x * b.y - a.y * b.x; }
static double dot(weft_vec2 a, weft_vec2 b) { return a.x * b.x + a.y * b.y; }

double garment_least_angle(const weft_vec2 *point, const int32_t triangle[3]) {
    double least = 180;
    for (int i = 0; i < 3; i++) {
        weft_vec2 p = point[triangle[i]];
        weft_vec2 a = minus(point[triangle[(i + 1) % 3]], p), b = minus(point[triangle[(i + 2) % 3]], p);
        least = fmin(least, weft_atan2(fabs(cross(a, b)), dot(a, b)) * 180 / PI);
    }
    return least;
}

typedef struct region {
    const garment_segment *segment;
    int32_t segments, given; /* the first points are given and stay */
    double edge;
    garment_fill fill;
    int32_t room;
    garment_flaw flaw;
} region;

static int add_point(region *r, weft_vec2 p) {
    garment_fill *f = &r->fill;
    if (f->points == r->room) {
        int32_t room = 2 * r->room + 1024;
        weft_vec2 *point = realloc(f->point, (size_t)room * sizeof *point);
        if (!point)
            return 0;
        f->point = point;
        r->room = room;
    }
    f->point[f->points++] = p;
    return 1;
}

static weft_result triangulate(region *r) {
    int32_t(*triangle)[3], triangles;
    weft_result result =
        garment_triangulate(r->fill.point, r->fill.points, r->segment, r->segments, &triangle, &triangles, &r->flaw);
    free(r->fill.triangle);
    r->fill.triangle = triangle;
    r->fill.triangles = triangles;
    return result;
}

/* Square of the distance from p to a segment. */
static double to_segment(const region *r, const garment_segment *s, weft_vec2 p) {
    weft_vec2 a = r->fill.point[s->point[0]], d = minus(r->fill.point[s->point[1]], a);
    double length = dot(d, d), along = length > 0 ? dot(minus(p, a), d) / length : 0;
    along = fmin(fmax(along, 0), 1);
    weft_vec2 e = minus(p, (weft_vec2){a.x + along * d.x, a.y + along * d.y});
    return dot(e, e);
}

/* Whether p lies to the left of the line from a to b. Of the two triangles beside an edge, exactly one has a point that
 * lies on it: both compute the same number, from the lower end in x, then y, so rounding cannot differ. */
static int is_left(weft_vec2 a, weft_vec2 b, weft_vec2 p) {
    if (a.x < b.x || (a.x == b.x && a.y < b.y))
        return cross(minus(b, a), minus(p, a)) > 0;
    return cross(minus(a, b), minus(p, b)) <= 0;
}

static weft_result fail_points(void) {
    return weft_fail(WEFT_BAD_INPUT, "more than %d points are needed", MOST_POINTS);
}

/* Fails at once if the region has too many points. */
static weft_result check_size(const region *r) {
    double twice = 0;
    for (int32_t t = 0; t < r->fill.triangles; t++) {
        weft_vec2 a = r->fill.point[r->fill.triangle[t][0]];
        twice +=
            cross(minus(r->fill.point[r->fill.triangle[t][1]], a), minus(r->fill.point[r->fill.triangle[t][2]], a));
    }
    return 0.5 * twice < MOST_POINTS * sqrt(0.75) * r->edge * r->edge ? weft_ok() : fail_points();
}

/* Lattice points inside of the given triangles and away from segments. The first triangulation, of the border alone,
 * tells which are inside: each triangle adds the lattice points in it. */
static weft_result add_lattice(region *r) {
    const double h = r->edge, row = h * sqrt(0.75), clear = CLEARANCE * CLEARANCE * h * h;
    const int32_t triangles = r->fill.triangles;
    for (int32_t t = 0; t < triangles; t++) {
        const weft_vec2 a = r->fill.point[r->fill.triangle[t][0]], b = r->fill.point[r->fill.triangle[t][1]],
                        c = r->fill.point[r->fill.triangle[t][2]];
        const double rows[2] = {ceil(fmin(fmin(a.y, b.y), c.y) / row), floor(fmax(fmax(a.y, b.y), c.y) / row)};
        if (!(rows[1] - rows[0] < MOST_POINTS))
            return fail_points();
        for (int64_t j = (int64_t)rows[0]; j <= (int64_t)rows[1]; j++) {
            double shift = j % 2 != 0 ? 0.5 : 0, y = (double)j * row;
            double left = ceil(fmin(fmin(a.x, b.x), c.x) / h - shift),
                   right = floor(fmax(fmax(a.x, b.x), c.x) / h - shift);
            for (int64_t i = (int64_t)left; i <= (int64_t)right; i++) {
                weft_vec2 p = {((double)i + shift) * h, y};
                if (!is_left(a, b, p) || !is_left(b, c, p) || !is_left(c, a, p))
                    continue;
                int near = 0;
                for (int32_t s = 0; s < r->segments && !near; s++)
                    near = to_segment(r, &r->segment[s], p) < clear;
                if (near)
                    continue;
                if (r->fill.points - r->given >= MOST_POINTS)
                    return fail_points();
                if (!add_point(r, p))
                    return weft_fail_memory("points", (size_t)r->room * sizeof p);
            }
        }
    }
    return weft_ok();
}

/* Moves new points to the mean of their neighbours. Every neighbour counts once for each of the two triangles at its
 * edge, so twice. */
static weft_result smooth(region *r) {
    garment_fill *f = &r->fill;
    weft_vec2 *sum = calloc((size_t)f->points + 1, sizeof *sum);
    int32_t *count = calloc((size_t)f->points + 1, sizeof *count);
    for (int32_t t = 0; sum && count && t < f->triangles; t++)
        for (int i = 0; i < 3; i++)
            for (int k = 1; k < 3; k++) {
                weft_vec2 q = f->point[f->triangle[t][(i + k) % 3]];
                int32_t p = f->triangle[t][i];
                sum[p] = (weft_vec2){sum[p].x + q.x, sum[p].y + q.y};
                count[p]++;
            }
    for (int32_t p = r->given; sum && count && p < f->points; p++)
        if (count[p] > 0)
            f->point[p] = (weft_vec2){sum[p].x / count[p], sum[p].y / count[p]};
    weft_result result = sum && count ? weft_ok() : weft_fail_memory("points", (size_t)f->points * sizeof *sum);
    free(sum);
    free(count);
    return result.code == WEFT_OK ? triangulate(r) : result;
}

static weft_vec2 circumcentre(weft_vec2 a, weft_vec2 b, weft_vec2 c) {
    weft_vec2 u = minus(b, a), v = minus(c, a);
    double d = 2 * cross(u, v), uu = dot(u, u), vv = dot(v, v);
    return (weft_vec2){a.x + (v.y * uu - u.y * vv) / d, a.y + (u.x * vv - v.x * uu) / d};
}

/* Whether p sees a segment under a right angle or more: it would make a thin triangle there. */
static int encroaches(const region *r, weft_vec2 p) {
    for (int32_t s = 0; s < r->segments; s++) {
        weft_vec2 a = minus(r->fill.point[r->segment[s].point[0]], p),
                  b = minus(r->fill.point[r->segment[s].point[1]], p);
        if (dot(a, b) <= 0)
            return 1;
    }
    return 0;
}

/* Whether p lies in one of the region's triangles. */
static int is_inside(const region *r, weft_vec2 p) {
    int odd = 0;
    for (int32_t s = 0; s < r->segments; s++) {
        weft_vec2 a = r->fill.point[r->segment[s].point[0]], b = r->fill.point[r->segment[s].point[1]];
        if (r->segment[s].border && (a.y > p.y) != (b.y > p.y) && p.x < a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x))
            odd = !odd;
    }
    return odd;
}

/* Adds the circumcentres of thin and large triangles, unless they are near each other. `*added`: how many. */
static weft_result refine(region *r, int32_t *added) {
    garment_fill *f = &r->fill;
    const int32_t before = f->points;
    *added = 0;
    for (int32_t t = 0; t < f->triangles; t++) {
        const int32_t *corner = f->triangle[t];
        weft_vec2 centre = circumcentre(f->point[corner[0]], f->point[corner[1]], f->point[corner[2]]);
        weft_vec2 reach = minus(centre, f->point[corner[0]]);
        double radius = sqrt(dot(reach, reach));
        int large = radius > LARGE * r->edge;
        if ((!large && garment_least_angle(f->point, corner) >= THIN) || !(radius < 1e3 * r->edge) ||
            !is_inside(r, centre) || encroaches(r, centre))
            continue;
        int near = 0;
        for (int32_t p = before; p < f->points && !near; p++) {
            weft_vec2 d = minus(f->point[p], centre);
            near = dot(d, d) < 0.7 * radius * 0.7 * radius;
        }
        if (near)
            continue;
        if (!add_point(r, centre))
            return weft_fail_memory("points", (size_t)r->room * sizeof centre);
        (*added)++;
    }
    return *added > 0 ? triangulate(r) : weft_ok();
}

static weft_result fill_region(region *r) {
    WEFT_TRY(triangulate(r));
    WEFT_TRY(check_size(r));
    WEFT_TRY(add_lattice(r));
    WEFT_TRY(triangulate(r));
    for (int round = 0, added = 1; round < ROUNDS && added > 0; round++) {
        WEFT_TRY(refine(r, &added));
        if (round < SMOOTHINGS)
            WEFT_TRY(smooth(r));
    }
    return weft_ok();
}

weft_result garment_fill_region(const weft_vec2 *point, int32_t points, const garment_segment *segment,
                                int32_t segments, double edge, garment_fill *fill, garment_flaw *flaw) {
    region r = {.segment = segment,
                .segments = segments,
                .given = points,
                .edge = edge,
                .flaw = {{WEFT_NONE, WEFT_NONE}, {WEFT_NONE, WEFT_NONE}}};
    weft_result result = weft_ok();
    *fill = (garment_fill){0};
    if (flaw)
        *flaw = r.flaw;
    if (points < 3)
        return weft_fail(WEFT_BAD_INPUT, "%d points; a region needs at least 3", points);
    for (int32_t i = 0; i < points && result.code == WEFT_OK; i++)
        if (!add_point(&r, point[i]))
            result = weft_fail_memory("points", (size_t)points * sizeof *point);
    if (result.code == WEFT_OK)
        result = fill_region(&r);
    if (result.code != WEFT_OK)
        garment_fill_free(&r.fill);
    *fill = r.fill;
    if (flaw)
        *flaw = r.flaw;
    return result;
}

void garment_fill_free(garment_fill *fill) {
    free(fill->point);
    free(fill->triangle);
    *fill = (garment_fill){0};
}
