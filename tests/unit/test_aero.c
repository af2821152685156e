/* Drag and lift against hand-computed values, and the invariances of both forces. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/memory.h"
#include "force/aero.h"
#include "weft/vec.h"

enum { SIDE = 96, VERTICES = (SIDE + 1) * (SIDE + 1), TRIANGLES = 2 * SIDE * SIDE };

static void assert_vector(weft_vec3 value, weft_vec3 expected, double tolerance) {
    if (!(weft_distance(value, expected) <= tolerance))
        fail_msg("(%.17g %.17g %.17g) is not (%.17g %.17g %.17g) within %g", value.x, value.y, value.z, expected.x,
                 expected.y, expected.z, tolerance);
}

/* -- hand-made meshes with only the fields that the wind reads -- */

static weft_mesh surface(int32_t vertices, int32_t triangles, int32_t (*corner)[3]) {
    weft_mesh mesh;
    memset(&mesh, 0, sizeof mesh);
    mesh.vertex_count = vertices;
    mesh.triangle_count = mesh.face_count = triangles;
    mesh.triangle = corner;
    mesh.triangle_face = calloc((size_t)triangles, sizeof(int32_t));
    mesh.vertex_triangle_start = calloc((size_t)vertices + 1, sizeof(int32_t));
    mesh.vertex_triangle = calloc(3 * (size_t)triangles, sizeof(int32_t));
    assert_true(mesh.triangle_face && mesh.vertex_triangle_start && mesh.vertex_triangle);
    int32_t used = 0;
    for (int32_t v = 0; v < vertices; v++) {
        mesh.vertex_triangle_start[v] = used;
        for (int32_t t = 0; t < triangles; t++)
            for (int k = 0; k < 3; k++)
                if (corner[t][k] == v)
                    mesh.vertex_triangle[used++] = t;
    }
    mesh.vertex_triangle_start[vertices] = used;
    for (int32_t t = 0; t < triangles; t++)
        mesh.triangle_face[t] = t;
    return mesh;
}

static void surface_free(weft_mesh *mesh) {
    free(mesh->triangle_face);
    free(mesh->vertex_triangle_start);
    free(mesh->vertex_triangle);
}

typedef struct air {
    double drag, lift, density;
} air;

/* The total force on one triangle with the same wind and velocity at each vertex. */
static weft_vec3 on_triangle(const weft_vec3 x[3], air a, weft_vec3 wind, weft_vec3 velocity, int flipped) {
    int32_t corner[1][3] = {{0, flipped ? 2 : 1, flipped ? 1 : 2}};
    weft_mesh mesh = surface(3, 1, corner);
    weft_work work = {1, weft_arena_create()};
    weft_vec3 winds[3] = {wind, wind, wind}, v[3] = {velocity, velocity, velocity}, f[3];
    memset(f, 0, sizeof f);
    weft_aero_force(&work, &mesh, NULL, NULL, a.drag, a.lift, a.density, winds, x, v, f);
    assert_vector(f[1], f[0], 0);
    assert_vector(f[2], f[0], 0);
    weft_arena_destroy(work.arena);
    surface_free(&mesh);
    return weft_add(weft_add(f[0], f[1]), f[2]);
}

/* area 2 m2 in the plane z = 1 */
static const weft_vec3 FLAT[3] = {{0, 0, 1}, {2, 0, 1}, {0, 2, 1}};
static const weft_vec3 ZERO = {0, 0, 0};

static weft_vec3 vec(double x, double y, double z) { return weft_vec3_make(x, y, z); }

/* -- one triangle -- */

static void air_density_matches_table(void **state) {
    (void)state;
    static const double TABLE[][2] = {{-25, 1.4224}, {-20, 1.3943}, {-15, 1.3673}, {-10, 1.3413}, {-5, 1.3163},
                                      {0, 1.2922},   {5, 1.2690},   {10, 1.2466},  {15, 1.2250},  {20, 1.2041},
                                      {25, 1.1839},  {30, 1.1644},  {35, 1.1455}};
    for (size_t i = 0; i < sizeof TABLE / sizeof TABLE[0]; i++)
        if (fabs(weft_air_density(TABLE[i][0]) / TABLE[i][1] - 1) > 3e-4)
            fail_msg("%g degrees: %g kg/m3 instead of %g", TABLE[i][0], weft_air_density(TABLE[i][0]), TABLE[i][1]);
}

/* Head on: 1/2 x 1.2 x 2 x C_D x 25 = 30 C_D, independent of the lift. */
static void head_on_force_is_drag_alone(void **state) {
    (void)state;
    for (int i = 0; i < 3; i++)
        assert_vector(on_triangle(FLAT, (air){0.8, 0.3 * i, 1.2}, vec(0, 0, 5), ZERO, 0), vec(0, 0, 24), 1e-13);
    assert_vector(on_triangle(FLAT, (air){0.8, 0.3, 1.2}, vec(0, 0, -5), ZERO, 0), vec(0, 0, -24), 1e-13);
}

/* v_r = (3, 0, 4): 1/2 rho A = 1.2; (C_D - C_L) 4 v_r = 0.6 x 4 x (3, 0, 4) = (7.2, 0, 9.6); C_L 25 n = (0, 0, 5). */
static void oblique_force_matches_hand_calculation(void **state) {
    (void)state;
    weft_vec3 expected = vec(1.2 * 7.2, 0, 1.2 * 14.6);
    assert_vector(on_triangle(FLAT, (air){0.8, 0.2, 1.2}, vec(3, 0, 4), ZERO, 0), expected, 1e-13);
    /* the same relative velocity, with a moving cloth */
    assert_vector(on_triangle(FLAT, (air){0.8, 0.2, 1.2}, vec(4, 9, 2), vec(1, 9, -2), 0), expected, 1e-13);
    /* from behind: the mirror image */
    assert_vector(on_triangle(FLAT, (air){0.8, 0.2, 1.2}, vec(3, 0, -4), ZERO, 0), vec(1.2 * 7.2, 0, -1.2 * 14.6),
                  1e-13);
}

static void force_without_lift_is_along_wind(void **state) {
    (void)state;
    for (uint64_t i = 0; i < 200; i++) {
        weft_vec3 wind = {weft_random(1, 3 * i) - 0.5, weft_random(1, 3 * i + 1) - 0.5,
                          weft_random(1, 3 * i + 2) - 0.5};
        weft_vec3 f = on_triangle(FLAT, (air){1, 0, 1.2}, wind, ZERO, 0);
        assert_vector(weft_cross(f, wind), ZERO, 1e-15);
        assert_true(weft_dot(f, wind) > 0);
    }
}

/* With C_D = C_L only the normal component remains. */
static void force_with_equal_coefficients_is_normal(void **state) {
    (void)state;
    weft_vec3 f = on_triangle(FLAT, (air){0.5, 0.5, 1.2}, vec(3, 1, 0.01), ZERO, 0);
    assert_vector(f, vec(0, 0, 1.2 * 0.5 * (10 + 1e-4)), 1e-13);
}

/* With |v|^2 as printed in Trendafilov (2021), instead of |v_r|^2, cloth at rest in grazing wind would feel almost no
 * force. */
static void cloth_at_rest_feels_lift(void **state) {
    (void)state;
    weft_vec3 f = on_triangle(FLAT, (air){0.433, 0.2, 1.2}, vec(10, 0, 1e-6), ZERO, 0);
    assert_vector(f, vec(0, 0, 1.2 * 0.2 * 100), 1e-4);
}

static void force_is_zero_without_relative_wind_or_area(void **state) {
    (void)state;
    assert_vector(on_triangle(FLAT, (air){0.8, 0.2, 1.2}, vec(3, -1, 4), vec(3, -1, 4), 0), ZERO, 0);
    assert_vector(on_triangle(FLAT, (air){0.8, 0.2, 1.2}, vec(3, -1, 0), ZERO, 0), ZERO, 0); /* wind along the
                                                                                              * surface */
    const weft_vec3 needle[3] = {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}}, spot[3] = {{1, 2, 3}, {1, 2, 3}, {1, 2, 3}};
    assert_vector(on_triangle(needle, (air){0.8, 0.2, 1.2}, vec(3, -1, 4), ZERO, 0), ZERO, 0);
    assert_vector(on_triangle(spot, (air){0.8, 0.2, 1.2}, vec(3, -1, 4), ZERO, 0), ZERO, 0);
}

static void force_scales_with_speed_squared_area_and_density(void **state) {
    (void)state;
    weft_vec3 wind = vec(3, 2, 1), force = on_triangle(FLAT, (air){0.8, 0.2, 1.2}, wind, ZERO, 0);
    assert_vector(on_triangle(FLAT, (air){0.8, 0.2, 1.2}, weft_scale(3, wind), ZERO, 0), weft_scale(9, force), 1e-12);
    assert_vector(on_triangle(FLAT, (air){0.8, 0.2, 0.6}, wind, ZERO, 0), weft_scale(0.5, force), 1e-14);
    weft_vec3 large[3] = {weft_scale(2, FLAT[0]), weft_scale(2, FLAT[1]), weft_scale(2, FLAT[2])};
    assert_vector(on_triangle(large, (air){0.8, 0.2, 1.2}, wind, ZERO, 0), weft_scale(4, force), 1e-13);
}

static void force_does_not_depend_on_winding(void **state) {
    (void)state;
    for (uint64_t i = 0; i < 200; i++) {
        weft_vec3 wind = {weft_random(2, 3 * i) - 0.5, weft_random(2, 3 * i + 1) - 0.5,
                          weft_random(2, 3 * i + 2) - 0.5};
        air a = {0.433, 0.2, 1.2};
        assert_vector(on_triangle(FLAT, a, wind, ZERO, 1), on_triangle(FLAT, a, wind, ZERO, 0), 1e-15);
    }
    assert_vector(on_triangle(FLAT, (air){0.8, 0.2, 1.2}, vec(1, 0, 0), ZERO, 1), ZERO, 0);
}

/* Rotating cloth and wind by 90 degrees about x rotates the force. */
static void force_rotates_with_scene(void **state) {
    (void)state;
    weft_vec3 turned[3];
    for (int i = 0; i < 3; i++)
        turned[i] = vec(FLAT[i].x, -FLAT[i].z, FLAT[i].y);
    weft_vec3 f = on_triangle(FLAT, (air){0.8, 0.2, 1.2}, vec(3, 2, 1), ZERO, 0);
    weft_vec3 g = on_triangle(turned, (air){0.8, 0.2, 1.2}, vec(3, -1, 2), ZERO, 0);
    assert_vector(g, vec(f.x, -f.z, f.y), 1e-14);
}

/* In still air, the force always takes energy from moving cloth. */
static void still_air_slows_moving_cloth(void **state) {
    (void)state;
    for (uint64_t i = 0; i < 200; i++) {
        weft_vec3 v = {weft_random(5, 3 * i) - 0.5, weft_random(5, 3 * i + 1) - 0.5, weft_random(5, 3 * i + 2) - 0.5};
        assert_true(weft_dot(on_triangle(FLAT, (air){0.433, 0.2, 1.2}, ZERO, v, 0), v) < 0);
    }
}

/* -- meshes -- */

typedef struct sheet {
    weft_mesh mesh;
    int32_t corner[TRIANGLES][3];
    weft_vec3 x[VERTICES], v[VERTICES], air[VERTICES], f[VERTICES];
} sheet;

static sheet *sheet_make(double bumps) {
    sheet *made = calloc(1, sizeof *made);
    assert_non_null(made);
    for (int j = 0, i = 0; j <= SIDE; j++)
        for (int k = 0; k <= SIDE; k++, i++) {
            made->x[i] = vec((double)k / SIDE, (double)j / SIDE, bumps * weft_random(6, (uint64_t)i));
            made->v[i] = vec(bumps * weft_random(7, (uint64_t)i), 0, 0);
            made->air[i] = vec(3, 1, 4);
        }
    for (int j = 0, t = 0; j < SIDE; j++)
        for (int k = 0; k < SIDE; k++, t += 2) {
            int32_t a = j * (SIDE + 1) + k, b = a + 1, c = b + SIDE + 1, d = c - 1;
            memcpy(made->corner[t], (int32_t[3]){a, b, c}, sizeof made->corner[t]);
            memcpy(made->corner[t + 1], (int32_t[3]){a, c, d}, sizeof made->corner[t]);
        }
    made->mesh = surface(VERTICES, TRIANGLES, made->corner);
    return made;
}

static void sheet_blow(sheet *s, int threads, const uint8_t *open) {
    weft_work work = {threads, weft_arena_create()};
    memset(s->f, 0, sizeof s->f);
    weft_aero_force(&work, &s->mesh, open, NULL, 0.8, 0.2, 1.2, s->air, s->x, s->v, s->f);
    weft_arena_destroy(work.arena);
}

static weft_vec3 total(const sheet *s) {
    weft_vec3 sum = {0, 0, 0};
    for (int i = 0; i < VERTICES; i++)
        sum = weft_add(sum, s->f[i]);
    return sum;
}

static void sheet_free(sheet *s) {
    surface_free(&s->mesh);
    free(s);
}

/* A flat sheet of 1 m2 feels the same force as one triangle of 1 m2, at any resolution. A vertex with only one triangle
 * gets a third of that triangle's force. */
static void sheet_force_does_not_depend_on_resolution(void **state) {
    (void)state;
    sheet *s = sheet_make(0);
    sheet_blow(s, 1, NULL);
    weft_vec3 expected = weft_scale(0.5, on_triangle(FLAT, (air){0.8, 0.2, 1.2}, vec(3, 1, 4), ZERO, 0));
    assert_vector(total(s), expected, 1e-11); /* rounding error of a sum over 18432 triangles */
    assert_vector(s->f[SIDE], weft_scale(1.0 / 3 / TRIANGLES, expected), 1e-15);
    sheet_free(s);
}

static void torn_faces_feel_no_wind(void **state) {
    (void)state;
    sheet *s = sheet_make(0);
    static uint8_t open[TRIANGLES];
    memset(open, 0, sizeof open);
    for (int t = 0; t < TRIANGLES; t += 4)
        open[t] = 1;
    sheet_blow(s, 1, NULL);
    weft_vec3 whole = total(s);
    sheet_blow(s, 1, open);
    assert_vector(total(s), weft_scale(0.75, whole), 1e-11);
    memset(open, 1, sizeof open);
    sheet_blow(s, 1, open);
    assert_vector(total(s), ZERO, 0);
    sheet_free(s);
}

/* The force follows from the mean velocity, so wind at one corner alone counts a third. */
static void triangle_uses_mean_velocity_of_its_corners(void **state) {
    (void)state;
    int32_t corner[1][3] = {{0, 1, 2}};
    weft_mesh mesh = surface(3, 1, corner);
    weft_work work = {1, weft_arena_create()};
    weft_vec3 winds[3] = {{0, 0, 0}, {9, 0, 0}, {0, 0, 12}}, v[3] = {{0, 0, 0}, {0, 3, 0}, {0, 0, 0}}, f[3];
    memset(f, 0, sizeof f);
    weft_aero_force(&work, &mesh, NULL, NULL, 0.8, 0.2, 1.2, winds, FLAT, v, f);
    weft_vec3 expected = on_triangle(FLAT, (air){0.8, 0.2, 1.2}, vec(3, -1, 4), ZERO, 0);
    assert_vector(weft_scale(3, f[2]), expected, 1e-13);
    memset(winds, 0, sizeof winds);
    weft_vec3 still[3] = {{1, 0, 0}, {0, 0, 0}, {0, 0, 0}}, missing[3] = {{1, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    weft_aero_force(&work, &mesh, NULL, NULL, 0.8, 0.2, 1.2, winds, FLAT, FLAT, still);
    weft_aero_force(&work, &mesh, NULL, NULL, 0.8, 0.2, 1.2, NULL, FLAT, FLAT, missing); /* null: still air */
    assert_true(still[0].z < 0);
    for (int i = 0; i < 3; i++)
        assert_vector(missing[i], still[i], 0);
    weft_arena_destroy(work.arena);
    surface_free(&mesh);
}

/* For air straight through a triangle, the blocks are the derivative of the force. For air along it, there is no
 * damping. */
static void damping_is_derivative_for_air_through_cloth(void **state) {
    (void)state;
    int32_t corner[1][3] = {{0, 1, 2}};
    weft_mesh mesh = surface(3, 1, corner);
    weft_work work = {1, weft_arena_create()};
    const weft_vec3 normal = weft_normalize(weft_cross(weft_sub(FLAT[1], FLAT[0]), weft_sub(FLAT[2], FLAT[0])));
    weft_vec3 winds[3], v[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    for (int i = 0; i < 3; i++)
        winds[i] = weft_scale(7, normal);
    double block[18] = {0}, trace = 0;
    weft_aero_damping(&work, &mesh, NULL, NULL, 0.8, 0.2, 1.2, winds, FLAT, v, block);
    for (int axis = 0; axis < 3; axis++) {
        weft_vec3 f[2] = {{0, 0, 0}, {0, 0, 0}};
        for (int side = 0; side < 2; side++) {
            double change = side ? 1e-5 : -1e-5;
            weft_vec3 sum[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
            for (int i = 0; i < 3; i++)
                v[i] = vec(axis == 0 ? change : 0, axis == 1 ? change : 0, axis == 2 ? change : 0);
            weft_aero_force(&work, &mesh, NULL, NULL, 0.8, 0.2, 1.2, winds, FLAT, v, sum);
            f[side] = sum[0];
        }
        weft_vec3 d = weft_scale(-1 / 2e-5, weft_sub(f[1], f[0]));
        double expected = axis == 0 ? d.x : axis == 1 ? d.y : d.z;
        trace += expected;
        assert_true(fabs(block[axis == 0 ? 0 : axis == 1 ? 3 : 5] - expected) < 1e-6 * (1 + expected));
    }
    assert_true(trace > 0);
    memset(v, 0, sizeof v);
    memset(block, 0, sizeof block);
    for (int i = 0; i < 3; i++)
        winds[i] = weft_scale(7, weft_normalize(weft_sub(FLAT[1], FLAT[0])));
    weft_aero_damping(&work, &mesh, NULL, NULL, 0.8, 0.2, 1.2, winds, FLAT, v, block);
    for (int k = 0; k < 18; k++)
        assert_true(fabs(block[k]) < 1e-12);
    weft_arena_destroy(work.arena);
    surface_free(&mesh);
}

static void results_do_not_depend_on_thread_count(void **state) {
    (void)state;
    sheet *one = sheet_make(0.1), *many = sheet_make(0.1);
    sheet_blow(one, 1, NULL);
    for (int threads = 2; threads <= 4; threads++) {
        sheet_blow(many, threads, NULL);
        assert_memory_equal(one->f, many->f, sizeof one->f);
    }
    sheet_free(one);
    sheet_free(many);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(air_density_matches_table),
        cmocka_unit_test(head_on_force_is_drag_alone),
        cmocka_unit_test(oblique_force_matches_hand_calculation),
        cmocka_unit_test(force_without_lift_is_along_wind),
        cmocka_unit_test(force_with_equal_coefficients_is_normal),
        cmocka_unit_test(cloth_at_rest_feels_lift),
        cmocka_unit_test(force_is_zero_without_relative_wind_or_area),
        cmocka_unit_test(force_scales_with_speed_squared_area_and_density),
        cmocka_unit_test(force_does_not_depend_on_winding),
        cmocka_unit_test(force_rotates_with_scene),
        cmocka_unit_test(still_air_slows_moving_cloth),
        cmocka_unit_test(sheet_force_does_not_depend_on_resolution),
        cmocka_unit_test(torn_faces_feel_no_wind),
        cmocka_unit_test(triangle_uses_mean_velocity_of_its_corners),
        cmocka_unit_test(damping_is_derivative_for_air_through_cloth),
        cmocka_unit_test(results_do_not_depend_on_thread_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
