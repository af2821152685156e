/* Closest points against a fine sampling, whose distances can only be larger, and against the optimality condition. */
#include "contact/distance.h"
#include "support.h"

static uint64_t counter;

static double uniform(double low, double high) { return low + (high - low) * weft_random(11, counter++); }

static weft_vec3 random_point(void) { return weft_vec3_make(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)); }

static double distance_at(const weft_vec3 x[4], double w0, double w1, double w2, double w3) {
    const double weight[4] = {w0, w1, w2, w3};
    return weft_length(weft_weighted(x, weight));
}

enum { FINE = 40 };

static double sampled(weft_pair_kind kind, const weft_vec3 x[4]) {
    double best = HUGE_VAL;
    for (int i = 0; i <= FINE; i++)
        for (int j = 0; j <= (kind == WEFT_VERTEX_TRIANGLE ? FINE - i : FINE); j++) {
            double u = (double)i / FINE, v = (double)j / FINE;
            double d = kind == WEFT_VERTEX_TRIANGLE ? distance_at(x, 1, -u, -v, u + v - 1)
                                                    : distance_at(x, 1 - u, u, v - 1, -v);
            best = fmin(best, d);
        }
    return best;
}

static void check_weights(weft_pair_kind kind, const double w[4]) {
    int first = kind == WEFT_VERTEX_TRIANGLE ? 1 : 2;
    double sum[2] = {0, 0};
    for (int i = 0; i < 4; i++) {
        double share = i < first ? w[i] : -w[i];
        assert_true(share >= -1e-12 && share <= 1 + 1e-12);
        sum[i >= first] += share;
    }
    assert_near(sum[0], 1, 1e-12);
    assert_near(sum[1], 1, 1e-12);
}

/* `size` is the largest extent of the features. It bounds the error of the sampling. */
static void check(weft_pair_kind kind, const weft_vec3 x[4], double size) {
    double weight[4];
    double found = sqrt(weft_closest(kind, x, weight)), coarse = sampled(kind, x);
    check_weights(kind, weight);
    assert_near(found, distance_at(x, weight[0], weight[1], weight[2], weight[3]), 1e-12 * (1 + found));
    assert_true(found <= coarse * (1 + 1e-12) + 1e-15);
    assert_true(found >= coarse - 2 * size / FINE);
}

/* Changes a random pair into one of the degenerate cases. */
static void degenerate(weft_vec3 x[4], int how) {
    double small = pow(10, uniform(-16, -3));
    switch (how) {
    case 0: /* a collapsed edge */
        x[3] = x[2];
        break;
    case 1: /* nearly collinear */
        x[2] = weft_add_scaled(x[1], 0.7, weft_sub(x[3], x[1]));
        x[2] = weft_add_scaled(x[2], small, random_point());
        break;
    case 2: /* nearly parallel edges */
        x[3] = weft_add_scaled(x[2], uniform(-1, 1), weft_sub(x[1], x[0]));
        x[3] = weft_add_scaled(x[3], small, random_point());
        break;
    case 3: /* a triangle collapsed to a point */
        x[1] = x[2] = x[3];
        break;
    case 4: /* nearly coplanar */
        for (int i = 0; i < 4; i++)
            x[i].z *= small;
        break;
    default: /* all on one line */
        for (int i = 1; i < 4; i++)
            x[i] = weft_scale(uniform(-2, 2), x[0]);
        break;
    }
}

static void distances_of_random_pairs_match_sampling(void **state) {
    (void)state;
    for (int i = 0; i < 4000; i++) {
        weft_vec3 x[4] = {random_point(), random_point(), random_point(), random_point()};
        check((weft_pair_kind)(i % 2), x, 3.5);
    }
}

static void distances_of_degenerate_pairs_match_sampling(void **state) {
    (void)state;
    for (int i = 0; i < 12000; i++) {
        weft_vec3 x[4] = {random_point(), random_point(), random_point(), random_point()};
        degenerate(x, i / 2 % 6);
        check((weft_pair_kind)(i % 2), x, 7);
    }
}

/* No directional derivative towards a corner is negative. This is the condition for the minimum of a convex function,
 * and it is sharper than sampling. */
static void closest_points_are_optimal(void **state) {
    (void)state;
    for (int i = 0; i < 40000; i++) {
        weft_pair_kind kind = (weft_pair_kind)(i % 2);
        weft_vec3 x[4] = {random_point(), random_point(), random_point(), random_point()};
        if (i % 3 == 0)
            degenerate(x, i / 6 % 6);
        double weight[4];
        weft_closest(kind, x, weight);
        weft_vec3 apart = weft_weighted(x, weight), a = {0, 0, 0}, b = {0, 0, 0};
        int first = kind == WEFT_VERTEX_TRIANGLE ? 1 : 2;
        for (int k = 0; k < 4; k++)
            if (k < first)
                a = weft_add_scaled(a, weight[k], x[k]);
            else
                b = weft_add_scaled(b, -weight[k], x[k]);
        for (int k = 0; k < 4; k++) {
            double slope = k < first ? weft_dot(apart, weft_sub(x[k], a)) : -weft_dot(apart, weft_sub(x[k], b));
            assert_true(slope >= -2e-7 * weft_length(apart) - 1e-13);
        }
    }
}

/* The quick test may miss what is farther apart, but it must never drop a pair that is near. */
static void only_far_pairs_are_surely_farther(void **state) {
    (void)state;
    int found = 0, far = 0;
    for (int i = 0; i < 60000; i++) {
        weft_pair_kind kind = (weft_pair_kind)(i % 2);
        weft_vec3 x[4] = {random_point(), random_point(), random_point(), random_point()};
        if (i % 3 == 0)
            degenerate(x, i / 6 % 6);
        double weight[4], distance = sqrt(weft_closest(kind, x, weight));
        double most = uniform(0, 2) * distance;
        int farther = weft_surely_farther(kind, x, most);
        assert_false(farther && distance <= most);
        assert_false(weft_surely_farther(kind, x, (1 + 1e-9) * distance + 1e-12));
        far += distance > most;
        found += farther;
    }
    assert_true(found > far / 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(distances_of_random_pairs_match_sampling),
                                       cmocka_unit_test(distances_of_degenerate_pairs_match_sampling),
                                       cmocka_unit_test(closest_points_are_optimal),
                                       cmocka_unit_test(only_far_pairs_are_surely_farther)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
