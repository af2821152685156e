/* Finer triangles for pictures: on a sphere they come nearer to it, on a plane nothing bends. */
#include "tests/render_scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "render/smooth.h"

/* An octahedron, closed: 6 vertices, 12 edges, 8 triangles. */
static const weft_vec3 CORNER[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
static const int32_t TRIANGLE[24] = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};

static weft_shot_cloth as_cloth(const weft_smooth *s) {
    return (weft_shot_cloth){.position = s->position,
                             .vertex_count = s->vertex_count,
                             .triangle = s->triangle,
                             .triangle_count = s->triangle_count,
                             .corner_uv = s->corner_uv,
                             .scalar = s->scalar};
}

/* Volume by the divergence theorem: also tells that the winding is kept and nothing is left open. */
static double volume(const weft_smooth *s) {
    double sum = 0;
    for (int32_t t = 0; t < s->triangle_count; t++) {
        const int32_t *v = s->triangle + 3 * t;
        sum += weft_dot(s->position[v[0]], weft_cross(s->position[v[1]], s->position[v[2]])) / 6;
    }
    return sum;
}

static void octahedron_becomes_round(void **state) {
    (void)state;
    weft_shot_cloth cloth = {.position = CORNER, .vertex_count = 6, .triangle = TRIANGLE, .triangle_count = 8};
    weft_smooth once, twice;
    assert_int_equal(weft_smooth_split(&cloth, &once).code, WEFT_OK);
    assert_int_equal(once.vertex_count, 6 + 12);
    assert_int_equal(once.triangle_count, 32);
    /* the cubic from (1, 0) by (1, 1/3) and (1/3, 1) to (0, 1) has its middle at (5/8, 5/8) */
    for (int32_t v = 6; v < 18; v++)
        assert_float_equal(weft_length(once.position[v]), 0.625 * sqrt(2.0), 1e-12);
    weft_shot_cloth finer = as_cloth(&once);
    assert_int_equal(weft_smooth_split(&finer, &twice).code, WEFT_OK);
    assert_int_equal(twice.vertex_count, 18 + 48);
    double ball = 4 * acos(-1.0) / 3;
    assert_true(4.0 / 3 < volume(&once) && volume(&once) < volume(&twice) && volume(&twice) < ball);
    weft_smooth_free(&twice);
    weft_smooth_free(&once);
}

static weft_vec3 plane(double u, double v) { return weft_vec3_make(u, 0.5 * v, 2 * v - u); }

static void plane_stays_plane(void **state) {
    (void)state;
    test_mesh mesh = test_mesh_make(plane, 3, 2, 3, 2);
    weft_shot_cloth cloth = test_cloth(&mesh);
    weft_vec2 uv[36];
    double scalar[12];
    for (int32_t c = 0; c < 3 * cloth.triangle_count; c++)
        uv[c] = cloth.uv[cloth.triangle[c]];
    for (int32_t v = 0; v < cloth.vertex_count; v++)
        scalar[v] = cloth.uv[v].x + 10 * cloth.uv[v].y;
    cloth.corner_uv = uv;
    cloth.scalar = scalar;
    weft_smooth s;
    assert_int_equal(weft_smooth_split(&cloth, &s).code, WEFT_OK);
    assert_int_equal(s.triangle_count, 4 * 12);
    for (int32_t c = 0; c < 3 * s.triangle_count; c++) {
        weft_vec3 there = s.position[s.triangle[c]], wanted = plane(s.corner_uv[c].x, s.corner_uv[c].y);
        assert_float_equal(weft_distance(there, wanted), 0, 1e-12);
        assert_float_equal(s.scalar[s.triangle[c]], s.corner_uv[c].x + 10 * s.corner_uv[c].y, 1e-12);
    }
    weft_smooth_free(&s);
    test_mesh_free(&mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(octahedron_becomes_round), cmocka_unit_test(plane_stays_plane)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
