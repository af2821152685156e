/* Maps: what a cloth is like from place to place, as factors of its fabric's values given for each vertex. */
#ifndef WEFT_MAP_H
#define WEFT_MAP_H

#include "weft/base.h"
#include "weft/param.h"

WEFT_BEGIN

typedef enum weft_map {
    WEFT_MAP_DENSITY,
    WEFT_MAP_STRETCH, /* of stretch and shear stiffness alike, so that the elasticity matrix stays symmetric */
    WEFT_MAP_BEND,
    WEFT_MAP_TEAR,   /* of the strain that threads bear */
    WEFT_MAP_REFINE, /* of how much adaption asks for small triangles */
    WEFT_MAP_COUNT
} weft_map;

/* Rows of type WEFT_MAP, in the order above, with ranges for each value. */
WEFT_API const weft_param *weft_map_params(void);

/* The mean of a map over some vertices; 1 for null, a map that was not given. */
static inline double weft_map_mean(const double *map, const int32_t *vertex, int32_t count) {
    double sum = 0;
    for (int32_t i = 0; map && i < count; i++)
        sum += map[vertex[i]];
    return map ? sum / count : 1;
}

WEFT_END
#endif
