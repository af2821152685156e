/* Smooth cloth stays on its side of bodies and of other layers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "render/stage.h"
#include "tests/render_scene.h"

static const double WALL = 0.5, GAP = 2e-4; /* m */

/* -- an audit that shares no code with the renderer -- */

typedef struct corner_set {
    weft_vec3 p[3], low, high;
} corner_set;

static double axis(weft_vec3 p, int k) { return k == 0 ? p.x : k == 1 ? p.y : p.z; }

static corner_set corners(const weft_stage_mesh *mesh, int32_t t) {
    corner_set c = {.low = {1e9, 1e9, 1e9}, .high = {-1e9, -1e9, -1e9}};
    for (int k = 0; k < 3; k++) {
        vecf v = mesh->vertex[mesh->triangle[3 * t + k]];
        c.p[k] = weft_vec3_make((double)v.x, (double)v.y, (double)v.z);
        c.low = weft_vec3_make(fmin(c.low.x, c.p[k].x), fmin(c.low.y, c.p[k].y), fmin(c.low.z, c.p[k].z));
        c.high = weft_vec3_make(fmax(c.high.x, c.p[k].x), fmax(c.high.y, c.p[k].y), fmax(c.high.z, c.p[k].z));
    }
    return c;
}

static double volume(weft_vec3 a, weft_vec3 b, weft_vec3 c, weft_vec3 d) {
    return weft_dot(weft_cross(weft_sub(b, a), weft_sub(c, a)), weft_sub(d, a));
}

static int edge_passes(const corner_set *a, const corner_set *b) {
    for (int k = 0; k < 3; k++) {
        weft_vec3 p = a->p[k], q = a->p[(k + 1) % 3];
        if (volume(b->p[0], b->p[1], b->p[2], p) * volume(b->p[0], b->p[1], b->p[2], q) >= 0)
            continue;
        double x = volume(p, q, b->p[0], b->p[1]), y = volume(p, q, b->p[1], b->p[2]),
               z = volume(p, q, b->p[2], b->p[0]);
        if ((x > 0 && y > 0 && z > 0) || (x < 0 && y < 0 && z < 0))
            return 1;
    }
    return 0;
}

static int cross(const corner_set *a, const corner_set *b) {
    for (int k = 0; k < 3; k++)
        if (axis(a->low, k) > axis(b->high, k) || axis(b->low, k) > axis(a->high, k))
            return 0;
    return edge_passes(a, b) || edge_passes(b, a);
}

/* Pairs of crossing triangles, the first from a range of mesh a and the second from a range of mesh b. */
static int count_crossings(const weft_stage_mesh *a, int32_t a0, int32_t a1, const weft_stage_mesh *b, int32_t b0,
                           int32_t b1) {
    int count = 0;
    corner_set *other = malloc((size_t)(b1 - b0) * sizeof *other);
    assert_non_null(other);
    for (int32_t t = b0; t < b1; t++)
        other[t - b0] = corners(b, t);
    for (int32_t t = a0; t < a1; t++) {
        corner_set own = corners(a, t);
        for (int32_t i = 0; i < b1 - b0; i++)
            count += cross(&own, &other[i]);
    }
    free(other);
    return count;
}

/* -- scenes -- */

static RTCDevice device;

static int open_device(void **state) {
    (void)state;
    device = rtcNewDevice("threads=1");
    return device ? 0 : -1;
}

static int close_device(void **state) {
    (void)state;
    rtcReleaseDevice(device);
    return 0;
}

static weft_stage build(const weft_shot_cloth *cloth, int clothes, const weft_shot_body *body, int bodies, int smooth,
                        int threads) {
    weft_view view = weft_view_default();
    view.smooth = smooth;
    view.width = view.height = 300;
    weft_framing framing = weft_framing_start(&view);
    for (int i = 0; i < clothes; i++)
        weft_framing_add(&framing, cloth[i].position, cloth[i].vertex_count);
    weft_shot shot = {.cloth = cloth,
                      .cloth_count = clothes,
                      .body = body,
                      .body_count = bodies,
                      .low = framing.low,
                      .high = framing.high};
    weft_camera camera = weft_framing_camera(&framing, &view, 0);
    weft_work work = {.threads = threads};
    weft_stage stage;
    assert_int_equal(weft_stage_build(&stage, device, &view, &shot, &camera, &work).code, WEFT_OK);
    return stage;
}

static weft_vec3 on_tube(double radius, double u, double v) {
    return weft_vec3_make(radius * sin(u - 0.7), v - 0.7, radius * cos(u - 0.7));
}
static weft_vec3 wall(double u, double v) { return on_tube(WALL, u, v); }
/* Pressed against the inside of the wall up to half of its height, and away from it above. A smooth surface through
 * its vertices passes through the wall below the step. */
static weft_vec3 inside(double u, double v) { return on_tube(v < 0.7 ? WALL - GAP : WALL - 0.06, u, v); }
static weft_vec3 sheet(double u, double v) { return weft_vec3_make(u, 0, -v); }
static weft_vec3 stepped(double u, double v) { return weft_vec3_make(u, v < 0.7 ? GAP : 0.08, -v); }

static weft_shot_body body_of(const test_mesh *m) {
    return (weft_shot_body){.position = m->position,
                            .vertex_count = m->vertex_count,
                            .triangle = m->triangle,
                            .triangle_count = m->triangle_count};
}

static void cloth_stays_inside_wall(void **state) {
    (void)state;
    test_mesh thin = test_mesh_make(wall, 12, 12, 1.4, 1.4), coarse = test_mesh_make(inside, 12, 10, 1.4, 1.4);
    weft_shot_cloth cloth = test_cloth(&coarse);
    weft_shot_body body = body_of(&thin);
    for (int smooth = 0; smooth < 2; smooth++) {
        weft_stage stage = build(&cloth, 1, &body, 1, smooth, 2);
        const weft_stage_mesh *mesh = stage.mesh;
        assert_true(mesh[0].triangle_count >= (smooth ? 16 : 1) * cloth.triangle_count);
        assert_int_equal(count_crossings(&mesh[0], 0, mesh[0].triangle_count, &mesh[1], 0, mesh[1].triangle_count), 0);
        weft_stage_free(&stage);
    }
    test_mesh_free(&coarse);
    test_mesh_free(&thin);
}

/* A body next to the cloth does not stop points from moving away from it. */
static void cloth_moves_away_freely(void **state) {
    (void)state;
    test_mesh thin = test_mesh_make(wall, 12, 12, 1.4, 1.4), coarse = test_mesh_make(inside, 12, 10, 1.4, 1.4);
    for (int32_t v = 0; v < coarse.vertex_count; v++) { /* outside, smooth and bulging outwards */
        weft_vec3 p = coarse.position[v];
        double scale = (WALL + GAP) / hypot(p.x, p.z);
        coarse.position[v] = weft_vec3_make(scale * p.x, p.y, scale * p.z);
    }
    weft_shot_cloth cloth = test_cloth(&coarse);
    weft_shot_body body = body_of(&thin);
    weft_stage with = build(&cloth, 1, &body, 1, 1, 1), without = build(&cloth, 1, NULL, 0, 1, 1);
    float largest = 0;
    for (int32_t v = 0; v < with.mesh[0].vertex_count; v++) {
        vecf gone = vf_sub(with.mesh[0].vertex[v], without.mesh[0].vertex[v]);
        if (fabsf(with.mesh[0].vertex[v].y) < 0.5f && fabsf(with.mesh[0].vertex[v].x) < 0.2f)
            largest = fmaxf(largest, vf_length(gone));
    }
    assert_true(largest < 1e-4f); /* the surface itself is up to 8e-4 away from the flat triangles */
    weft_stage_free(&without);
    weft_stage_free(&with);
    test_mesh_free(&coarse);
    test_mesh_free(&thin);
}

static void layers_keep_their_order(void **state) {
    (void)state;
    test_mesh low = test_mesh_make(sheet, 10, 10, 1.4, 1.4), high = test_mesh_make(stepped, 9, 10, 1.4, 1.4);
    weft_shot_cloth cloth[2] = {test_cloth(&low), test_cloth(&high)};
    for (int smooth = 0; smooth < 2; smooth++) {
        weft_stage stage = build(cloth, 2, NULL, 0, smooth, 1);
        const weft_stage_mesh *mesh = stage.mesh;
        assert_int_equal(count_crossings(&mesh[0], 0, mesh[0].triangle_count, &mesh[1], 0, mesh[1].triangle_count), 0);
        weft_stage_free(&stage);
    }
    test_mesh_free(&high);
    test_mesh_free(&low);
}

/* Both layers in one mesh. The results are the same on any number of threads. */
static void layers_of_one_cloth_keep_their_order(void **state) {
    (void)state;
    test_mesh low = test_mesh_make(sheet, 10, 10, 1.4, 1.4), high = test_mesh_make(stepped, 9, 10, 1.4, 1.4);
    test_mesh both = {.vertex_count = low.vertex_count + high.vertex_count,
                      .triangle_count = low.triangle_count + high.triangle_count};
    both.position = malloc((size_t)both.vertex_count * sizeof *both.position);
    both.uv = calloc((size_t)both.vertex_count, sizeof *both.uv);
    both.triangle = malloc(3 * (size_t)both.triangle_count * sizeof *both.triangle);
    assert_true(both.position && both.uv && both.triangle);
    memcpy(both.position, low.position, (size_t)low.vertex_count * sizeof *both.position);
    memcpy(both.position + low.vertex_count, high.position, (size_t)high.vertex_count * sizeof *both.position);
    for (int32_t c = 0; c < 3 * both.triangle_count; c++)
        both.triangle[c] =
            c < 3 * low.triangle_count ? low.triangle[c] : high.triangle[c - 3 * low.triangle_count] + low.vertex_count;
    weft_shot_cloth cloth = test_cloth(&both);
    weft_stage stage = build(&cloth, 1, NULL, 0, 1, 1), again = build(&cloth, 1, NULL, 0, 1, 2);
    const weft_stage_mesh *mesh = stage.mesh;
    int32_t half = mesh->triangle_count / both.triangle_count * low.triangle_count;
    assert_int_equal(count_crossings(mesh, 0, half, mesh, half, mesh->triangle_count), 0);
    assert_memory_equal(mesh->vertex, again.mesh->vertex, (size_t)mesh->vertex_count * sizeof *mesh->vertex);
    weft_stage_free(&again);
    weft_stage_free(&stage);
    test_mesh_free(&both);
    test_mesh_free(&high);
    test_mesh_free(&low);
}

static weft_vec3 crumpled(double u, double v) {
    (void)u;
    (void)v;
    static uint32_t state; /* an LCG, see D. E. Knuth, The Art of Computer Programming, volume 2, section 3.3.4 */
    double p[3];
    for (int k = 0; k < 3; k++) {
        state = 1664525u * state + 1013904223u;
        p[k] = 0.1 * (state / 4294967296.0 - 0.5);
    }
    return weft_vec3_make(p[0], p[1], p[2]);
}

/* Every triangle is near every other, and each of them has many pieces. The time is bounded all the same, since such
 * triangles stay flat. The results are the same on any number of threads. */
static void crumpled_cloth_stays_flat(void **state) {
    (void)state;
    test_mesh heap = test_mesh_make(crumpled, 8, 8, 0.6, 0.6);
    weft_shot_cloth cloth = test_cloth(&heap);
    weft_stage stage = build(&cloth, 1, NULL, 0, 1, 1), again = build(&cloth, 1, NULL, 0, 1, 2);
    const weft_stage_mesh *mesh = stage.mesh;
    int32_t pieces = mesh->triangle_count / cloth.triangle_count, flat = 0;
    assert_true(pieces >= 64);
    for (int32_t t = 0; t < mesh->triangle_count; t++) {
        corner_set whole = {{{0, 0, 0}}, {0, 0, 0}, {0, 0, 0}}, piece = corners(mesh, t);
        for (int k = 0; k < 3; k++)
            whole.p[k] = heap.position[heap.triangle[3 * (t / pieces) + k]];
        double farthest = 0;
        for (int k = 0; k < 3; k++)
            farthest = fmax(farthest, fabs(volume(whole.p[0], whole.p[1], whole.p[2], piece.p[k])));
        flat += farthest <=
                1e-6 * weft_length(weft_cross(weft_sub(whole.p[1], whole.p[0]), weft_sub(whole.p[2], whole.p[0])));
    }
    assert_true(flat > mesh->triangle_count / 2);
    assert_memory_equal(mesh->vertex, again.mesh->vertex, (size_t)mesh->vertex_count * sizeof *mesh->vertex);
    weft_stage_free(&again);
    weft_stage_free(&stage);
    test_mesh_free(&heap);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cloth_stays_inside_wall),   cmocka_unit_test(cloth_moves_away_freely),
        cmocka_unit_test(layers_keep_their_order),   cmocka_unit_test(layers_of_one_cloth_keep_their_order),
        cmocka_unit_test(crumpled_cloth_stays_flat),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
