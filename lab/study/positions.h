/* Positions of the cloths in some frames of a case, as one block of bytes.
 *
 * Positions are single-precision numbers: 0.1 um at 1 m. A block is in the byte order of the machine. Journals of a
 * study therefore belong to machines of one kind. */
#ifndef WEFT_LAB_STUDY_POSITIONS_H
#define WEFT_LAB_STUDY_POSITIONS_H

#include "weft/sim.h"

/* One cloth in one frame. The pointers point into the block. */
typedef struct weft_positions {
    int32_t frame, cloth;
    double time;   /* s */
    char name[64]; /* of the cloth */
    int32_t vertex_count;
    const float *position;   /* m (vertex_count x 3) */
    int32_t triangle_count;  /* 0: the triangles of the previous frame of this cloth */
    const int32_t *triangle; /* (triangle_count x 3) */
} weft_positions;

/* A block that grows. Zero it first; free `bytes` in the end. */
typedef struct weft_positions_block {
    char *bytes;
    size_t size, room;
    uint64_t topology[16]; /* hash of the last triangles of the first cloths */
} weft_positions_block;

/* Appends all cloths of the present frame. */
weft_result weft_positions_add(weft_positions_block *block, const weft_sim *sim);
/* Reads the entry at `*at` and moves `*at` behind it. Returns 0 at the end, or if the rest is damaged. */
int weft_positions_next(const void *block, size_t size, size_t *at, weft_positions *entry);

#endif
