/* Panels lie on a cylinder about a part of the body. A wrapped panel is stretched around it such that its sides lie at
 * given angles. Around a leg, the cylinder widens above the crotch into one half of that of the hips. */
#include "wear/garment/place_point.h"

#include <math.h>

#include "wear/garment/curve.h"
#include "weft/portable_math.h"
#include "weft/vec.h"

static const double PI = 3.14159265358979323846;
/* Legs of trousers stay this far away from the middle between the legs, m. */
static const double MIDDLE = 0.01;
/* Over this height above the crotch a leg widens into the hips, m. */
static const double WIDENING = 0.1;

/* -- the sides of a wrapped panel -- */

/* A point of a side at some height of the panel. */
typedef struct side_point {
    double off;      /* height at which it lies away from the wanted one, m */
    double x, angle; /* in the panel, m, and around the part, rad */
} side_point;

/* Takes a piece of a side if it is nearer to the height y than what was found before. */
static void try_piece(weft_vec2 a, weft_vec2 b, double y, double angle, side_point *best) {
    double rise = b.y - a.y, t = fabs(rise) > 1e-12 ? fmin(fmax((y - a.y) / rise, 0), 1) : 0;
    double off = fabs(a.y + t * rise - y);
    if (off < best->off)
        *best = (side_point){off, a.x + t * (b.x - a.x), angle};
}

/* Outlines run counter-clockwise, so edges upwards are on the right. */
static int is_right(const garment_edge *edge) { return garment_edge_end(edge).y > garment_edge_start(edge).y; }

static side_point find_side(const garment_panel *panel, int right, double y) {
    enum { PIECES = 32 };
    side_point best = {.off = INFINITY};
    for (int32_t e = 0; e < panel->edges; e++) {
        const garment_edge *edge = &panel->edge[e];
        for (int32_t c = 0; edge->wrapped && is_right(edge) == right && c < edge->curves; c++) {
            weft_vec2 before = edge->curve[c].control[0];
            for (int i = 1; i <= PIECES; i++) {
                weft_vec2 here = garment_curve_at(edge->curve[c].control, (double)i / PIECES);
                try_piece(before, here, y, edge->wrap, &best);
                before = here;
            }
        }
    }
    return best;
}

/* Each row of the panel is stretched from the angle of its left side to that of its right one. */
static double wrapped_angle(const garment_panel *panel, weft_vec2 p) {
    side_point left = find_side(panel, 0, p.y), right = find_side(panel, 1, p.y);
    double width = fmax(right.x - left.x, 1e-6);
    return left.angle + (p.x - left.x) / width * (right.angle - left.angle);
}

/* -- cylinders -- */

static weft_vec3 on_cylinder(weft_vec3 from, weft_vec3 axis, weft_vec3 front, double radius, double height,
                             double angle) {
    weft_vec3 q = weft_add_scaled(from, height, axis);
    q = weft_add_scaled(q, radius * weft_cos(angle), front);
    return weft_add_scaled(q, radius * weft_sin(angle), weft_cross(axis, front));
}

/* The leg's angle at its inner side, 90 degrees towards the other leg, is the middle of the hips: both in front and
 * behind. So a full turn about the leg is half a turn about the hips. */
static weft_vec3 on_leg(const garment_place *at, weft_vec3 q, double angle) {
    double side = at->from.x < at->trunk.from.x ? -1 : 1, middle = at->trunk.from.x;
    double inner = side * (q.x - middle) < MIDDLE ? middle + side * MIDDLE : q.x;
    double part = fmin(fmax((q.y - at->trunk.from.y) / WIDENING, 0), 1), way = part * part * (3 - 2 * part);
    weft_vec3 axis = weft_normalize(weft_sub(at->trunk.to, at->trunk.from));
    weft_vec3 front = weft_normalize(weft_add_scaled(at->trunk.front, -weft_dot(at->trunk.front, axis), axis));
    weft_vec3 trunk = on_cylinder(at->trunk.from, axis, front, at->trunk.radius + at->gap, q.y - at->trunk.from.y,
                                  0.5 * (angle + side * 0.5 * PI));
    q.x = inner;
    return weft_add(weft_scale(1 - way, q), weft_scale(way, trunk));
}

weft_vec3 garment_place_point(const garment_panel *panel, weft_vec2 p) {
    const garment_place *at = &panel->place;
    weft_vec3 axis = weft_normalize(weft_sub(at->to, at->from));
    double height = at->height + p.y - panel->low.y;
    if (!at->wrapped) {
        double angle = at->angle + (p.x - 0.5 * (panel->low.x + panel->high.x)) / at->radius;
        return on_cylinder(at->from, axis, at->front, at->radius, height, angle);
    }
    double angle = wrapped_angle(panel, p);
    weft_vec3 q = on_cylinder(at->from, axis, at->front, at->radius, height, angle);
    return at->trunk.radius > 0 ? on_leg(at, q, angle) : q;
}
