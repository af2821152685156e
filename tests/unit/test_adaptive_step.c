/* Steps whose length follows from their error: accurate where cloth moves, long where it rests, and reproducible. */
#include "unit/contact_support.h"

enum { CELLS = 8, COUNT = (CELLS + 1) * (CELLS + 1) };

/* A sheet of 0.5 m that is held at one side and swings down from the horizontal. */
static test_sim make_swing(const char *integrator, const char *mode, double step) {
    test_sim made = start_with(integrator);
    weft_fabric fabric = weft_fabric_preset_find("cotton")->fabric;
    must(weft_sim_add_cloth(made.sim, "sheet", make_square(CELLS, 0.5, weft_vec3_make(0, 0, 0), X, Z), &fabric,
                            "corotational", NULL));
    must(weft_sim_add_force(made.sim, "gravity", NULL));
    must(weft_sim_add_force(made.sim, "air-damping", NULL));
    set(made, "forces.air-damping.per", "area");
    weft_pin held = weft_pin_default();
    int32_t side[CELLS + 1];
    for (int i = 0; i <= CELLS; i++)
        side[i] = i;
    must(weft_sim_prepare(made.sim));
    must(weft_sim_add_pin(made.sim, 0, &held, side, CELLS + 1));
    set(made, "integrator.tolerance", "1e-8");
    set(made, "integrator.newton", "20");
    set(made, "time.rate", "25");
    set(made, "time.mode", mode);
    must(weft_sim_set_real(made.sim, "time.step", step));
    return made;
}

/* Makes frames and returns the number of steps. */
static int run_frames(test_sim made, int frames) {
    int sum = 0;
    for (int i = 0; i < frames; i++) {
        int32_t steps;
        must(weft_sim_advance_frame(made.sim, NULL, &steps));
        sum += steps;
    }
    return sum;
}

/* Root mean square of the distances of vertices, m. */
static double apart(test_sim a, const weft_vec3 *b) {
    const weft_vec3 *x = weft_sim_positions(a.sim, 0);
    double sum = 0;
    for (int i = 0; i < COUNT; i++) {
        weft_vec3 d = weft_sub(x[i], b[i]);
        sum += weft_dot(d, d);
    }
    return sqrt(sum / COUNT);
}

static void reference(weft_vec3 *x, int frames) {
    test_sim made = make_swing("bdf2", "fixed", 0.0005);
    run_frames(made, frames);
    memcpy(x, weft_sim_positions(made.sim, 0), COUNT * sizeof *x);
    destroy(made);
}

/* The error over 0.4 s of the swing, m. */
static double error_of(const char *integrator, const char *accuracy, const weft_vec3 *exact, int *steps) {
    test_sim made = make_swing(integrator, "adaptive", 0.04);
    set(made, "time.accuracy", accuracy);
    *steps = run_frames(made, 10);
    double error = apart(made, exact);
    destroy(made);
    return error;
}

/* The same with as many steps of equal length. A frame has a whole number of them, so there are more, and the error is
 * scaled by the order of the scheme. */
static double error_of_equal(const char *integrator, int order, int steps, const weft_vec3 *exact) {
    test_sim made = make_swing(integrator, "fixed", 0.04 / ceil(steps / 10.0));
    int more = run_frames(made, 10);
    double error = apart(made, exact) * pow((double)more / steps, order);
    destroy(made);
    return error;
}

/* A higher accuracy gives smaller errors. The swing is equally fast throughout, so steps of equal length are about the
 * best that any choice can do. */
static void errors_follow_accuracy(void **state) {
    (void)state;
    static const char *const SCHEME[] = {"implicit-euler", "bdf2"}, *const ACCURACY[] = {"1e-3", "1e-4", "1e-5"};
    weft_vec3 exact[COUNT];
    reference(exact, 10);
    for (int i = 0; i < 2; i++) {
        double last = INFINITY;
        for (int k = 0; k < 3; k++) {
            int steps;
            double error = error_of(SCHEME[i], ACCURACY[k], exact, &steps);
            double equal = error_of_equal(SCHEME[i], i + 1, steps, exact);
            if (figures_are_asked_for())
                print_message("%s, %s m: %d steps, %.3g m; equal steps %.3g m\n", SCHEME[i], ACCURACY[k], steps, error,
                              equal);
            assert_below(error, 0.6 * last);
            assert_below(error, 1.25 * equal);
            last = error;
        }
    }
}

/* At rest a frame is one step. A push makes steps short again. */
static void resting_cloth_takes_long_steps(void **state) {
    (void)state;
    test_sim made = make_swing("bdf2", "adaptive", 0.04);
    set(made, "forces.air-damping.coefficient", "1");
    int moving = run_frames(made, 10);
    run_frames(made, 200);
    int resting = run_frames(made, 10);
    set(made, "forces.gravity.acceleration", "[9.81, 0, 0]");
    int pushed = run_frames(made, 10);
    assert_true(moving > 15);
    assert_int_equal(resting, 10);
    assert_true(pushed > 15);
    destroy(made);
}

/* For the same number of steps the error is smaller than with steps of equal length: here for cloth that swings and
 * then hangs. */
static void steps_are_where_they_matter(void **state) {
    (void)state;
    enum { FRAMES = 40 };
    test_sim made = make_swing("bdf2", "adaptive", 0.04);
    set(made, "forces.air-damping.coefficient", "1");
    weft_vec3 x[FRAMES][COUNT];
    double most[2] = {0, 0};
    test_sim exact = make_swing("bdf2", "fixed", 0.0005);
    set(exact, "forces.air-damping.coefficient", "1");
    int steps = 0;
    for (int k = 0; k < FRAMES; k++) {
        run_frames(exact, 1);
        memcpy(x[k], weft_sim_positions(exact.sim, 0), sizeof x[k]);
        steps += run_frames(made, 1);
        most[0] = fmax(most[0], apart(made, x[k]));
    }
    test_sim equal = make_swing("bdf2", "fixed", 0.04 / ceil((double)steps / FRAMES));
    set(equal, "forces.air-damping.coefficient", "1");
    int as_many = 0;
    for (int k = 0; k < FRAMES; k++) {
        as_many += run_frames(equal, 1);
        most[1] = fmax(most[1], apart(equal, x[k]));
    }
    if (figures_are_asked_for())
        print_message("adaptive: %d steps, %.3g m; equal: %d steps, %.3g m\n", steps, most[0], as_many, most[1]);
    assert_true(steps <= as_many);
    assert_below(most[0], most[1]);
    destroy(made);
    destroy(exact);
    destroy(equal);
}

static uint64_t hash_after(int threads, int resumed) {
    test_sim made = make_swing("bdf2", "adaptive", 0.04);
    weft_sim_set_threads(made.sim, threads);
    run_frames(made, 5);
    if (resumed) {
        size_t size = weft_sim_snapshot_size(made.sim);
        void *bytes = malloc(size);
        assert_non_null(bytes);
        weft_sim_snapshot(made.sim, bytes);
        destroy(made);
        made = make_swing("bdf2", "adaptive", 0.04);
        must(weft_sim_restore(made.sim, bytes, size));
        free(bytes);
    }
    run_frames(made, 5);
    uint64_t hash = weft_sim_hash(made.sim);
    destroy(made);
    return hash;
}

static void results_are_reproducible(void **state) {
    (void)state;
    uint64_t hash = hash_after(1, 0);
    assert_true(hash_after(2, 0) == hash);
    assert_true(hash_after(5, 0) == hash);
    assert_true(hash_after(1, 1) == hash);
}

/* Cloth that falls onto a ball: no intersections, whatever the steps. */
static void impacts_shorten_steps(void **state) {
    (void)state;
    test_sim made = start_with("bdf2");
    weft_fabric fabric = weft_fabric_preset_find("cotton")->fabric;
    must(weft_sim_add_cloth(made.sim, "sheet", make_square(12, 0.4, weft_vec3_make(-0.2, 0.3, -0.2), X, Z), &fabric,
                            "corotational", NULL));
    must(weft_sim_add_force(made.sim, "gravity", NULL));
    must(weft_sim_add_body(made.sim, "sphere", NULL, NULL));
    set(made, "bodies.sphere.radius", "0.1");
    set(made, "contact.self", "true");
    set(made, "time.rate", "25");
    set(made, "time.mode", "adaptive");
    set(made, "time.step", "0.04");
    set(made, "time.accuracy", "2e-4");
    int flying = 0, most = 0;
    for (int k = 0; k < 12; k++) {
        int steps = run_frames(made, 1);
        flying = k == 3 ? steps : flying; /* it falls by 0.2 m in 0.2 s */
        most = steps > most ? steps : most;
        assert_int_equal(crossings(made), 0);
    }
    assert_true(most > flying);
    destroy(made);
}

static void bad_values_are_refused(void **state) {
    (void)state;
    test_sim made = start_with("bdf2");
    assert_says(weft_sim_set(made.sim, "time.accuracy", "0"), "time.accuracy");
    assert_says(weft_sim_set(made.sim, "time.accuracy", "nan"), "time.accuracy");
    destroy(made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_follow_accuracy),      cmocka_unit_test(resting_cloth_takes_long_steps),
        cmocka_unit_test(steps_are_where_they_matter), cmocka_unit_test(results_are_reproducible),
        cmocka_unit_test(impacts_shorten_steps),       cmocka_unit_test(bad_values_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
