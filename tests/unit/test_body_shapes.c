/* Body shapes: exact distances against their triangulated surfaces, normals against finite differences, and poses. */
#include "body/pose.h"
#include "body/shapes.h"
#include "contact/distance.h"
#include "support.h"

static const weft_component *const SHAPES[] = {&weft_plane_body, &weft_sphere_body, &weft_box_body, &weft_capsule_body,
                                               &weft_cylinder_body};
enum { SHAPE_COUNT = 5, SETTINGS_SIZE = 512 };

static uint64_t counter;

static double uniform(double low, double high) { return low + (high - low) * weft_random(5, counter++); }

static weft_vec3 random_point(double size) {
    return weft_vec3_make(uniform(-size, size), uniform(-size, size), uniform(-size, size));
}

static const weft_body_functions *functions(int shape) { return SHAPES[shape]->functions; }

static void make(int shape, char *settings, weft_body_surface *surface) {
    assert_true(SHAPES[shape]->settings_size <= SETTINGS_SIZE);
    weft_params_default(SHAPES[shape]->params, settings);
    must(functions(shape)->surface(settings, surface));
}

static void drop(weft_body_surface *surface) {
    free(surface->position);
    free(surface->triangle);
}

static double to_surface(const weft_body_surface *surface, weft_vec3 p) {
    double best = HUGE_VAL;
    for (int32_t i = 0; i < surface->triangle_count; i++) {
        const int32_t *t = surface->triangle[i];
        weft_vec3 x[4] = {p, surface->position[t[0]], surface->position[t[1]], surface->position[t[2]]};
        double weight[4];
        best = fmin(best, weft_closest(WEFT_VERTEX_TRIANGLE, x, weight));
    }
    return sqrt(best);
}

/* The triangles are inscribed. For points outside they are farther away than the shape, by at most the sagitta. */
static void distances_match_triangulated_surface(void **state) {
    (void)state;
    for (int shape = 0; shape < SHAPE_COUNT; shape++) {
        double settings[SETTINGS_SIZE / sizeof(double)];
        weft_body_surface surface;
        make(shape, (char *)settings, &surface);
        for (int i = 0; i < 300; i++) {
            weft_vec3 p = random_point(1.2), normal;
            double d = functions(shape)->distance(settings, p, &normal);
            double rough = to_surface(&surface, p);
            assert_near(weft_length(normal), 1, 1e-12);
            assert_near(fabs(d), rough, 1e-3);
            if (d > 0)
                assert_true(rough >= d - 1e-12);
        }
        for (int32_t i = 0; i < surface.vertex_count; i++) {
            weft_vec3 normal;
            assert_near(functions(shape)->distance(settings, surface.position[i], &normal), 0, 1e-12);
        }
        drop(&surface);
    }
}

static void normals_are_gradients_of_distance(void **state) {
    (void)state;
    const double h = 1e-6;
    for (int shape = 0; shape < SHAPE_COUNT; shape++) {
        double settings[SETTINGS_SIZE / sizeof(double)];
        weft_params_default(SHAPES[shape]->params, settings);
        int smooth = 0;
        for (int i = 0; i < 300; i++) {
            weft_vec3 p = random_point(1.2), normal, other, gradient;
            functions(shape)->distance(settings, p, &normal);
            double *of = &gradient.x;
            for (int k = 0; k < 3; k++) {
                weft_vec3 step = weft_vec3_make(h * (k == 0), h * (k == 1), h * (k == 2));
                of[k] = (functions(shape)->distance(settings, weft_add(p, step), &other) -
                         functions(shape)->distance(settings, weft_sub(p, step), &other)) /
                        (2 * h);
            }
            smooth += weft_distance(gradient, normal) < 1e-4;
        }
        assert_true(smooth >= 298); /* all except points near a ridge of the distance */
    }
}

static void surfaces_face_outward(void **state) {
    (void)state;
    const double volume[SHAPE_COUNT] = {0, 4.0 / 3 * 3.14159265 * 0.125, 1, 3.14159265 * 0.01 * (1 + 0.4 / 3),
                                        3.14159265 * 0.01};
    for (int shape = 0; shape < SHAPE_COUNT; shape++) {
        double settings[SETTINGS_SIZE / sizeof(double)], sum = 0;
        weft_body_surface surface;
        make(shape, (char *)settings, &surface);
        for (int32_t i = 0; i < surface.triangle_count; i++) {
            const int32_t *t = surface.triangle[i];
            const weft_vec3 *p = surface.position;
            sum += weft_dot(p[t[0]], weft_cross(p[t[1]], p[t[2]])) / 6;
            if (shape == 0) {
                weft_vec3 n = weft_cross(weft_sub(p[t[1]], p[t[0]]), weft_sub(p[t[2]], p[t[0]]));
                assert_near(n.y, weft_length(n), 1e-9 * weft_length(n));
            }
        }
        assert_near(sum, volume[shape], 0.01 * volume[shape] + 1e-12);
        drop(&surface);
    }
}

static void poses_interpolate_keys(void **state) {
    (void)state;
    weft_body_place place = {.at = {1, 2, 3}, .rotate = {0.3, -0.4, 0.5}, .axis = {0, 0, 2}, .scale = 2};
    const weft_body_key keys[] = {{1, {0, 0, 0}, 0, 1}, {3, {4, 0, 0}, 3.0, 0.5}};
    weft_pose before = weft_body_pose(&place, keys, 2, 0), first = weft_body_pose(&place, keys, 2, 1);
    weft_pose middle = weft_body_pose(&place, keys, 2, 2), end = weft_body_pose(&place, keys, 2, 9);
    assert_true(weft_pose_same(&before, &first));
    assert_false(weft_pose_same(&middle, &end));
    assert_near(middle.at.x, 3, 1e-12);
    assert_near(middle.scale, 1.5, 1e-12);
    assert_near(end.scale, 1, 1e-12);
    /* rotated from its first pose about z by the angle of the keys */
    weft_vec3 a = weft_pose_turn(&before, weft_vec3_make(1, 0, 0)),
              b = weft_pose_turn(&middle, weft_vec3_make(1, 0, 0));
    assert_near(b.x, cos(1.5) * a.x - sin(1.5) * a.y, 1e-12);
    assert_near(b.y, sin(1.5) * a.x + cos(1.5) * a.y, 1e-12);
    assert_near(b.z, a.z, 1e-12);
    weft_vec3 p = random_point(3), q = weft_pose_in(&middle, weft_pose_out(&middle, p));
    assert_near(weft_distance(p, q), 0, 1e-12);
    weft_pose still = weft_body_pose(&place, NULL, 0, 5);
    assert_true(weft_pose_same(&still, &before));
}

static void bad_settings_are_refused(void **state) {
    (void)state;
    double settings[SETTINGS_SIZE / sizeof(double)];
    weft_body_surface surface;
    weft_params_default(weft_box_body.params, settings);
    must(weft_param_read_text(weft_params_find(weft_box_body.params, "size"), "[1, 0, 1]", "box", settings));
    assert_says(functions(2)->surface(settings, &surface), "box.size");
    weft_params_default(weft_plane_body.params, settings);
    must(weft_param_read_text(weft_params_find(weft_plane_body.params, "normal"), "[0, 0, 0]", "plane", settings));
    assert_says(functions(0)->surface(settings, &surface), "plane.normal");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_match_triangulated_surface), cmocka_unit_test(normals_are_gradients_of_distance),
        cmocka_unit_test(surfaces_face_outward), cmocka_unit_test(poses_interpolate_keys),
        cmocka_unit_test(bad_settings_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
