/* Analytic surfaces for the tests and the demo of the renderer. */
#ifndef WEFT_TESTS_RENDER_SCENE_H
#define WEFT_TESTS_RENDER_SCENE_H

#include <math.h>
#include <stdlib.h>

#include "render/render.h"
#include "weft/vec.h"

typedef struct test_mesh {
    weft_vec3 *position;
    weft_vec2 *uv;
    int32_t *triangle;
    int32_t vertex_count, triangle_count;
} test_mesh;

typedef weft_vec3 (*test_surface)(double u, double v);

static inline void test_mesh_free(test_mesh *mesh) {
    free(mesh->position);
    free(mesh->uv);
    free(mesh->triangle);
    *mesh = (test_mesh){0};
}

/* A mesh of nu x nv cells over [0, size_u] x [0, size_v]. Its front faces the direction d/du x d/dv. */
static inline test_mesh test_mesh_make(test_surface surface, int nu, int nv, double size_u, double size_v) {
    test_mesh m = {0};
    m.vertex_count = (nu + 1) * (nv + 1);
    m.triangle_count = 2 * nu * nv;
    m.position = malloc((size_t)m.vertex_count * sizeof *m.position);
    m.uv = malloc((size_t)m.vertex_count * sizeof *m.uv);
    m.triangle = malloc((size_t)m.triangle_count * 3 * sizeof *m.triangle);
    if (!m.position || !m.uv || !m.triangle)
        abort();
    for (int j = 0; j <= nv; j++)
        for (int i = 0; i <= nu; i++) {
            double u = size_u * i / nu, v = size_v * j / nv;
            m.position[j * (nu + 1) + i] = surface(u, v);
            m.uv[j * (nu + 1) + i] = (weft_vec2){u, v};
        }
    int32_t *t = m.triangle;
    for (int j = 0; j < nv; j++)
        for (int i = 0; i < nu; i++) {
            int32_t a = j * (nu + 1) + i, b = a + 1, c = a + nu + 1, d = c + 1;
            const int32_t two[6] = {a, b, d, a, d, c};
            for (int k = 0; k < 6; k++)
                *t++ = two[k];
        }
    return m;
}

/* A cloth of 1.5 m x 1 m that flies from its left side above the ground y = 0. */
static inline weft_vec3 test_flag(double u, double v) {
    double s = u / 1.5, w = 1 - v, grow = s * (1.6 - 0.6 * s);
    double phase = 11.5 * s + 1.9 * w - 1.2 + 0.35 * sin(2.5 * w + 2 * s);
    double z = 0.12 * grow * sin(phase) + 0.035 * grow * sin(2.2 * phase + 4.0 * w) + 0.10 * s * s * (w - 0.5);
    z += 0.012 * sin(26 * s + 11 * w) * s * (1 - s) + 0.02 * exp(-9 * s) * sin(9 * w);
    double x = u * 0.90 - 0.020 * grow * sin(2 * phase);
    double sag = 0.10 * s * s + 0.035 * grow * sin(0.6 * phase + 1.3) + 0.05 * s * w;
    return weft_vec3_make(x - 0.7, 0.36 + v - sag, z);
}

/* A cloth of 1.3 m x 1.3 m over a sphere of radius 0.3 m at (0, 0.3, 0). It falls in folds to the floor y = 0. */
static inline weft_vec3 test_drape(double u, double v) {
    double x = u - 0.65, z = 0.65 - v, r = hypot(x, z), angle = atan2(z, x);
    double radius = 0.304, bend = 1.35, reach = bend * radius;
    double theta = fmin(r, reach) / radius, rest = fmax(r - reach, 0);
    double wave = fmin(rest / 0.30, 1);
    wave = wave * wave * (3 - 2 * wave);
    double fold = (1.3 + sin(8 * angle + 0.8) + 0.3 * sin(13 * angle + 2.1)) / 2.6;
    double turn = 0.09 * wave * cos(8 * angle + 0.8);
    double out = radius * sin(theta) + rest * 0.22 + 0.13 * wave * fold;
    double y = 0.3 + radius * cos(theta) - rest * (0.975 - 0.06 * wave);
    double edge = 0.05, lie = 0.004 + 0.004 * fold; /* the hem bends onto the floor */
    if (y < edge) {
        double over = edge - y, round = edge - lie;
        y = lie + round * exp(-over / round);
        out += over - round * (1 - exp(-over / round)) * 0.6;
    }
    return weft_vec3_make(out * cos(angle + turn), y, out * sin(angle + turn));
}

static inline weft_vec3 test_sphere(double u, double v) {
    /* u: longitude, v: angle from the south pole upwards */
    return weft_vec3_make(0.3 * sin(v) * sin(u), 0.3 - 0.3 * cos(v), 0.3 * sin(v) * cos(u));
}

/* A plate of 1 m x 1 m in the plane z = 0, front towards +z. */
static inline weft_vec3 test_plate(double u, double v) { return weft_vec3_make(u - 0.5, v - 0.5, 0); }

/* The same plate, horizontal at a height of 0.5 m, front facing up. */
static inline weft_vec3 test_table(double u, double v) { return weft_vec3_make(u - 0.5, 0.5, 0.5 - v); }

static inline weft_shot_cloth test_cloth(const test_mesh *mesh) {
    return (weft_shot_cloth){.position = mesh->position,
                             .vertex_count = mesh->vertex_count,
                             .triangle = mesh->triangle,
                             .triangle_count = mesh->triangle_count,
                             .uv = mesh->uv};
}

static inline weft_shot_body test_body(const test_mesh *mesh) {
    return (weft_shot_body){.position = mesh->position,
                            .vertex_count = mesh->vertex_count,
                            .triangle = mesh->triangle,
                            .triangle_count = mesh->triangle_count};
}

/* Renders one picture at time 0 with the automatic camera. */
static inline weft_result test_render(const weft_view *view, weft_shot *shot, int threads, weft_picture *picture) {
    weft_framing framing = weft_framing_start(view);
    for (int32_t i = 0; i < shot->cloth_count; i++)
        weft_framing_add(&framing, shot->cloth[i].position, shot->cloth[i].vertex_count);
    for (int32_t i = 0; i < shot->body_count; i++)
        weft_framing_add(&framing, shot->body[i].position, shot->body[i].vertex_count);
    shot->low = framing.low;
    shot->high = framing.high;
    weft_camera camera = weft_framing_camera(&framing, view, 0);
    weft_renderer *renderer;
    WEFT_TRY(weft_renderer_create(view, threads, &renderer));
    weft_result result = weft_renderer_frame(renderer, shot, &camera, picture);
    weft_renderer_destroy(renderer);
    return result;
}

#endif
