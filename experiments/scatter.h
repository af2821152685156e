/* A rectangle cut into triangles without any order. */
#ifndef WEFT_EXPERIMENTS_SCATTER_H
#define WEFT_EXPERIMENTS_SCATTER_H

#include "weft/weft.h"

/* x from -size[0] / 2, z from -size[1] / 2, flat at y = 0, normal up: about cells[0] x cells[1] vertices moved by up to
 * a third of their distance, diagonals at random. The weft runs at `angle` (rad) to x. */
weft_result weft_scatter_create(const int32_t cells[2], const double size[2], double angle, uint64_t seed,
                                weft_mesh **mesh);

#endif
