/* Designs and sensitivity indices against published values. */
#include <math.h>
#include <stdlib.h>

#include "lab/study/design.h"
#include "lab/study/sensitivity.h"
#include "support.h"

/* The first ten points in three dimensions, as Joe and Kuo publish them with their direction numbers. */
static void sobol_points_are_those_of_joe_and_kuo(void **state) {
    (void)state;
    static const double POINTS[10][3] = {{0, 0, 0},
                                         {0.5, 0.5, 0.5},
                                         {0.75, 0.25, 0.25},
                                         {0.25, 0.75, 0.75},
                                         {0.375, 0.375, 0.625},
                                         {0.875, 0.875, 0.125},
                                         {0.625, 0.125, 0.875},
                                         {0.125, 0.625, 0.375},
                                         {0.1875, 0.3125, 0.9375},
                                         {0.6875, 0.8125, 0.4375}};
    for (uint32_t i = 0; i < 10; i++)
        for (int d = 0; d < 3; d++)
            assert_float_equal(weft_sobol_point(i, d) / 4294967296.0, POINTS[i][d], 0);
}

/* Each of the first 2^m intervals of each axis has one of the first 2^m points, with and without the shift. */
static void sobol_points_are_stratified(void **state) {
    (void)state;
    enum { COUNT = 256 };
    double *point;
    must(weft_design_points(WEFT_DESIGN_SOBOL, WEFT_SOBOL_DIMENSIONS, COUNT, 7, &point));
    for (int d = 0; d < WEFT_SOBOL_DIMENSIONS; d++) {
        int plain[COUNT] = {0}, shifted[COUNT] = {0};
        for (uint32_t i = 0; i < COUNT; i++) {
            plain[weft_sobol_point(i, d) >> 24]++;
            shifted[(int)(point[(int)i * WEFT_SOBOL_DIMENSIONS + d] * COUNT)]++;
        }
        for (int i = 0; i < COUNT; i++)
            assert_true(plain[i] == 1 && shifted[i] == 1);
    }
    free(point);
}

static void latin_hypercube_is_stratified(void **state) {
    (void)state;
    enum { COUNT = 101, K = 5 };
    double *point, *again, *other;
    int differs = 0;
    must(weft_design_points(WEFT_DESIGN_LATIN, K, COUNT, 3, &point));
    must(weft_design_points(WEFT_DESIGN_LATIN, K, COUNT, 3, &again));
    must(weft_design_points(WEFT_DESIGN_LATIN, K, COUNT, 4, &other));
    for (int d = 0; d < K; d++) {
        int seen[COUNT] = {0};
        for (int i = 0; i < COUNT; i++)
            seen[(int)(point[i * K + d] * COUNT)]++;
        for (int i = 0; i < COUNT; i++)
            assert_int_equal(seen[i], 1);
    }
    for (int i = 0; i < COUNT * K; i++) {
        assert_true(point[i] == again[i]);
        differs |= point[i] != other[i];
    }
    assert_true(differs);
    free(point);
    free(again);
    free(other);
}

/* T. Ishigami and T. Homma, 1990: f = sin x + 7 sin^2 y + 0.1 z^4 sin x on [-pi, pi]^3. */
static double ishigami(const double *u) {
    const double pi = acos(-1);
    double x = pi * (2 * u[0] - 1), y = pi * (2 * u[1] - 1), z = pi * (2 * u[2] - 1);
    return sin(x) + 7 * sin(y) * sin(y) + 0.1 * pow(z, 4) * sin(x);
}

static void sobol_indices_of_the_ishigami_function(void **state) {
    (void)state;
    enum { SAMPLES = 4096, K = 3 };
    const double pi = acos(-1), a = 7, b = 0.1;
    double one = 0.5 * pow(1 + b * pow(pi, 4) / 5, 2), two = a * a / 8, both = 8 * b * b * pow(pi, 8) / 225;
    double whole = one + two + both;
    const double first[K] = {one / whole, two / whole, 0}, total[K] = {(one + both) / whole, two / whole, both / whole};
    double *point, *value = malloc(SAMPLES * (K + 2) * sizeof *value);
    weft_sobol_index index[K];
    int64_t used;
    assert_non_null(value);
    must(weft_design_points(WEFT_DESIGN_SALTELLI, K, SAMPLES, 1, &point));
    for (int i = 0; i < SAMPLES * (K + 2); i++)
        value[i] = ishigami(&point[i * K]);
    assert_true(weft_sobol_indices(value, SAMPLES, K, index, &used));
    assert_int_equal(used, SAMPLES);
    for (int d = 0; d < K; d++) {
        assert_near(index[d].first, first[d], 0.01);
        assert_near(index[d].total, total[d], 0.01);
        assert_true(index[d].first_error < 0.1 && index[d].total_error < 0.1);
    }
    value[17 * (K + 2) + 3] = NAN; /* a case that diverged */
    assert_true(weft_sobol_indices(value, SAMPLES, K, index, &used));
    assert_int_equal(used, SAMPLES - 1);
    assert_near(index[0].first, first[0], 0.01);
    for (int i = 0; i < SAMPLES * (K + 2); i++)
        value[i] = 3;
    assert_false(weft_sobol_indices(value, SAMPLES, K, index, &used));
    free(value);
    free(point);
}

/* A linear function has the same effect everywhere; a product has a spread. */
static void morris_effects_of_known_functions(void **state) {
    (void)state;
    enum { SAMPLES = 40, K = 3 };
    double *point, value[SAMPLES * (K + 1)];
    weft_morris_effect effect[K];
    int64_t used;
    must(weft_design_points(WEFT_DESIGN_MORRIS, K, SAMPLES, 5, &point));
    for (int i = 0; i < SAMPLES * (K + 1); i++) {
        const double *u = &point[i * K];
        int moved = 0;
        for (int d = 0; d < K; d++) {
            double level = 3 * u[d];
            assert_near(level, round(level), 1e-12);
            assert_true(u[d] > -1e-12 && u[d] < 1 + 1e-12);
            moved += i % (K + 1) > 0 && fabs(u[d] - point[(i - 1) * K + d]) > 0.5;
        }
        assert_int_equal(moved, i % (K + 1) > 0);
        value[i] = 5 - 2 * u[0] + 4 * u[1] * u[2];
    }
    assert_true(weft_morris_effects(value, point, SAMPLES, K, effect, &used));
    assert_int_equal(used, SAMPLES);
    assert_near(effect[0].mean, -2, 1e-9);
    assert_near(effect[0].mean_absolute, 2, 1e-9);
    assert_near(effect[0].deviation, 0, 1e-6);
    assert_near(effect[1].mean, 2, 0.6); /* 4 u2 with u2 of mean 1/2 */
    assert_true(effect[1].deviation > 1);
    free(point);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sobol_points_are_those_of_joe_and_kuo),
        cmocka_unit_test(sobol_points_are_stratified),
        cmocka_unit_test(latin_hypercube_is_stratified),
        cmocka_unit_test(sobol_indices_of_the_ishigami_function),
        cmocka_unit_test(morris_effects_of_known_functions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
