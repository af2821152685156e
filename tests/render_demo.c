/* render_demo {flag|drape|scalar|springs} OUT.png [name=value]... renders an analytic cloth. Each name=value sets a row
 * of the view table, or `threads=N`, or `cells=N` (along the longer side). */
#define _POSIX_C_SOURCE 199309L
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "tests/render_scene.h"

typedef struct demo_setup {
    int threads, cells;
    weft_view view;
} demo_setup;

static int set_option(demo_setup *demo, const char *argument) {
    char name[64];
    const char *equals = strchr(argument, '=');
    if (!equals || (size_t)(equals - argument) >= sizeof name) {
        fprintf(stderr, "render_demo: '%s' is not name=value\n", argument);
        return 0;
    }
    memcpy(name, argument, (size_t)(equals - argument));
    name[equals - argument] = '\0';
    if (strcmp(name, "threads") == 0)
        return (demo->threads = atoi(equals + 1)) > 0;
    if (strcmp(name, "cells") == 0)
        return (demo->cells = atoi(equals + 1)) > 0;
    const weft_param *row = weft_params_find(weft_view_params(), name);
    weft_result result =
        row ? weft_param_read_text(row, equals + 1, "view", &demo->view) : weft_fail(WEFT_BAD_INPUT, "no row %s", name);
    if (result.code != WEFT_OK)
        fprintf(stderr, "render_demo: %s\n", result.message);
    return result.code == WEFT_OK;
}

/* Structural, shear and flexion springs of a grid; the caller frees the arrays. */
static void add_springs(weft_shot_cloth *cloth, int nu, int nv) {
    static const int OFFSET[6][3] = {{1, 0, 0}, {0, 1, 0}, {1, 1, 1}, {-1, 1, 1}, {2, 0, 2}, {0, 2, 2}};
    int32_t *line = malloc(12 * (size_t)cloth->vertex_count * sizeof *line), count = 0;
    uint8_t *kind = malloc(6 * (size_t)cloth->vertex_count);
    double *strain = malloc(6 * (size_t)cloth->vertex_count * sizeof *strain);
    if (!line || !kind || !strain)
        abort();
    for (int j = 0; j <= nv; j++)
        for (int i = 0; i <= nu; i++)
            for (int k = 0; k < 6; k++) {
                int a = i + OFFSET[k][0], b = j + OFFSET[k][1];
                if (a < 0 || a > nu || b > nv)
                    continue;
                int32_t p = j * (nu + 1) + i, q = b * (nu + 1) + a;
                double rest = hypot(cloth->uv[p].x - cloth->uv[q].x, cloth->uv[p].y - cloth->uv[q].y);
                line[2 * count] = p;
                line[2 * count + 1] = q;
                kind[count] = (uint8_t)OFFSET[k][2];
                strain[count++] = weft_distance(cloth->position[p], cloth->position[q]) / rest - 1;
            }
    cloth->line = line;
    cloth->line_kind = kind;
    cloth->line_strain = strain;
    cloth->line_count = count;
}

static int run(const demo_setup *demo, const char *scene, const char *path) {
    int drape = strcmp(scene, "drape") == 0, nu = demo->cells, nv = drape ? nu : nu * 2 / 3;
    test_mesh cloth_mesh =
        drape ? test_mesh_make(test_drape, nu, nv, 1.3, 1.3) : test_mesh_make(test_flag, nu, nv, 1.5, 1.0);
    test_mesh sphere_mesh = test_mesh_make(test_sphere, 96, 48, 6.283185307179586, 3.14159265);
    weft_shot_cloth cloth = test_cloth(&cloth_mesh);
    weft_shot_body sphere = test_body(&sphere_mesh);
    double *scalar = malloc((size_t)cloth.vertex_count * sizeof *scalar);
    if (!scalar)
        abort();
    for (int32_t i = 0; i < cloth.vertex_count; i++)
        scalar[i] = fabs(cloth.position[i].z) * 10;
    weft_result result = weft_ok();
    if (demo->view.color == WEFT_COLOR_STRETCH)
        result = weft_scalar_stretch(&cloth, scalar);
    if (demo->view.color == WEFT_COLOR_CURVATURE)
        result = weft_scalar_curvature(&cloth, scalar);
    cloth.scalar = scalar;
    if (demo->view.springs)
        add_springs(&cloth, nu, nv);
    weft_shot shot = {.cloth = &cloth, .cloth_count = 1, .body = &sphere, .body_count = drape};
    weft_picture picture = {0};
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    clock_t cpu = clock();
    if (result.code == WEFT_OK)
        result = test_render(&demo->view, &shot, demo->threads, &picture);
    clock_gettime(CLOCK_MONOTONIC, &b);
    printf("%d triangles, %d x %d, %d threads: %.2f s, CPU %.2f s\n", cloth.triangle_count, demo->view.width,
           demo->view.height, demo->threads, (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec),
           (double)(clock() - cpu) / CLOCKS_PER_SEC);
    if (result.code == WEFT_OK)
        result = weft_picture_write_png(&picture, path);
    if (result.code != WEFT_OK)
        fprintf(stderr, "render_demo: %s\n", result.message);
    weft_picture_destroy(&picture);
    free((void *)cloth.line_strain);
    free((void *)cloth.line_kind);
    free((void *)cloth.line);
    free(scalar);
    test_mesh_free(&sphere_mesh);
    test_mesh_free(&cloth_mesh);
    return result.code == WEFT_OK ? 0 : 1;
}

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "usage: render_demo {flag|drape} OUT.png [name=value]...\n");
        return 2;
    }
    demo_setup demo = {.threads = 2, .cells = 274, .view = weft_view_default()};
    demo.view.width = 1600;
    demo.view.height = 900;
    for (int i = 3; i < argc; i++)
        if (!set_option(&demo, argv[i]))
            return 2;
    return run(&demo, argv[1], argv[2]);
}
