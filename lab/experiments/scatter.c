#include "lab/experiments/scatter.h"

#include <math.h>
#include <stdlib.h>

/* Border vertices stay on the border. */
static weft_vec3 place(const int32_t cells[2], const double size[2], int32_t i, int32_t j, uint64_t seed) {
    uint64_t at = (uint64_t)j * ((uint64_t)cells[0] + 1) + (uint64_t)i;
    double shift[2] = {2 * weft_random(seed, 2 * at) - 1, 2 * weft_random(seed, 2 * at + 1) - 1};
    double x = i + (i % cells[0] ? shift[0] / 3 : 0), z = j + (j % cells[1] ? shift[1] / 3 : 0);
    return weft_vec3_make((x / cells[0] - 0.5) * size[0], 0, (z / cells[1] - 0.5) * size[1]);
}

static void cut(int32_t a, int32_t row, int way, int32_t corner[6]) {
    const int32_t quad[4] = {a, a + row, a + row + 1, a + 1}; /* normal up */
    const int32_t order[2][6] = {{0, 1, 2, 0, 2, 3}, {0, 1, 3, 1, 2, 3}};
    for (int k = 0; k < 6; k++)
        corner[k] = quad[order[way][k]];
}

weft_result weft_scatter_create(const int32_t cells[2], const double size[2], double angle, uint64_t seed,
                                weft_mesh **mesh) {
    int32_t row = cells[0] + 1, vertices = row * (cells[1] + 1), faces = 2 * cells[0] * cells[1];
    weft_vec3 *position = calloc((size_t)vertices, sizeof *position);
    int32_t *corner = calloc(3 * (size_t)faces, sizeof *corner), *three = calloc((size_t)faces, sizeof *three);
    weft_vec2 *uv = calloc(3 * (size_t)faces, sizeof *uv);
    weft_result result =
        position && corner && three && uv ? weft_ok() : weft_fail_memory("a specimen", sizeof *position);
    if (result.code == WEFT_OK) {
        for (int32_t v = 0; v < vertices; v++)
            position[v] = place(cells, size, v % row, v / row, seed);
        for (int32_t c = 0; c < cells[0] * cells[1]; c++)
            cut(c / cells[0] * row + c % cells[0], row, weft_random(~seed, (uint64_t)c) < 0.5, corner + 6 * (size_t)c);
        for (int32_t i = 0; i < faces; i++)
            three[i] = 3;
        for (int32_t i = 0; i < 3 * faces; i++) {
            double x = position[corner[i]].x, y = -position[corner[i]].z;
            uv[i] = (weft_vec2){cos(angle) * x + sin(angle) * y, cos(angle) * y - sin(angle) * x};
        }
        weft_polygons polygons = {.name = "specimen",
                                  .position = position,
                                  .vertex_count = vertices,
                                  .corner = corner,
                                  .corner_count = 3 * (int64_t)faces,
                                  .face_size = three,
                                  .face_count = faces,
                                  .corner_uv = uv};
        result = weft_mesh_create(&polygons, mesh);
    }
    free(uv);
    free(three);
    free(corner);
    free(position);
    return result;
}
