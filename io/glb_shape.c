/* Converts a cloth to glTF points: vertices on texture seams are split. */
#include <stdlib.h>
#include <string.h>

#include "io/glb_parts.h"

static weft_vec2 flip(weft_vec2 uv) { return (weft_vec2){uv.x, 1 - uv.y}; }

static int same(weft_vec2 a, weft_vec2 b) { return a.x == b.x && a.y == b.y; }

/* Assigns each corner the first point of its vertex with equal texture coordinates, and adds a point if there is none.
 * `next` links the points of a vertex. */
static int32_t split(const weft_store_cloth *cloth, int32_t *corner_point, int32_t *next, int32_t *source,
                     weft_vec2 *uv) {
    int32_t count = cloth->vertex_count;
    for (int32_t v = 0; v < count; v++) {
        next[v] = WEFT_NONE;
        source[v] = v;
        uv[v] = cloth->uv[v];
    }
    for (int32_t c = 0; c < cloth->corner_count; c++) {
        int32_t point = cloth->corner[c], last = point;
        while (point != WEFT_NONE && !same(uv[point], cloth->corner_uv[c])) {
            last = point;
            point = next[point];
        }
        if (point == WEFT_NONE) {
            point = count++;
            next[last] = point;
            next[point] = WEFT_NONE;
            source[point] = cloth->corner[c];
            uv[point] = cloth->corner_uv[c];
        }
        corner_point[c] = point;
    }
    return count;
}

/* Allocates for the upper bound: one point per vertex and one per corner. */
static weft_result split_seams(weft_glb_shape *shape, const weft_store_cloth *cloth) {
    size_t most = (size_t)cloth->vertex_count + (size_t)cloth->corner_count;
    int32_t *next = malloc(most * sizeof *next);
    shape->source = malloc(most * sizeof *shape->source);
    shape->uv = malloc(most * sizeof *shape->uv);
    int good = next && shape->source && shape->uv;
    if (good)
        shape->point_count = split(cloth, shape->corner_point, next, shape->source, shape->uv);
    free(next);
    return good ? weft_ok() : weft_fail_memory("the seams of a cloth", most * 24);
}

static weft_result take_vertices(weft_glb_shape *shape, const weft_store_cloth *cloth) {
    size_t count = (size_t)cloth->vertex_count;
    shape->point_count = cloth->vertex_count;
    shape->source = malloc((count + 1) * sizeof *shape->source);
    if (!shape->source || (cloth->uv && !(shape->uv = malloc((count + 1) * sizeof *shape->uv))))
        return weft_fail_memory("the points of a cloth", count * (sizeof *shape->source + sizeof *shape->uv));
    for (int32_t v = 0; v < cloth->vertex_count; v++)
        shape->source[v] = v;
    memcpy(shape->corner_point, cloth->corner, (size_t)cloth->corner_count * sizeof *cloth->corner);
    if (cloth->uv)
        memcpy(shape->uv, cloth->uv, count * sizeof *cloth->uv);
    return weft_ok();
}

weft_result weft_glb_shape_make(weft_glb_shape *shape, const weft_store_cloth *cloth) {
    *shape = (weft_glb_shape){0};
    size_t corners = (size_t)cloth->corner_count + 1;
    shape->corner_point = malloc(corners * sizeof *shape->corner_point);
    if (!shape->corner_point)
        return weft_fail_memory("the corners of a cloth", corners * sizeof *shape->corner_point);
    WEFT_TRY(cloth->corner_uv ? split_seams(shape, cloth) : take_vertices(shape, cloth));
    for (int32_t p = 0; shape->uv && p < shape->point_count; p++)
        shape->uv[p] = flip(shape->uv[p]);
    return weft_ok();
}

weft_result weft_glb_shape_index(weft_glb_shape *shape, const weft_store_cloth *cloth, const uint8_t *open) {
    size_t size = 3 * (size_t)cloth->triangle_count * sizeof *shape->index;
    shape->index = malloc(size + 1);
    if (!shape->index)
        return weft_fail_memory("the triangles of a cloth", size);
    for (int pass = 0; pass < 2 && shape->index_count == 0; pass++)
        for (int32_t t = 0; t < cloth->triangle_count; t++)
            for (int i = 0; i < 3 && (pass == 1 || !open[cloth->triangle_face[t]]); i++)
                shape->index[shape->index_count++] = shape->corner_point[cloth->triangle[t][i]];
    return weft_ok();
}

void weft_glb_shape_free(weft_glb_shape *shape) {
    free(shape->bound);
    free(shape->index);
    free(shape->corner_point);
    free(shape->uv);
    free(shape->source);
    *shape = (weft_glb_shape){0};
}
