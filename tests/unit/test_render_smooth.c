/* The smooth surface through a coarse cloth. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "render/smooth.h"
#include "tests/render_scene.h"

static const double RADIUS = 0.5;

/* Sections of a sphere and of a cylinder, centred at the origin. */
static weft_vec3 ball(double u, double v) {
    return weft_vec3_make(RADIUS * cos(v - 0.7) * sin(u - 0.7), RADIUS * sin(v - 0.7),
                          RADIUS * cos(v - 0.7) * cos(u - 0.7));
}
static weft_vec3 tube(double u, double v) {
    return weft_vec3_make(RADIUS * sin(u - 0.7), v - 0.7, RADIUS * cos(u - 0.7));
}
static weft_vec3 tilted(double u, double v) { return weft_vec3_make(u, v, 0.3 + 0.25 * u - 0.5 * v); }
static weft_vec3 level(double u, double v) { return weft_vec3_make(u, v, 0.3); }

static weft_smooth build(const weft_shot_cloth *cloth, const float *scalar, int32_t levels, int threads) {
    weft_smooth s;
    weft_work work = {.threads = threads};
    assert_int_equal(weft_smooth_build(&s, cloth, scalar, levels, &work).code, WEFT_OK);
    return s;
}

static double distance(vecf p, int is_tube) {
    return fabs(
        (is_tube ? hypot((double)p.x, (double)p.z) : sqrt((double)p.x * p.x + (double)p.y * p.y + (double)p.z * p.z)) -
        RADIUS);
}

/* Mean distance of the centres of triangles from the true surface. */
static double error_of(const weft_smooth *s, int is_tube) {
    double sum = 0;
    for (int32_t t = 0; t < s->triangle_count; t++) {
        vecf middle = vf_all(0);
        for (int k = 0; k < 3; k++)
            middle = vf_mad(middle, 1.0f / 3, s->position[s->triangle[3 * t + k]]);
        sum += distance(middle, is_tube);
    }
    return sum / s->triangle_count;
}

static void smooth_surface_is_closer_to_true_surface(void **state) {
    (void)state;
    for (int is_tube = 0; is_tube < 2; is_tube++) {
        test_mesh mesh = test_mesh_make(is_tube ? tube : ball, 8, 8, 1.4, 1.4);
        weft_shot_cloth cloth = test_cloth(&mesh);
        weft_smooth flat = build(&cloth, NULL, 0, 1), fine = build(&cloth, NULL, 3, 1);
        assert_int_equal(fine.triangle_count, 64 * flat.triangle_count);
        assert_true(error_of(&fine, is_tube) < 0.2 * error_of(&flat, is_tube));
        /* away from the boundary its normals are those of the true surface */
        for (int32_t t = 0; t < fine.triangle_count; t++) {
            vecf p[3];
            for (int k = 0; k < 3; k++)
                p[k] = fine.position[fine.triangle[3 * t + k]];
            vecf n = vf_unit(vf_cross(vf_sub(p[1], p[0]), vf_sub(p[2], p[0]))), radial = p[0];
            if (fabsf(p[0].x) > 0.2f || fabsf(p[0].y) > 0.2f)
                continue;
            radial.y = is_tube ? 0 : radial.y;
            assert_true(vf_dot(n, vf_unit(radial)) > 0.999f);
        }
        weft_smooth_free(&fine);
        weft_smooth_free(&flat);
        test_mesh_free(&mesh);
    }
}

/* A round boundary stays round, and the corners stay in place. */
static void smooth_boundary_stays_round(void **state) {
    (void)state;
    test_mesh mesh = test_mesh_make(tube, 6, 6, 1.4, 1.4);
    weft_shot_cloth cloth = test_cloth(&mesh);
    weft_smooth s = build(&cloth, NULL, 3, 1);
    int points = 0;
    for (int32_t e = 0; e < s.edge_count; e++) {
        if (s.edge[e].face[1] >= 0)
            continue;
        vecf a = s.position[s.edge[e].end[0]], b = s.position[s.edge[e].end[1]];
        vecf middle = vf_scale(0.5f, vf_add(a, b));
        points++;
        if (fabsf(middle.x) < 0.2f && fabsf(middle.y) > 0.6f) { /* the midpoint of a chord is 3e-3 away */
            assert_true(distance(middle, 1) < 8e-4);
            assert_float_equal(fabsf(middle.y), 0.7f, 1e-6);
        }
    }
    assert_int_equal(points, 4 * 6 * 8);
    static const int CORNER[4] = {0, 6, 42, 48};
    for (int k = 0; k < 4; k++) {
        vecf p = s.position[CORNER[k]], q = vf_from(mesh.position[CORNER[k]]);
        assert_memory_equal(&p, &q, sizeof p);
    }
    weft_smooth_free(&s);
    test_mesh_free(&mesh);
}

static void flat_cloth_stays_flat(void **state) {
    (void)state;
    test_mesh mesh = test_mesh_make(level, 5, 4, 1, 0.8);
    weft_shot_cloth cloth = test_cloth(&mesh);
    weft_smooth s = build(&cloth, NULL, 3, 1);
    double area = 0;
    for (int32_t v = 0; v < s.vertex_count; v++)
        assert_true(s.position[v].z == 0.3f);
    for (int32_t t = 0; t < s.triangle_count; t++) {
        vecf a = s.position[s.triangle[3 * t]], b = s.position[s.triangle[3 * t + 1]],
             c = s.position[s.triangle[3 * t + 2]];
        float twice = vf_cross(vf_sub(b, a), vf_sub(c, a)).z;
        assert_true(twice > 0); /* no triangle folds over */
        area += 0.5 * twice;
    }
    assert_float_equal(area, 0.8, 1e-6); /* the outline keeps its corners and straight sides */
    weft_smooth_free(&s);
    test_mesh_free(&mesh);
}

/* If positions are an affine image of the rest coordinates, they remain that image, so patterns are not distorted. The
 * mesh has vertices with four and eight neighbours. */
static void rest_coordinates_follow_smoothing(void **state) {
    (void)state;
    test_mesh mesh = test_mesh_make(tilted, 6, 6, 1, 1);
    for (int32_t cell = 0; cell < 36; cell++) {
        if ((cell % 6 + cell / 6) % 2)
            continue;
        int32_t *t = mesh.triangle + 6 * cell, a = t[0], b = t[1], d = t[2], c = t[5];
        const int32_t other[6] = {a, b, c, b, d, c};
        memcpy(t, other, sizeof other);
    }
    weft_shot_cloth cloth = test_cloth(&mesh);
    weft_smooth s = build(&cloth, NULL, 2, 1);
    for (int32_t c = 0; c < 3 * s.triangle_count; c++) {
        vecf p = s.position[s.triangle[c]];
        assert_float_equal(s.uv[c].u, p.x, 1e-6);
        assert_float_equal(s.uv[c].v, p.y, 1e-6);
        assert_float_equal(p.z, 0.3 + 0.25 * p.x - 0.5 * p.y, 1e-6);
    }
    weft_smooth_free(&s);
    /* the same per corner, with a seam: each triangle keeps its own coordinates */
    weft_vec2 *corner = malloc(3 * (size_t)mesh.triangle_count * sizeof *corner);
    assert_non_null(corner);
    for (int32_t c = 0; c < 3 * mesh.triangle_count; c++) {
        weft_vec2 uv = mesh.uv[mesh.triangle[c]];
        corner[c] = (weft_vec2){uv.x + (c < 90 ? 10 : 0), uv.y};
    }
    cloth.corner_uv = corner;
    s = build(&cloth, NULL, 2, 1);
    for (int32_t c = 0; c < 3 * s.triangle_count; c++)
        assert_float_equal(s.uv[c].u, s.position[s.triangle[c]].x + (c < 16 * 90 ? 10 : 0), 0.03);
    weft_smooth_free(&s);
    free(corner);
    test_mesh_free(&mesh);
}

/* Both faces of every fine edge use it in opposite directions, so neighbours share its end points bit for bit. The
 * lists of a level agree with its triangles. */
static void smooth_mesh_has_no_cracks(void **state) {
    (void)state;
    test_mesh mesh = test_mesh_make(test_flag, 7, 5, 1.5, 1);
    weft_shot_cloth cloth = test_cloth(&mesh);
    weft_smooth s = build(&cloth, NULL, 2, 1);
    int32_t *used = calloc((size_t)s.edge_count, sizeof *used), borders = 0;
    assert_non_null(used);
    for (int32_t c = 0; c < 3 * s.triangle_count; c++) {
        uint32_t a = s.triangle[c], b = s.triangle[c % 3 == 2 ? c - 2 : c + 1];
        const weft_smooth_edge *e = &s.edge[s.side[c]];
        assert_true((e->end[0] == a && e->end[1] == b) || (e->end[0] == b && e->end[1] == a));
        assert_true(e->face[0] == c / 3 || e->face[1] == c / 3);
        used[s.side[c]] += e->end[0] == a ? 1 : 16;
    }
    for (int32_t e = 0; e < s.edge_count; e++) {
        assert_true(used[e] == 17 || (s.edge[e].face[1] < 0 && (used[e] == 1 || used[e] == 16)));
        borders += used[e] != 17;
    }
    assert_int_equal(borders, 4 * 2 * (7 + 5));
    assert_int_equal(s.vertex_count - s.edge_count + s.triangle_count, 1); /* Euler's formula for a disc */
    free(used);
    weft_smooth_free(&s);
    test_mesh_free(&mesh);
}

static void scalars_are_interpolated_within_range(void **state) {
    (void)state;
    test_mesh mesh = test_mesh_make(test_flag, 4, 3, 1.5, 1);
    weft_shot_cloth cloth = test_cloth(&mesh);
    float scalar[20];
    for (int i = 0; i < 20; i++)
        scalar[i] = (float)mesh.uv[i].x;
    weft_smooth s = build(&cloth, scalar, 2, 1);
    for (int32_t v = 0; v < s.vertex_count; v++)
        assert_true(s.scalar[v] >= 0 && s.scalar[v] <= 1.5f);
    for (int i = 0; i < 20; i++)
        assert_true(s.scalar[i] == scalar[i]);
    for (int32_t t = 0; t < s.triangle_count; t++) /* a sixteenth of a triangle spans a quarter of a cell */
        for (int k = 0; k < 3; k++)
            assert_true(fabsf(s.scalar[s.triangle[3 * t + k]] - s.scalar[s.triangle[3 * t + (k + 1) % 3]]) < 0.0938f);
    weft_smooth_free(&s);
    test_mesh_free(&mesh);
}

/* Three triangles on one edge, two fans that touch in a vertex, an isolated vertex, a degenerate triangle, a NaN. */
static void irregular_meshes_stay_finite(void **state) {
    (void)state;
    weft_vec3 p[9] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0.5, 0, 1},
                      {2, 1, 0}, {2, 0, 0}, {9, 9, 9}, {3, 3, 3}};
    static const int32_t T[] = {0, 1, 2, 1, 0, 3, 0, 1, 4, 1, 6, 5, 8, 8, 5};
    weft_shot_cloth cloth = {.position = p, .vertex_count = 9, .triangle = T, .triangle_count = 5};
    weft_smooth s = build(&cloth, NULL, 3, 2);
    for (int32_t v = 0; v < s.vertex_count; v++)
        assert_true(isfinite(s.position[v].x + s.position[v].y + s.position[v].z));
    assert_true(s.position[7].x == 9);
    for (int32_t c = 0; c < 3 * s.triangle_count; c++)
        assert_in_range(s.triangle[c], 0, (uint32_t)s.vertex_count - 1);
    weft_smooth_free(&s);
    p[5].x = NAN;
    s = build(&cloth, NULL, 3, 2);
    assert_true(isfinite(s.position[0].x));
    weft_smooth_free(&s);
    cloth.triangle_count = cloth.vertex_count = 0;
    s = build(&cloth, NULL, 2, 2);
    assert_int_equal(s.triangle_count, 0);
    weft_smooth_free(&s);
}

static void results_do_not_depend_on_thread_count(void **state) {
    (void)state;
    test_mesh mesh = test_mesh_make(test_flag, 40, 30, 1.5, 1);
    weft_shot_cloth cloth = test_cloth(&mesh);
    weft_smooth one = build(&cloth, NULL, 2, 1), four = build(&cloth, NULL, 2, 4);
    assert_memory_equal(one.position, four.position, (size_t)one.vertex_count * sizeof *one.position);
    assert_memory_equal(one.uv, four.uv, 3 * (size_t)one.triangle_count * sizeof *one.uv);
    weft_smooth_free(&four);
    weft_smooth_free(&one);
    test_mesh_free(&mesh);
}

static void level_follows_pixel_size(void **state) {
    (void)state;
    test_mesh mesh = test_mesh_make(test_plate, 10, 10, 1, 1); /* rms side: 0.1 m x sqrt(4 / 3) = 0.115 m */
    weft_shot_cloth cloth = test_cloth(&mesh);
    assert_int_equal(weft_smooth_level(&cloth, 0.03), 0);
    assert_int_equal(weft_smooth_level(&cloth, 0.02), 1);
    assert_int_equal(weft_smooth_level(&cloth, 0.01), 2);
    assert_int_equal(weft_smooth_level(&cloth, 1e-9), WEFT_SMOOTH_LEVELS);
    test_mesh_free(&mesh);
}

static void picture_of(int cells, int smooth, weft_picture *picture) {
    test_mesh mesh = test_mesh_make(ball, cells, cells, 1.4, 1.4);
    weft_shot_cloth cloth = test_cloth(&mesh);
    weft_shot shot = {.cloth = &cloth, .cloth_count = 1};
    weft_view view = weft_view_default();
    view.width = view.height = 160;
    view.camera = WEFT_CAMERA_GIVEN;
    view.position = weft_vec3_make(0.8, 0.3, 1.9);
    view.target = weft_vec3_make(0, 0, 0.4);
    view.ground = 0;
    view.texture = WEFT_TEXTURE_PLAIN;
    view.sun_direction = weft_vec3_make(-1, 0.4, 0.05); /* the boundary between light and shade passes through the
                                                         * centre */
    view.smooth = smooth;
    assert_int_equal(test_render(&view, &shot, 2, picture).code, WEFT_OK);
    test_mesh_free(&mesh);
}

/* The picture of a coarse cloth against that of the true surface, which is meshed finely enough to need no
 * smoothing. */
static void smooth_picture_is_closer_to_true_picture(void **state) {
    (void)state;
    weft_picture truth, flat, smooth;
    picture_of(160, 0, &truth);
    picture_of(8, 0, &flat);
    picture_of(8, 1, &smooth);
    double before = weft_picture_difference(&flat, &truth), after = weft_picture_difference(&smooth, &truth);
    print_message("difference from the true surface: flat %g, smooth %g\n", before, after);
    assert_true(after < 0.25 * before);
    weft_picture_destroy(&smooth);
    weft_picture_destroy(&flat);
    weft_picture_destroy(&truth);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(smooth_surface_is_closer_to_true_surface),
        cmocka_unit_test(smooth_boundary_stays_round),
        cmocka_unit_test(flat_cloth_stays_flat),
        cmocka_unit_test(rest_coordinates_follow_smoothing),
        cmocka_unit_test(smooth_mesh_has_no_cracks),
        cmocka_unit_test(scalars_are_interpolated_within_range),
        cmocka_unit_test(irregular_meshes_stay_finite),
        cmocka_unit_test(results_do_not_depend_on_thread_count),
        cmocka_unit_test(level_follows_pixel_size),
        cmocka_unit_test(smooth_picture_is_closer_to_true_picture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
