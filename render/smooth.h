/* A finer, smooth mesh through the vertices of a coarse cloth. */
#ifndef WEFT_RENDER_SMOOTH_H
#define WEFT_RENDER_SMOOTH_H

#include "render/render.h"
#include "render/vecf.h"
#include "weft/work.h"

typedef struct weft_stage_uv {
    float u, v;
} weft_stage_uv;

typedef struct weft_smooth_edge {
    uint32_t end[2];
    int32_t face[2]; /* negative: none; an edge without a second face is a border */
} weft_smooth_edge;

/* One level of subdivision. Vertices keep their numbers in the next level; the points on the edges follow. */
typedef struct weft_smooth {
    int32_t vertex_count, triangle_count, edge_count;
    int32_t levels;         /* triangle t lies in triangle t / 4^levels of the cloth */
    vecf *position;         /* m (vertex_count) */
    vecf *flat;             /* the same points on the flat triangles of the cloth, m (vertex_count), or null */
    vecf *rest;             /* rest coordinates with z = 0, m (vertex_count), or null */
    uint8_t *sharp;         /* 1: a corner of the border, which does not move (vertex_count) */
    float *scalar;          /* (vertex_count), or null */
    uint32_t *triangle;     /* (triangle_count x 3) */
    int32_t *side;          /* edge from corner k to k + 1 (triangle_count x 3) */
    weft_stage_uv *uv;      /* per corner (triangle_count x 3), or null */
    weft_smooth_edge *edge; /* (edge_count) */
    int32_t *start, *spoke; /* edges at vertex v: spoke[start[v]] .. (vertex_count + 1), (2 edge_count) */
} weft_smooth;

/* The number of times to halve the triangles of `cloth` so that their sides have about WEFT_SMOOTH_PIXELS. `pixel` is
 * the size of a pixel at the cloth, m. */
enum { WEFT_SMOOTH_PIXELS = 4, WEFT_SMOOTH_LEVELS = 6, WEFT_SMOOTH_TRIANGLES = 400000 };
int32_t weft_smooth_level(const weft_shot_cloth *cloth, double pixel);

/* Divides each triangle of `cloth` into 4^levels triangles on the smooth surface. With 0 levels this is a copy.
 * `scalar` (vertex_count) may be null; it is interpolated linearly. Indices must be in range. */
weft_result weft_smooth_build(weft_smooth *smooth, const weft_shot_cloth *cloth, const float *scalar, int32_t levels,
                              const weft_work *work);
void weft_smooth_free(weft_smooth *smooth); /* a zeroed struct is allowed */

#endif
