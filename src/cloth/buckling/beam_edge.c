/* Energy of one edge between triangles that are not part of the model's mesh: the edge in tension and the beam across
 * it. Stiffness from the fabric is calibrated to a whole mesh. Here the calibration of the model's mesh is used. */
#include "cloth/buckling/buckling.h"
#include "weft/vec.h"

static double area_of(const weft_facet *f) {
    return 0.5 * weft_length(weft_cross(weft_sub(f->rest[1], f->rest[0]), weft_sub(f->rest[2], f->rest[0])));
}

static double cosine_of(double x, double y) {
    double squared = x * x + y * y;
    return squared > 0 ? (y < 0 ? -x : x) / sqrt(squared) : 2;
}

/* k_s of the side that starts at corner k. `area` is the area of the faces on both sides. */
static double side_stiffness(const weft_buckling *b, const weft_facet *f, int k, double area) {
    int m = (k + 1) % 3;
    weft_vec3 side = weft_sub(f->rest[m], f->rest[k]);
    double weft = f->has_uv ? cosine_of(f->uv[m].x - f->uv[k].x, f->uv[m].y - f->uv[k].y) : 2;
    double stiffness = weft_springs_ask_fabric(b->settings.source, b->settings.stretch)
                           ? weft_springs_stiffness(&b->springs, area, weft, weft_dot(side, side))
                           : b->settings.stretch;
    return 0.5 * (f->stretch[k] + f->stretch[m]) * stiffness;
}

/* The mean k_s of the sides of a triangle. The unknown neighbours across the other two sides are assumed to have the
 * same area. */
static double mean_stiffness(const weft_buckling *b, const weft_facet *f, double edge_stiffness, double area) {
    return (edge_stiffness + side_stiffness(b, f, 1, 2 * area) + side_stiffness(b, f, 2, 2 * area)) / 3;
}

/* The cosine to the weft of the line between the third corners, through the first corner of `left`. */
static double weft_across(const weft_facet *left, const weft_facet *right) {
    if (!left->has_uv)
        return 2;
    return cosine_of(left->uv[0].x - left->uv[2].x + right->uv[2].x - right->uv[1].x,
                     left->uv[0].y - left->uv[2].y + right->uv[2].y - right->uv[1].y);
}

static double beam_energy(const weft_buckling *b, const weft_facet *left, const weft_facet *right,
                          double edge_stiffness) {
    double areas[2] = {area_of(left), area_of(right)}, curve[2];
    double rest = weft_distance(left->rest[2], right->rest[2]), length = weft_distance(left->x[2], right->x[2]);
    if (!(length < rest))
        return 0;
    double rigidity = weft_buckling_rigidity(b, 0.5 * (areas[0] + areas[1]), weft_across(left, right), rest);
    double resistance =
        0.5 * (mean_stiffness(b, left, edge_stiffness, areas[0]) + mean_stiffness(b, right, edge_stiffness, areas[1]));
    weft_interaction a = {rest, -b->settings.compression * resistance,
                          12 * rigidity / (rest * rest) * 0.5 * (left->bend[2] + right->bend[2])};
    if (!(a.critical > 0))
        return 0;
    weft_buckling_curve(&b->sinc, a, curve);
    return weft_buckling_beam_energy(&b->sinc, a, curve, length);
}

double weft_buckling_edge_energy(const void *self, const weft_facet *left, const weft_facet *right, int joined) {
    const weft_buckling *b = self;
    double edge_stiffness = side_stiffness(b, left, 0, area_of(left) + (right ? area_of(right) : 0));
    double stretch = weft_distance(left->x[0], left->x[1]) - weft_distance(left->rest[0], left->rest[1]);
    double energy = stretch > 0 ? 0.5 * edge_stiffness * stretch * stretch : 0;
    /* If the third corners share an edge, that edge takes the place of the beam. */
    return right && !joined ? energy + beam_energy(b, left, right, edge_stiffness) : energy;
}
