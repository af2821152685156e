/* The order of the vertices on the device. Rows of a slice are as long as the longest one, so vertices with equally
 * many neighbours should follow each other. They are sorted by length within windows of the engine's order (M. Kreutzer
 * et al., "A unified sparse matrix data format for efficient general sparse matrix-vector multiplication on modern
 * processors with wide SIMD units", SIAM Journal on Scientific Computing 2014). On a grid of alternating diagonals with
 * four and eight neighbours in turns, a third of the matrix would be padding otherwise. */
#ifndef WEFT_GPU_ROW_ORDER_H
#define WEFT_GPU_ROW_ORDER_H

#include "sim/device_backend.h"

enum { GPU_WINDOW = 256 }; /* vertices that are sorted among themselves */

/* A copy of a scene whose vertices are renumbered. */
typedef struct gpu_order {
    int32_t *place; /* of each vertex of the engine (count); null: both orders are the same */
    weft_device_scene scene;
    weft_device_lists elements;
    void *owned[12];
    int owned_count;
} gpu_order;

/* Free the order after a failure too. With contact the order of the engine stays, because pairs are numbered by it. */
weft_result gpu_order_create(const weft_device_scene *scene, gpu_order *made);
/* Frees all but `place`, which the caller takes over. */
void gpu_order_free(gpu_order *order);

#endif
