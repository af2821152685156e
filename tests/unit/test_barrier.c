/* Contact inside the solve: no intersections, no energy from nothing, rest, Coulomb's law, thread counts, fast bodies.
 */
#include "unit/contact_support.h"

static void add_sheet(test_sim made, const char *name, const char *model, int cells, double size, weft_vec3 origin,
                      weft_vec3 u) {
    weft_fabric fabric = weft_fabric_preset_find("cotton")->fabric;
    must(weft_sim_add_cloth(made.sim, name, make_square(cells, size, origin, u, Z), &fabric, model, NULL));
}

static test_sim start_barrier(const char *integrator) {
    test_sim made = start_with(integrator);
    set(made, "contact.method", "barrier");
    set(made, "contact.self", "true");
    set(made, "contact.thickness", "2 mm");
    must(weft_sim_add_force(made.sim, "gravity", NULL));
    return made;
}

static double total_energy(test_sim made) {
    weft_measures m = measure(made);
    return m.kinetic + m.elastic + m.potential;
}

static test_sim make_drop(const char *integrator, const char *model) {
    test_sim made = start_barrier(integrator);
    add_sheet(made, "sheet", model, 10, 0.4, weft_vec3_make(-0.2, 0.21, -0.2), X);
    must(weft_sim_add_body(made.sim, "sphere", NULL, NULL));
    set(made, "bodies.sphere.radius", "0.1");
    set(made, "bodies.sphere.at", "[0, 0.1, 0]");
    must(weft_sim_add_body(made.sim, "plane", NULL, NULL));
    return made;
}

/* A sheet that falls onto a ball and the ground. Nothing drives it, so its energy may only fall. Implicit Euler loses
 * energy; the allowance is for the measured potential, whose forces of damping are taken at the start of the step. */
static void drops_create_no_energy(void **state) {
    (void)state;
    static const char *const MODELS[] = {"springs", "corotational"};
    static const double STEPS[] = {0.004, 1.0 / 60};
    for (int i = 0; i < 4; i++) {
        test_sim made = make_drop("implicit-euler", MODELS[i / 2]);
        double dt = STEPS[i % 2], start = total_energy(made), least = start;
        int32_t contacts = 0;
        for (int k = 0; k < 0.4 / dt; k++) {
            contacts += checked_step(made, dt).contact.contacts;
            double now = total_energy(made);
            assert_true(now <= least + 1e-3 * start);
            least = now < least ? now : least;
        }
        assert_true(contacts > 0);
        destroy(made);
    }
}

/* The step in which cloth hits the ground must not extrapolate its fall: bdf2 would throw the cloth back with up to
 * half its speed, the more the shorter the way that is left. */
static void two_step_schemes_do_not_extrapolate_impacts(void **state) {
    (void)state;
    const double fall = -5;
    for (int i = 0; i < 6; i++) {
        test_sim made = start_barrier("bdf2");
        add_sheet(made, "sheet", "springs", 6, 0.2, weft_vec3_make(-0.1, 0.1 + 0.004 * i, -0.1), X);
        must(weft_sim_add_body(made.sim, "plane", NULL, NULL));
        must(weft_sim_set_velocity(made.sim, 0, weft_vec3_make(0, fall, 0)));
        int32_t contacts = 0;
        for (int k = 0; k < 10 && contacts == 0; k++)
            contacts = checked_step(made, 0.005).contact.contacts;
        assert_true(contacts > 0);
        weft_measures now = measure(made);
        assert_true(now.momentum.y < -0.1 * fall * now.mass);
        destroy(made);
    }
}

/* Two layers on the ground come to rest, at the distance of the thickness. */
static void layers_come_to_rest(void **state) {
    (void)state;
    static const double STEPS[] = {0.004, 0.01, 1.0 / 60};
    for (int i = 0; i < 3; i++) {
        test_sim made = start_barrier("implicit-euler");
        add_sheet(made, "one", "corotational", 8, 0.2, weft_vec3_make(0, 0.003, 0), X);
        add_sheet(made, "two", "corotational", 7, 0.19, weft_vec3_make(0.004, 0.006, 0.005), X);
        must(weft_sim_add_body(made.sim, "plane", NULL, NULL));
        for (int k = 0; k < 2 / STEPS[i]; k++)
            checked_step(made, STEPS[i]);
        assert_true(measure(made).kinetic < 1e-9);
        const weft_vec3 *one = weft_sim_positions(made.sim, 0), *two = weft_sim_positions(made.sim, 1);
        assert_true(one[40].y > 0.0015 && one[40].y < 0.0021);
        assert_true(two[32].y > 0.0035 && two[32].y < 0.0042);
        destroy(made);
    }
}

static test_sim make_incline(double mu, double ratio, const char *integrator, double *angle) {
    test_sim made = start_barrier(integrator);
    *angle = atan(ratio * mu);
    weft_vec3 along, at = on_incline(*angle, &along);
    add_sheet(made, "patch", "springs", 4, 0.1, at, along);
    plain_model(made.sim);
    add_incline(made, *angle, mu);
    return made;
}

static void patch_sticks_below_friction_angle(void **state) {
    (void)state;
    double angle;
    test_sim made = make_incline(0.5, 0.95, "bdf2", &angle);
    for (int k = 0; k < 200; k++)
        step(made, 0.005);
    weft_vec3 settled = measure(made).centre;
    for (int k = 0; k < 600; k++)
        step(made, 0.005);
    assert_near(weft_distance(measure(made).centre, settled), 0, 1e-5); /* no creep */
    destroy(made);
}

static void patch_slides_by_coulombs_law(void **state) {
    (void)state;
    static const char *const INTEGRATORS[] = {"implicit-euler", "bdf2"};
    for (int i = 0; i < 2; i++) {
        const double mu = 0.5, time = 1, dt = 0.005;
        double angle;
        test_sim made = make_incline(mu, 1.2, INTEGRATORS[i], &angle);
        run_for(made, time, dt);
        assert_slides_by_coulombs_law(made, mu, angle, time, dt);
        destroy(made);
    }
}

/* A ball at 20 m/s drives through a free sheet in steps that are much longer than its way to the sheet. */
static void fast_bodies_do_not_pass(void **state) {
    (void)state;
    test_sim made = start_barrier("implicit-euler");
    add_sheet(made, "sheet", "springs", 12, 0.4, weft_vec3_make(-0.2, 0.25, -0.2), X);
    must(weft_sim_add_body(made.sim, "sphere", NULL, NULL));
    set(made, "bodies.sphere.radius", "0.05");
    const weft_body_key key[2] = {{.time = 0, .scale = 1}, {.time = 0.05, .scale = 1, .offset = {0, 1, 0}}};
    must(weft_sim_set_body_keys(made.sim, 0, key, 2));
    for (int k = 0; k < 4; k++)
        checked_step(made, 1.0 / 60);
    assert_true(measure(made).centre.y > 0.8);
    destroy(made);
}

static uint64_t hash_with(int threads) {
    test_sim made = make_drop("bdf2", "corotational");
    weft_sim_set_threads(made.sim, threads);
    for (int k = 0; k < 60; k++)
        step(made, 0.005);
    uint64_t hash = weft_sim_hash(made.sim);
    destroy(made);
    return hash;
}

/* A ball is pressed at 1 m/s through six sheets that are held at their corners, 40 mm a step. A step of Newton's method
 * that lets pairs give way while the ball has not arrived closes others: it took up to 50 updates and halved steps.
 * After these steps the corners hold the sheets back. */
static void pressed_stacks_do_not_stall(void **state) {
    (void)state;
    static const weft_body_key KEYS[] = {{.time = 0, .scale = 1}, {.time = 1, .offset = {0, -1, 0}, .scale = 1}};
    static const int32_t CORNERS[] = {0, 8, 72, 80};
    weft_pin still = weft_pin_default();
    test_sim made = start_barrier("implicit-euler");
    for (int i = 0; i < 6; i++) {
        char name[24];
        weft_vec3 turned = {cos(0.122 * i), 0, -sin(0.122 * i)}, across = {-turned.z, 0, turned.x};
        weft_vec3 origin = weft_scale(-0.2, weft_add(turned, across));
        weft_fabric fabric = weft_fabric_preset_find("cotton")->fabric;
        snprintf(name, sizeof name, "sheet %d", i);
        origin.y = 0.01 * (i + 1);
        must(weft_sim_add_cloth(made.sim, name, make_square(8, 0.4, origin, turned, across), &fabric, "corotational",
                                NULL));
        must(weft_sim_add_pin(made.sim, i, &still, CORNERS, 4));
    }
    must(weft_sim_add_body(made.sim, "sphere", NULL, NULL));
    set(made, "bodies.sphere.radius", "0.08");
    set(made, "bodies.sphere.at", "[0.01, 0.155, 0.013]");
    must(weft_sim_set_body_keys(made.sim, 0, KEYS, 2));
    for (int k = 0; k < 4; k++) {
        weft_report report = checked_step(made, 0.04);
        assert_int_equal(report.halvings, 0);
        assert_below(report.solve.newton, 25);
    }
    destroy(made);
}

static void hash_does_not_depend_on_threads(void **state) {
    (void)state;
    uint64_t one = hash_with(1);
    assert_int_equal(hash_with(2), one);
    assert_int_equal(hash_with(5), one);
}

/* Slip and reach of the contacts are part of the state. */
static void snapshots_continue_with_the_same_bits(void **state) {
    (void)state;
    test_sim made = make_drop("bdf2", "springs"), other = make_drop("bdf2", "springs");
    for (int k = 0; k < 40; k++)
        step(made, 0.005);
    size_t size = weft_sim_snapshot_size(made.sim);
    char *bytes = malloc(size);
    assert_non_null(bytes);
    weft_sim_snapshot(made.sim, bytes);
    must(weft_sim_prepare(other.sim));
    must(weft_sim_restore(other.sim, bytes, size));
    for (int k = 0; k < 20; k++) {
        step(made, 0.005);
        step(other, 0.005);
        assert_int_equal(weft_sim_hash(made.sim), weft_sim_hash(other.sim));
    }
    must(weft_sim_restore(made.sim, bytes, size));
    for (int k = 0; k < 20; k++)
        step(made, 0.005);
    assert_int_equal(weft_sim_hash(made.sim), weft_sim_hash(other.sim));
    free(bytes);
    destroy(other);
    destroy(made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drops_create_no_energy),
        cmocka_unit_test(two_step_schemes_do_not_extrapolate_impacts),
        cmocka_unit_test(layers_come_to_rest),
        cmocka_unit_test(patch_sticks_below_friction_angle),
        cmocka_unit_test(patch_slides_by_coulombs_law),
        cmocka_unit_test(fast_bodies_do_not_pass),
        cmocka_unit_test(pressed_stacks_do_not_stall),
        cmocka_unit_test(hash_does_not_depend_on_threads),
        cmocka_unit_test(snapshots_continue_with_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
