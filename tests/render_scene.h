/* Analytic surfaces for the tests and the demonstration of the renderer. */
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

/* nu x nv cells over [0, size_u] x [0, size_v], front where d/du x d/dv points. */
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

/* A cloth of 1.5 m x 1 m that flies from its left side, over the ground y = 0. */
static inline weft_vec3 test_flag(double u, double v) {
    double s = u / 1.5, grow = s * (1.3 - 0.3 * s);
    double phase = 7.5 * s - 1.4 * v + 0.5;
    double z = 0.17 * grow * sin(phase) + 0.05 * grow * sin(2.3 * phase + 3.0 * v) + 0.012 * grow * sin(21 * s + 9 * v);
    double x = u * 0.93 - 0.04 * grow * cos(2 * phase);
    double y = 0.42 + v - 0.16 * s * s - 0.05 * grow * sin(0.7 * phase + 2 * v) + 0.03 * s * sin(9 * s) * (1 - v);
    return weft_vec3_make(x - 0.7, y, z);
}

/* A cloth over a sphere of radius 0.3 at (0, 0.3, 0), with folds that fall to the ground. */
static inline weft_vec3 test_drape(double u, double v) {
    double x = u - 0.7, z = 0.7 - v, r = hypot(x, z), angle = atan2(z, x);
    double radius = 0.306, top = 0.3, limit = 1.45 * radius;
    double theta = fmin(r, limit) / radius;
    double out = radius * sin(theta), y = top + radius * cos(theta);
    double rest = fmax(r - limit, 0), wave = rest / 0.5;
    wave = fmin(wave, 1);
    double fold = sin(8 * angle + 0.6) + 0.35 * sin(13 * angle + 1.7);
    out += rest * 0.30 + 0.085 * wave * wave * fold + 0.05 * wave;
    y -= rest * 0.83;
    double floor_height = 0.004 + 0.0015 * (1 + fold);
    if (y < 0.03) { /* rounds off onto the floor */
        double below = 0.03 - y;
        y = floor_height + (0.03 - floor_height) * exp(-below / (0.03 - floor_height));
        out += 0.9 * below;
    }
    return weft_vec3_make(out * cos(angle), y, out * sin(angle));
}

static inline weft_vec3 test_sphere(double u, double v) {
    /* u: longitude, v: from the south pole up */
    return weft_vec3_make(0.3 * sin(v) * sin(u), 0.3 - 0.3 * cos(v), 0.3 * sin(v) * cos(u));
}

/* A plate of 1 m x 1 m in the plane z = 0, front towards +z. */
static inline weft_vec3 test_plate(double u, double v) { return weft_vec3_make(u - 0.5, v - 0.5, 0); }

/* The same, horizontal at a height of 0.5 m, front up. */
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

/* One picture with the automatic camera at time 0. */
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
