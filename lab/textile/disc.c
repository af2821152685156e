#include "lab/textile/disc.h"

#include <math.h>
#include <stdlib.h>

/* -- the mesh -- */

static weft_vec2 flat(double r, int32_t ring, int32_t j) {
    double angle = ring > 0 ? acos(-1) * j / (3.0 * ring) : 0;
    return (weft_vec2){r * cos(angle), r * sin(angle)};
}

static void put(int32_t *corner, int32_t *count, int32_t a, int32_t b, int32_t c) {
    corner[(*count)++] = a;
    corner[(*count)++] = b;
    corner[(*count)++] = c;
}

/* Fills six sectors between a ring and the next inner ring. */
static void fill_ring(int32_t ring, int32_t *corner, int32_t *count) {
    for (int32_t s = 0; s < 6; s++)
        for (int32_t i = 0; i < ring; i++) {
            int32_t out = weft_disc_vertex(ring, s * ring + i + 1);
            int32_t in = weft_disc_vertex(ring - 1, s * (ring - 1) + i);
            put(corner, count, weft_disc_vertex(ring, s * ring + i), out, in);
            if (i + 1 < ring)
                put(corner, count, in, out, weft_disc_vertex(ring - 1, s * (ring - 1) + i + 1));
        }
}

weft_result weft_disc_create(double radius, double spacing, int32_t rings, weft_mesh **mesh) {
    int32_t vertices = 3 * rings * (rings + 1) + 1, faces = 6 * rings * rings, count = 0;
    weft_vec3 *position = calloc((size_t)vertices, sizeof *position);
    int32_t *corner = calloc(3 * (size_t)faces, sizeof *corner), *size = calloc((size_t)faces, sizeof *size);
    weft_vec2 *uv = calloc(3 * (size_t)faces, sizeof *uv);
    weft_result result = position && corner && size && uv ? weft_ok() : weft_fail_memory("a disc", sizeof *position);
    if (result.code == WEFT_OK) {
        for (int32_t ring = 0; ring <= rings; ring++)
            for (int32_t j = 0; j < (ring > 0 ? 6 * ring : 1); j++) {
                weft_vec2 p = flat(ring < rings ? ring * spacing : radius, ring, j);
                position[weft_disc_vertex(ring, j)] = weft_vec3_make(p.x, 0, -p.y);
            }
        for (int32_t ring = 1; ring <= rings; ring++)
            fill_ring(ring, corner, &count);
        for (int32_t i = 0; i < faces; i++)
            size[i] = 3;
        for (int32_t i = 0; i < 3 * faces; i++)
            uv[i] = (weft_vec2){position[corner[i]].x, -position[corner[i]].z};
        weft_polygons polygons = {.name = "disc",
                                  .position = position,
                                  .vertex_count = vertices,
                                  .corner = corner,
                                  .corner_count = count,
                                  .face_size = size,
                                  .face_count = faces,
                                  .corner_uv = uv};
        result = weft_mesh_create(&polygons, mesh);
    }
    free(uv);
    free(size);
    free(corner);
    free(position);
    return result;
}
