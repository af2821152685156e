/* The forces of a fading edge barrier against differences of its energy. */
#include "support.h"

#include "contact/edge_fade.h"

static double random_between(uint64_t *state, double low, double high) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return low + (high - low) * (double)(*state >> 11) / 9007199254740992.0;
}

/* Two edges of some 3 cm that cross at a distance of about 1 mm, anywhere between their ends. `sine`: of their angle.
 */
static void random_edges(uint64_t *state, double sine, weft_vec3 x[4]) {
    double s = random_between(state, 0.01, 0.99), t = random_between(state, 0.01, 0.99), cosine = sqrt(1 - sine * sine);
    weft_vec3 a = {0.03, random_between(state, -1e-4, 1e-4), 0};
    weft_vec3 b = {0.02 * cosine, 0.001 * sine, 0.02 * sine};
    x[0] = weft_scale(-s, a);
    x[1] = weft_scale(1 - s, a);
    x[2] = weft_add_scaled(weft_vec3_make(0, 0.001, 0), -t, b);
    x[3] = weft_add(x[2], b);
}

/* Compares the force on each coordinate with a central difference of the factor. Returns whether the barrier fades. */
static int check_forces(const weft_vec3 x[4], double narrow) {
    const double step = 1e-8;
    weft_vec3 force[4], sum = {0, 0, 0};
    contact_edge_fading(x, narrow, 1, force);
    double largest = 0;
    for (int i = 0; i < 4; i++) {
        largest = fmax(largest, weft_length(force[i]));
        sum = weft_add(sum, force[i]);
    }
    for (int k = 0; k < 12; k++) {
        weft_vec3 moved[4] = {x[0], x[1], x[2], x[3]};
        double *at = &moved[k / 3].x + k % 3, was = *at;
        *at = was + step;
        double more = contact_edge_factor(moved, narrow);
        *at = was - step;
        double less = contact_edge_factor(moved, narrow);
        assert_near(-(&force[k / 3].x)[k % 3], (more - less) / (2 * step), 1e-4 * largest + 1e-3);
    }
    assert_near(weft_length(sum), 0, 1e-9 * largest);
    return largest > 0;
}

static void forces_are_the_derivative_of_the_energy(void **state) {
    (void)state;
    static const double SINES[] = {0.9, 0.05, 0.025, 0.01, 0.004};
    uint64_t seed = 7;
    int faded = 0;
    for (int i = 0; i < 500; i++) {
        weft_vec3 x[4];
        random_edges(&seed, SINES[i % 5], x);
        faded += check_forces(x, contact_edge_narrow(x, i % 2 ? 1e-3 : 2e-4));
    }
    assert_true(faded > 50);
}

/* A barrier that began with a slope would stop Newton's method where edges are parallel. */
static void barrier_begins_without_a_kink(void **state) {
    (void)state;
    const weft_vec3 x[4] = {{0, 0, 0}, {0.03, 0, 0}, {0.01, 0.001, -1e-6}, {0.02, 0.001, 1e-6}};
    weft_vec3 force[4];
    double narrow = contact_edge_narrow(x, 1e-3);
    contact_edge_fading(x, narrow, 1, force);
    assert_true(contact_edge_factor(x, narrow) < 1e-6);
    assert_true(weft_length(force[2]) < 1); /* the slope between is some 1 J over a reach of 1 mm, 1000 N */
}

/* The edges of a cut cross at a tiny angle. Their vertices are not near enough to hold them apart, so the barrier must.
 */
static void barrier_of_a_small_reach_holds_at_small_angles(void **state) {
    (void)state;
    const double reach = 1e-5;
    const weft_vec3 x[4] = {{0, 0, 0}, {0.02, 0, 0}, {-0.001, 1e-6, -4e-5}, {0.02, 1e-6, 4e-4}};
    assert_near(contact_edge_factor(x, contact_edge_narrow(x, reach)), 1, 1e-12);
    assert_true(contact_edge_factor(x, contact_edge_narrow(x, 100 * reach)) < 0.5);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(forces_are_the_derivative_of_the_energy),
                                       cmocka_unit_test(barrier_begins_without_a_kink),
                                       cmocka_unit_test(barrier_of_a_small_reach_holds_at_small_angles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
