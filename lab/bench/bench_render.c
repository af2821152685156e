/* Time of a picture: a waving sheet of 100,000 triangles above the ground, with the default view. */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "lab/bench/bench.h"
#include "render/render.h"

enum { CELLS_U = 274, CELLS_V = 183, ROUNDS = 3 }; /* 2 x 274 x 183 = 100,284 triangles */

static const double PI = 3.14159265358979323846;

/* A flag with travelling folds that grow away from the pole, m. */
static weft_vec3 wave(weft_vec2 uv) {
    double phase = 2 * PI * (1.6 * uv.x - 0.35 * uv.y);
    return (weft_vec3){uv.x, 2.5 - uv.y - 0.08 * uv.x * uv.x,
                       0.11 * sqrt(uv.x) * sin(phase) + 0.03 * uv.x * sin(2.7 * phase)};
}

static weft_result measure(FILE *out, const weft_mesh *mesh, const weft_vec3 *position, int threads) {
    weft_view view = weft_view_default();
    weft_framing framing = weft_framing_start(&view);
    weft_framing_add(&framing, position, mesh->vertex_count);
    weft_camera camera = weft_framing_camera(&framing, &view, 0);
    weft_shot_cloth cloth = {.position = position,
                             .vertex_count = mesh->vertex_count,
                             .triangle = mesh->triangle[0],
                             .triangle_count = mesh->triangle_count,
                             .uv = mesh->uv};
    weft_shot shot = {.cloth = &cloth, .cloth_count = 1, .low = framing.low, .high = framing.high};
    weft_renderer *renderer;
    WEFT_TRY(weft_renderer_create(&view, threads, &renderer));
    weft_result result = weft_ok();
    double best = INFINITY, total = 0;
    for (int round = 0; round < ROUNDS && result.code == WEFT_OK; round++) {
        weft_picture picture = {0};
        double start = weft_bench_now();
        result = weft_renderer_frame(renderer, &shot, &camera, &picture);
        double seconds = weft_bench_now() - start;
        best = fmin(best, seconds);
        total += seconds;
        weft_picture_destroy(&picture);
    }
    weft_renderer_destroy(renderer);
    WEFT_TRY(result);
    double paths = (double)view.width * view.height * view.samples;
    fprintf(out, "%9d  %4d x %-4d  %7d  %7d  %9.2f  %9.2f  %17.2f\n", mesh->triangle_count, view.width, view.height,
            view.samples, threads, best, total / ROUNDS, 1e-6 * paths / best);
    weft_bench_record("render", "triangles,width,height,samples,threads,s_least,s_mean", "%d,%d,%d,%d,%d,%.4f,%.4f",
                      mesh->triangle_count, view.width, view.height, view.samples, threads, best, total / ROUNDS);
    return weft_ok();
}

weft_result weft_bench_render(FILE *out) {
    weft_grid grid = weft_grid_default();
    weft_mesh *mesh;
    grid.cells[0] = CELLS_U;
    grid.cells[1] = CELLS_V;
    grid.size[0] = 1.5;
    WEFT_TRY(weft_mesh_create_grid(&grid, &mesh));
    weft_vec3 *position = malloc((size_t)mesh->vertex_count * sizeof *position);
    if (!position) {
        weft_mesh_destroy(mesh);
        return weft_fail_memory("benchmark", sizeof *position);
    }
    for (int32_t v = 0; v < mesh->vertex_count; v++)
        position[v] = wave(mesh->uv[v]);
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    weft_bench_machine(out);
    fprintf(out, "triangles  pixels       samples  threads    best, s    mean, s  samples, 1e6/s\n");
    weft_result result = measure(out, mesh, position, 1);
    if (result.code == WEFT_OK && processors > 1)
        result = measure(out, mesh, position, (int)processors);
    free(position);
    weft_mesh_destroy(mesh);
    return result;
}
