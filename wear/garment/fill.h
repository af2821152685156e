/* Fills a region of the plane with triangles of even size. */
#ifndef WEFT_WEAR_GARMENT_FILL_H
#define WEFT_WEAR_GARMENT_FILL_H

#include "wear/garment/delaunay.h"

/* Triangles in the plane. garment_fill_free frees the arrays. */
typedef struct garment_fill {
    weft_vec2 *point; /* the given points first, then new ones inside (points) */
    int32_t points;
    int32_t (*triangle)[3]; /* counter-clockwise (triangles) */
    int32_t triangles;
} garment_fill;

/* Keeps the given points and segments, and adds points inside so that edges are about `edge` long (same unit as the
 * points). No triangle away from the border has an angle below 20 degrees. At most 4,000,000 points are added. `flaw`
 * (may be null) says which points and lines meet where they may not. */
weft_result garment_fill_region(const weft_vec2 *point, int32_t points, const garment_segment *segment,
                                int32_t segments, double edge, garment_fill *fill, garment_flaw *flaw);
void garment_fill_free(garment_fill *fill);

/* The smallest angle of a triangle, degrees. */
double garment_least_angle(const weft_vec2 *point, const int32_t triangle[3]);

#endif
