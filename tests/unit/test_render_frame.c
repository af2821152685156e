#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "render/light.h"
#include "tests/render_scene.h"
#include "weft/work.h"

static weft_view small_view(int width, int height) {
    weft_view view = weft_view_default();
    view.width = width;
    view.height = height;
    return view;
}

/* Looks at the plate from `position`, with no light but the sun. */
static weft_view bare_view(weft_vec3 position) {
    weft_view view = small_view(48, 48);
    view.camera = WEFT_CAMERA_GIVEN;
    view.position = position;
    view.ground = 0;
    view.sky_strength = 0;
    view.translucency = 0;
    view.sheen = 0;
    view.texture = WEFT_TEXTURE_PLAIN;
    view.cloth_front = view.cloth_back = (weft_vec3){1, 1, 1};
    return view;
}

/* Linear radiance at a pixel of one rendered frame. */
static vecf radiance_at(const weft_view *view, const weft_shot *shot, int x, int y) {
    weft_framing framing = weft_framing_start(view);
    weft_camera camera = weft_framing_camera(&framing, view, 0);
    weft_renderer *renderer;
    weft_picture picture;
    assert_int_equal(weft_renderer_create(view, 1, &renderer).code, WEFT_OK);
    assert_int_equal(weft_renderer_frame(renderer, shot, &camera, &picture).code, WEFT_OK);
    const float *c = weft_renderer_radiance(renderer) + 3 * (y * view->width + x);
    vecf result = vf(c[0], c[1], c[2]);
    weft_picture_destroy(&picture);
    weft_renderer_destroy(renderer);
    return result;
}

static weft_shot plate_shot(const weft_shot_cloth *cloth) {
    return (weft_shot){.cloth = cloth, .cloth_count = 1, .low = {-0.5, -0.5, -0.5}, .high = {0.5, 0.5, 0.5}};
}

/* Lambert's law: radiance = albedo x strength x cosine. */
static void sunlight_follows_lamberts_law(void **state) {
    (void)state;
    test_mesh plate = test_mesh_make(test_plate, 4, 4, 1, 1);
    weft_shot_cloth cloth = test_cloth(&plate);
    weft_shot shot = plate_shot(&cloth);
    weft_view view = bare_view(weft_vec3_make(0, 0, 2));
    view.sun_direction = weft_vec3_make(0, 0, 1);
    view.sun_strength = 0.8;
    vecf facing = radiance_at(&view, &shot, 24, 24);
    view.sun_direction = weft_vec3_make(sqrt(0.75), 0, 0.5);
    vecf oblique = radiance_at(&view, &shot, 24, 24);
    assert_float_equal(facing.x, 0.8, 1e-4); /* the red component of the sun is 1 */
    assert_float_equal(oblique.x / facing.x, 0.5, 1e-4);
    assert_float_equal(oblique.z / facing.z, 0.5, 1e-4);
    /* light from behind an opaque plate gives nothing */
    view.sun_direction = weft_vec3_make(0.3, 0, -1);
    assert_float_equal(radiance_at(&view, &shot, 24, 24).x, 0, 1e-6);
    view.translucency = 0.5;
    assert_true(radiance_at(&view, &shot, 24, 24).x > 0.1);
    /* the bent normal brightens an oblique surface, but never beyond a facing one */
    view.sun_direction = weft_vec3_make(sqrt(0.75), 0, 0.5);
    float bent = radiance_at(&view, &shot, 24, 24).x;
    assert_true(bent > 1.02f * oblique.x && bent < facing.x);
    test_mesh_free(&plate);
}

static void back_has_its_own_color(void **state) {
    (void)state;
    test_mesh plate = test_mesh_make(test_plate, 4, 4, 1, 1);
    weft_shot_cloth cloth = test_cloth(&plate);
    weft_shot shot = plate_shot(&cloth);
    weft_view view = bare_view(weft_vec3_make(0, 0, 2));
    view.sky_strength = 1;
    view.cloth_front = (weft_vec3){0.8, 0.1, 0.1};
    view.cloth_back = (weft_vec3){0.1, 0.1, 0.8};
    vecf front = radiance_at(&view, &shot, 24, 24);
    view.position.z = -2;
    vecf back = radiance_at(&view, &shot, 24, 24);
    assert_true(front.x > 5 * front.z);
    assert_true(back.z > 5 * back.x);
    assert_true(back.z > 0.1f); /* the back is not black */
    test_mesh_free(&plate);
}

static void flipped_winding_changes_picture(void **state) {
    (void)state;
    test_mesh flag = test_mesh_make(test_flag, 30, 20, 1.5, 1);
    weft_shot_cloth cloth = test_cloth(&flag);
    weft_shot shot = {.cloth = &cloth, .cloth_count = 1};
    weft_view view = small_view(160, 90);
    weft_picture a, b;
    assert_int_equal(test_render(&view, &shot, 1, &a).code, WEFT_OK);
    for (int32_t i = 0; i < flag.triangle_count; i++) {
        int32_t t = flag.triangle[3 * i];
        flag.triangle[3 * i] = flag.triangle[3 * i + 1];
        flag.triangle[3 * i + 1] = t;
    }
    assert_int_equal(test_render(&view, &shot, 1, &b).code, WEFT_OK);
    assert_true(weft_picture_difference(&a, &b) > 5e-3);
    weft_picture_destroy(&b);
    weft_picture_destroy(&a);
    test_mesh_free(&flag);
}

static void results_do_not_depend_on_thread_count(void **state) {
    (void)state;
    test_mesh flag = test_mesh_make(test_flag, 90, 60, 1.5, 1),
              sphere = test_mesh_make(test_sphere, 24, 12, 6.2831853, 3.14159265);
    weft_shot_cloth cloth = test_cloth(&flag);
    weft_shot_body body = test_body(&sphere);
    weft_shot shot = {.cloth = &cloth, .cloth_count = 1, .body = &body, .body_count = 1};
    weft_view view = small_view(203, 117); /* not a multiple of the tile size */
    view.wireframe = view.particles = 1;
    weft_picture one, more;
    assert_int_equal(test_render(&view, &shot, 1, &one).code, WEFT_OK);
    for (int threads = 1; threads <= 5; threads += 2) {
        assert_int_equal(test_render(&view, &shot, threads + 1, &more).code, WEFT_OK);
        assert_memory_equal(one.rgba, more.rgba, 203 * 117 * 4);
        weft_picture_destroy(&more);
    }
    weft_picture_destroy(&one);
    test_mesh_free(&sphere);
    test_mesh_free(&flag);
}

static void assert_framed(const weft_view *view, const test_mesh *mesh, double time, double tightest) {
    weft_framing framing = weft_framing_start(view);
    weft_framing_add(&framing, mesh->position, mesh->vertex_count);
    weft_camera camera = weft_framing_camera(&framing, view, time);
    double nearest = 1e30;
    for (int32_t i = 0; i < mesh->vertex_count; i++) {
        weft_vec3 p = weft_camera_project(&camera, view, mesh->position[i]);
        assert_true(p.z > 0);
        double border = fmin(fmin(p.x, view->width - p.x) / view->width, fmin(p.y, view->height - p.y) / view->height);
        nearest = fmin(nearest, border);
    }
    /* The margin is a fraction of half the picture. */
    assert_true(nearest > view->margin / 2 - 1e-9);
    assert_true(nearest < view->margin / 2 + tightest);
}

static void automatic_camera_frames_cloth_tightly(void **state) {
    (void)state;
    test_mesh flag = test_mesh_make(test_flag, 30, 20, 1.5, 1);
    static const double ANGLES[][2] = {{0.5, 0.2}, {0, 0}, {3, 1.5}, {-2, -0.7}, {1.5707, 0.3}};
    for (int i = 0; i < 5; i++) {
        weft_view view = small_view(i % 2 ? 90 : 320, 180);
        view.azimuth = ANGLES[i][0];
        view.elevation = ANGLES[i][1];
        assert_framed(&view, &flag, 0, 1e-9); /* as close as possible */
        view.turntable = 36;
        for (int k = 0; k < 10; k++)
            assert_framed(&view, &flag, k, 0.5);
    }
    weft_view view = small_view(160, 90);
    weft_framing empty = weft_framing_start(&view);
    weft_camera camera = weft_framing_camera(&empty, &view, 0);
    assert_true(weft_vec3_is_finite(camera.position));
    weft_vec3 point = {1, 2, 3};
    weft_framing_add(&empty, &point, 1);
    camera = weft_framing_camera(&empty, &view, 0);
    weft_vec3 p = weft_camera_project(&camera, &view, point);
    assert_float_equal(p.x, 80, 1e-6);
    assert_float_equal(p.y, 45, 1e-6);
    test_mesh_free(&flag);
}

/* The centre of a table's shadow is where the line from the sun through the centre of the table meets the ground. */
static void shadow_is_at_expected_place(void **state) {
    (void)state;
    test_mesh table = test_mesh_make(test_table, 4, 4, 1, 1);
    weft_shot_cloth cloth = test_cloth(&table);
    weft_shot shot = {.cloth = &cloth, .cloth_count = 1, .low = {-0.5, 0, -0.5}, .high = {0.5, 0.5, 0.5}};
    weft_view view = small_view(160, 90);
    view.camera = WEFT_CAMERA_GIVEN;
    view.position = weft_vec3_make(0, 3, 8);
    view.target = weft_vec3_make(0, 0, 0);
    view.ground_auto = 0;
    view.vignette = 0;
    view.ground_color = view.background;
    view.sun_direction = weft_vec3_make(-2, 1, 0); /* shadow of the centre at x = 0.5 * 2 = 1 */
    weft_framing framing = weft_framing_start(&view);
    weft_camera camera = weft_framing_camera(&framing, &view, 0);
    weft_vec3 dark = weft_camera_project(&camera, &view, weft_vec3_make(1.2, 0, 0));
    weft_vec3 open = weft_camera_project(&camera, &view, weft_vec3_make(-1.2, 0, 0));
    float in_shadow = radiance_at(&view, &shot, (int)dark.x, (int)dark.y).x;
    float in_light = radiance_at(&view, &shot, (int)open.x, (int)open.y).x;
    float nothing = radiance_at(&view, &shot, 2, 2).x; /* background */
    assert_true(in_shadow < 0.75f * in_light);
    assert_float_equal(in_light / nothing, 1, 0.05); /* the open ground merges with the background */
    /* without sunlight the ground there is hardly darker than elsewhere */
    view.sun_strength = 0;
    in_shadow = radiance_at(&view, &shot, (int)dark.x, (int)dark.y).x;
    assert_true(in_shadow > 0.8f * radiance_at(&view, &shot, (int)open.x, (int)open.y).x);
    test_mesh_free(&table);
}

/* The closed form of the light of the sky against a sum over directions. */
static void sky_light_matches_numerical_integral(void **state) {
    (void)state;
    weft_view view = weft_view_default();
    weft_light light = weft_light_make(&view);
    for (int k = 0; k < 6; k++) {
        vecf n = vf_unit(vf((float)weft_random(1, (uint64_t)k) - 0.5f, (float)weft_random(2, (uint64_t)k) - 0.5f,
                            (float)weft_random(3, (uint64_t)k) - 0.5f));
        double sum = 0;
        int rows = 400, columns = 400;
        for (int j = 0; j < rows; j++) /* midpoints of equal solid angles of the whole sphere */
            for (int i = 0; i < columns; i++) {
                double y = 2 * (j + 0.5) / rows - 1, r = sqrt(1 - y * y), a = 6.283185307179586 * (i + 0.5) / columns;
                vecf d = vf((float)(r * cos(a)), (float)y, (float)(r * sin(a)));
                float cosine = vf_dot(d, n);
                if (cosine > 0)
                    sum += cosine * weft_light_sky(&light, d).y;
            }
        double expected = sum * 4 / rows / columns; /* 4 pi / N times 1 / pi */
        assert_float_equal(weft_light_sky_on(&light, n).y, expected, 2e-3 * expected);
    }
}

/* A body hides half of the sky over a plate, and occlusion about halves its light. */
static void occlusion_darkens_surfaces(void **state) {
    (void)state;
    test_mesh plate = test_mesh_make(test_plate, 4, 4, 1, 1);
    weft_shot_cloth cloth = test_cloth(&plate);
    weft_shot shot = plate_shot(&cloth);
    weft_view view = bare_view(weft_vec3_make(0, 0, 2));
    view.sky_strength = 1;
    view.sun_strength = 0;
    view.cloth_front = (weft_vec3){0.3, 0.3, 0.3};
    float open = radiance_at(&view, &shot, 24, 24).y;
    /* a wall of 200 m from the centre line of the plate towards the viewer, at x = 0.02: it hides half of the sky */
    static const weft_vec3 WALL[4] = {{0.02, -100, 0.0}, {0.02, 100, 0.0}, {0.02, 100, 100}, {0.02, -100, 100}};
    static const int32_t SIDES[6] = {0, 1, 2, 0, 2, 3};
    weft_shot_body wall = {.position = WALL, .vertex_count = 4, .triangle = SIDES, .triangle_count = 2};
    shot.body = &wall;
    shot.body_count = 1;
    view.position.x = -0.5;
    view.target = (weft_vec3){-0.01, 0, 0};
    float hidden = radiance_at(&view, &shot, 24, 24).y;
    assert_true(hidden < 0.72f * open);
    assert_true(hidden > 0.40f * open);
    view.occlusion_radius = 0.001; /* nothing is that close */
    assert_float_equal(radiance_at(&view, &shot, 24, 24).y / open, 1, 0.03);
    test_mesh_free(&plate);
}

static void assert_refused(weft_result result, const char *excerpt) {
    assert_int_equal(result.code, WEFT_BAD_INPUT);
    assert_non_null(strstr(result.message, excerpt));
    assert_null(strchr(result.message, '\n'));
}

static void bad_views_and_shots_are_refused(void **state) {
    (void)state;
    weft_renderer *renderer;
    weft_view view = small_view(0, 90);
    assert_refused(weft_renderer_create(&view, 1, &renderer), "0 x 90");
    assert_null(renderer);
    view = small_view(16, 16);
    view.sun_direction = weft_vec3_make(0, 0, 0);
    assert_refused(weft_renderer_create(&view, 1, &renderer), "sun_direction");
    view = small_view(16, 16);
    view.camera = WEFT_CAMERA_GIVEN;
    view.position = view.target;
    assert_refused(weft_renderer_create(&view, 1, &renderer), "target");
    view = small_view(16, 16);
    view.cloth_back.y = 1.5;
    assert_refused(weft_renderer_create(&view, 1, &renderer), "cloth_back");
    view = small_view(16, 16);
    view.texture = WEFT_TEXTURE_IMAGE;
    assert_refused(weft_renderer_create(&view, 1, &renderer), "texture_image");
    strcpy(view.texture_image, "no-such.png");
    assert_int_equal(weft_renderer_create(&view, 1, &renderer).code, WEFT_BAD_FILE);

    static const weft_vec3 P[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    static const int32_t T[3] = {0, 1, 3}, LINE[2] = {0, -1};
    weft_shot_cloth cloth = {.position = P, .vertex_count = 3, .triangle = T, .triangle_count = 1};
    weft_shot shot = {.cloth = &cloth, .cloth_count = 1};
    weft_picture picture;
    view = small_view(16, 16);
    assert_refused(test_render(&view, &shot, 1, &picture), "vertex 3 of 3");
    assert_null(picture.rgba);
    cloth.triangle_count = 0;
    cloth.line = LINE;
    cloth.line_count = 1;
    view.springs = WEFT_SPRINGS_TYPE;
    assert_refused(test_render(&view, &shot, 1, &picture), "vertex -1 of 3");
}

/* An empty scene and a cloth with non-finite positions still give a picture. */
static void empty_and_non_finite_scenes_are_rendered(void **state) {
    (void)state;
    weft_shot shot = {0};
    weft_picture picture;
    weft_view view = small_view(40, 30);
    assert_int_equal(test_render(&view, &shot, 1, &picture).code, WEFT_OK);
    weft_picture_destroy(&picture);
    test_mesh flag = test_mesh_make(test_flag, 12, 8, 1.5, 1);
    flag.position[17].x = NAN;
    flag.position[40].y = INFINITY;
    weft_shot_cloth cloth = test_cloth(&flag);
    shot = (weft_shot){.cloth = &cloth, .cloth_count = 1};
    view.particles = view.wireframe = 1;
    assert_int_equal(test_render(&view, &shot, 1, &picture).code, WEFT_OK);
    weft_picture_destroy(&picture);
    test_mesh_free(&flag);
}

/* Springs have the colours of Assunção (2020). The legend appears only with false colours. */
static void springs_and_legend_are_drawn(void **state) {
    (void)state;
    static const weft_vec3 P[4] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
    static const int32_t T[6] = {0, 1, 2, 0, 2, 3}, LINE[6] = {0, 1, 3, 1, 3, 2};
    static const uint8_t KIND[3] = {WEFT_LINE_STRUCTURAL, WEFT_LINE_SHEAR, WEFT_LINE_FLEXION};
    static const double SCALAR[4] = {0, 1, 2, 3};
    weft_shot_cloth cloth = {.position = P,
                             .vertex_count = 4,
                             .triangle = T,
                             .triangle_count = 2,
                             .line = LINE,
                             .line_count = 3,
                             .line_kind = KIND};
    weft_shot shot = {.cloth = &cloth, .cloth_count = 1};
    weft_view view = small_view(120, 120);
    view.azimuth = view.elevation = 0;
    view.springs = WEFT_SPRINGS_TYPE;
    view.line_width = 6;
    weft_picture picture;
    assert_int_equal(test_render(&view, &shot, 1, &picture).code, WEFT_OK);
    int green = 0, red = 0, yellow = 0;
    for (int i = 0; i < 120 * 120; i++) {
        const uint8_t *c = picture.rgba + 4 * i;
        green += c[1] > 2 * c[0] && c[1] > 2 * c[2];
        red += c[0] > 3 * c[1] && c[0] > 3 * c[2];
        yellow += c[0] > 3 * c[2] && c[1] > 3 * c[2] && c[0] > 200;
    }
    assert_true(green > 300 && red > 300 && yellow > 300);
    weft_picture_destroy(&picture);
    view.springs = WEFT_SPRINGS_NONE;
    cloth.scalar = SCALAR;
    view.color = WEFT_COLOR_SPEED;
    view.legend = 0;
    weft_picture with;
    assert_int_equal(test_render(&view, &shot, 1, &picture).code, WEFT_OK);
    view.legend = 1;
    assert_int_equal(test_render(&view, &shot, 1, &with).code, WEFT_OK);
    assert_true(weft_picture_difference(&picture, &with) > 1e-3);
    weft_picture_destroy(&with);
    weft_picture_destroy(&picture);
}

static weft_vec3 stretched(double u, double v) { return weft_vec3_make(1.2 * u, 0.9 * v + 0.2 * u, 0); }
static weft_vec3 cylinder(double u, double v) { return weft_vec3_make(0.5 * sin(2 * u), v, 0.5 * cos(2 * u)); }

static void stretch_and_curvature_match_closed_forms(void **state) {
    (void)state;
    test_mesh mesh = test_mesh_make(stretched, 5, 4, 1, 1);
    weft_shot_cloth cloth = test_cloth(&mesh);
    double scalar[6 * 5 + 1000];
    assert_int_equal(weft_scalar_stretch(&cloth, scalar).code, WEFT_OK);
    /* F = [1.2 0; 0.2 0.9]: the larger eigenvalue of F^T F by the quadratic formula */
    double a = 1.2 * 1.2 + 0.2 * 0.2, b = 0.2 * 0.9, d = 0.9 * 0.9;
    double expected = sqrt((a + d) / 2 + sqrt((a - d) * (a - d) / 4 + b * b)) - 1;
    for (int i = 0; i < mesh.vertex_count; i++)
        assert_float_equal(scalar[i], expected, 1e-12);
    test_mesh_free(&mesh);
    mesh = test_mesh_make(cylinder, 30, 10, 1, 1); /* radius 0.5 m: mean curvature 1 */
    cloth = test_cloth(&mesh);
    assert_int_equal(weft_scalar_curvature(&cloth, scalar).code, WEFT_OK);
    for (int j = 0; j <= 10; j++)
        for (int i = 0; i <= 30; i++) {
            int inner = i > 0 && i < 30 && j > 0 && j < 10;
            assert_float_equal(scalar[j * 31 + i], inner ? 1 : 0, 2e-3);
        }
    test_mesh_free(&mesh);
}

static void view_parameters_are_read_and_checked(void **state) {
    (void)state;
    weft_view view = weft_view_default();
    assert_int_equal(weft_view_check(&view).code, WEFT_OK);
    /* every default is within its range */
    for (const weft_param *row = weft_view_params(); row->name; row++)
        assert_int_equal(weft_param_read_text(row, row->fallback, "view", &view).code, WEFT_OK);
    weft_tree *tree;
    assert_int_equal(weft_tree_create(&tree).code, WEFT_OK);
    weft_value *map = weft_tree_map(tree, "a.yaml", 3);
    assert_int_equal(weft_value_put(tree, map, "position", weft_tree_text(tree, "[1, 2, 3]", "a.yaml", 4)).code,
                     WEFT_OK);
    assert_int_equal(weft_view_read(map, "view", &view).code, WEFT_OK);
    assert_int_equal(view.camera, WEFT_CAMERA_GIVEN);
    assert_int_equal(weft_value_put(tree, map, "width", weft_tree_text(tree, "0", "a.yaml", 5)).code, WEFT_OK);
    assert_refused(weft_view_read(map, "view", &view), "a.yaml:5: view.width: 0 is below 1");
    weft_tree_destroy(tree);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sunlight_follows_lamberts_law),
        cmocka_unit_test(back_has_its_own_color),
        cmocka_unit_test(flipped_winding_changes_picture),
        cmocka_unit_test(results_do_not_depend_on_thread_count),
        cmocka_unit_test(automatic_camera_frames_cloth_tightly),
        cmocka_unit_test(shadow_is_at_expected_place),
        cmocka_unit_test(sky_light_matches_numerical_integral),
        cmocka_unit_test(occlusion_darkens_surfaces),
        cmocka_unit_test(bad_views_and_shots_are_refused),
        cmocka_unit_test(empty_and_non_finite_scenes_are_rendered),
        cmocka_unit_test(springs_and_legend_are_drawn),
        cmocka_unit_test(stretch_and_curvature_match_closed_forms),
        cmocka_unit_test(view_parameters_are_read_and_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
