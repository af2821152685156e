#include "weft/map.h"

/* A map has no field of its own: where a table is read as a whole, a row is the number for all vertices. */
static const weft_param PARAMS[] = {
    {"density", WEFT_MAP, WEFT_MAP_DENSITY * sizeof(double), 0, 1000, "1", "", "of the fabric's density", NULL,
     WEFT_OPEN_LOW | WEFT_FIXED},
    {"stretch", WEFT_MAP, WEFT_MAP_STRETCH * sizeof(double), 0, 1000, "1", "",
     "of its stiffness against stretch and shear", NULL, WEFT_OPEN_LOW | WEFT_FIXED},
    {"bend", WEFT_MAP, WEFT_MAP_BEND * sizeof(double), 0, 1000, "1", "", "of its bending rigidity", NULL, WEFT_FIXED},
    {"tear", WEFT_MAP, WEFT_MAP_TEAR * sizeof(double), 0, 1000, "1", "",
     "of the strains at which its threads break (tear_weft, tear_warp)", NULL, WEFT_OPEN_LOW | WEFT_FIXED},
    {"refine", WEFT_MAP, WEFT_MAP_REFINE * sizeof(double), 0, 1000, "1", "",
     "of how much adaption asks for small triangles; 0: stays as coarse as it was given", NULL, WEFT_FIXED},
    {NULL, WEFT_REAL, 0, 0, 0, NULL, NULL, NULL, NULL, 0},
};

const weft_param *weft_map_params(void) { return PARAMS; }
