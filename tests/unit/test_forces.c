/* External forces and wind fields against hand-computed formulas. test_aero.c tests drag and lift. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/memory.h"
#include "force/builtin_forces.h"
#include "weft/vec.h"

static const double PI = 3.14159265358979323846;

enum { MANY = 9000, SETTINGS_SIZE = 512 };

static const weft_component *const FORCES[] = {&weft_gravity_force,    &weft_air_damping_force,
                                               &weft_wind_force,       &weft_wind_oscillating_force,
                                               &weft_wind_point_force, &weft_wind_vortex_force};
enum { FORCE_COUNT = sizeof FORCES / sizeof FORCES[0] };

static void assert_close(double value, double expected, double tolerance) {
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.17g is not %.17g within %g", value, expected, tolerance);
}

static void assert_vector(weft_vec3 value, double x, double y, double z, double tolerance) {
    assert_close(value.x, x, tolerance);
    assert_close(value.y, y, tolerance);
    assert_close(value.z, z, tolerance);
}

/* -- a component with its settings -- */

typedef struct force {
    const weft_component *component;
    union {
        double align;
        char bytes[SETTINGS_SIZE];
    } settings;
} force;

static force force_make(const weft_component *component) {
    force made;
    assert_true(component->settings_size <= SETTINGS_SIZE);
    made.component = component;
    memset(&made.settings, 0, sizeof made.settings);
    weft_params_default(component->params, &made.settings);
    return made;
}

static void force_set(force *f, const char *name, const char *text) {
    const weft_param *row = weft_params_find(f->component->params, name);
    assert_non_null(row);
    assert_string_equal(weft_param_read_text(row, text, f->component->name, &f->settings).message, "");
}

static const weft_force_functions *functions_of(const force *f) { return f->component->functions; }

static weft_vec3 wind_at(const force *f, double time, uint64_t seed, weft_vec3 where) {
    weft_work work = {1, NULL};
    weft_vec3 velocity = {0, 0, 0};
    functions_of(f)->wind(&f->settings, &work, time, seed, 1, &where, &velocity);
    return velocity;
}

/* -- random vertices -- */

typedef struct vertices {
    weft_vec3 x[MANY], v[MANY];
    double mass[MANY], area[MANY];
    weft_force_input input;
} vertices;

static double uniform(uint64_t seed, uint64_t i) { return 2 * weft_random(seed, i) - 1; }

static vertices *vertices_make(void) {
    vertices *made = calloc(1, sizeof *made);
    assert_non_null(made);
    for (uint64_t i = 0; i < MANY; i++) {
        made->x[i] = weft_vec3_make(uniform(1, 3 * i), uniform(1, 3 * i + 1), uniform(1, 3 * i + 2));
        made->v[i] = weft_vec3_make(uniform(2, 3 * i), uniform(2, 3 * i + 1), uniform(2, 3 * i + 2));
        made->mass[i] = 0.01 + weft_random(3, i);
        made->area[i] = 0.01 + weft_random(4, i);
    }
    made->input = (weft_force_input){MANY, 0.3, made->x, made->v, made->mass, made->area, 9};
    return made;
}

/* -- tables -- */

static void parameter_tables_are_consistent(void **state) {
    (void)state;
    for (int i = 0; i < FORCE_COUNT; i++) {
        const weft_component *component = FORCES[i];
        assert_int_equal(component->abi, WEFT_ABI);
        assert_int_equal(component->kind, WEFT_FORCE);
        assert_true(component->help[0] && component->paper && component->settings_size <= SETTINGS_SIZE);
        assert_int_equal(strspn(component->name, "abcdefghijklmnopqrstuvwxyz-"), strlen(component->name));
        const weft_force_functions *functions = component->functions;
        assert_true(functions->apply || functions->wind);
        for (const weft_param *row = component->params; row->name; row++) {
            static const size_t SIZES[] = {
                [WEFT_REAL] = sizeof(double),    [WEFT_INT] = sizeof(int32_t),      [WEFT_BOOL] = sizeof(int32_t),
                [WEFT_PAIR] = sizeof(weft_vec2), [WEFT_VECTOR] = sizeof(weft_vec3), [WEFT_CHOICE] = sizeof(int32_t),
                [WEFT_STRING] = WEFT_STRING_SIZE};
            char settings[SETTINGS_SIZE], text[128];
            assert_true(row->offset + SIZES[row->type] <= component->settings_size);
            assert_int_equal(strspn(row->name, "abcdefghijklmnopqrstuvwxyz_"), strlen(row->name));
            assert_true(row->help[0]);
            assert_true(row->type != WEFT_REAL || row->low < row->high);
            assert_string_equal(weft_param_read_text(row, row->fallback, component->name, settings).message, "");
            weft_param_write(row, settings, text, sizeof text);
            assert_string_equal(weft_param_read_text(row, text, component->name, settings).message, "");
            assert_ptr_equal(weft_params_find(component->params, row->name), row);
        }
    }
}

/* -- gravity and damping -- */

static void gravity_is_mass_times_acceleration(void **state) {
    (void)state;
    force gravity = force_make(&weft_gravity_force);
    weft_work work = {1, NULL};
    vertices *all = vertices_make();
    weft_vec3 *f = calloc(MANY, sizeof *f);
    f[7] = weft_vec3_make(1, 2, 3);
    functions_of(&gravity)->apply(&gravity.settings, &work, &all->input, f);
    assert_vector(f[7], 1, 2 - 9.81 * all->mass[7], 3, 1e-15);
    assert_vector(f[MANY - 1], 0, -9.81 * all->mass[MANY - 1], 0, 1e-15);
    free(f);
    free(all);
}

/* The force is minus the central difference of the energy. The energy is linear, so the error is only rounding. */
static void gravity_is_gradient_of_its_energy(void **state) {
    (void)state;
    force gravity = force_make(&weft_gravity_force);
    force_set(&gravity, "acceleration", "[1.5, -9.81, 0.25]");
    weft_work work = {1, NULL};
    weft_vec3 x = {0.3, -0.2, 0.9}, f = {0, 0, 0}, v = {0, 0, 0};
    double mass = 0.7, area = 1, h = 1e-3;
    weft_force_input input = {1, 0, &x, &v, &mass, &area, 0};
    functions_of(&gravity)->apply(&gravity.settings, &work, &input, &f);
    double *component[] = {&x.x, &x.y, &x.z}, expected[] = {f.x, f.y, f.z};
    for (int i = 0; i < 3; i++) {
        double at = *component[i];
        *component[i] = at + h;
        double high = functions_of(&gravity)->energy(&gravity.settings, &work, &input);
        *component[i] = at - h;
        double low = functions_of(&gravity)->energy(&gravity.settings, &work, &input);
        *component[i] = at;
        assert_close(-(high - low) / (2 * h), expected[i], 1e-11);
    }
    /* 2 kg lifted by 3 m against 9.81 m/s2 */
    force plain = force_make(&weft_gravity_force);
    x = weft_vec3_make(5, 3, -4);
    mass = 2;
    assert_close(functions_of(&plain)->energy(&plain.settings, &work, &input), 58.86, 1e-13);
}

static void air_damping_is_per_vertex_or_per_area(void **state) {
    (void)state;
    force damping = force_make(&weft_air_damping_force);
    weft_work work = {1, NULL};
    vertices *all = vertices_make();
    weft_vec3 *f = calloc(MANY, sizeof *f);
    force_set(&damping, "coefficient", "0.5");
    functions_of(&damping)->apply(&damping.settings, &work, &all->input, f);
    for (int i = 0; i < MANY; i++)
        assert_vector(f[i], -0.5 * all->v[i].x, -0.5 * all->v[i].y, -0.5 * all->v[i].z, 1e-15);
    memset(f, 0, MANY * sizeof *f);
    force_set(&damping, "per", "area");
    functions_of(&damping)->apply(&damping.settings, &work, &all->input, f);
    for (int i = 0; i < MANY; i++) {
        double c = 0.5 * all->area[i];
        assert_vector(f[i], -c * all->v[i].x, -c * all->v[i].y, -c * all->v[i].z, 1e-15);
    }
    free(f);
    free(all);
}

/* -- uniform wind -- */

static void steady_wind_has_speed_and_direction(void **state) {
    (void)state;
    force wind = force_make(&weft_wind_force);
    force_set(&wind, "speed", "36 km/h");
    force_set(&wind, "direction", "[0, 3, 4]");
    for (int i = 0; i < 5; i++)
        assert_vector(wind_at(&wind, 0.7 * i, (uint64_t)i, weft_vec3_make(i, 2, 3)), 0, 6, 8, 1e-14);
}

static void gusts_keep_mean_and_stay_in_bounds(void **state) {
    (void)state;
    enum { SAMPLES = 200000 };
    force wind = force_make(&weft_wind_force);
    force_set(&wind, "speed", "4");
    force_set(&wind, "direction", "[1, 1, 0]");
    force_set(&wind, "randomness", "1");
    force_set(&wind, "gust_frequency", "2");
    double sum = 0, squares = 0, least = 1e9, most = 0, worst_angle = 0;
    weft_vec3 drift = {0, 0, 0};
    for (int i = 0; i < SAMPLES; i++) {
        weft_vec3 v = wind_at(&wind, 0.37 * i, 11, weft_vec3_make(0, 0, 0));
        double speed = weft_length(v);
        sum += speed;
        squares += speed * speed;
        least = fmin(least, speed);
        most = fmax(most, speed);
        weft_vec3 direction = weft_normalize(v);
        double along = (direction.x + direction.y) / sqrt(2);
        worst_angle = fmax(worst_angle, acos(fmin(1, along)));
        drift = weft_add(drift, direction);
    }
    double mean = sum / SAMPLES, deviation = sqrt(squares / SAMPLES - mean * mean);
    assert_close(mean, 4, 0.02);
    assert_true(deviation > 0.8 && deviation < 2.4);
    assert_true(least >= 0 && most <= 8 && least < 1 && most > 7);
    assert_true(worst_angle < 35.3 * PI / 180 && worst_angle > 0.4);
    /* the mean direction is the nominal one */
    drift = weft_normalize(drift);
    assert_vector(drift, sqrt(0.5), sqrt(0.5), 0, 0.005);
}

static void gusts_are_seeded_and_smooth(void **state) {
    (void)state;
    force wind = force_make(&weft_wind_force);
    force_set(&wind, "randomness", "0.8");
    weft_vec3 here = {0, 0, 0};
    int different = 0;
    for (int i = 0; i < 100; i++) {
        weft_vec3 a = wind_at(&wind, 0.1 * i, 5, here), b = wind_at(&wind, 0.1 * i, 5, weft_vec3_make(1, 2, 3));
        assert_memory_equal(&a, &b, sizeof a);
        weft_vec3 c = wind_at(&wind, 0.1 * i, 6, here);
        different += memcmp(&a, &c, sizeof a) != 0;
        /* |d speed / dt| <= 5 m/s x 0.8 x 0.5 Hz x (2 x 3.75 + 3 x 3.75) / 3, and the same for the direction */
        weft_vec3 next = wind_at(&wind, 0.1 * i + 1e-4, 5, here);
        assert_true(weft_distance(a, next) < 1e-4 * 30);
    }
    assert_true(different > 95);
}

static void gusts_are_constant_at_zero_frequency(void **state) {
    (void)state;
    force wind = force_make(&weft_wind_force);
    force_set(&wind, "randomness", "1");
    force_set(&wind, "gust_frequency", "0");
    weft_vec3 a = wind_at(&wind, 0, 5, weft_vec3_make(0, 0, 0)), b = wind_at(&wind, 77, 5, weft_vec3_make(0, 0, 0));
    assert_memory_equal(&a, &b, sizeof a);
}

/* -- oscillating wind -- */

static void oscillating_wind_follows_formula(void **state) {
    (void)state;
    force wind = force_make(&weft_wind_oscillating_force);
    force_set(&wind, "strength", "3");
    force_set(&wind, "frequency", "0.25");
    force_set(&wind, "direction", "[0, 0, 2]");
    for (int i = 0; i < 4000; i++) {
        double t = 0.003 * i, cosine = cos(PI * 0.25 * t);
        assert_vector(wind_at(&wind, t, 0, weft_vec3_make(i, 0, 0)), 0, 0, 3 * (1 - cosine * cosine), 2e-14);
    }
    assert_vector(wind_at(&wind, 2, 0, weft_vec3_make(0, 0, 0)), 0, 0, 3, 1e-15);
    assert_vector(wind_at(&wind, 4, 0, weft_vec3_make(0, 0, 0)), 0, 0, 0, 1e-15);
    assert_vector(wind_at(&wind, 1, 0, weft_vec3_make(0, 0, 0)), 0, 0, 1.5, 1e-15);
}

static void oscillating_wind_acts_as_speed_or_force(void **state) {
    (void)state;
    force wind = force_make(&weft_wind_oscillating_force);
    force_set(&wind, "frequency", "1");
    force_set(&wind, "strength", "0.2");
    weft_work work = {1, NULL};
    weft_vec3 x = {0, 0, 0}, f = {0, 1, 0};
    double one = 1;
    weft_force_input input = {1, 0.5, &x, &x, &one, &one, 0};
    functions_of(&wind)->apply(&wind.settings, &work, &input, &f);
    assert_vector(f, 0, 1, 0, 0);
    assert_vector(wind_at(&wind, 0.5, 0, x), 0.2, 0, 0, 1e-15);
    force_set(&wind, "as", "force");
    functions_of(&wind)->apply(&wind.settings, &work, &input, &f);
    assert_vector(f, 0.2, 1, 0, 1e-15);
    assert_vector(wind_at(&wind, 0.5, 0, x), 0, 0, 0, 0);
}

/* -- point and vortex -- */

static void point_wind_blows_outward_and_falls_off(void **state) {
    (void)state;
    force wind = force_make(&weft_wind_point_force);
    force_set(&wind, "centre", "[1, 2, 3]");
    force_set(&wind, "speed", "8");
    force_set(&wind, "radius", "0.5");
    assert_vector(wind_at(&wind, 0, 0, weft_vec3_make(1.5, 2, 3)), 4, 0, 0, 1e-14);  /* half of the speed at the
                                                                                      * radius */
    assert_vector(wind_at(&wind, 0, 0, weft_vec3_make(1, 1, 3)), 0, -1.6, 0, 1e-14); /* 8 / (1 + 4) */
    assert_vector(wind_at(&wind, 0, 0, weft_vec3_make(1, 2, 3)), 0, 0, 0, 0);
    assert_vector(wind_at(&wind, 0, 0, weft_vec3_make(1, 2, 3 + 1e-9)), 0, 0, 8, 1e-6);
    force_set(&wind, "speed", "-8");
    assert_vector(wind_at(&wind, 0, 0, weft_vec3_make(1.5, 2, 3)), -4, 0, 0, 1e-14);
    force_set(&wind, "falloff", "none");
    assert_vector(wind_at(&wind, 0, 0, weft_vec3_make(1, 2, 103)), 0, 0, -8, 1e-14);
}

static void vortex_circulates_about_axis(void **state) {
    (void)state;
    force wind = force_make(&weft_wind_vortex_force);
    force_set(&wind, "centre", "[0, 5, 0]");
    force_set(&wind, "axis", "[0, 7, 0]");
    force_set(&wind, "speed", "6");
    force_set(&wind, "radius", "2");
    /* Right-hand rule about y: from z towards x, so at +x the air moves to -z. */
    assert_vector(wind_at(&wind, 0, 0, weft_vec3_make(2, -9, 0)), 0, 0, -6, 1e-14);
    assert_vector(wind_at(&wind, 0, 0, weft_vec3_make(0, 1, 2)), 6, 0, 0, 1e-14);
    assert_vector(wind_at(&wind, 0, 0, weft_vec3_make(0, 1, 0)), 0, 0, 0, 0);
    /* 2 x 6 x r/R / (1 + (r/R)^2): 12 x 2 / 5 at twice the radius */
    assert_vector(wind_at(&wind, 0, 0, weft_vec3_make(4, 0, 0)), 0, 0, -4.8, 1e-14);
    /* Far away the circulation 2 pi r v tends to 4 pi R speed. */
    assert_close(2e4 * PI * weft_length(wind_at(&wind, 0, 0, weft_vec3_make(1e4, 0, 0))), 48 * PI, 1e-4);
    for (int i = 1; i < 100; i++)
        assert_true(weft_length(wind_at(&wind, 0, 0, weft_vec3_make(0.1 * i, 0, 0))) <= 6 + 1e-14);
    force_set(&wind, "updraft", "3");
    assert_vector(wind_at(&wind, 0, 0, weft_vec3_make(2, 0, 0)), 0, 1.5, -6, 1e-14);
    assert_vector(wind_at(&wind, 0, 0, weft_vec3_make(0, 8, 0)), 0, 3, 0, 1e-14);
}

/* A vortex has no sources. Central differences give div v. */
static void vortex_has_no_divergence(void **state) {
    (void)state;
    force wind = force_make(&weft_wind_vortex_force);
    force_set(&wind, "axis", "[1, 2, -0.5]");
    double h = 1e-5;
    for (uint64_t i = 0; i < 50; i++) {
        weft_vec3 x = {3 * uniform(8, 3 * i), 3 * uniform(8, 3 * i + 1), 3 * uniform(8, 3 * i + 2)};
        double divergence = 0;
        for (int k = 0; k < 3; k++) {
            weft_vec3 step = weft_vec3_make(k == 0 ? h : 0, k == 1 ? h : 0, k == 2 ? h : 0);
            weft_vec3 change =
                weft_sub(wind_at(&wind, 0, 0, weft_add(x, step)), wind_at(&wind, 0, 0, weft_sub(x, step)));
            divergence += (k == 0 ? change.x : k == 1 ? change.y : change.z) / (2 * h);
        }
        assert_close(divergence, 0, 1e-8);
    }
}

/* -- all forces -- */

static void wind_fields_add_up(void **state) {
    (void)state;
    weft_work work = {1, NULL};
    weft_vec3 where = {0.4, -0.3, 0.8}, sum = {0.1, 0.2, 0.3}, expected = sum;
    for (int i = 0; i < FORCE_COUNT; i++) {
        force f = force_make(FORCES[i]);
        if (!functions_of(&f)->wind)
            continue;
        functions_of(&f)->wind(&f.settings, &work, 0.6, 3, 1, &where, &sum);
        expected = weft_add(expected, wind_at(&f, 0.6, 3, where));
    }
    assert_vector(sum, expected.x, expected.y, expected.z, 1e-14);
    assert_true(weft_length(sum) > 5);
}

static void results_do_not_depend_on_thread_count(void **state) {
    (void)state;
    vertices *all = vertices_make();
    weft_vec3 *one = calloc(MANY, sizeof *one), *many = calloc(MANY, sizeof *many);
    for (int threads = 2; threads <= 4; threads += 2)
        for (int i = 0; i < FORCE_COUNT; i++) {
            force f = force_make(FORCES[i]);
            const weft_force_functions *functions = functions_of(&f);
            weft_work serial = {1, weft_arena_create()}, parallel = {threads, weft_arena_create()};
            if (functions->apply) {
                functions->apply(&f.settings, &serial, &all->input, one);
                functions->apply(&f.settings, &parallel, &all->input, many);
            }
            if (functions->wind) {
                functions->wind(&f.settings, &serial, 0.4, 2, MANY, all->x, one);
                functions->wind(&f.settings, &parallel, 0.4, 2, MANY, all->x, many);
            }
            assert_memory_equal(one, many, MANY * sizeof *one);
            if (functions->energy) {
                double a = functions->energy(&f.settings, &serial, &all->input);
                double b = functions->energy(&f.settings, &parallel, &all->input);
                assert_memory_equal(&a, &b, sizeof a);
            }
            weft_arena_destroy(serial.arena);
            weft_arena_destroy(parallel.arena);
        }
    free(one);
    free(many);
    free(all);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameter_tables_are_consistent),
        cmocka_unit_test(gravity_is_mass_times_acceleration),
        cmocka_unit_test(gravity_is_gradient_of_its_energy),
        cmocka_unit_test(air_damping_is_per_vertex_or_per_area),
        cmocka_unit_test(steady_wind_has_speed_and_direction),
        cmocka_unit_test(gusts_keep_mean_and_stay_in_bounds),
        cmocka_unit_test(gusts_are_seeded_and_smooth),
        cmocka_unit_test(gusts_are_constant_at_zero_frequency),
        cmocka_unit_test(oscillating_wind_follows_formula),
        cmocka_unit_test(oscillating_wind_acts_as_speed_or_force),
        cmocka_unit_test(point_wind_blows_outward_and_falls_off),
        cmocka_unit_test(vortex_circulates_about_axis),
        cmocka_unit_test(vortex_has_no_divergence),
        cmocka_unit_test(wind_fields_add_up),
        cmocka_unit_test(results_do_not_depend_on_thread_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
