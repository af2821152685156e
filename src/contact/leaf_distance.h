/* Distances between the features of two leaves, several at a time. Single precision relative to a common centre: their
 * errors are below LEAF_ROUNDING times the largest coordinate. */
#ifndef WEFT_CONTACT_LEAF_DISTANCE_H
#define WEFT_CONTACT_LEAF_DISTANCE_H

#include "contact/box_tree.h"

/* Upper bound of the error by which distances are too large, relative to the largest coordinate. The worst case is two
 * edges that are parallel up to the rounding of their directions, about a thousandth. Where such edges cross, the
 * distance found is that at their ends. */
#define LEAF_ROUNDING 4e-3F

/* LEAF_FEATURES: vertices or edges that the triangles of a leaf own, at most, rounded up to vectors of 8. */
enum { LEAF_CORNERS = 3 * LEAF_TRIANGLES, LEAF_FEATURES = 16 };

/* The features of a leaf. Coordinates are stored one after the other: x, y and z of the first point, of the second. */
typedef struct leaf_features {
    float triangle[9][2 * LEAF_TRIANGLES]; /* corners by triangle, twice */
    float vertex[3][LEAF_FEATURES];
    float edge[6][LEAF_FEATURES];
    int32_t vertex_count, edge_count;
} leaf_features;

/* A sweep of the first leaf against the second: distances hold on all of it. */
typedef struct leaf_sweep {
    float along[3]; /* direction */
    float length;   /* m; 0 when there is none */
} leaf_sweep;

typedef struct leaf_distances {
    float to_triangle[2][LEAF_FEATURES][LEAF_TRIANGLES]; /* vertices of the first to triangles of the second, m; then
                                                            the reverse */
    float edge_edge[LEAF_FEATURES][LEAF_FEATURES];       /* edges of the first to those of the second, m */
} leaf_distances;

/* Features beyond the counts repeat others. With `same` both leaves are one, and the reverse is left out. */
void leaf_distance(const leaf_features *a, const leaf_features *b, const leaf_sweep *sweep, int same,
                   leaf_distances *found);

#endif
