/* A rectangle with an irregular triangulation. */
#ifndef WEFT_LAB_EXPERIMENTS_SCATTER_H
#define WEFT_LAB_EXPERIMENTS_SCATTER_H

#include "weft/weft.h"

/* x starts at -size[0] / 2, z at -size[1] / 2; flat at y = 0, normal up. About cells[0] x cells[1] vertices are
 * displaced by up to a third of their distance, with random diagonals. The weft runs at `angle` (rad) to x. */
weft_result weft_scatter_create(const int32_t cells[2], const double size[2], double angle, uint64_t seed,
                                weft_mesh **mesh);

#endif
