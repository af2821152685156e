/* The cantilever test of ASTM D1388: a strip is pushed over an edge until its chord is 41.5 degrees below the edge.
 * Half the overhang is the bending length c. F. T. Peirce, "The handle of cloth as a measurable quantity", 1930: c^3 =
 * B / w with the weight per area w. */
#ifndef WEFT_LAB_TEXTILE_BENDING_LENGTH_H
#define WEFT_LAB_TEXTILE_BENDING_LENGTH_H

#include "weft/fabric.h"
#include "weft/vec.h"

/* A strip at the angle of the test. */
typedef struct weft_cantilever {
    double overhang;       /* m */
    double bending_length; /* m */
    double rigidity;       /* N m: w c^3 */
    double x[64], y[64];   /* m: the profile from the edge to the tip */
    int count;
} weft_cantilever;

/* Pushes a strip along the weft, or along the warp if `turned`. */
weft_result weft_cantilever_test(const weft_fabric *fabric, int turned, weft_cantilever *found);
/* Peirce's relation, m. */
double weft_bending_length(double rigidity, double density);

#endif
