/* Ear clipping, after Meisters, "Polygons have ears" (1975). It always takes the ear with the shortest diagonal, which
 * keeps triangles well shaped. */
#include "mesh/stages.h"
#include "weft/vec.h"

/* Twice the signed area of a, b, c. */
static double twice_area(weft_vec2 a, weft_vec2 b, weft_vec2 c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static int same(weft_vec2 a, weft_vec2 b) { return a.x == b.x && a.y == b.y; }

/* Returns the square of the polygon's extent, m2. */
static double project(const weft_vec3 *position, const int32_t *corner, int32_t count, weft_vec3 normal,
                      weft_ear *ear) {
    weft_vec3 n = weft_normalize(normal), start = position[corner[0]];
    weft_vec3 other = fabs(n.x) < 0.6 ? weft_vec3_make(1, 0, 0) : weft_vec3_make(0, 1, 0);
    weft_vec3 right = weft_normalize(weft_cross(other, n)), up = weft_cross(n, right);
    double extent = 0;
    for (int32_t k = 0; k < count; k++) {
        weft_vec3 x = weft_sub(position[corner[k]], start);
        ear[k].at.x = weft_dot(x, right);
        ear[k].at.y = weft_dot(x, up);
        extent = fmax(extent, weft_dot(x, x));
        ear[k].before = k > 0 ? k - 1 : count - 1;
        ear[k].after = k + 1 < count ? k + 1 : 0;
    }
    return extent;
}

/* A corner is an ear if it is convex and no other corner lies in its triangle, borders included. A corner on the
 * diagonal would leave a degenerate triangle behind. Only non-convex corners can lie inside. */
static void measure(weft_ear *ear, int32_t k, double flat) {
    weft_vec2 a = ear[ear[k].before].at, b = ear[k].at, c = ear[ear[k].after].at;
    ear[k].cost = INFINITY;
    if (ear[k].size <= flat)
        return;
    for (int32_t i = ear[ear[k].after].after; i != ear[k].before; i = ear[i].after) {
        weft_vec2 p = ear[i].at;
        if (ear[i].size > flat || same(p, a) || same(p, b) || same(p, c))
            continue;
        if (twice_area(a, b, p) >= -flat && twice_area(b, c, p) >= -flat && twice_area(c, a, p) >= -flat)
            return;
    }
    ear[k].cost = (c.x - a.x) * (c.x - a.x) + (c.y - a.y) * (c.y - a.y);
}

static void resize(weft_ear *ear, int32_t k) {
    ear[k].size = twice_area(ear[ear[k].before].at, ear[k].at, ear[ear[k].after].at);
}

static void emit(const weft_ear *ear, int32_t k, int32_t *triangle) {
    triangle[0] = ear[k].before;
    triangle[1] = k;
    triangle[2] = ear[k].after;
}

static int32_t cheapest(const weft_ear *ear, int32_t start) {
    int32_t best = start;
    for (int32_t i = ear[start].after; i != start; i = ear[i].after)
        if (ear[i].cost < ear[best].cost)
            best = i;
    return best;
}

void weft_polygon_cut(const weft_vec3 *position, const int32_t *corner, int32_t count, weft_vec3 normal,
                      weft_ear *scratch, int32_t (*triangle)[3]) {
    weft_ear *ear = scratch;
    double extent = project(position, corner, count, normal, ear);
    /* Collinearity tolerance: a small fraction of the polygon's area, but not below the rounding of its coordinates. */
    double flat = fmax(1e-12 * weft_length(normal) / count, 4e-16 * extent);
    for (int32_t k = 0; k < count; k++)
        resize(ear, k);
    for (int32_t k = 0; k < count; k++)
        measure(ear, k, flat);
    int32_t at = 0, made = 0;
    for (int32_t left = count; left > 3; left--) {
        int32_t best = cheapest(ear, at);
        if (isinf(ear[best].cost))
            break; /* the outline intersects itself */
        emit(ear, best, triangle[made++]);
        int32_t before = ear[best].before, after = ear[best].after;
        ear[before].after = after;
        ear[after].before = before;
        resize(ear, before);
        resize(ear, after);
        measure(ear, before, flat);
        measure(ear, after, flat);
        at = before;
    }
    /* The last triangle, or a fan over the remaining corners. */
    for (int32_t i = ear[at].after; ear[i].after != at; i = ear[i].after) {
        triangle[made][0] = at;
        triangle[made][1] = i;
        triangle[made++][2] = ear[i].after;
    }
}
