/* Reports name the step that took longest, what it cost and why. */
#include "unit/contact_support.h"

static test_sim make_sheet_and_ball(const char *integrator) {
    test_sim made = start_with(integrator);
    weft_fabric fabric = weft_fabric_preset_find("cotton")->fabric;
    must(weft_sim_add_cloth(made.sim, "sheet", make_square(8, 0.4, weft_vec3_make(-0.2, 0.06, -0.2), X, Z), &fabric,
                            "springs", NULL));
    must(weft_sim_add_body(made.sim, "sphere", NULL, NULL));
    set(made, "bodies.sphere.radius", "0.05");
    set(made, "time.rate", "60");
    set(made, "time.step", "1");
    return made;
}

static void move_ball(test_sim made, double speed) {
    const weft_body_key key[2] = {{.time = 0, .scale = 1}, {.time = 1, .scale = 1, .offset = {0, speed, 0}}};
    must(weft_sim_set_body_keys(made.sim, 0, key, 2));
}

static void fast_bodies_are_named(void **state) {
    (void)state;
    test_sim made = make_sheet_and_ball("implicit-euler");
    move_ball(made, 12); /* 0.2 m in a frame; an edge is 0.05 m long */
    weft_report report;
    int32_t steps;
    must(weft_sim_advance_frame(made.sim, &report, &steps));
    assert_int_equal(steps, 1);
    assert_int_equal(report.worst.trouble, WEFT_TROUBLE_FAR);
    assert_true(report.worst.halvings >= 2);
    assert_true(report.worst.parts >= 4);
    assert_int_equal(report.worst.newton, report.solve.newton);
    assert_int_equal(report.worst.iterations, report.solve.iterations);
    assert_non_null(strstr(weft_step_cost_reason(&report.worst), "farther than an edge"));
    destroy(made);
}

/* Bodies that pass far from the cloth, or go along with it, do not shorten steps. */
static void bodies_elsewhere_do_not_matter(void **state) {
    (void)state;
    for (int along = 0; along < 2; along++) {
        test_sim made = make_sheet_and_ball("implicit-euler");
        if (along)
            must(weft_sim_set_velocity(made.sim, 0, weft_vec3_make(0, 12, 0)));
        else
            set(made, "bodies.sphere.at", "[1, 0, 0]");
        move_ball(made, 12);
        weft_report report;
        int32_t steps;
        must(weft_sim_advance_frame(made.sim, &report, &steps));
        assert_int_equal(report.worst.trouble, WEFT_TROUBLE_NONE);
        assert_int_equal(report.worst.parts, 1);
        destroy(made);
    }
}

/* The longest step of a frame is kept, and its parts do not take longer than the whole. */
static void easy_steps_name_their_longest_part(void **state) {
    (void)state;
    test_sim made = make_sheet_and_ball("bdf2");
    must(weft_sim_add_force(made.sim, "gravity", NULL));
    set(made, "time.step", "0.004");
    for (int k = 0; k < 20; k++) {
        weft_report report;
        int32_t steps;
        double begin = weft_sim_time(made.sim);
        must(weft_sim_advance_frame(made.sim, &report, &steps));
        const weft_step_cost *worst = &report.worst;
        assert_int_equal(worst->trouble, WEFT_TROUBLE_NONE);
        assert_int_equal(worst->halvings, 0);
        assert_int_equal(worst->parts, 1);
        assert_true(worst->time >= begin && worst->time < weft_sim_time(made.sim));
        assert_true(worst->detection_seconds + worst->solve_seconds + worst->remesh_seconds <= worst->seconds);
        assert_true(worst->newton <= report.solve.newton);
        /* detection is part of the contact phase, not of the integrator's */
        assert_true(report.contact.detection_seconds <= report.seconds[WEFT_PHASE_CONTACT] * (1 + 1e-9));
        assert_true(strlen(weft_step_cost_reason(worst)) > 0);
    }
    destroy(made);
}

static void every_trouble_has_words(void **state) {
    (void)state;
    for (int t = WEFT_TROUBLE_FAR; t <= WEFT_TROUBLE_DIVERGED; t++) {
        weft_step_cost cost = {.seconds = 1, .trouble = (weft_trouble)t};
        assert_true(strlen(weft_step_cost_reason(&cost)) > 10);
    }
    weft_step_cost cost = {.seconds = 1, .solve_seconds = 0.6};
    assert_string_equal(weft_step_cost_reason(&cost), "linear solves");
    cost = (weft_step_cost){.seconds = 1, .detection_seconds = 0.6};
    assert_string_equal(weft_step_cost_reason(&cost), "collision detection");
    cost = (weft_step_cost){.seconds = 1, .remesh_seconds = 0.6};
    assert_string_equal(weft_step_cost_reason(&cost), "tearing, cuts or adaptation");
    cost = (weft_step_cost){.seconds = 1, .solve_seconds = 0.2};
    assert_string_equal(weft_step_cost_reason(&cost), "forces and assembly");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fast_bodies_are_named),
        cmocka_unit_test(bodies_elsewhere_do_not_matter),
        cmocka_unit_test(easy_steps_name_their_longest_part),
        cmocka_unit_test(every_trouble_has_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
