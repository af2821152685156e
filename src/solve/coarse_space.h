/* Interpolation from the nodes of a coarse level to the vertices. */
#ifndef WEFT_SOLVE_COARSE_SPACE_H
#define WEFT_SOLVE_COARSE_SPACE_H

#include "solve/bsr.h"

enum { WEFT_COARSE_WIDTH = 4 }; /* nodes per vertex */

/* Vertex i moves by the sum of weight[4 i + k] times the motion of node[4 i + k]. Weights are at least 0 and add
 * up to 1; unused entries have weight 0. */
typedef struct weft_coarse_space {
    int32_t rows, nodes;
    int32_t *node;  /* (rows x 4) */
    float *weight;  /* (rows x 4) */
    int32_t *group; /* aggregate of each vertex; there are as many as nodes (rows) */
} weft_coarse_space;

/* After a failure the space can only be freed. */
weft_result weft_coarse_space_create(const weft_bsr *matrix, weft_coarse_space *space);
void weft_coarse_space_free(weft_coarse_space *space);

#endif
