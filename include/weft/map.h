/** @file
 * Maps: factors per vertex that vary the properties of a cloth's fabric over its surface.
 *
 * All functions are thread-safe. */
#ifndef WEFT_MAP_H
#define WEFT_MAP_H

#include "weft/base.h"
#include "weft/param.h"

WEFT_BEGIN

/** The properties that a map can scale. */
typedef enum weft_map {
    WEFT_MAP_DENSITY, /**< mass per area */
    WEFT_MAP_STRETCH, /**< stretch and shear stiffness together, so that the elasticity matrix stays symmetric */
    WEFT_MAP_BEND,    /**< bending rigidity */
    WEFT_MAP_TEAR,    /**< strains at which yarns break */
    WEFT_MAP_REFINE,  /**< refinement criterion of the adaptation; 0 keeps the mesh as coarse as given */
    WEFT_MAP_COUNT    /**< number of maps */
} weft_map;

/** Rows of type WEFT_MAP in the order of weft_map, with the range of each value. Static. */
WEFT_API const weft_param *weft_map_params(void);

/** Mean of a map over some vertices. A null `map` counts as 1 everywhere. `count` must be above 0. */
static inline double weft_map_mean(const double *map, const int32_t *vertex, int32_t count) {
    double sum = 0;
    for (int32_t i = 0; map && i < count; i++)
        sum += map[vertex[i]];
    return map ? sum / count : 1;
}

WEFT_END
#endif
