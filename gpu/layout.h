/* Structure of the matrix and the lists by which vertices and rows gather what elements computed. Made on the host. */
#ifndef WEFT_GPU_LAYOUT_H
#define WEFT_GPU_LAYOUT_H

#include "gpu.h"

/* Rows of slices on the host. */
typedef struct gpu_layout_slices {
    int32_t *base;     /* (slices + 1) */
    int32_t *slice_of; /* (base[slices]) */
    int32_t *column;   /* (base[slices] x GPU_SLICE) */
    int16_t *ahead;    /* null if a difference of column and row needs more than 16 bits */
    int32_t floats;
} gpu_layout_slices;

typedef struct gpu_layout {
    int32_t count, slices;
    int32_t hinges;
    int32_t *force_start, *force_index; /* (count + 1), (force_start[count]) */
    int32_t *facet_start, *facet_index;
    double *facet_share; /* part of a vertex in the facets of facet_index */
    gpu_layout_slices head, tail;
    int32_t *entry, *head_count;    /* (count + 1), (count) */
    int32_t *block_start, *block;   /* (entry[count] + 1), (block_start[entry[count]]) */
    int32_t *tensor_start, *tensor; /* likewise */
    float *weight;                  /* of each tensor */
    int64_t element_blocks;         /* floats of the blocks that elements write */
    int64_t element_forces;         /* numbers of their forces */
} gpu_layout;

/* `implicit`: with the matrix. Free the layout after a failure too. */
weft_result gpu_layout_create(const weft_device_scene *scene, int implicit, gpu_layout *made);
void gpu_layout_free(gpu_layout *layout);

#endif
