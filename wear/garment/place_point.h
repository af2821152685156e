/* Where the points of a panel lie before it is sewn. */
#ifndef WEFT_WEAR_GARMENT_PLACE_POINT_H
#define WEFT_WEAR_GARMENT_PLACE_POINT_H

#include "wear/garment/pattern.h"

/* The place in space of a point of a panel, m. */
weft_vec3 garment_place_point(const garment_panel *panel, weft_vec2 point);

#endif
