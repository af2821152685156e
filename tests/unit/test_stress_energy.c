/* The energy check of the fuzzer of scenes, with energies that are made up. */
#include "support.h"

#include "tests/stress/stress_energy.h"

/* Adds a state with the given energies in frame `frame`. */
static void add(stress_energy *energy, test_sim made, double kinetic, double potential, int64_t frame) {
    weft_measures now = {.kinetic = kinetic, .potential = potential, .mass = 0};
    stress_energy_add(energy, made.sim, &now, frame, 10 * frame);
}

static test_sim undriven(void) {
    test_sim made = make_sheet(2, 2, 1, 1, "bdf2");
    must(weft_sim_add_force(made.sim, "gravity", NULL));
    must(weft_sim_prepare(made.sim));
    return made;
}

static void falling_is_no_rise(void **state) {
    (void)state;
    test_sim made = undriven();
    stress_energy energy;
    stress_energy_start(&energy, made.sim);
    add(&energy, made, 0, 10, 0);
    add(&energy, made, 4, 6, 1);
    add(&energy, made, 1, 5, 2);
    assert_true(stress_energy_counts(&energy));
    assert_near(stress_energy_reference(&energy), 5, 1e-12);
    assert_near(stress_energy_rise(&energy), 0, 1e-12);
    destroy(made);
}

/* The reference is the start above the lowest level that is reached, wherever the origin is. */
static void rise_counts_from_the_lowest(void **state) {
    (void)state;
    test_sim made = undriven();
    stress_energy energy;
    stress_energy_start(&energy, made.sim);
    add(&energy, made, 0, -90, 0);
    add(&energy, made, 2, -100, 1);
    add(&energy, made, 2.5, -99, 2);
    assert_near(stress_energy_reference(&energy), 10, 1e-12);
    assert_near(stress_energy_rise(&energy), 0.15, 1e-12);
    assert_int_equal(energy.rise_frame, 2);
    assert_int_equal(energy.rise_step, 20);
    destroy(made);
}

static void driven_scenes_do_not_count(void **state) {
    (void)state;
    test_sim made = undriven();
    stress_energy energy;
    must(weft_sim_add_force(made.sim, "wind", NULL));
    stress_energy_start(&energy, made.sim);
    add(&energy, made, 0, 10, 0);
    assert_false(stress_energy_counts(&energy));
    destroy(made);

    made = undriven();
    set(made, "cloth.model.tear", "1.5");
    stress_energy_start(&energy, made.sim);
    add(&energy, made, 0, 10, 0);
    assert_false(stress_energy_counts(&energy));
    destroy(made);
}

static void moving_pins_drive(void **state) {
    (void)state;
    test_sim made = undriven();
    stress_energy energy;
    weft_key key[2] = {{.time = 0}, {.time = 1, .offset = {1, 0, 0}}};
    weft_pin moving = weft_pin_default();
    moving.key = key;
    moving.key_count = 2;
    int32_t corner = 0;
    must(weft_sim_add_pin(made.sim, 0, &moving, &corner, 1));
    stress_energy_start(&energy, made.sim);
    add(&energy, made, 0, 10, 0);
    assert_true(stress_energy_counts(&energy));
    step(made, 0.01);
    add(&energy, made, 0, 10, 1);
    assert_false(stress_energy_counts(&energy));
    destroy(made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(falling_is_no_rise),
        cmocka_unit_test(rise_counts_from_the_lowest),
        cmocka_unit_test(driven_scenes_do_not_count),
        cmocka_unit_test(moving_pins_drive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
