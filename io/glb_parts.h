/* Shared by the files of the GLB writer: the layout of the binary chunk.
 *
 * All data is tightly packed and little-endian, in this order:
 * - for each cloth: positions and normals of the first key;
 * - for each cloth that has them: texture coordinates, from the rest coordinates;
 * - for each cloth: triangle indices (uint32);
 * - for each key and each cloth: displacements of positions and normals;
 * - times of the keys;
 * - weights, one row of key_count for each key. */
#ifndef WEFT_IO_GLB_PARTS_H
#define WEFT_IO_GLB_PARTS_H

#include "io/store.h"

/* A cloth in glTF form, with one set of attributes per point. */
typedef struct weft_glb_shape {
    int32_t point_count;   /* the vertices of the cloth in order, then copies of the vertices on seams */
    int32_t *source;       /* the cloth vertex of each point (point_count) */
    weft_vec2 *uv;         /* glTF texture coordinates, origin at the upper left (point_count), or null */
    int32_t *corner_point; /* point of each corner (corner_count) */
    int32_t *index;        /* triangles whose faces are closed in the first key (index_count) */
    int32_t index_count;
    /* Minimum and maximum x y z: of the positions in the first key, then of the displacements in each key. */
    float (*bound)[6];
} weft_glb_shape;

typedef struct weft_glb {
    weft_store *store;
    weft_glb_shape *shape; /* (cloth_count) */
    int32_t target_count;  /* key_count, or 0 for a single frame */
    /* Sizes of the sections of the chunk, bytes. */
    int64_t base_size, uv_size, index_size, target_size, time_size, weight_size;
} weft_glb;

/* Makes the points and texture coordinates. Must be freed even if this fails. */
weft_result weft_glb_shape_make(weft_glb_shape *shape, const weft_store_cloth *cloth);
/* Collects the triangles of closed faces, or all triangles if every face is open. `open` has face_count entries. */
weft_result weft_glb_shape_index(weft_glb_shape *shape, const weft_store_cloth *cloth, const uint8_t *open);
void weft_glb_shape_free(weft_glb_shape *shape);

/* Vectors per point and key: 1 for positions, 2 for positions and normals. */
static inline int weft_glb_vectors(const weft_glb *glb) { return glb->store->settings.normals ? 2 : 1; }
static inline int64_t weft_glb_chunk_size(const weft_glb *glb) {
    return glb->base_size + glb->uv_size + glb->index_size + glb->target_size + glb->time_size + glb->weight_size;
}
void weft_glb_put_json(const weft_glb *glb, weft_output *output);

#endif
