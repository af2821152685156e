/* Levels of the additive Schwarz preconditioner: B. Wu, Z. Wang, H. Wang, "A GPU-based multilevel additive Schwarz
 * preconditioner for cloth and deformable body simulation", ACM Transactions on Graphics 2022.
 *
 * The nodes of level 0 are the vertices. Connected pieces of at most GPU_DOMAIN nodes are the nodes of the next level.
 * Domains of GPU_DOMAIN places hold whole pieces. The preconditioner is the sum over all levels of the inverses of the
 * domains' submatrices of the Galerkin product P^T A P, where P is constant on pieces. */
#ifndef WEFT_GPU_LEVEL_H
#define WEFT_GPU_LEVEL_H

#include "host_device.h"

enum { GPU_LEVELS = 5, GPU_DOMAIN = 32, GPU_DENSE = 3 * GPU_DOMAIN };

/* One level. Level 0 has no matrix of its own. Entries of node n are [entry[n], entry[n + 1]). */
typedef struct gpu_level {
    int32_t nodes, domains;
    const int32_t *node_of;  /* node at each place of a domain, or -1 (domains x GPU_DOMAIN) */
    const int32_t *place_of; /* place of each node (nodes) */
    const int32_t *parent;   /* node of the next level (nodes); null on the last one */
    const int32_t *child;    /* nodes of the finer level (child_start[nodes]) */
    const int32_t *child_start;
    const int32_t *entry, *column;
    const int32_t *from;       /* finer entries that are summed: entry, on level 1 vertex and number in its row */
    const int32_t *from_start; /* (entries + 1) */
    float *value;              /* (entries x 9) */
    float *excess;             /* what is left of the row sums: xx xy xz yy yz zz (nodes x 6) */
    float *inverse;            /* (domains x GPU_DENSE x GPU_DENSE) */
    float *r, *y;              /* restricted residual and its correction, four floats per node */
} gpu_level;

#endif
