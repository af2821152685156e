/* What the GLB writer's files share: where everything lies in the binary chunk.
 *
 * The chunk holds, all tightly packed and little-endian: positions and normals of the first key for each cloth; rest
 * coordinates for each cloth that has them; triangle indices (uint32) for each cloth; for each key the displacements of
 * positions and normals for each cloth; times of the keys; weights, a row of key_count for each key. */
#ifndef WEFT_IO_GLB_PARTS_H
#define WEFT_IO_GLB_PARTS_H

#include "io/store.h"

/* A cloth as glTF wants it: one set of attributes per point. */
typedef struct weft_glb_shape {
    int32_t point_count;   /* the cloth's vertices in their order, then copies of those on seams */
    int32_t *source;       /* the vertex of each point (point_count) */
    weft_vec2 *uv;         /* glTF's, from the upper left corner (point_count), or null */
    int32_t *corner_point; /* (corner_count) */
    int32_t *index;        /* triangles that are closed in the first key (index_count) */
    int32_t index_count;
    float (*bound)[6]; /* least and largest x y z: of the first key's positions, then of each key's displacements */
} weft_glb_shape;

typedef struct weft_glb {
    weft_store *store;
    weft_glb_shape *shape;                                                       /* (cloth_count) */
    int32_t target_count;                                                        /* key_count, or 0 for a still */
    int64_t base_size, uv_size, index_size, target_size, time_size, weight_size; /* bytes of the chunk's parts */
} weft_glb;

/* Points and rest coordinates; free it also when this fails. */
weft_result weft_glb_shape_make(weft_glb_shape *shape, const weft_store_cloth *cloth);
/* The triangles whose faces are closed; all of them when none is. `open` (face_count). */
weft_result weft_glb_shape_index(weft_glb_shape *shape, const weft_store_cloth *cloth, const uint8_t *open);
void weft_glb_shape_free(weft_glb_shape *shape);

/* Vectors per point and key: positions, or positions and normals. */
static inline int weft_glb_vectors(const weft_glb *glb) { return glb->store->settings.normals ? 2 : 1; }
static inline int64_t weft_glb_chunk_size(const weft_glb *glb) {
    return glb->base_size + glb->uv_size + glb->index_size + glb->target_size + glb->time_size + glb->weight_size;
}
void weft_glb_put_json(const weft_glb *glb, weft_output *output);

#endif
