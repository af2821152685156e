/* Structure of the levels, made on the host. */
#ifndef WEFT_GPU_SCHWARZ_H
#define WEFT_GPU_SCHWARZ_H

#include "layout.h"
#include "level.h"

/* One level on the host; see gpu_level. */
typedef struct gpu_schwarz_level {
    int32_t nodes, domains;
    int32_t *node_of, *place_of, *parent, *child, *child_start, *entry, *column, *from, *from_start;
} gpu_schwarz_level;

typedef struct gpu_schwarz {
    gpu_schwarz_level level[GPU_LEVELS];
    int32_t count;
} gpu_schwarz;

/* From the structure of the matrix. Free it after a failure too. */
weft_result gpu_schwarz_create(const gpu_layout *layout, gpu_schwarz *made);
void gpu_schwarz_free(gpu_schwarz *schwarz);

#endif
