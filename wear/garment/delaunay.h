/* Constrained Delaunay triangulation of a region in the plane. */
#ifndef WEFT_WEAR_GARMENT_DELAUNAY_H
#define WEFT_WEAR_GARMENT_DELAUNAY_H

#include "weft/base.h"

/* A line between two points that the triangulation must contain. */
typedef struct garment_segment {
    int32_t point[2];
    int32_t border; /* 1: the region ends here; 0: a line inside it, such as a fold */
} garment_segment;

/* Why a region cannot be triangulated: two lines that cross, given by their ends. A single point has both ends the
 * same. The ends are WEFT_NONE if another thing failed. */
typedef struct garment_flaw {
    int32_t first[2], second[2];
} garment_flaw;

/* Triangulates the region whose border are the segments marked so. Points count, even outside of it. Points are
 * compared on a lattice of a millionth of the extent, so results do not depend on rounding. Segments must not cross
 * each other or contain other points. `*triangle` is counter-clockwise (count of `*triangles`), freed by the caller,
 * and null on failure. The message and `*flaw` name two points that coincide, or a segment and what it meets. */
weft_result garment_triangulate(const weft_vec2 *point, int32_t points, const garment_segment *segment,
                                int32_t segments, int32_t (**triangle)[3], int32_t *triangles, garment_flaw *flaw);

#endif
