/* Closest points of a vertex and a triangle, and of two edges. The results are the four barycentric weights of the
 * vector between the closest points, w0 x0 + w1 x1 + w2 x2 + w3 x3. The weights of the first feature sum to 1, those of
 * the second to -1. */
#ifndef WEFT_CONTACT_DISTANCE_H
#define WEFT_CONTACT_DISTANCE_H

#include "weft/vec.h"

typedef enum weft_pair_kind {
    WEFT_VERTEX_TRIANGLE, /* x0 against x1 x2 x3 */
    WEFT_EDGE_EDGE        /* x0 x1 against x2 x3 */
} weft_pair_kind;

/* Returns the squared distance, m2. Features may be degenerate: a triangle without area, an edge without length. */
double weft_closest(weft_pair_kind kind, const weft_vec3 x[4], double weight[4]);

/* The largest gap between the bounding boxes of the features along an axis; negative when they overlap. It is a lower
 * bound of the distance, m. */
double weft_gap(weft_pair_kind kind, const weft_vec3 x[4]);

/* Whether two features are certainly farther apart than `most` (m). It compares their boxes, and their extent along the
 * normal of the triangle or along the common perpendicular of the edges. Much cheaper than weft_closest. */
int weft_surely_farther(weft_pair_kind kind, const weft_vec3 x[4], double most);

/* w0 x0 + w1 x1 + w2 x2 + w3 x3 */
static inline weft_vec3 weft_weighted(const weft_vec3 x[4], const double weight[4]) {
    weft_vec3 a = weft_scale(weight[0], x[0]), b = weft_scale(weight[2], x[2]);
    return weft_add(weft_add_scaled(a, weight[1], x[1]), weft_add_scaled(b, weight[3], x[3]));
}

#endif
