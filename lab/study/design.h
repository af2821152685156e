/* Designs: which points of the unit cube a study visits. */
#ifndef WEFT_LAB_STUDY_DESIGN_H
#define WEFT_LAB_STUDY_DESIGN_H

#include "weft/base.h"

typedef enum weft_design {
    WEFT_DESIGN_GRID, /* all combinations; has no points of its own */
    WEFT_DESIGN_RANDOM,
    WEFT_DESIGN_LATIN,
    WEFT_DESIGN_SOBOL,
    WEFT_DESIGN_SALTELLI, /* for Sobol indices */
    WEFT_DESIGN_MORRIS    /* for elementary effects */
} weft_design;

enum {
    WEFT_SOBOL_DIMENSIONS = 32,
    WEFT_MORRIS_LEVELS = 4 /* of each axis; a step covers two of the three intervals between them */
};

/* Point `index` of the Sobol sequence, in the order of Gray codes, as integers: 2^32 is 1. The direction numbers are
 * those of S. Joe and F. Y. Kuo, "Constructing Sobol sequences with better two-dimensional projections", SIAM Journal
 * on Scientific Computing 30, 2008 (new-joe-kuo-6). dimension is below WEFT_SOBOL_DIMENSIONS. */
uint32_t weft_sobol_point(uint32_t index, int dimension);

/* Number of points of a design. Saltelli needs samples (dimensions + 2), Morris samples (dimensions + 1); its samples
 * are trajectories. Other designs have as many points as samples. */
int64_t weft_design_count(weft_design design, int dimensions, int64_t samples);

/* The largest number of dimensions of a design. */
int weft_design_dimensions(weft_design design);

/* Computes all points, each coordinate from 0 to 1 (count x dimensions). The caller frees them. The Sobol sequence is
 * shifted by random digits, which keeps its uniformity and avoids the origin. */
weft_result weft_design_points(weft_design design, int dimensions, int64_t samples, uint64_t seed, double **points);

#endif
